#pragma once
// Windows that slide over images: convolutions and pooling share the geometry.

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// NHWC geometry. Padding below and right of the image is what the output size
/// implies; every position outside the image counts as padding.
struct Window {
  Index batch = 1;
  Index in_height = 0, in_width = 0, in_channels = 0;
  Index out_height = 0, out_width = 0, out_channels = 0;
  Index kernel_height = 1, kernel_width = 1;
  Index stride_height = 1, stride_width = 1;
  Index dilation_height = 1, dilation_width = 1;
  Index pad_top = 0, pad_left = 0;

  /// Values of the input, the output, and positions of the output.
  Index in_size() const {
    return batch * in_height * in_width * in_channels;
  }
  Index out_size() const { return out_pixels() * out_channels; }
  Index out_pixels() const { return batch * out_height * out_width; }
  Index taps() const { return kernel_height * kernel_width; }
};

/// Kernel positions [begin, end) whose input lies inside [0, size).
struct Range {
  Index begin, end;
};

/// The taps of one axis that read inside the image when the window starts at
/// `origin` (may be negative).
inline Range valid_taps(Index origin, Index taps, Index dilation, Index size) {
  Index begin = 0;
  if (origin < 0) begin = (-origin + dilation - 1) / dilation;
  Index end = taps;
  if (origin + (taps - 1) * dilation >= size) {
    end = origin >= size ? 0 : (size - 1 - origin) / dilation + 1;
  }
  if (begin > taps) begin = taps;
  if (end < begin) end = begin;
  return {begin, end};
}

/// Positions [begin, end) of an output row whose windows lie inside the input
/// row.
inline Range interior_outputs(const Window& w) {
  const Index reach = (w.kernel_width - 1) * w.dilation_width;
  const Index begin =
      w.pad_left <= 0 ? 0
                      : (w.pad_left + w.stride_width - 1) / w.stride_width;
  const Index last = w.in_width - 1 - reach + w.pad_left;
  const Index end = last < 0 ? 0 : last / w.stride_width + 1;
  const auto inside = [&w](Index x) {
    return x < w.out_width ? x : w.out_width;
  };
  return {inside(begin), inside(end)};
}

}  // namespace tidemark::kernels
