#include "core/kernels/softmax.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/kernels/math.h"
#include "core/kernels/parallel.h"

namespace tidemark::kernels {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

// The last kWidth values of a row, or a shorter row followed by `fill`. They
// overlap the last whole batch; loaded before the row is written, they may be
// mapped again even in place.
Float load_last(const float* row, Index n, float fill) {
  if (n >= kWidth) return load(row + n - kWidth);
  alignas(kPadding) float lanes[kLanes<float>];
  for (Index i = 0; i < kWidth; ++i) lanes[i] = i < n ? row[i] : fill;
  return load(lanes);
}

void store_last(float* row, Index n, Float v) {
  if (n >= kWidth) return store(row + n - kWidth, v);
  alignas(kPadding) float lanes[kLanes<float>];
  store(lanes, v);
  std::memcpy(row, lanes, static_cast<std::size_t>(n) * sizeof(float));
}

// 1 in the lanes of load_last() that no whole batch holds, else 0.
Float fresh_lanes(Index n) {
  static_assert(kWidth <= 8);
  alignas(kPadding) static constexpr float kFresh[16] = {
      0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  return load(kFresh + 8 - (n < kWidth ? 0 : kWidth - n % kWidth));
}

// NaN is ignored here: it comes back through the sum of exponentials.
float row_max(const float* in, Index n) {
  Float m0 = load_last(in, n, kLowest);
  Float m1(kLowest), m2(kLowest), m3(kLowest);
  Index i = 0;
  for (; i + 4 * kWidth <= n; i += 4 * kWidth) {
    m0 = fast_max(m0, load(in + i));
    m1 = fast_max(m1, load(in + i + kWidth));
    m2 = fast_max(m2, load(in + i + 2 * kWidth));
    m3 = fast_max(m3, load(in + i + 3 * kWidth));
  }
  for (; i + kWidth <= n; i += kWidth) m1 = fast_max(m1, load(in + i));
  return xsimd::reduce([](Float a, Float b) { return fast_max(a, b); },
                       fast_max(fast_max(m1, m0), fast_max(m2, m3)));
}

// sum(e^(in - max)); writes the exponentials when out is not null.
template <bool kStore>
float exponentials(const float* in, Index n, float max, float* out) {
  const Float shift(max);
  const Float last = load_last(in, n, kLowest);
  Float s0(0.0f), s1(0.0f);
  Index i = 0;
  for (; i + 4 * kWidth <= n; i += 4 * kWidth) {
    Float e[4];
    for (Index v = 0; v < 4; ++v) {
      e[v] = exp_negative(load(in + i + v * kWidth) - shift);
    }
    if constexpr (kStore) {
      for (Index v = 0; v < 4; ++v) store(out + i + v * kWidth, e[v]);
    }
    s0 += e[0] + e[1];
    s1 += e[2] + e[3];
  }
  for (; i + kWidth <= n; i += kWidth) {
    const Float e = exp_negative(load(in + i) - shift);
    if constexpr (kStore) store(out + i, e);
    s0 += e;
  }
  if (i < n) {
    const Float e = exp_negative(last - shift);
    if constexpr (kStore) store_last(out, n, e);
    // A missing lane is e^-infinity = 0, or NaN in a row that is NaN anyway.
    s1 = madd(e, fresh_lanes(n), s1);
  }
  return xsimd::reduce_add(s0 + s1);
}

template <class F>
void map_row(const float* in, Index n, float* out, F f) {
  const Float last = load_last(in, n, 0.0f);
  Index i = 0;
  for (; i + 4 * kWidth <= n; i += 4 * kWidth) {
    for (Index v = 0; v < 4; ++v) {
      store(out + i + v * kWidth, f(load(in + i + v * kWidth)));
    }
  }
  for (; i + kWidth <= n; i += kWidth) store(out + i, f(load(in + i)));
  if (i < n) store_last(out, n, f(last));
}

}  // namespace

void softmax(Index rows, Index columns, const float* in, float* out) {
  if (columns <= 0) return;
  parallel_for(rows, 1, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const float* from = in + r * columns;
      float* to = out + r * columns;
      const float sum =
          exponentials<true>(from, columns, row_max(from, columns), to);
      const Float scale(1.0f / sum);
      map_row(to, columns, to, [scale](Float x) { return x * scale; });
    }
  });
}

void log_softmax(Index rows, Index columns, const float* in, float* out) {
  if (columns <= 0) return;
  parallel_for(rows, 1, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const float* from = in + r * columns;
      const float max = row_max(from, columns);
      const Float shift(max);
      const Float log_sum(
          std::log(exponentials<false>(from, columns, max, nullptr)));
      map_row(from, columns, out + r * columns,
              [&](Float x) { return x - shift - log_sum; });
    }
  });
}

}  // namespace tidemark::kernels
