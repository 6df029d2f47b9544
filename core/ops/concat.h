#pragma once
// Joining tensors and taking them apart: concat, stack, split, unstack, tile.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// The tensors one after the other along `axis`; other dimensions must agree.
/// Different dtypes meet in the widest.
Tensor concat(Tensors tensors, int axis);
/// Tensors of one shape along a new dimension `axis`.
Tensor stack(Tensors tensors, int axis);
/// x cut along `axis` into pieces of `sizes` (one may be -1: what remains), or
/// into `parts` equal ones when sizes is empty.
Tensors split(Tensor x, Ints sizes, int parts, int axis);
/// The slices of x along `axis`, without that dimension.
Tensors unstack(Tensor x, int axis);
/// x repeated reps[i] times along each dimension i.
Tensor tile(Tensor x, Ints reps);

}  // namespace tidemark::ops
