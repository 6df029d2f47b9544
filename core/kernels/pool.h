#pragma once
// Pooling over NHWC images; w.out_channels equals w.in_channels. Positions
// outside the image take no part, neither in a maximum nor in a count.

#include "core/kernels/window.h"

namespace tidemark::kernels {

/// The largest value of every window; NaN if it holds one, -infinity if it is
/// empty.
void max_pool(const Window& w, const float* input, float* output);

/// The same for int32; the smallest int32 for an empty window.
void max_pool(const Window& w, const std::int32_t* input,
              std::int32_t* output);

/// dx is dy at the first largest position (row by row) of each window.
void max_pool_gradient(const Window& w, const float* input, const float* dy,
                       float* dx);

/// picked[output] is `values` at that position; values is shaped as the input.
void max_pool_pick(const Window& w, const float* input, const float* values,
                   float* picked);

/// The mean of every window; NaN for an empty one.
void avg_pool(const Window& w, const float* input, float* output);

/// dx is the share of dy of each position.
void avg_pool_gradient(const Window& w, const float* dy, float* dx);

}  // namespace tidemark::kernels
