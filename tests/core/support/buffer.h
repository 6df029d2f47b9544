#pragma once
// Test data laid out as the runtime stores tensors.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace tidemark::testing {

/// `size` values at a 64-byte boundary, padded to a multiple of 64 bytes.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::ptrdiff_t size, T fill = T{}) : size_(size) {
    const std::size_t bytes =
        (static_cast<std::size_t>(size) * sizeof(T) + 63) / 64 * 64;
    data_ = static_cast<T*>(
        ::operator new(bytes == 0 ? 64 : bytes, std::align_val_t{64}));
    std::memset(static_cast<void*>(data_), 0xff, bytes == 0 ? 64 : bytes);
    for (std::ptrdiff_t i = 0; i < size; ++i) data_[i] = fill;
  }
  explicit Buffer(const std::vector<T>& values)
      : Buffer(static_cast<std::ptrdiff_t>(values.size())) {
    for (std::size_t i = 0; i < values.size(); ++i) data_[i] = values[i];
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { ::operator delete(data_, std::align_val_t{64}); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::ptrdiff_t size() const { return size_; }
  T& operator[](std::ptrdiff_t i) { return data_[i]; }
  const T& operator[](std::ptrdiff_t i) const { return data_[i]; }

 private:
  std::ptrdiff_t size_;
  T* data_;
};

/// The same pseudo-random values in [-1, 1) for the same seed.
inline std::vector<float> random_floats(std::ptrdiff_t size,
                                        std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(size));
  std::uint32_t state = seed * 2654435761u + 1;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  }
  return values;
}

/// The same pseudo-random 32-bit integers for the same seed.
inline std::vector<std::int32_t> random_ints(std::ptrdiff_t size,
                                             std::uint32_t seed) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(size));
  std::uint32_t state = seed * 2654435761u + 1;
  for (std::int32_t& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<std::int32_t>(state ^ (state >> 15));
  }
  return values;
}

}  // namespace tidemark::testing
