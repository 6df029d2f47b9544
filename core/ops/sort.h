#pragma once
// Order and equality: topk, unique, searchSorted, setdiff1d.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// The k largest elements along the last dimension, largest first, and their
/// int32 indices; of equals the lower index first. NaN counts as the largest.
Tensors topk(Tensor x, int k);
/// The different slices of x along `axis` in order of appearance, and for each
/// slice of x the int32 index of its like. NaN equals NaN, -0 equals 0.
Tensors unique(Tensor x, int axis);
/// For each value, where it would be put into the sorted sequence (last
/// dimension; the others agree) before its equals, or after them (`right`).
Tensor search_sorted(Tensor sequence, Tensor values, bool right);
/// The elements of vector x that vector y lacks, and their int32 indices.
Tensors setdiff1d(Tensor x, Tensor y);

}  // namespace tidemark::ops
