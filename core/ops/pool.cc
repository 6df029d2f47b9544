#include "core/ops/pool.h"

#include "core/kernels/pool.h"
#include "core/ops/check.h"
#include "core/ops/conv_common.h"
#include "core/ops/emit.h"

namespace tidemark::ops {
namespace {

using kernels::Window;

Tensor max_pool_gradient(const Tensor& x, const Tensor& dy, const Window& w);
Tensor max_pool_pick(const Tensor& x, const Tensor& v, const Window& w);
Tensor avg_pool_gradient(const Tensor& dy, const Window& w);
Tensor avg_pool_forward(const Tensor& x, const Window& w);

constexpr Op kMaxPool{
    .name = "maxPool",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          if (x.dtype() == DType::int32) {
            kernels::max_pool(run.attr<Window>(), x.data<int32_t>(),
                              run.out[0].mutable_data<int32_t>());
          } else {
            kernels::max_pool(run.attr<Window>(), x.data<float>(),
                              run.out[0].mutable_data<float>());
          }
        },
    .vjp =
        [](Vjp& v) {
          v.give(0, max_pool_gradient(v.in(0), v.dy(), v.attr<Window>()));
        },
    .keep_inputs = 1,
    .tell = tell_window,
};

// The gradient and the pick are each other's derivative in input 1; in x they
// are constant almost everywhere.
constexpr Op kMaxPoolGradient{
    .name = "maxPoolGrad",
    .kernel =
        [](const Run& run) {
          kernels::max_pool_gradient(
              run.attr<Window>(), run.in[0].data<float>(),
              run.in[1].data<float>(), run.out[0].mutable_data<float>());
        },
    .vjp =
        [](Vjp& v) {
          if (!v.needs(1)) return;
          v.give(1, max_pool_pick(v.in(0), v.dy(), v.attr<Window>()));
        },
    .keep_inputs = 1,
    .tell = tell_window,
};

constexpr Op kMaxPoolPick{
    .name = "maxPoolPick",
    .kernel =
        [](const Run& run) {
          kernels::max_pool_pick(
              run.attr<Window>(), run.in[0].data<float>(),
              run.in[1].data<float>(), run.out[0].mutable_data<float>());
        },
    .vjp =
        [](Vjp& v) {
          if (!v.needs(1)) return;
          v.give(1, max_pool_gradient(v.in(0), v.dy(), v.attr<Window>()));
        },
    .keep_inputs = 1,
    .tell = tell_window,
};

constexpr Op kAvgPool{
    .name = "avgPool",
    .kernel =
        [](const Run& run) {
          kernels::avg_pool(run.attr<Window>(), run.in[0].data<float>(),
                            run.out[0].mutable_data<float>());
        },
    .vjp =
        [](Vjp& v) { v.give(0, avg_pool_gradient(v.dy(), v.attr<Window>())); },
    .tell = tell_window,
};

constexpr Op kAvgPoolGradient{
    .name = "avgPoolGrad",
    .kernel =
        [](const Run& run) {
          kernels::avg_pool_gradient(run.attr<Window>(),
                                     run.in[0].data<float>(),
                                     run.out[0].mutable_data<float>());
        },
    .vjp =
        [](Vjp& v) { v.give(0, avg_pool_forward(v.dy(), v.attr<Window>())); },
    .tell = tell_window,
};

Tensor max_pool_gradient(const Tensor& x, const Tensor& dy, const Window& w) {
  return emit(kMaxPoolGradient, {x, dy}, {x.shape(), DType::float32}, w);
}

Tensor max_pool_pick(const Tensor& x, const Tensor& v, const Window& w) {
  return emit(kMaxPoolPick, {x, v}, {output_shape(w), DType::float32}, w);
}

Tensor avg_pool_gradient(const Tensor& dy, const Window& w) {
  return emit(kAvgPoolGradient, {dy}, {input_shape(w), DType::float32}, w);
}

Tensor avg_pool_forward(const Tensor& x, const Window& w) {
  return emit(kAvgPool, {x}, {output_shape(w), DType::float32}, w);
}

Window checked_window(const char* op, const Tensor& x, const Ints& window,
                      const WindowOptions& o) {
  if (window.size() != 2 || window[0] < 1 || window[1] < 1) {
    fail(Code::argument, op, ": the window must be two sizes above 0, got ",
         window);
  }
  require_one(op, o);
  return window_of(op, x.shape(), window[0], window[1], x.shape()[3], o);
}

}  // namespace

Tensor max_pool(Tensor x, Ints window, Ints options) {
  WindowOptions o = WindowOptions::from(options);
  if (x.dtype() == DType::bool_) {
    require_dtype("maxPool", "x", x, DType::float32);
  }
  return on_images("maxPool", x, o, [&](const Tensor& images) {
    Window w = checked_window("maxPool", images, window, o);
    return emit(kMaxPool, {images}, {output_shape(w), images.dtype()}, w);
  });
}

Tensor avg_pool(Tensor x, Ints window, Ints options) {
  WindowOptions o = WindowOptions::from(options);
  require_dtype("avgPool", "x", x, DType::float32);
  return on_images("avgPool", x, o, [&](const Tensor& images) {
    return avg_pool_forward(images,
                            checked_window("avgPool", images, window, o));
  });
}

}  // namespace tidemark::ops
