// Depthwise convolution: as conv.cc, every channel by itself.

#include "core/kernels/depthwise.h"

#include "core/ops/check.h"
#include "core/ops/conv.h"
#include "core/ops/conv_common.h"
#include "core/ops/emit.h"
#include "core/ops/operators.h"
#include "core/ops/reduce.h"

namespace tidemark::ops {
namespace {

using kernels::Window;

Tensor forward(const Tensor& x, const Tensor& filter, const Window& w);
Tensor input_gradient(const Tensor& dy, const Tensor& filter, const Window& w);
Tensor filter_gradient(const Tensor& x, const Tensor& dy, const Window& w);

constexpr Op kDepthwise{
    .name = "depthwiseConv2d",
    .kernel =
        [](const Run& run) {
          kernels::depthwise(run.attr<Window>(), run.in[0].data<float>(),
                             run.in[1].data<float>(),
                             run.out[0].mutable_data<float>());
        },
    .vjp =
        [](Vjp& v) {
          const Window& w = v.attr<Window>();
          if (v.needs(0)) v.give(0, input_gradient(v.dy(), v.in(1), w));
          if (v.needs(1)) v.give(1, filter_gradient(v.in(0), v.dy(), w));
        },
    .keep_inputs = 3,
    .tell = tell_window,
};

constexpr Op kInputGradient{
    .name = "depthwiseConv2dBackpropInput",
    .kernel =
        [](const Run& run) {
          kernels::depthwise_input_gradient(
              run.attr<Window>(), run.in[0].data<float>(),
              run.in[1].data<float>(), run.out[0].mutable_data<float>());
        },
    .vjp =
        [](Vjp& v) {
          const Window& w = v.attr<Window>();
          if (v.needs(0)) v.give(0, forward(v.dy(), v.in(1), w));
          if (v.needs(1)) v.give(1, filter_gradient(v.dy(), v.in(0), w));
        },
    .keep_inputs = 3,
    .tell = tell_window,
};

constexpr Op kFilterGradient{
    .name = "depthwiseConv2dBackpropFilter",
    .kernel =
        [](const Run& run) {
          kernels::depthwise_filter_gradient(
              run.attr<Window>(), run.in[0].data<float>(),
              run.in[1].data<float>(), run.out[0].mutable_data<float>());
        },
    .vjp =
        [](Vjp& v) {
          const Window& w = v.attr<Window>();
          if (v.needs(0)) v.give(0, input_gradient(v.in(1), v.dy(), w));
          if (v.needs(1)) v.give(1, forward(v.in(0), v.dy(), w));
        },
    .keep_inputs = 3,
    .tell = tell_window,
};

Tensor forward(const Tensor& x, const Tensor& filter, const Window& w) {
  return emit(kDepthwise, {x, filter}, {output_shape(w), DType::float32}, w);
}

Tensor input_gradient(const Tensor& dy, const Tensor& filter, const Window& w) {
  return emit(kInputGradient, {dy, filter}, {input_shape(w), DType::float32},
              w);
}

Tensor filter_gradient(const Tensor& x, const Tensor& dy, const Window& w) {
  int channels = static_cast<int>(w.in_channels);
  int multiplier =
      channels == 0 ? 0 : static_cast<int>(w.out_channels) / channels;
  Shape shape{static_cast<int>(w.kernel_height),
              static_cast<int>(w.kernel_width), channels, multiplier};
  return emit(kFilterGradient, {x, dy}, {shape, DType::float32}, w);
}

struct Fused {
  Window window;
  kernels::Activation activation;
  float alpha;

  void tell(const Run&, Teller& to) const {
    tell_window(window, to);
    tell_activation(to, activation, alpha);
  }
};

constexpr Op kFused{
    .name = "fusedDepthwiseConv2d",
    .kernel =
        [](const Run& run) {
          const Fused& f = run.attr<Fused>();
          kernels::depthwise(f.window, run.in[0].data<float>(),
                             run.in[1].data<float>(),
                             run.out[0].mutable_data<float>(),
                             epilogue(run.in[2], f.activation, f.alpha));
        },
    .vjp =
        [](Vjp& v) {
          const Fused& f = v.attr<Fused>();
          Tensor dy = activation_gradient(v.dy(), v.out(), f.activation,
                                          f.alpha);
          if (v.needs(0)) v.give(0, input_gradient(dy, v.in(1), f.window));
          if (v.needs(1)) v.give(1, filter_gradient(v.in(0), dy, f.window));
          if (v.needs(2)) {
            v.give(2, reshape(sum(dy, {0, 1, 2}), v.in_spec(2).shape));
          }
        },
    .keep_inputs = 3,
    .keep_outputs = 1,
    .tell = tell<Fused>,
};

Window checked_window(const char* op, const Tensor& x, const Tensor& filter,
                      const WindowOptions& o) {
  require_dtype(op, "x", x, DType::float32);
  require_dtype(op, "filter", filter, DType::float32);
  require_rank(op, "filter", filter, 4);
  if (x.shape()[3] != filter.shape()[2]) {
    fail(Code::shape, op, ": number of input channels (", x.shape()[3],
         ") must match the inChannels dimension in filter ",
         filter.shape()[2], " (", x.shape(), " and ", filter.shape(), ")");
  }
  require_one(op, o);
  return window_of(op, x.shape(), filter.shape()[0], filter.shape()[1],
                   filter.shape()[2] * filter.shape()[3], o);
}

}  // namespace

Tensor depthwise_conv2d(Tensor x, Tensor filter, Ints options) {
  WindowOptions o = WindowOptions::from(options);
  return on_images("depthwiseConv2d", x, o, [&](const Tensor& images) {
    return forward(images, filter,
                   checked_window("depthwiseConv2d", images, filter, o));
  });
}

Tensor fused_depthwise_conv2d(Tensor x, Tensor filter, Ints options,
                              std::optional<Tensor> bias,
                              kernels::Activation activation,
                              std::optional<Tensor> prelu_weights,
                              double alpha) {
  const char* op = "fused depthwiseConv2d";
  WindowOptions o = WindowOptions::from(options);
  return on_images(op, x, o, [&](const Tensor& images) {
    Window w = checked_window(op, images, filter, o);
    if (!prelu_weights && has_gradient_from_result(activation, alpha) &&
        fits_epilogue(bias, w)) {
      return emit(kFused, {images, filter, bias.value_or(Tensor())},
                  {output_shape(w), DType::float32},
                  Fused{w, activation, static_cast<float>(alpha)});
    }
    return finish(op, forward(images, filter, w), bias, activation,
                  prelu_weights, alpha, o.channels_first);
  });
}

Tensor separable_conv2d(Tensor x, Tensor depthwise, Tensor pointwise,
                        Ints options) {
  const char* op = "separableConv2d";
  require_rank(op, "depthwise filter", depthwise, 4);
  require_rank(op, "pointwise filter", pointwise, 4);
  const Shape& p = pointwise.shape();
  if (p[0] != 1) {
    fail(Code::shape, op, ": the first dimension of pointwise filter must be "
         "1, but got ", p[0], ".");
  }
  if (p[1] != 1) {
    fail(Code::shape, op, ": the second dimension of pointwise filter must be "
         "1, but got ", p[1], ".");
  }
  int wanted = depthwise.shape()[2] * depthwise.shape()[3];
  if (p[2] != wanted) {
    fail(Code::shape, op, ": the third dimension of pointwise filter must be ",
         wanted, ", but got ", p[2], ".");
  }
  Tensor middle = depthwise_conv2d(x, depthwise, options);
  Ints plain{1, 1, 1, 1, static_cast<int>(Padding::valid), 0, 0, 0, 0, 0,
             options[10]};
  return conv2d(middle, pointwise, plain);
}

}  // namespace tidemark::ops
