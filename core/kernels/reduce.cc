#include "core/kernels/reduce.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/kernels/parallel.h"

namespace tidemark::kernels {
namespace {

template <class T>
inline constexpr Index kStep = static_cast<Index>(kLanes<T>);

// int32 arithmetic that wraps instead of being undefined.
std::int32_t wrap_add(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) +
                                   static_cast<std::uint32_t>(b));
}
std::int32_t wrap_multiply(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) *
                                   static_cast<std::uint32_t>(b));
}

// An operation folds batches and scalars of T, and folds the results of
// blocks into a Total that may be wider.
struct FloatSum {
  using T = float;
  using Total = double;
  static constexpr float kIdentity = 0.0f;
  static Float fold(Float a, Float x) { return a + x; }
  static float fold(float a, float x) { return a + x; }
  static double add(double total, float x) { return total + double{x}; }
};

struct IntSum {
  using T = std::int32_t;
  using Total = T;
  static constexpr T kIdentity = 0;
  static Int fold(Int a, Int x) { return a + x; }
  static T fold(T a, T x) { return wrap_add(a, x); }
  static T add(T total, T x) { return wrap_add(total, x); }
};

struct FloatProduct {
  using T = float;
  using Total = float;
  static constexpr float kIdentity = 1.0f;
  static Float fold(Float a, Float x) { return a * x; }
  static float fold(float a, float x) { return a * x; }
  static float add(float total, float x) { return total * x; }
};

struct IntProduct {
  using T = std::int32_t;
  using Total = T;
  static constexpr T kIdentity = 1;
  static Int fold(Int a, Int x) { return a * x; }
  static T fold(T a, T x) { return wrap_multiply(a, x); }
  static T add(T total, T x) { return wrap_multiply(total, x); }
};

// A NaN replaces any number, and no number is greater than it.
template <bool kMax>
struct FloatExtreme {
  using T = float;
  using Total = float;
  static constexpr float kIdentity =
      kMax ? -std::numeric_limits<float>::infinity()
           : std::numeric_limits<float>::infinity();
  static Float fold(Float a, Float x) {
    const auto better = kMax ? x > a : x < a;
    return xsimd::select(better || (x != x), x, a);
  }
  static float fold(float a, float x) {
    return (kMax ? x > a : x < a) || x != x ? x : a;
  }
  static float add(float total, float x) { return fold(total, x); }
};

template <bool kMax>
struct IntExtreme {
  using T = std::int32_t;
  using Total = T;
  static constexpr T kIdentity = kMax ? std::numeric_limits<T>::min()
                                      : std::numeric_limits<T>::max();
  static Int fold(Int a, Int x) {
    return kMax ? xsimd::max(a, x) : xsimd::min(a, x);
  }
  static T fold(T a, T x) { return kMax ? std::max(a, x) : std::min(a, x); }
  static T add(T total, T x) { return fold(total, x); }
};

template <class Op>
typename Op::T fold_lanes(Batch<typename Op::T> v) {
  using T = typename Op::T;
  alignas(kPadding) T lanes[kLanes<T>];
  v.store_aligned(lanes);
  T result = lanes[0];
  for (Index i = 1; i < kStep<T>; ++i) result = Op::fold(result, lanes[i]);
  return result;
}

// Blocks bound how far rounding errors of a float sum can run.
constexpr Index kBlock = 512;

template <class Op>
typename Op::T fold_block(const typename Op::T* in, Index n) {
  using T = typename Op::T;
  using V = Batch<T>;
  V a0(Op::kIdentity), a1 = a0, a2 = a0, a3 = a0;
  Index i = 0;
  for (; i + 4 * kStep<T> <= n; i += 4 * kStep<T>) {
    a0 = Op::fold(a0, V::load_unaligned(in + i));
    a1 = Op::fold(a1, V::load_unaligned(in + i + kStep<T>));
    a2 = Op::fold(a2, V::load_unaligned(in + i + 2 * kStep<T>));
    a3 = Op::fold(a3, V::load_unaligned(in + i + 3 * kStep<T>));
  }
  for (; i + kStep<T> <= n; i += kStep<T>) {
    a0 = Op::fold(a0, V::load_unaligned(in + i));
  }
  T result = fold_lanes<Op>(Op::fold(Op::fold(a0, a1), Op::fold(a2, a3)));
  for (; i < n; ++i) result = Op::fold(result, in[i]);
  return result;
}

template <class Op>
typename Op::Total fold_row(const typename Op::T* in, Index n) {
  typename Op::Total total = Op::kIdentity;
  for (Index i = 0; i < n; i += kBlock) {
    total = Op::add(total, fold_block<Op>(in + i, std::min(kBlock, n - i)));
  }
  return total;
}

// kVectors batches of neighbouring columns at once.
template <class Op, int kVectors, class Finish>
void fold_columns(const typename Op::T* in, Index n, Index stride,
                  typename Op::T* out, Finish finish) {
  using T = typename Op::T;
  using V = Batch<T>;
  constexpr Index kColumns = kVectors * kStep<T>;
  typename Op::Total totals[kColumns];
  std::fill(totals, totals + kColumns, typename Op::Total{Op::kIdentity});
  for (Index i = 0; i < n; i += kBlock / 8) {
    V acc[kVectors];
    for (V& v : acc) v = V(Op::kIdentity);
    const Index rows = std::min(kBlock / 8, n - i);
    for (Index row = 0; row < rows; ++row) {
      const T* from = in + (i + row) * stride;
      for (int v = 0; v < kVectors; ++v) {
        acc[v] = Op::fold(acc[v], V::load_unaligned(from + v * kStep<T>));
      }
    }
    alignas(kPadding) T lanes[kColumns];
    for (int v = 0; v < kVectors; ++v) {
      acc[v].store_aligned(lanes + v * kStep<T>);
    }
    for (Index c = 0; c < kColumns; ++c) {
      totals[c] = Op::add(totals[c], lanes[c]);
    }
  }
  for (Index c = 0; c < kColumns; ++c) out[c] = finish(totals[c]);
}

// A few last columns, fewer than a batch.
template <class Op, class Finish>
void fold_last_columns(const typename Op::T* in, Index n, Index stride,
                       Index columns, typename Op::T* out, Finish finish) {
  typename Op::Total totals[kLanes<typename Op::T>];
  for (auto& total : totals) total = Op::kIdentity;
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < columns; ++c) {
      totals[c] = Op::add(totals[c], in[i * stride + c]);
    }
  }
  for (Index c = 0; c < columns; ++c) out[c] = finish(totals[c]);
}

template <class Op, class Finish>
void reduce(const Reduction& r, const typename Op::T* in, typename Op::T* out,
            Finish finish) {
  using T = typename Op::T;
  parallel_for(r.outer, 1, [&](Index begin, Index end) {
    for (Index o = begin; o < end; ++o) {
      const T* from = in + o * r.n * r.inner;
      T* to = out + o * r.inner;
      if (r.inner == 1) {
        *to = finish(fold_row<Op>(from, r.n));
        continue;
      }
      Index c = 0;
      for (; c + 4 * kStep<T> <= r.inner; c += 4 * kStep<T>) {
        fold_columns<Op, 4>(from + c, r.n, r.inner, to + c, finish);
      }
      for (; c + kStep<T> <= r.inner; c += kStep<T>) {
        fold_columns<Op, 1>(from + c, r.n, r.inner, to + c, finish);
      }
      if (c < r.inner) {
        fold_last_columns<Op>(from + c, r.n, r.inner, r.inner - c, to + c,
                              finish);
      }
    }
  });
}

template <class Op>
void reduce(const Reduction& r, const typename Op::T* in,
            typename Op::T* out) {
  reduce<Op>(r, in, out, [](typename Op::Total total) {
    return static_cast<typename Op::T>(total);
  });
}

}  // namespace

void sum(const Reduction& r, const float* in, float* out) {
  reduce<FloatSum>(r, in, out);
}

void sum(const Reduction& r, const std::int32_t* in, std::int32_t* out) {
  reduce<IntSum>(r, in, out);
}

void mean(const Reduction& r, const float* in, float* out) {
  const double count = static_cast<double>(r.n);
  reduce<FloatSum>(r, in, out, [count](double total) {
    return static_cast<float>(total / count);
  });
}

void prod(const Reduction& r, const float* in, float* out) {
  reduce<FloatProduct>(r, in, out);
}

void prod(const Reduction& r, const std::int32_t* in, std::int32_t* out) {
  reduce<IntProduct>(r, in, out);
}

void max(const Reduction& r, const float* in, float* out) {
  reduce<FloatExtreme<true>>(r, in, out);
}

void max(const Reduction& r, const std::int32_t* in, std::int32_t* out) {
  reduce<IntExtreme<true>>(r, in, out);
}

void min(const Reduction& r, const float* in, float* out) {
  reduce<FloatExtreme<false>>(r, in, out);
}

void min(const Reduction& r, const std::int32_t* in, std::int32_t* out) {
  reduce<IntExtreme<false>>(r, in, out);
}

void any(const Reduction& r, const std::uint8_t* in, std::uint8_t* out) {
  std::fill(out, out + r.outer * r.inner, std::uint8_t{0});
  for (Index o = 0; o < r.outer; ++o, out += r.inner) {
    for (Index i = 0; i < r.n; ++i, in += r.inner) {
      for (Index c = 0; c < r.inner; ++c) out[c] |= in[c];
    }
  }
}

void all(const Reduction& r, const std::uint8_t* in, std::uint8_t* out) {
  std::fill(out, out + r.outer * r.inner, std::uint8_t{1});
  for (Index o = 0; o < r.outer; ++o, out += r.inner) {
    for (Index i = 0; i < r.n; ++i, in += r.inner) {
      for (Index c = 0; c < r.inner; ++c) out[c] &= in[c];
    }
  }
}

}  // namespace tidemark::kernels
