#pragma once
// Counting and data-dependent selection: bincount, booleanMask.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// How often each of 0..size-1 occurs in int32 x; with weights (x's size) the
/// sum of them. Values from `size` on are dropped. The dtype is the weights'.
Tensor bincount(Tensor x, Tensor weights, int size);
/// The same for each row of a matrix x; binary: 1 for what occurs at all.
Tensor dense_bincount(Tensor x, Tensor weights, int size, bool binary);
/// The slices of x whose place in `mask` is true; mask's dimensions stand for
/// those of x from `axis` on.
Tensor boolean_mask(Tensor x, Tensor mask, int axis);

}  // namespace tidemark::ops
