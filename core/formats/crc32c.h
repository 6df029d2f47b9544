#pragma once
// CRC-32C (Castagnoli), and the mask TensorFlow and LevelDB put on stored ones
// so that a checksum of bytes that hold checksums stays a good one.

#include "core/formats/bytes.h"

namespace tidemark::formats {

/// The checksum of what `before` is the checksum of, followed by `bytes`.
uint32_t crc32c(View bytes, uint32_t before = 0);

/// A checksum as it is stored, and back.
constexpr uint32_t masked(uint32_t crc) {
  return std::rotr(crc, 15) + 0xa282ead8u;
}
constexpr uint32_t unmasked(uint32_t stored) {
  return std::rotl(stored - 0xa282ead8u, 15);
}

}  // namespace tidemark::formats
