#include "core/ops/shape_ops.h"

#include <algorithm>
#include <cstring>

#include "core/kernels/broadcast.h"
#include "core/ops/emit.h"
#include "core/ops/reduce.h"

namespace tidemark::ops {
namespace {

constexpr Op kReshape{
    .name = "reshape",
    .kernel = nullptr,
    .vjp =
        [](Vjp& v) { v.give(0, reshape(v.dy(), v.in_spec(0).shape)); },
};

constexpr Op kBroadcastTo{
    .name = "broadcastTo",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          const Tensor& y = run.out[0];
          auto plan = kernels::plan_broadcast(y.shape(), {&x.shape()});
          dispatch(x.dtype(), [&](auto type) {
            using T = decltype(type);
            T* out = y.mutable_data<T>();
            const T* in = x.data<T>();
            kernels::for_each_row(plan, [&](std::size_t o, auto* at) {
              if (plan.moves[0]) {
                std::memcpy(out + o, in + at[0], plan.row * sizeof(T));
              } else {
                std::fill_n(out + o, plan.row, in[at[0]]);
              }
            });
          });
        },
    .vjp = [](Vjp& v) { v.give(0, sum_to(v.dy(), v.in_spec(0).shape)); },
};

}  // namespace

Tensor reshape(Tensor x, const Shape& shape) {
  if (shape.size() != x.size()) {
    fail(Code::shape, "reshape: Size(", x.size(),
         ") must match the product of shape ", shape, " (from ", x.shape(),
         ")");
  }
  return emit(kReshape, {x}, {shape, x.dtype()});
}

Tensor reshape(Tensor x, Ints dims) {
  int inferred = -1;
  std::size_t known = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] >= 0) {
      known *= static_cast<std::size_t>(dims[i]);
    } else if (dims[i] == -1 && inferred < 0) {
      inferred = static_cast<int>(i);
    } else if (dims[i] == -1) {
      fail(Code::shape, "reshape: Shapes can only have 1 implicit size. Found "
           "-1 at dim ", inferred, " and dim ", i);
    } else {
      fail(Code::shape, "reshape: Shapes can not be < 0. Found ", dims[i],
           " at dim ", i);
    }
  }
  if (inferred >= 0) {
    if (known == 0) {
      fail(Code::shape, "reshape: Cannot infer the missing size in ", dims,
           " when there are 0 elements");
    }
    if (x.size() % known != 0) {
      fail(Code::shape, "reshape: The implicit shape can't be a fractional "
           "number. Got ", x.size(), " / ", known);
    }
    dims[inferred] = static_cast<int>(x.size() / known);
  }
  return reshape(x, Shape(dims));
}

Tensor expand_dims(Tensor x, int axis) {
  int rank = x.rank();
  if (axis > rank) {
    fail(Code::argument, "expandDims: Axis must be <= rank of the tensor (",
         rank, ") but got ", axis);
  }
  if (axis < -rank - 1) {
    fail(Code::argument, "expandDims: Axis must be in the interval [",
         -rank - 1, ", ", rank, "] but got ", axis);
  }
  return reshape(x, x.shape().inserted(axis < 0 ? axis + rank + 1 : axis, 1));
}

Tensor squeeze(Tensor x, Ints axes) {
  bool all = axes.empty();
  axes = normalize_axes("squeeze", axes, x.rank());
  Ints dims;
  for (int d = 0; d < x.rank(); ++d) {
    bool named = std::find(axes.begin(), axes.end(), d) != axes.end();
    if (named && !all && x.shape()[d] != 1) {
      fail(Code::shape, "squeeze: Can't squeeze axis ", d, " since its dim '",
           x.shape()[d], "' is not 1");
    }
    if (!named || x.shape()[d] != 1) dims.push_back(x.shape()[d]);
  }
  return reshape(x, Shape(dims));
}

Tensor broadcast_to(Tensor x, const Shape& shape) {
  if (broadcast_shape("broadcastTo", x.shape(), shape) != shape) {
    fail(Code::shape, "broadcastTo: [", x.shape(), "] cannot be broadcast to [",
         shape, "].");
  }
  return emit(kBroadcastTo, {x}, {shape, x.dtype()});
}

}  // namespace tidemark::ops
