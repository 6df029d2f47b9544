#pragma once
// Images of summaries: pixels to PNG files.

#include <span>
#include <vector>

#include "core/formats/bytes.h"

namespace tidemark::formats {

/// Height, width and channels: 1 (gray), 3 (RGB) or 4 (RGBA).
struct ImageSize {
  int height, width, channels;
  std::size_t values() const {
    return std::size_t(height) * std::size_t(width) * std::size_t(channels);
  }
};

/// A PNG file of bytes in row-major order. Fails with code argument when the
/// size is impossible or the pixels are not as many.
Bytes png(ImageSize size, View pixels);

/// The bytes TensorFlow's image summaries make of one image of floats: scaled
/// so that the largest is 255, or, with negative values, so that zero is 128.
/// Pixels that are not finite get `bad_color` (as many values as channels).
Bytes normalized(ImageSize size, std::span<const float> pixels,
                 View bad_color);

}  // namespace tidemark::formats
