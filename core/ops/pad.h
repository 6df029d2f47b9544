#pragma once
// Tensors set into larger ones: pad, mirrorPad, diag.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// x with `paddings` (before and after, for each dimension) filled with value.
Tensor pad(Tensor x, Ints paddings, double value);
/// x with paddings that mirror it, the edge elements repeated (symmetric) or
/// not.
Tensor mirror_pad(Tensor x, Ints paddings, bool symmetric);
/// The tensor of shape [...s, ...s] that has x (of shape s) on its diagonal.
Tensor diag(Tensor x);

/// y of `shape` with y[begin + step * i] = x[i], and `value` elsewhere: the
/// derivative of take_block.
Tensor put_block(const Tensor& x, const Ints& begin, const Ints& step,
                 const Shape& shape, double value);

}  // namespace tidemark::ops
