#include "core/ops/window.h"

#include <algorithm>
#include <cmath>

#include "core/ops/transpose.h"

namespace tidemark::ops {
namespace {

struct Axis {
  int out, before;
};

int rounded(double size, Rounding rounding) {
  switch (rounding) {
    case Rounding::floor: return static_cast<int>(std::floor(size));
    case Rounding::ceil: return static_cast<int>(std::ceil(size));
    case Rounding::round: return static_cast<int>(std::floor(size + 0.5));
    case Rounding::trunc: return static_cast<int>(size);
  }
  return 0;
}

Axis along(const char* op, int axis, int in, int kernel,
           const WindowOptions& o) {
  int stride = o.stride[axis];
  // What one window covers, holes of the dilation included.
  int extent = (kernel - 1) * o.dilation[axis] + 1;
  switch (o.padding) {
    case Padding::same: {
      int out = (in + stride - 1) / stride;
      int pad = std::max(0, (out - 1) * stride + extent - in);
      return {out, pad / 2};
    }
    case Padding::valid:
    case Padding::explicit_: {
      bool explicit_pads = o.padding == Padding::explicit_;
      int before = explicit_pads ? o.pad[2 * axis] : 0;
      int after = explicit_pads ? o.pad[2 * axis + 1] : 0;
      double span = static_cast<double>(in) + before + after - extent;
      if (span + stride < 0) {
        fail(Code::shape, op, ": a window that covers ", extent,
             " does not fit into ", in, " with pads ", before, " and ", after);
      }
      if (span > 1e9) {
        fail(Code::argument, op, ": pads ", before, " and ", after,
             " are too large");
      }
      return {span < 0 ? 0 : rounded(span / stride + 1, o.rounding), before};
    }
  }
  return {0, 0};
}

}  // namespace

WindowOptions WindowOptions::from(const Ints& list) {
  if (list.size() != 11) {
    fail(Code::internal, "window options: ", list.size(), " values, not 11");
  }
  WindowOptions o;
  std::copy_n(list.begin(), 2, o.stride);
  std::copy_n(list.begin() + 2, 2, o.dilation);
  o.padding = static_cast<Padding>(list[4]);
  std::copy_n(list.begin() + 5, 4, o.pad);
  o.rounding = static_cast<Rounding>(list[9]);
  o.channels_first = list[10] != 0;
  return o;
}

kernels::Window window_of(const char* op, const Shape& image,
                          int kernel_height, int kernel_width,
                          int out_channels, const WindowOptions& o) {
  for (int i = 0; i < 2; ++i) {
    if (o.stride[i] < 1) {
      fail(Code::argument, op, ": Strides should be larger than 0. Got ",
           o.stride[0], ",", o.stride[1]);
    }
    if (o.dilation[i] < 1) {
      fail(Code::argument, op, ": Dilated rates should be larger than 0. Got ",
           o.dilation[0], ",", o.dilation[1]);
    }
    if (kernel_height < 0 || kernel_width < 0) {
      fail(Code::argument, op, ": the window must not be negative, got ",
           kernel_height, "x", kernel_width);
    }
  }
  if (o.pad[0] < 0 || o.pad[1] < 0 || o.pad[2] < 0 || o.pad[3] < 0) {
    fail(Code::argument, op, ": pads must not be negative, got [", o.pad[0],
         ",", o.pad[1], "] and [", o.pad[2], ",", o.pad[3], "]");
  }
  Axis rows = along(op, 0, image[1], kernel_height, o);
  Axis columns = along(op, 1, image[2], kernel_width, o);
  kernels::Window w;
  w.batch = image[0];
  w.in_height = image[1];
  w.in_width = image[2];
  w.in_channels = image[3];
  w.out_height = rows.out;
  w.out_width = columns.out;
  w.out_channels = out_channels;
  w.kernel_height = kernel_height;
  w.kernel_width = kernel_width;
  w.stride_height = o.stride[0];
  w.stride_width = o.stride[1];
  w.dilation_height = o.dilation[0];
  w.dilation_width = o.dilation[1];
  w.pad_top = rows.before;
  w.pad_left = columns.before;
  return w;
}

Shape output_shape(const kernels::Window& w) {
  return {static_cast<int>(w.batch), static_cast<int>(w.out_height),
          static_cast<int>(w.out_width), static_cast<int>(w.out_channels)};
}

Shape input_shape(const kernels::Window& w) {
  return {static_cast<int>(w.batch), static_cast<int>(w.in_height),
          static_cast<int>(w.in_width), static_cast<int>(w.in_channels)};
}

void tell_window(const kernels::Window& w, Teller& to) {
  // How far the windows reach beyond the input and the padding before it.
  auto after = [](kernels::Index out, kernels::Index stride,
                  kernels::Index kernel, kernels::Index dilation,
                  kernels::Index in, kernels::Index before) {
    kernels::Index reach = (out - 1) * stride + (kernel - 1) * dilation + 1;
    return std::max<kernels::Index>(reach - in - before, 0);
  };
  auto list = [&](const char* name,
                  std::initializer_list<kernels::Index> values) {
    int narrow[4];
    std::copy(values.begin(), values.end(), narrow);
    to.list(name, {narrow, values.size()});
  };
  list("kernel", {w.kernel_height, w.kernel_width});
  list("strides", {w.stride_height, w.stride_width});
  list("dilations", {w.dilation_height, w.dilation_width});
  list("pads",
       {w.pad_top,
        after(w.out_height, w.stride_height, w.kernel_height,
              w.dilation_height, w.in_height, w.pad_top),
        w.pad_left,
        after(w.out_width, w.stride_width, w.kernel_width, w.dilation_width,
              w.in_width, w.pad_left)});
}

void tell_window(const Run& run, Teller& to) {
  tell_window(run.attr<kernels::Window>(), to);
}

Tensor to_channels_last(Tensor x, bool channels_first) {
  return channels_first ? transpose(x, {0, 2, 3, 1}) : x;
}

Tensor from_channels_last(Tensor x, bool channels_first) {
  return channels_first ? transpose(x, {0, 3, 1, 2}) : x;
}

}  // namespace tidemark::ops
