#pragma once
// The SIMD width is a build constant: every kernel is written once against
// Batch<T> and compiled for the one architecture the build names.

#include <xsimd/xsimd.hpp>

#include <cstddef>
#include <cstdint>

namespace tidemark::kernels {

using Arch = xsimd::default_arch;

/// The native SIMD register for T (4 floats on wasm).
template <class T>
using Batch = xsimd::batch<T, Arch>;

/// Lanes of Batch<T>.
template <class T>
inline constexpr std::size_t kLanes = Batch<T>::size;

/// Storage is padded to this many bytes, so loops may run whole batches.
inline constexpr std::size_t kPadding = 64;

}  // namespace tidemark::kernels
