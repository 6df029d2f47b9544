#include "core/kernels/random.h"

#include "core/kernels/arch.h"

namespace tidemark::kernels {

void fill_uniform(Random& random, float* out, std::size_t n) {
  // Pairs may end one past n: padding, and never more.
  for (std::size_t i = 0; i < n; i += 2) {
    uint64_t bits = random.bits();
    out[i] = static_cast<float>(static_cast<int32_t>(bits >> 40)) * 0x1p-24f;
    out[i + 1] =
        static_cast<float>(static_cast<int32_t>((bits >> 8) & 0xffffff)) *
        0x1p-24f;
  }
}

void fill_normal(Random& random, float* out, std::size_t n) {
  constexpr std::size_t kPair = 2 * kLanes<float>;
  static_assert(kPair * sizeof(float) <= kPadding);
  constexpr float kTwoPi = 6.28318530717958648f;
  for (std::size_t i = 0; i < n; i += kPair) {
    fill_uniform(random, out + i, kPair);
    Float u = Float::load_aligned(out + i);
    Float angle = Float::load_aligned(out + i + kWidth) * Float(kTwoPi);
    // 1 - u is in (0, 1], so the logarithm is finite.
    Float r = xsimd::sqrt(Float(-2.f) * xsimd::log(Float(1.f) - u));
    (r * xsimd::cos(angle)).store_aligned(out + i);
    (r * xsimd::sin(angle)).store_aligned(out + i + kWidth);
  }
}

}  // namespace tidemark::kernels
