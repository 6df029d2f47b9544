// arg_max and arg_min of core/kernels/reduce.h.

#include <algorithm>
#include <limits>

#include "core/kernels/parallel.h"
#include "core/kernels/reduce.h"

namespace tidemark::kernels {
namespace {

template <class T>
inline constexpr Index kStep = static_cast<Index>(kLanes<T>);

// The value that every other one beats, or equals.
template <class T, bool kMax>
constexpr T worst() {
  using Limits = std::numeric_limits<T>;
  if constexpr (Limits::has_infinity) {
    return kMax ? -Limits::infinity() : Limits::infinity();
  } else {
    return kMax ? Limits::min() : Limits::max();
  }
}

// NaN beats nothing.
template <bool kMax, class V>
auto beats(V x, V best) {
  if constexpr (kMax) {
    return x > best;
  } else {
    return x < best;
  }
}

// The best value first, then its first position: two fast passes.
template <class T, bool kMax>
Index row_winner(const T* in, Index n) {
  using V = Batch<T>;
  V b0(worst<T, kMax>()), b1 = b0;
  Index i = 0;
  for (; i + 2 * kStep<T> <= n; i += 2 * kStep<T>) {
    const V x0 = V::load_unaligned(in + i);
    const V x1 = V::load_unaligned(in + i + kStep<T>);
    b0 = xsimd::select(beats<kMax>(x0, b0), x0, b0);
    b1 = xsimd::select(beats<kMax>(x1, b1), x1, b1);
  }
  b0 = xsimd::select(beats<kMax>(b1, b0), b1, b0);
  alignas(kPadding) T lanes[kLanes<T>];
  b0.store_aligned(lanes);
  T best = worst<T, kMax>();
  for (T lane : lanes) best = beats<kMax>(lane, best) ? lane : best;
  for (; i < n; ++i) best = beats<kMax>(in[i], best) ? in[i] : best;
  const T* found = std::find(in, in + n, best);
  return found == in + n ? 0 : found - in;
}

template <class T, bool kMax>
void column_winners(const T* in, Index n, Index stride, std::int32_t* out) {
  using V = Batch<T>;
  V best(worst<T, kMax>());
  Int where(-1);
  for (Index i = 0; i < n; ++i) {
    const V x = V::load_unaligned(in + i * stride);
    // The first value of all counts even if it only equals the worst one.
    const auto first = xsimd::batch_bool_cast<T>(where < Int(0)) && (x == best);
    const auto better = beats<kMax>(x, best) || first;
    best = xsimd::select(better, x, best);
    where = xsimd::select(xsimd::batch_bool_cast<std::int32_t>(better),
                          Int(static_cast<std::int32_t>(i)), where);
  }
  xsimd::max(where, Int(0)).store_unaligned(out);
}

template <class T, bool kMax>
void column_winner(const T* in, Index n, Index stride, std::int32_t* out) {
  T best = worst<T, kMax>();
  Index where = -1;
  for (Index i = 0; i < n; ++i) {
    const T x = in[i * stride];
    if (beats<kMax>(x, best) || (where < 0 && x == best)) {
      best = x;
      where = i;
    }
  }
  *out = static_cast<std::int32_t>(std::max(where, Index{0}));
}

template <class T, bool kMax>
void arg_reduce(const Reduction& r, const T* in, std::int32_t* out) {
  parallel_for(r.outer, 1, [&](Index begin, Index end) {
    for (Index o = begin; o < end; ++o) {
      const T* from = in + o * r.n * r.inner;
      std::int32_t* to = out + o * r.inner;
      if (r.inner == 1) {
        *to = static_cast<std::int32_t>(row_winner<T, kMax>(from, r.n));
        continue;
      }
      Index c = 0;
      for (; c + kStep<T> <= r.inner; c += kStep<T>) {
        column_winners<T, kMax>(from + c, r.n, r.inner, to + c);
      }
      for (; c < r.inner; ++c) {
        column_winner<T, kMax>(from + c, r.n, r.inner, to + c);
      }
    }
  });
}

}  // namespace

void arg_max(const Reduction& r, const float* in, std::int32_t* out) {
  arg_reduce<float, true>(r, in, out);
}

void arg_max(const Reduction& r, const std::int32_t* in, std::int32_t* out) {
  arg_reduce<std::int32_t, true>(r, in, out);
}

void arg_min(const Reduction& r, const float* in, std::int32_t* out) {
  arg_reduce<float, false>(r, in, out);
}

void arg_min(const Reduction& r, const std::int32_t* in, std::int32_t* out) {
  arg_reduce<std::int32_t, false>(r, in, out);
}

}  // namespace tidemark::kernels
