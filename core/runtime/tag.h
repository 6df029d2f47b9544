#pragma once
// Numbers that name something for JavaScript: an index and the generation of
// what stands there, exact in a double. A name outlives what it named without
// ever meaning something else.

#include <cstdint>

namespace tidemark::runtime {

inline constexpr uint32_t kIndices = 1u << 24;
inline constexpr uint32_t kGenerations = 1u << 28;

/// index + generation * 2^24.
constexpr double tag(uint32_t index, uint32_t generation) {
  return static_cast<double>(uint64_t{generation} << 24 | index);
}

/// The two parts of a tag; false for numbers that are none.
constexpr bool untag(double tag, uint32_t& index, uint32_t& generation) {
  // NaN (an undefined argument) fails both comparisons.
  if (!(tag >= 0 && tag < 0x1p52)) return false;
  auto bits = static_cast<uint64_t>(tag);
  index = static_cast<uint32_t>(bits & (kIndices - 1));
  generation = static_cast<uint32_t>(bits >> 24);
  return true;
}

}  // namespace tidemark::runtime
