#pragma once
// Ops that make tensors out of numbers.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// A tensor of `shape` whose elements are all `value`.
Tensor fill(const Shape& shape, double value, DType dtype);
/// Zeros or ones of x's shape and dtype.
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);
/// start, start + step, ... up to but without stop; counts down by itself
/// when stop < start and step is 1. Fails on a step of 0.
Tensor range(double start, double stop, double step, DType dtype);
/// `num` evenly spaced numbers from start to stop, both included; float32.
Tensor linspace(double start, double stop, int num);
/// Identity matrices: [batch..., rows, columns], ones on the main diagonal.
Tensor eye(int rows, int columns, const Ints& batch, DType dtype);
/// [indices..., depth]: `on` at each index and `off` elsewhere; an index out
/// of range gives a row of `off`. indices: int32; depth: at least 2.
Tensor one_hot(Tensor indices, int depth, double on, double off, DType dtype);

}  // namespace tidemark::ops
