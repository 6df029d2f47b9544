#pragma once
// Permutations of axes, and the ops that are a permutation between reshapes.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// Axis i of the result is axis perm[i] of x; an empty perm turns all around.
Tensor transpose(Tensor x, Ints perm);
/// [b,h,w,c] -> [b,h*k,w*k,c/(k*k)] for block size k; channels_first: the same
/// of [b,c,h,w].
Tensor depth_to_space(Tensor x, int block, bool channels_first);
/// Pads the dimensions after the first (`paddings`: before and after for each
/// entry of `block`), cuts them into blocks and moves the offsets within a
/// block to the batch dimension.
Tensor space_to_batch_nd(Tensor x, Ints block, Ints paddings);
/// The inverse: moves batch back into blocks, then crops.
Tensor batch_to_space_nd(Tensor x, Ints block, Ints crops);

}  // namespace tidemark::ops
