#include "core/kernels/log_sum_exp.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/math.h"
#include "core/kernels/scratch.h"

namespace tidemark::kernels {
namespace {

// Exponentials computed at once: they fit the first-level cache.
constexpr Index kBlock = 1024;

// out[i] = e^(in[i] - shift[i * step]), step being 0 or 1.
void exponentials(const float* in, Index n, const float* shift, bool moves,
                  float* out) {
  Index i = 0;
  const auto shift_at = [&](Index at) {
    return moves ? load(shift + at) : Float(*shift);
  };
  for (; i + kWidth <= n; i += kWidth) {
    store(out + i, exp(load(in + i) - shift_at(i)));
  }
  for (; i < n; ++i) {
    store(out + i, exp(Float(in[i] - shift[moves ? i : 0])));
  }
}

float finite_shift(float largest) {
  return std::isinf(largest) ? 0.0f : largest;
}

}  // namespace

void log_sum_exp(const Reduction& r, const float* in, float* out) {
  max(r, in, out);
  // The tail of a block may write one batch too many.
  float* e = scratch_of<float>(Scratch::kVector, kBlock + kWidth);
  double* sums = scratch_of<double>(Scratch::kRows, r.inner);
  float* shift = scratch_of<float>(Scratch::kPanelA, r.inner);
  for (Index o = 0; o < r.outer; ++o) {
    float* y = out + o * r.inner;
    for (Index j = 0; j < r.inner; ++j) shift[j] = finite_shift(y[j]);
    std::fill_n(sums, r.inner, 0.0);
    const float* x = in + o * r.n * r.inner;
    if (r.inner == 1) {
      for (Index k = 0; k < r.n; k += kBlock) {
        const Index count = std::min(kBlock, r.n - k);
        exponentials(x + k, count, shift, false, e);
        for (Index i = 0; i < count; ++i) sums[0] += e[i];
      }
    } else {
      for (Index k = 0; k < r.n; ++k) {
        for (Index j = 0; j < r.inner; j += kBlock) {
          const Index count = std::min(kBlock, r.inner - j);
          exponentials(x + k * r.inner + j, count, shift + j, true, e);
          for (Index i = 0; i < count; ++i) sums[j + i] += e[i];
        }
      }
    }
    for (Index j = 0; j < r.inner; ++j) {
      y[j] = static_cast<float>(shift[j] + std::log(sums[j]));
    }
  }
}

}  // namespace tidemark::kernels
