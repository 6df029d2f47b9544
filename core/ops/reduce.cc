#include "core/ops/reduce.h"

#include <algorithm>

#include "core/kernels/broadcast.h"
#include "core/ops/cast.h"
#include "core/ops/emit.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

Shape kept_shape(const Shape& shape, const Ints& axes) {
  Shape kept = shape;
  for (int a : axes) kept[a] = 1;
  return kept;
}

Shape reduced_shape(const Shape& shape, const Ints& axes) {
  Ints dims;
  for (int d = 0; d < shape.rank(); ++d) {
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) {
      dims.push_back(shape[d]);
    }
  }
  return Shape(dims);
}

// The output has x's rank, with 1 for each reduced dimension: it is "broadcast"
// to x, and every element of x is added where it lands.
constexpr Op kSum{
    .name = "sum",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          const Tensor& y = run.out[0];
          auto plan = kernels::plan_broadcast(x.shape(), {&y.shape()});
          auto with = [&]<class T, class Sum>(T, Sum) {
            const T* in = x.data<T>();
            T* out = y.mutable_data<T>();
            std::fill_n(out, y.size(), T{});
            kernels::for_each_row(plan, [&](std::size_t i, auto* at) {
              if (plan.moves[0]) {
                for (std::size_t k = 0; k < plan.row; ++k) {
                  out[at[0] + k] += in[i + k];
                }
              } else {
                Sum sum{};
                for (std::size_t k = 0; k < plan.row; ++k) sum += in[i + k];
                out[at[0]] += static_cast<T>(sum);
              }
            });
          };
          x.dtype() == DType::float32 ? with(float{}, double{})
                                      : with(int32_t{}, int32_t{});
        },
    .vjp =
        [](Vjp& v) { v.give(0, broadcast_to(v.dy(), v.in_spec(0).shape)); },
};

}  // namespace

Tensor sum(Tensor x, Ints axes, bool keep_dims) {
  axes = normalize_axes("sum", axes, x.rank());
  if (x.dtype() == DType::bool_) x = cast(x, DType::int32);
  Tensor y = emit(kSum, {x}, {kept_shape(x.shape(), axes), x.dtype()});
  return keep_dims ? y : reshape(y, reduced_shape(x.shape(), axes));
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

}  // namespace tidemark::ops
