#pragma once
// Convolutions of images. Images are [batch, height, width, channels] (or
// without batch), filters [height, width, in, out]; `options` is the list that
// WindowOptions::from reads; with channels_first images are
// [batch, channels, height, width]. float32 only.

#include <optional>

#include "core/kernels/epilogue.h"
#include "core/tensor/tensor.h"

namespace tidemark::ops {

Tensor conv2d(Tensor x, Tensor filter, Ints options);
/// Convolution of [batch, width, in] (or without batch) with
/// [width, in, out]; the options of the other axis stay at their defaults.
Tensor conv1d(Tensor x, Tensor filter, Ints options);
/// activation(conv2d + bias) in one pass where the kernel can; prelu when there
/// are weights for it.
Tensor fused_conv2d(Tensor x, Tensor filter, Ints options,
                    std::optional<Tensor> bias,
                    kernels::Activation activation,
                    std::optional<Tensor> prelu_weights, double leaky_alpha);
/// The transposed convolution: filter is [height, width, out, in], the result
/// has `shape` ([batch,] height, width, out).
Tensor conv2d_transpose(Tensor x, Tensor filter, Ints shape, Ints options);
/// Gradient of conv2d at its input of shape `shape`; at its filter of shape
/// `filter_shape`.
Tensor conv2d_der_input(Tensor dy, Tensor filter, Ints shape,
                             Ints options);
Tensor conv2d_der_filter(Tensor x, Tensor dy, Ints filter_shape,
                              Ints options);

/// Every channel by its own filters [height, width, in, multiplier].
Tensor depthwise_conv2d(Tensor x, Tensor filter, Ints options);
Tensor fused_depthwise_conv2d(Tensor x, Tensor filter, Ints options,
                              std::optional<Tensor> bias,
                              kernels::Activation activation,
                              std::optional<Tensor> prelu_weights,
                              double leaky_alpha);
/// Depthwise, then a 1x1 convolution with pointwise [1, 1, in * multiplier,
/// out].
Tensor separable_conv2d(Tensor x, Tensor depthwise, Tensor pointwise,
                        Ints options);

}  // namespace tidemark::ops
