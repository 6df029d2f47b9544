#pragma once
// Elementary functions over batches, where xsimd's are slow or inaccurate on
// wasm. Every function is defined for every float: infinities, NaN, denormals.

#include <cmath>
#include <limits>

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// 2^n for whole n in [-126, 127] (given as integers).
inline Float exp2_int(Int n) {
  return xsimd::bitwise_cast<float>((n + Int(127)) << 23);
}

namespace detail {

// x = n ln2 + r, |r| <= ln2 / 2. ln2 is split in two (Cody and Waite 1980) so
// that n * kLn2High is exact for |n| < 2^9.
inline constexpr float kLog2E = 1.44269504088896341f;
inline constexpr float kLn2High = 0.693359375f;
inline constexpr float kLn2Low = -2.12194440e-4f;
// Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits.
inline constexpr float kRoundBias = 12582912.0f;
inline constexpr std::int32_t kRoundBits = 0x4b400000;

struct Reduced {
  Float r;
  Int n;
};

inline Reduced reduce_exp(Float x) {
  const Float biased = x * constant(kLog2E) + constant(kRoundBias);
  const Float whole = biased - constant(kRoundBias);
  Float r = madd(whole, constant(-kLn2High), x);
  r = madd(whole, constant(-kLn2Low), r);
  return {r, xsimd::bitwise_cast<std::int32_t>(biased) - Int(kRoundBits)};
}

// (e^r - 1 - r) / r^2 on |r| <= ln2 / 2: minimax of degree 5, the classic
// coefficients of Cephes expf (Moshier); relative error of e^r below 2^-24.
inline Float exp_tail(Float r) {
  Float p = madd(constant(1.9875691500e-4f), r, constant(1.3981999507e-3f));
  p = madd(p, r, constant(8.3334519073e-3f));
  p = madd(p, r, constant(4.1665795894e-2f));
  p = madd(p, r, constant(1.6666665459e-1f));
  return madd(p, r, constant(5.0000001201e-1f));
}

}  // namespace detail

/// e^x within 2 ulp, denormal results included.
inline Float exp(Float x) {
  // e^89 is infinite and e^-104 rounds to zero, so the clamp loses nothing;
  // fast_min and fast_max keep a NaN in x.
  x = fast_max(fast_min(x, constant(89.0f)), constant(-104.0f));
  const auto [r, n] = detail::reduce_exp(x);
  const Float p = madd(detail::exp_tail(r), r * r, r) + constant(1.0f);
  // 2^n alone may be out of range; its two halves are not.
  const Int half = n >> 1;
  return p * exp2_int(half) * exp2_int(n - half);
}

/// e^x for x <= 0 within 3 ulp; results below 2^-126 become zero. The fast
/// exponential of softmax.
inline Float exp_negative(Float x) {
  // The bias also holds the exponent's own bias of 127, so that the rounded
  // number, shifted, is 2^n.
  const Float bias = constant(detail::kRoundBias + 127.0f);
  const Float biased = madd(x, constant(detail::kLog2E), bias);
  const Float whole = biased - bias;
  const Float scale = xsimd::bitwise_cast<float>(
      xsimd::bitwise_cast<std::int32_t>(biased) << 23);
  Float r = madd(whole, constant(-detail::kLn2High), x);
  r = madd(whole, constant(-detail::kLn2Low), r);
  // e^r = 1 + r p(r): minimax on |r| <= ln2 / 2, found by the Remez exchange;
  // relative error 1.54 * 2^-24.
  Float p = madd(constant(8.2902934225e-3f), r, constant(4.1898044399e-2f));
  p = madd(p, r, constant(1.6667637160e-1f));
  p = madd(p, r, constant(4.9999148687e-1f));
  p = madd(p, r, constant(9.9999970675e-1f));
  const Float result = madd(r * scale, p, scale);
  // Far below, scale is garbage; the mask leaves zero. NaN passes.
  const auto gone = x < constant(-87.33654f);
  return zero_where(gone, result);
}

/// e^x - 1 within 3 ulp, also near zero.
inline Float expm1(Float x) {
  const Float bounded = fast_max(fast_min(x, constant(89.0f)), constant(-18.0f));
  const auto [r, n] = detail::reduce_exp(bounded);
  // 2^n (e^r - 1) + (2^n - 1), with 2^n split so that n = 128 does not
  // overflow early: everything is computed at half scale.
  const Float em1 = madd(detail::exp_tail(r), r * r, r);
  const Float scale = exp2_int(n - Int(1));
  const Float y = madd(em1, scale, scale - constant(0.5f));
  const Float result = y + y;
  return xsimd::select(x == Float(0.0f), x, result);
}

/// tanh x within 3 ulp; never beyond 1, and exact in sign and at zero.
inline Float tanh(Float x) {
  // -em1 / (2 + em1) with em1 = e^(-2|x|) - 1 loses nothing near zero.
  const Float magnitude = xsimd::abs(x);
  const Float em1 = expm1(constant(-2.0f) * magnitude);
  return xsimd::copysign(-em1 / (constant(2.0f) + em1), x);
}

/// log(1 + x) within 2 ulp, also near zero; keeps the sign of zero.
inline Float log1p(Float x) {
  return xsimd::select(x == Float(0.0f), x, xsimd::log1p(x));
}

/// The inverse of cosh within 3 ulp; NaN below 1.
inline Float acosh(Float x) {
  return xsimd::select(x < constant(1.0f),
                       Float(std::numeric_limits<float>::quiet_NaN()),
                       xsimd::acosh(x));
}

/// 1 / (1 + e^-x) within 4 ulp; zero below -87.3.
inline Float sigmoid(Float x) {
  const Float e = exp_negative(-xsimd::abs(x));
  const Float top = xsimd::select(x < Float(0.0f), e, Float(1.0f));
  return top / (Float(1.0f) + e);
}

/// log(1 + e^x) within 4 ulp: without overflow for large x, and without
/// vanishing for very negative x.
inline Float softplus(Float x) {
  const Float tail = log1p(exp(-xsimd::abs(x)));
  return tail + fast_max(x, Float(0.0f));
}

/// x^y by the C library, lane by lane: exact in all its special cases, and
/// within 1 ulp, which exp(y log x) is far from. Whole batches of squares,
/// the common case, are multiplied.
inline Float pow(Float x, Float y) {
  if (xsimd::all(y == Float(2.0f))) return x * x;
  alignas(kPadding) float base[kLanes<float>];
  alignas(kPadding) float power[kLanes<float>];
  x.store_aligned(base);
  y.store_aligned(power);
  for (std::size_t i = 0; i < kLanes<float>; ++i) {
    base[i] = std::pow(base[i], power[i]);
  }
  return Float::load_aligned(base);
}

}  // namespace tidemark::kernels
