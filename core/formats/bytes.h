#pragma once
// Bytes of files. A buffer that grows, a view of somebody else's bytes, and
// little-endian numbers in both, which is how all formats here have them.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tidemark::formats {

static_assert(std::endian::native == std::endian::little);

using Bytes = std::string;
using View = std::string_view;

/// Appends the bytes of a number.
template <class T>
void put(Bytes& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// The number whose bytes start at `at`; the caller has checked the length.
template <class T>
T get(View bytes, std::size_t at = 0) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

/// A byte as a number from 0 to 255.
inline uint8_t byte_at(View bytes, std::size_t i) {
  return static_cast<uint8_t>(bytes[i]);
}

}  // namespace tidemark::formats
