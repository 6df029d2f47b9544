#pragma once
// Two-dimensional convolution, NHWC images and [height, width, in, out]
// filters. In all three functions `w` describes the forward convolution.

#include "core/kernels/epilogue.h"
#include "core/kernels/window.h"

namespace tidemark::kernels {

/// output[batch, out_height, out_width, out_channels] =
/// epilogue(convolution of input with filter).
void conv2d(const Window& w, const float* input, const float* filter,
            float* output, const Epilogue& epilogue = {});

/// The gradient at the input, dy being shaped as the output. With an epilogue
/// (bias per input channel) it is the transposed convolution.
void conv2d_input_gradient(const Window& w, const float* dy,
                           const float* filter, float* dx,
                           const Epilogue& epilogue = {});

/// The gradient at the filter.
void conv2d_filter_gradient(const Window& w, const float* input,
                            const float* dy, float* dfilter);

}  // namespace tidemark::kernels
