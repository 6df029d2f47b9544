#pragma once
// Reductions over axes. An empty list of axes means all of them.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// Sum over `axes`; int32 stays int32 and wraps, bool counts as int32.
Tensor sum(Tensor x, Ints axes, bool keep_dims = false);
/// The sum of x down to `shape`, to which x's shape was broadcast: the
/// derivative of broadcasting.
Tensor sum_to(Tensor x, const Shape& shape);

}  // namespace tidemark::ops
