#include "core/kernels/gather.h"

#include <cstring>

namespace tidemark::kernels {
namespace {

template <class T>
void pick(const GatherSizes& sizes, const T* x, const int32_t* indices, T* y) {
  const auto bytes = static_cast<std::size_t>(sizes.inner) * sizeof(T);
  for (Index b = 0; b < sizes.batch; ++b, indices += sizes.count) {
    for (Index o = 0; o < sizes.outer; ++o, x += sizes.dim * sizes.inner) {
      for (Index i = 0; i < sizes.count; ++i, y += sizes.inner) {
        const Index at = indices[i];
        const bool inside = at >= 0 && at < sizes.dim;
        if (sizes.inner == 1) {
          *y = inside ? x[at] : T{};
        } else if (inside) {
          std::memcpy(y, x + at * sizes.inner, bytes);
        } else {
          std::memset(y, 0, bytes);
        }
      }
    }
  }
}

}  // namespace

const int32_t* first_outside(std::span<const int32_t> indices, Index dim) {
  for (const int32_t& index : indices) {
    if (index < 0 || index >= dim) return &index;
  }
  return nullptr;
}

void gather(std::size_t element_size, const GatherSizes& sizes, const void* x,
            const int32_t* indices, void* y) {
  if (element_size == 1) {
    pick(sizes, static_cast<const uint8_t*>(x), indices,
         static_cast<uint8_t*>(y));
  } else {
    pick(sizes, static_cast<const uint32_t*>(x), indices,
         static_cast<uint32_t*>(y));
  }
}

}  // namespace tidemark::kernels
