#pragma once
// Picking rows by index, and its transpose: adding rows where an index says.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// x is [batch, outer, dim, inner], indices [batch, count] and the picked rows
/// [batch, outer, count, inner].
struct GatherSizes {
  Index batch = 1, outer = 1, dim = 1, count = 1, inner = 1;
};

/// The first of `indices` outside [0, dim), or null.
const int32_t* first_outside(std::span<const int32_t> indices, Index dim);

/// y[b, o, i, :] = x[b, o, indices[b, i], :], or zeros where the index is
/// outside; elements have 1 or 4 bytes.
void gather(std::size_t element_size, const GatherSizes& sizes, const void* x,
            const int32_t* indices, void* y);

/// x[b, o, indices[b, i], :] += y[b, o, i, :]; indices outside are dropped.
template <class T>
void scatter_add(const GatherSizes& sizes, const T* y, const int32_t* indices,
                 T* x) {
  for (Index b = 0; b < sizes.batch; ++b, indices += sizes.count) {
    for (Index o = 0; o < sizes.outer; ++o, x += sizes.dim * sizes.inner) {
      for (Index i = 0; i < sizes.count; ++i, y += sizes.inner) {
        Index at = indices[i];
        if (at < 0 || at >= sizes.dim) continue;
        T* row = x + at * sizes.inner;
        for (Index k = 0; k < sizes.inner; ++k) {
          if constexpr (sizeof(T) == 1) {
            row[k] |= y[k];  // bools: true as soon as one is
          } else if constexpr (std::is_integral_v<T>) {
            // Unsigned, because int32 wraps.
            row[k] = static_cast<T>(static_cast<uint32_t>(row[k]) +
                                    static_cast<uint32_t>(y[k]));
          } else {
            row[k] += y[k];
          }
        }
      }
    }
  }
}

}  // namespace tidemark::kernels
