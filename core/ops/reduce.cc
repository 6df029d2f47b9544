#include "core/ops/reduce.h"

#include "core/kernels/log_sum_exp.h"
#include "core/ops/binary_op.h"
#include "core/ops/creation.h"
#include "core/ops/fold.h"
#include "core/ops/numeric.h"
#include "core/ops/operators.h"
#include "core/ops/scan.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

using kernels::Reduction;

// A reduction is a functor whose `run` takes the form, the elements and where
// results go; it exists for the types that its kernel exists for.
struct Sum {
  static auto run(const Reduction& r, auto* in, auto* out)
      -> decltype(kernels::sum(r, in, out)) {
    kernels::sum(r, in, out);
  }
};
struct Mean {
  static auto run(const Reduction& r, auto* in, auto* out)
      -> decltype(kernels::mean(r, in, out)) {
    kernels::mean(r, in, out);
  }
};
struct Prod {
  static auto run(const Reduction& r, auto* in, auto* out)
      -> decltype(kernels::prod(r, in, out)) {
    kernels::prod(r, in, out);
  }
};
struct Max {
  static auto run(const Reduction& r, auto* in, auto* out)
      -> decltype(kernels::max(r, in, out)) {
    kernels::max(r, in, out);
  }
};
struct Min {
  static auto run(const Reduction& r, auto* in, auto* out)
      -> decltype(kernels::min(r, in, out)) {
    kernels::min(r, in, out);
  }
};
struct Any {
  static auto run(const Reduction& r, auto* in, auto* out)
      -> decltype(kernels::any(r, in, out)) {
    kernels::any(r, in, out);
  }
};
struct All {
  static auto run(const Reduction& r, auto* in, auto* out)
      -> decltype(kernels::all(r, in, out)) {
    kernels::all(r, in, out);
  }
};
struct ArgMax {
  using Out = int32_t;
  static auto run(const Reduction& r, auto* in, int32_t* out)
      -> decltype(kernels::arg_max(r, in, out)) {
    kernels::arg_max(r, in, out);
  }
};
struct ArgMin {
  using Out = int32_t;
  static auto run(const Reduction& r, auto* in, int32_t* out)
      -> decltype(kernels::arg_min(r, in, out)) {
    kernels::arg_min(r, in, out);
  }
};
struct LogSumExp {
  static auto run(const Reduction& r, auto* in, auto* out)
      -> decltype(kernels::log_sum_exp(r, in, out)) {
    kernels::log_sum_exp(r, in, out);
  }
};

template <class F>
void fold_kernel(const Run& run) {
  Folded folded = fold(run.in[0], run.attr<Axes>());
  const Tensor& y = run.out[0];
  dispatch(folded.x.dtype(), [&](auto type) {
    using T = decltype(type);
    const T* in = folded.x.template data<T>();
    if constexpr (requires { typename F::Out; }) {
      auto* out = y.mutable_data<typename F::Out>();
      if constexpr (requires { F::run(folded.form, in, out); }) {
        F::run(folded.form, in, out);
      }
    } else {
      T* out = y.mutable_data<T>();
      if constexpr (requires { F::run(folded.form, in, out); }) {
        F::run(folded.form, in, out);
      }
    }
  });
}

// The output (or its gradient) in a shape that broadcasts to the input's.
Tensor unfolded(const Vjp& v, const Tensor& t) {
  return reshape(t, kept_shape(v.in_spec(0).shape, v.attr<Axes>()));
}

// 1 where a == b, else 0; what has no slope has a zero derivative.
struct Same {
  static auto value(auto a, auto b) {
    using B = decltype(a);
    return xsimd::select(a == b, B(1.f), B(0.f));
  }
  static Tensor da(Tensor dy) { return zeros_like(dy); }
  static Tensor db(Tensor dy) { return zeros_like(dy); }
};

void extremum_vjp(Vjp& v) {
  Tensor here = binary<Same>("same", v.in(0), unfolded(v, v.out()));
  v.give(0, unfolded(v, v.dy()) * here);
}

void zero_vjp(Vjp& v) {
  v.give(0, fill(v.in_spec(0).shape, 0, DType::float32));
}

constexpr Op kSum{
    .name = "sum",
    .kernel = fold_kernel<Sum>,
    .vjp = [](Vjp& v) {
      v.give(0, broadcast_to(unfolded(v, v.dy()), v.in_spec(0).shape));
    },
    .tell = tell<Axes>,
};
constexpr Op kMean{
    .name = "mean",
    .kernel = fold_kernel<Mean>,
    .vjp = [](Vjp& v) {
      double n = static_cast<double>(v.in_spec(0).shape.size()) /
                 static_cast<double>(v.out_spec().shape.size());
      v.give(0, broadcast_to(unfolded(v, v.dy()) / n, v.in_spec(0).shape));
    },
    .tell = tell<Axes>,
};
// Over one axis. d prod / dx[k] is the product of all others, which is that of
// those before times that of those after: right also where some are zero.
constexpr Op kProd{
    .name = "prod",
    .kernel = fold_kernel<Prod>,
    .vjp = [](Vjp& v) {
      int axis = 0;
      while (!v.attr<Axes>().has(axis)) ++axis;
      Tensor before = cumprod(v.in(0), axis, true, false);
      Tensor after = cumprod(v.in(0), axis, true, true);
      v.give(0, unfolded(v, v.dy()) * (before * after));
    },
    .keep_inputs = 1,
    .tell = tell<Axes>,
};
constexpr Op kMax{.name = "max", .kernel = fold_kernel<Max>,
                  .vjp = extremum_vjp, .keep_inputs = 1, .keep_outputs = 1,
                  .tell = tell<Axes>};
constexpr Op kMin{.name = "min", .kernel = fold_kernel<Min>,
                  .vjp = extremum_vjp, .keep_inputs = 1, .keep_outputs = 1,
                  .tell = tell<Axes>};
constexpr Op kAny{.name = "any", .kernel = fold_kernel<Any>,
                  .tell = tell<Axes>};
constexpr Op kAll{.name = "all", .kernel = fold_kernel<All>,
                  .tell = tell<Axes>};
constexpr Op kArgMax{.name = "argMax", .kernel = fold_kernel<ArgMax>,
                     .vjp = zero_vjp,
                     .tell = tell<Axes>};
constexpr Op kArgMin{.name = "argMin", .kernel = fold_kernel<ArgMin>,
                     .vjp = zero_vjp,
                     .tell = tell<Axes>};
// d/dx = e^x / sum(e^x) = e^(x - y).
constexpr Op kLogSumExp{
    .name = "logSumExp",
    .kernel = fold_kernel<LogSumExp>,
    .vjp = [](Vjp& v) {
      Tensor share = exp(v.in(0) - unfolded(v, v.out()));
      v.give(0, unfolded(v, v.dy()) * share);
    },
    .keep_inputs = 1,
    .keep_outputs = 1,
    .tell = tell<Axes>,
};

Tensor reduce(const Op& op, const Tensor& x, const Ints& axes, bool keep_dims) {
  Axes set(normalize_axes(op.name, axes, x.rank()));
  Shape shape = keep_dims ? kept_shape(x.shape(), set)
                          : reduced_shape(x.shape(), set);
  return emit(op, {x}, {shape, x.dtype()}, set);
}

Tensor reduce_bools(const Op& op, const Tensor& x, const Ints& axes,
                    bool keep_dims) {
  if (x.dtype() != DType::bool_) {
    fail(Code::dtype, "Argument 'x' passed to '", op.name, "' must be bool "
         "tensor, but got ", x.dtype(), " tensor");
  }
  return reduce(op, x, axes, keep_dims);
}

Tensor arg_reduce(const Op& op, const Tensor& x, int axis) {
  Axes set(normalize_axes(op.name, {axis}, x.rank()));
  return emit(op, {as_number(x)},
              {reduced_shape(x.shape(), set), DType::int32}, set);
}

}  // namespace

Tensor sum(Tensor x, Ints axes, bool keep_dims) {
  return reduce(kSum, as_number(x), axes, keep_dims);
}

Tensor sum_to(Tensor x, const Shape& shape) {
  if (x.shape() == shape) return x;
  Ints axes;
  int lead = x.rank() - shape.rank();
  for (int d = 0; d < x.rank(); ++d) {
    if (d < lead || (shape[d - lead] == 1 && x.shape()[d] != 1)) {
      axes.push_back(d);
    }
  }
  return axes.empty() ? reshape(x, shape) : reshape(sum(x, axes, true), shape);
}

Tensor mean(Tensor x, Ints axes, bool keep_dims) {
  return reduce(kMean, as_float(x), axes, keep_dims);
}

Tensor prod(Tensor x, Ints axes, bool keep_dims) {
  Axes set(normalize_axes("prod", axes, x.rank()));
  Shape shape = keep_dims ? kept_shape(x.shape(), set)
                          : reduced_shape(x.shape(), set);
  auto [merged, reduced] = merge(x.shape(), set);
  Tensor y = reshape(as_number(x), merged);
  for (int axis : reduced) y = reduce(kProd, y, {axis}, true);
  return reshape(y, shape);
}

Tensor max(Tensor x, Ints axes, bool keep_dims) {
  const Op& op = x.dtype() == DType::bool_ ? kAny : kMax;
  return reduce(op, x, axes, keep_dims);
}

Tensor min(Tensor x, Ints axes, bool keep_dims) {
  const Op& op = x.dtype() == DType::bool_ ? kAll : kMin;
  return reduce(op, x, axes, keep_dims);
}

Tensor any(Tensor x, Ints axes, bool keep_dims) {
  return reduce_bools(kAny, x, axes, keep_dims);
}

Tensor all(Tensor x, Ints axes, bool keep_dims) {
  return reduce_bools(kAll, x, axes, keep_dims);
}

Tensor arg_max(Tensor x, int axis) { return arg_reduce(kArgMax, x, axis); }
Tensor arg_min(Tensor x, int axis) { return arg_reduce(kArgMin, x, axis); }

Tensor log_sum_exp(Tensor x, Ints axes, bool keep_dims) {
  return reduce(kLogSumExp, as_float(x), axes, keep_dims);
}

Tensors moments(Tensor x, Ints axes, bool keep_dims) {
  x = as_float(x);
  Tensor center = mean(x, axes, true);
  Tensor variance = mean(square(x - center), axes, keep_dims);
  return {reshape(center, variance.shape()), variance};
}

}  // namespace tidemark::ops
