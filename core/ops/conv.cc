// Convolution, its two gradients and what is made of them. Each of the three
// is linear in both operands, so each one's derivative is the other two.

#include "core/ops/conv.h"

#include "core/kernels/conv2d.h"
#include "core/ops/check.h"
#include "core/ops/conv_common.h"
#include "core/ops/emit.h"
#include "core/ops/operators.h"
#include "core/ops/reduce.h"
#include "core/ops/shape_ops.h"
#include "core/ops/window.h"

namespace tidemark::ops {
namespace {

using kernels::Window;

Tensor forward(const Tensor& x, const Tensor& filter, const Window& w);
Tensor input_gradient(const Tensor& dy, const Tensor& filter, const Window& w);
Tensor filter_gradient(const Tensor& x, const Tensor& dy, const Window& w);

constexpr Op kConv2d{
    .name = "conv2d",
    .kernel =
        [](const Run& run) {
          kernels::conv2d(run.attr<Window>(), run.in[0].data<float>(),
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
    .name = "conv2dBackpropInput",
    .kernel =
        [](const Run& run) {
          kernels::conv2d_input_gradient(
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
    .name = "conv2dBackpropFilter",
    .kernel =
        [](const Run& run) {
          kernels::conv2d_filter_gradient(
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
  return emit(kConv2d, {x, filter}, {output_shape(w), DType::float32}, w);
}

Tensor input_gradient(const Tensor& dy, const Tensor& filter, const Window& w) {
  return emit(kInputGradient, {dy, filter}, {input_shape(w), DType::float32},
              w);
}

Tensor filter_gradient(const Tensor& x, const Tensor& dy, const Window& w) {
  Shape shape{static_cast<int>(w.kernel_height),
              static_cast<int>(w.kernel_width),
              static_cast<int>(w.in_channels),
              static_cast<int>(w.out_channels)};
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
    .name = "fusedConv2d",
    .kernel =
        [](const Run& run) {
          const Fused& f = run.attr<Fused>();
          kernels::conv2d(f.window, run.in[0].data<float>(),
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
  require_rank(op, "input", x, 4);
  require_rank(op, "filter", filter, 4);
  if (x.shape()[3] != filter.shape()[2]) {
    fail(Code::shape, op, ": depth of input (", x.shape()[3],
         ") must match input depth for filter ", filter.shape()[2], " (",
         x.shape(), " and ", filter.shape(), ")");
  }
  require_one(op, o);
  return window_of(op, x.shape(), filter.shape()[0], filter.shape()[1],
                   filter.shape()[3], o);
}

}  // namespace

Tensor conv2d(Tensor x, Tensor filter, Ints options) {
  WindowOptions o = WindowOptions::from(options);
  return on_images("conv2d", x, o, [&](const Tensor& images) {
    return forward(images, filter, checked_window("conv2d", images, filter, o));
  });
}

Tensor conv1d(Tensor x, Tensor filter, Ints options) {
  require_dtype("conv1d", "x", x, DType::float32);
  require_dtype("conv1d", "filter", filter, DType::float32);
  if (x.rank() != 2) require_rank("conv1d", "input", x, 3);
  require_rank("conv1d", "filter", filter, 3);
  if (x.shape().back() != filter.shape()[1]) {
    fail(Code::shape, "conv1d: depth of input (", x.shape().back(),
         ") must match input depth for filter ", filter.shape()[1], " (",
         x.shape(), " and ", filter.shape(), ")");
  }
  WindowOptions o = WindowOptions::from(options);
  require_one("conv1d", o);
  // A row of height 1.
  Shape image = x.shape().inserted(x.rank() - 2, 1);
  Tensor y = conv2d(reshape(x, image), reshape(filter,
                    filter.shape().inserted(0, 1)), options);
  return reshape(y, y.shape().removed(y.rank() - 3));
}

Tensor fused_conv2d(Tensor x, Tensor filter, Ints options,
                    std::optional<Tensor> bias, kernels::Activation activation,
                    std::optional<Tensor> prelu_weights, double alpha) {
  WindowOptions o = WindowOptions::from(options);
  return on_images("fused conv2d", x, o, [&](const Tensor& images) {
    Window w = checked_window("fused conv2d", images, filter, o);
    if (!prelu_weights && has_gradient_from_result(activation, alpha) &&
        fits_epilogue(bias, w)) {
      return emit(kFused, {images, filter, bias.value_or(Tensor())},
                  {output_shape(w), DType::float32},
                  Fused{w, activation, static_cast<float>(alpha)});
    }
    return finish("fused conv2d", forward(images, filter, w), bias, activation,
                  prelu_weights, alpha, o.channels_first);
  });
}

Tensor conv2d_der_input(Tensor dy, Tensor filter, Ints shape,
                             Ints options) {
  const char* op = "conv2dDerInput";
  WindowOptions o = WindowOptions::from(options);
  require_dtype(op, "dy", dy, DType::float32);
  require_dtype(op, "filter", filter, DType::float32);
  if (static_cast<int>(shape.size()) != dy.rank()) {
    fail(Code::shape, op, ": Length of inShape (", shape.size(),
         ") and rank of dy (", dy.rank(), ") must match");
  }
  require_rank(op, "filter", filter, 4);
  if (shape.size() == 3) shape.insert(shape.begin(), 1);
  return on_images(op, dy, o, [&](const Tensor& images) {
    Shape image(shape);
    if (image.rank() != 4) {
      fail(Code::shape, op, ": inShape must be length 4, but got length ",
           image.rank(), ".");
    }
    if (o.channels_first) image = {image[0], image[2], image[3], image[1]};
    const Shape& f = filter.shape();
    if (image[3] != f[2]) {
      fail(Code::shape, op, ": depth of input (", image[3],
           ") must match input depth for filter ", f[2], ".");
    }
    if (images.shape()[3] != f[3]) {
      fail(Code::shape, op, ": depth of output (", images.shape()[3],
           ") must match output depth for filter ", f[3], ".");
    }
    Window w = window_of(op, image, f[0], f[1], f[3], o);
    if (output_shape(w) != images.shape()) {
      fail(Code::shape, op, ": an image of shape ", image, " gives ",
           output_shape(w), ", but dy is ", images.shape());
    }
    return input_gradient(images, filter, w);
  });
}

Tensor conv2d_transpose(Tensor x, Tensor filter, Ints shape, Ints options) {
  return conv2d_der_input(std::move(x), std::move(filter),
                               std::move(shape), std::move(options));
}

Tensor conv2d_der_filter(Tensor x, Tensor dy, Ints filter_shape,
                              Ints options) {
  const char* op = "conv2dDerFilter";
  WindowOptions o = WindowOptions::from(options);
  require_dtype(op, "x", x, DType::float32);
  require_dtype(op, "dy", dy, DType::float32);
  auto images = [&](const Tensor& t) {
    Tensor whole = t.rank() == 3 ? reshape(t, t.shape().inserted(0, 1)) : t;
    require_rank(op, "input", whole, 4);
    return to_channels_last(whole, o.channels_first);
  };
  Tensor image = images(x), gradient = images(dy);
  Shape f(filter_shape);
  if (f.rank() != 4 || image.shape()[3] != f[2] ||
      gradient.shape()[3] != f[3]) {
    fail(Code::shape, op, ": the filter's shape ", f,
         " does not fit an image of ", image.shape(), " and dy of ",
         gradient.shape());
  }
  Window w = window_of(op, image.shape(), f[0], f[1], f[3], o);
  if (output_shape(w) != gradient.shape()) {
    fail(Code::shape, op, ": an image of shape ", image.shape(), " gives ",
         output_shape(w), ", but dy is ", gradient.shape());
  }
  return filter_gradient(image, gradient, w);
}

}  // namespace tidemark::ops
