#pragma once
// The window geometries that convolutions and pooling are tested with.

#include <algorithm>
#include <vector>

#include "core/kernels/window.h"

namespace tidemark::testing {

/// Fills in the output size for padding `after` below and right of the image.
inline kernels::Window with_output(kernels::Window w, std::ptrdiff_t after) {
  const auto size = [after](std::ptrdiff_t in, std::ptrdiff_t before,
                            std::ptrdiff_t kernel, std::ptrdiff_t stride,
                            std::ptrdiff_t dilation) {
    const std::ptrdiff_t room =
        in + before + after - (kernel - 1) * dilation - 1;
    return room < 0 ? 0 : room / stride + 1;
  };
  w.out_height = size(w.in_height, w.pad_top, w.kernel_height,
                      w.stride_height, w.dilation_height);
  w.out_width = size(w.in_width, w.pad_left, w.kernel_width, w.stride_width,
                     w.dilation_width);
  return w;
}

/// Windows with odd sizes, strides, dilations and lopsided pads; channels and
/// multiplier are given (out_channels = in_channels when multiplier is 0).
inline std::vector<kernels::Window> windows(std::ptrdiff_t in_channels,
                                            std::ptrdiff_t out_channels) {
  std::vector<kernels::Window> all;
  for (std::ptrdiff_t kernel = 1; kernel <= 4; ++kernel) {
    for (std::ptrdiff_t stride = 1; stride <= 3; ++stride) {
      for (std::ptrdiff_t dilation = 1; dilation <= 3; ++dilation) {
        for (std::ptrdiff_t pad = 0; pad <= 2; ++pad) {
          kernels::Window w;
          w.batch = 2;
          w.in_height = 7 + stride;
          w.in_width = 9;
          w.in_channels = in_channels;
          w.out_channels = out_channels;
          w.kernel_height = kernel;
          w.kernel_width = kernel % 3 + 1;
          w.stride_height = stride;
          w.stride_width = 3 - stride == 0 ? 1 : 3 - stride;
          w.dilation_height = dilation;
          w.dilation_width = 4 - dilation;
          w.pad_top = pad;
          w.pad_left = 2 - pad;
          all.push_back(with_output(w, pad));
        }
      }
    }
  }
  kernels::Window plain;
  plain.in_height = plain.in_width = 12;
  plain.in_channels = in_channels;
  plain.out_channels = out_channels;
  plain.kernel_height = plain.kernel_width = 3;
  plain.pad_top = plain.pad_left = 1;
  all.push_back(with_output(plain, 1));
  plain.stride_height = plain.stride_width = 2;
  plain.pad_top = plain.pad_left = 0;
  all.push_back(with_output(plain, 1));
  plain.batch = 0;
  all.push_back(with_output(plain, 1));
  return all;
}

}  // namespace tidemark::testing
