#pragma once
// Any reduction as one over the middle axis of [outer, n, inner], the form
// that kernels have.

#include "core/autodiff/op.h"
#include "core/kernels/reduce.h"
#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// A set of axes in 0..rank-1, bit by bit: attributes must be plain bytes.
struct Axes {
  uint32_t mask = 0;
  Axes() = default;
  explicit Axes(const Ints& axes) {
    for (int a : axes) mask |= 1u << a;
  }
  bool has(int axis) const { return mask >> axis & 1; }
  void tell(const Run& run, Teller& to) const;
};

/// `shape` with 1 for each of the axes.
Shape kept_shape(const Shape& shape, Axes axes);
/// `shape` without the axes.
Shape reduced_shape(const Shape& shape, Axes axes);

/// A reduction over one axis alone.
kernels::Reduction along(const Shape& shape, int axis);

/// x and the form of its reduction; x is moved (transposed) only when kept
/// axes lie between reduced ones.
struct Folded {
  kernels::Reduction form;
  Tensor x;
};
Folded fold(const Tensor& x, Axes axes);

/// `shape` with neighbouring axes of one kind multiplied, and those of the new
/// axes that are to be reduced, last first.
struct Merged {
  Shape shape;
  Ints axes;
};
Merged merge(const Shape& shape, Axes axes);

}  // namespace tidemark::ops
