#pragma once
// Ops that make tensors out of numbers.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// A tensor of `shape` whose elements are all `value`.
Tensor fill(const Shape& shape, double value, DType dtype);
/// Zeros or ones of x's shape and dtype.
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);

}  // namespace tidemark::ops
