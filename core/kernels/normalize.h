#pragma once
// Normalization over channels, the innermost dimension.

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// out[r, c] = (in[r, c] - mean[c]) / sqrt(variance[c] + epsilon) * scale[c] +
/// offset[c]; scale and offset may be null (1 and 0).
void batch_norm(Index rows, Index channels, const float* in, const float* mean,
                const float* variance, const float* offset, const float* scale,
                float epsilon, float* out);

/// out[r, c] = sum of in[r, i] over |i - c| <= radius.
void window_sum(Index rows, Index channels, Index radius, const float* in,
                float* out);

}  // namespace tidemark::kernels
