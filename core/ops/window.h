#pragma once
// From the options of a convolution or pooling call to the geometry kernels
// work with.

#include "core/autodiff/op.h"
#include "core/kernels/window.h"
#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// How an image is padded.
enum class Padding { valid, same, explicit_ };
/// How a fractional output size becomes whole.
enum class Rounding { trunc, floor, ceil, round };

/// What a caller chooses: strides, dilations, padding, layout.
struct WindowOptions {
  int stride[2] = {1, 1};
  int dilation[2] = {1, 1};
  Padding padding = Padding::valid;
  int pad[4] = {0, 0, 0, 0};  ///< top, bottom, left, right
  Rounding rounding = Rounding::trunc;
  bool channels_first = false;

  /// Reads [stride h, w, dilation h, w, padding, top, bottom, left, right,
  /// rounding, channels_first], as JavaScript writes it.
  static WindowOptions from(const Ints& list);
};

/// Geometry of a [batch, height, width, channels] image under a kernel of
/// kernel_height x kernel_width that gives out_channels. Checks strides,
/// dilations and that the output is not negative.
kernels::Window window_of(const char* op, const Shape& image,
                          int kernel_height, int kernel_width,
                          int out_channels, const WindowOptions& options);

/// Shape of the output, [batch, out_height, out_width, out_channels].
Shape output_shape(const kernels::Window& w);
/// Shape of the input, [batch, in_height, in_width, in_channels].
Shape input_shape(const kernels::Window& w);

/// Names strides, dilations and paddings, those of the end too.
void tell_window(const kernels::Window& w, Teller& to);
/// The same for ops whose attributes are a window.
void tell_window(const Run& run, Teller& to);

/// NHWC from NCHW and back; x itself when `channels_first` is false.
Tensor to_channels_last(Tensor x, bool channels_first);
Tensor from_channels_last(Tensor x, bool channels_first);

}  // namespace tidemark::ops
