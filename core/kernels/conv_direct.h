#pragma once
// Direct convolution for few output channels. There the blocked product would
// spend its time packing patches that it reads once or twice; here the tiles
// read the image itself.

#include "core/kernels/epilogue.h"
#include "core/kernels/window.h"

namespace tidemark::kernels {

/// True where direct_conv2d() applies and is the faster choice.
bool suits_direct(const Window& w);

/// The same for direct_filter_gradient().
bool suits_direct_gradient(const Window& w);

/// conv2d() for windows that suit.
void direct_conv2d(const Window& w, const float* input, const float* filter,
                   float* output, const Epilogue& epilogue);

/// conv2d_input_gradient() for stride 1 windows whose turned_window() suits.
void direct_input_gradient(const Window& w, const float* dy,
                           const float* filter, float* dx,
                           const Epilogue& epilogue);

/// conv2d_filter_gradient() for windows that suit.
void direct_filter_gradient(const Window& w, const float* input,
                            const float* dy, float* dfilter);

/// The convolution that the input gradient of a stride 1 window is: from dy to
/// dx, with the filter turned by half a circle.
Window turned_window(const Window& w);

}  // namespace tidemark::kernels
