#pragma once
// Pooling of images [batch, height, width, channels] (or without batch).
// `window` is [height, width], `options` as for convolutions.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// The largest value of every window; NaN if it holds one. Keeps int32.
Tensor max_pool(Tensor x, Ints window, Ints options);
/// The mean of every window; padding does not count. float32 only.
Tensor avg_pool(Tensor x, Ints window, Ints options);

}  // namespace tidemark::ops
