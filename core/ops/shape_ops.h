#pragma once
// Ops that move or rename elements without changing them.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// x under another shape of the same size; shares storage. One dimension may
/// be -1: it is what remains.
Tensor reshape(Tensor x, Ints shape);
Tensor reshape(Tensor x, const Shape& shape);
/// x with a dimension of 1 put before `axis`, which may count from the end.
Tensor expand_dims(Tensor x, int axis);
/// x without the dimensions `axes`, which must be 1; without all ones when
/// `axes` is empty.
Tensor squeeze(Tensor x, Ints axes);
/// x repeated to `shape` by NumPy's rule.
Tensor broadcast_to(Tensor x, const Shape& shape);

}  // namespace tidemark::ops
