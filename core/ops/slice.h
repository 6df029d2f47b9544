#pragma once
// Blocks of a tensor: slice, stridedSlice, reverse.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// The block of x that starts at `begin` and has `size` elements along each
/// dimension. Missing begins are 0; a size of -1, or a missing one, is all
/// that remains.
Tensor slice(Tensor x, Ints begin, Ints size);
/// x[begin:end:stride] with TensorFlow's masks: bit i of each concerns entry i
/// of the lists. Empty strides are ones.
Tensor strided_slice(Tensor x, Ints begin, Ints end, Ints strides,
                     int begin_mask, int end_mask, int ellipsis_mask,
                     int new_axis_mask, int shrink_axis_mask);
/// x with the order along `axes` (empty: all) turned around.
Tensor reverse(Tensor x, Ints axes);

/// y[i] = x[begin + step * i] for every index i of `shape`, which must stay
/// inside x. Steps may be negative; both lists have x's rank.
Tensor take_block(const Tensor& x, const Ints& begin, const Ints& step,
                  const Shape& shape);

}  // namespace tidemark::ops
