#pragma once
// Permutation of axes.

#include <span>

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// The most axes transpose() takes.
inline constexpr std::size_t kMaxAxes = 8;

/// Axis i of the result is axis perm[i] of the input, whose sizes are `shape`;
/// element_size is 1 or 4 bytes, out must not overlap in.
void transpose(std::size_t element_size, std::span<const Index> shape,
               std::span<const Index> perm, const void* in, void* out);

}  // namespace tidemark::kernels
