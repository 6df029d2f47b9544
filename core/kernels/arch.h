#pragma once
// The SIMD width is a build constant: every kernel is written once against
// Batch<T> and compiled for the one architecture the build names. This header
// also holds the few operations that xsimd lacks or does slowly on wasm.

#include <xsimd/xsimd.hpp>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include <cstddef>
#include <cstdint>

namespace tidemark::kernels {

using Arch = xsimd::default_arch;

/// Sizes and offsets in elements: 32 bits on wasm32, signed for loop bounds.
using Index = std::ptrdiff_t;

/// The native SIMD register for T (4 floats on wasm).
template <class T>
using Batch = xsimd::batch<T, Arch>;

using Float = Batch<float>;
using Int = Batch<std::int32_t>;

/// Lanes of Batch<T>.
template <class T>
inline constexpr std::size_t kLanes = Batch<T>::size;

/// Lanes of Float, signed.
inline constexpr Index kWidth = static_cast<Index>(kLanes<float>);

/// Storage is padded to this many bytes, so loops may run whole batches.
inline constexpr std::size_t kPadding = 64;

/// Reads kWidth values from any address.
inline Float load(const float* p) { return Float::load_unaligned(p); }

/// Writes kWidth values to any address.
inline void store(float* p, Float v) { v.store_unaligned(p); }

/// A batch of one constant that stays in a register or on the stack. On wasm a
/// plain constant in a loop is built anew from immediates (three instructions
/// in V8) at every turn; this one is loaded, or held.
inline Float constant(float value) {
#if defined(__wasm_simd128__)
  __asm__("" : "+r"(value));
  return Float(wasm_f32x4_splat(value));
#else
  return Float(value);
#endif
}

/// a * b + c, rounded once or twice: whatever is fastest here.
inline Float madd(Float a, Float b, Float c) {
#if defined(__wasm_relaxed_simd__)
  return Float(wasm_f32x4_relaxed_madd(a, b, c));
#elif defined(__FMA__)
  return xsimd::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// b if b < a, else a: one instruction. A NaN in `a` is kept, one in `b` lost.
inline Float fast_min(Float a, Float b) {
#if defined(__wasm_simd128__)
  return Float(wasm_f32x4_pmin(a, b));
#else
  return xsimd::select(b < a, b, a);
#endif
}

/// b if a < b, else a: one instruction. A NaN in `a` is kept, one in `b` lost.
inline Float fast_max(Float a, Float b) {
#if defined(__wasm_simd128__)
  return Float(wasm_f32x4_pmax(a, b));
#else
  return xsimd::select(a < b, b, a);
#endif
}

/// v, with zeros where the mask is set: one instruction where xsimd::select
/// takes three.
inline Float zero_where(xsimd::batch_bool<float, Arch> mask, Float v) {
#if defined(__wasm_simd128__)
  return Float(wasm_v128_andnot(v, mask));
#else
  return xsimd::select(mask, Float(0.0f), v);
#endif
}

}  // namespace tidemark::kernels
