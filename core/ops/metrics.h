#pragma once
// How good predictions are.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// Whether predictions[..., targets[...]] is among the k largest of its row,
/// as bool; of equal predictions the first counts as larger. A target outside
/// the row is not among them, nor is NaN.
Tensor in_top_k(Tensor predictions, Tensor targets, int k);

}  // namespace tidemark::ops
