#pragma once
// Depthwise convolution, NHWC images and [height, width, in, multiplier]
// filters; out_channels = in_channels * multiplier. `w` always describes the
// forward convolution.

#include "core/kernels/epilogue.h"
#include "core/kernels/window.h"

namespace tidemark::kernels {

/// output[.., c * multiplier + q] = epilogue(convolution of channel c with
/// filter[.., c, q]).
void depthwise(const Window& w, const float* input, const float* filter,
               float* output, const Epilogue& epilogue = {});

/// The gradient at the input, dy being shaped as the output.
void depthwise_input_gradient(const Window& w, const float* dy,
                              const float* filter, float* dx);

/// The gradient at the filter.
void depthwise_filter_gradient(const Window& w, const float* input,
                               const float* dy, float* dfilter);

}  // namespace tidemark::kernels
