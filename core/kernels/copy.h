#pragma once
// Copies of blocks between buffers, each side with steps of its own: what
// slices, pads and reversals are made of.

#include <cstddef>

#include "core/base/shape.h"
#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// Where a block lies in a buffer, in elements: its first element and the
/// distance of neighbours along each dimension, which may be negative.
struct Layout {
  Index offset = 0;
  Index strides[kMaxRank] = {};
};

/// The layout of a whole row-major tensor.
Layout whole(const Shape& shape);

/// The block of a row-major tensor of `shape` that starts at `begin` and takes
/// every `step`-th element; both have an entry for each dimension.
Layout block_of(const Shape& shape, const int* begin, const int* step);

/// Copies a block of `shape`; elements have 1 or 4 bytes.
void copy_block(std::size_t element_size, const Shape& shape,
                const Layout& from, const void* in, const Layout& to,
                void* out);

}  // namespace tidemark::kernels
