#pragma once
// Loops over operands of different shapes (NumPy broadcasting). Dimensions are
// merged wherever both operands keep step, so most calls end as one row.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/base/shape.h"
#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// Where the elements of up to kOperands broadcast operands lie, as merged
/// dimensions. The innermost dimension is the row; within it an operand
/// either moves by one element a step or stands still.
struct BroadcastPlan {
  static constexpr int kOperands = 3;
  int rank = 0;  ///< outer dimensions
  int dims[kMaxRank];
  std::ptrdiff_t strides[kOperands][kMaxRank];
  std::size_t row = 1;               ///< elements of a row
  bool moves[kOperands] = {};        ///< within the row
};

/// Plan for operands of the given shapes, each broadcastable to `out`.
BroadcastPlan plan_broadcast(const Shape& out,
                             std::initializer_list<const Shape*> operands);

/// Calls f(offset_of_output, offsets[]) once for each row.
template <class F>
void for_each_row(const BroadcastPlan& plan, F&& f) {
  int index[kMaxRank] = {};
  std::ptrdiff_t at[BroadcastPlan::kOperands] = {};
  std::size_t rows = 1;
  for (int d = 0; d < plan.rank; ++d) rows *= plan.dims[d];
  if (plan.row == 0) return;
  for (std::size_t r = 0; r < rows; ++r) {
    f(r * plan.row, at);
    for (int d = plan.rank - 1; d >= 0; --d) {
      for (int k = 0; k < BroadcastPlan::kOperands; ++k) {
        at[k] += plan.strides[k][d];
      }
      if (++index[d] < plan.dims[d]) break;
      for (int k = 0; k < BroadcastPlan::kOperands; ++k) {
        at[k] -= plan.strides[k][d] * plan.dims[d];
      }
      index[d] = 0;
    }
  }
}

namespace detail {

/// True where the loop goes element by element: for functors on scalars, and
/// where input and output elements differ in width (the compiler vectorises
/// these).
template <class F, class T, class Out>
inline constexpr bool kElementwise =
    requires { typename F::scalar; } || !std::is_same_v<T, Out> ||
    std::is_same_v<T, uint8_t>;

/// A functor's loop over two runs of elements, without its type: `n` is a
/// multiple of the SIMD width unless the loop is elementwise.
template <class T, class Out>
using ZipLoop = void (*)(const void* f, const T* a, const T* b, Out* out,
                         std::size_t n);

// The only code made for every functor and type; what surrounds it is shared.
template <class F, class T, class Out>
void zip_loop(const void* functor, const T* __restrict a,
              const T* __restrict b, Out* __restrict out, std::size_t n) {
  const F& f = *static_cast<const F*>(functor);
  if constexpr (kElementwise<F, T, Out>) {
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = static_cast<Out>(f.value(a[i], b[i]));
    }
  } else {
    for (std::size_t i = 0; i < n; i += kLanes<T>) {
      f.value(Batch<T>::load_unaligned(a + i), Batch<T>::load_unaligned(b + i))
          .store_unaligned(out + i);
    }
  }
}

/// Runs `loop` over all rows of the plan. An operand that stands still within
/// a row is spread out into a small buffer, so that one loop serves all four
/// cases; the tail of a row goes through a padded copy, so that a value never
/// depends on its position.
template <class T, class Out>
void zip_rows(ZipLoop<T, Out> loop, bool elementwise, const void* f,
              const BroadcastPlan& plan, const T* a, const T* b, Out* out);

extern template void zip_rows(ZipLoop<float, float>, bool, const void*,
                              const BroadcastPlan&, const float*, const float*,
                              float*);
extern template void zip_rows(ZipLoop<int32_t, int32_t>, bool, const void*,
                              const BroadcastPlan&, const int32_t*,
                              const int32_t*, int32_t*);
extern template void zip_rows(ZipLoop<float, uint8_t>, bool, const void*,
                              const BroadcastPlan&, const float*, const float*,
                              uint8_t*);
extern template void zip_rows(ZipLoop<int32_t, uint8_t>, bool, const void*,
                              const BroadcastPlan&, const int32_t*,
                              const int32_t*, uint8_t*);
extern template void zip_rows(ZipLoop<uint8_t, uint8_t>, bool, const void*,
                              const BroadcastPlan&, const uint8_t*,
                              const uint8_t*, uint8_t*);

template <bool kMovesA, bool kMovesB, class T>
void select_row(const uint8_t* __restrict c, bool moves_c,
                const T* __restrict a, const T* __restrict b,
                T* __restrict out, std::size_t n) {
  if (!moves_c) {
    const T* from = *c ? a : b;
    const bool moves = *c ? kMovesA : kMovesB;
    if (moves) {
      std::copy_n(from, n, out);
    } else {
      std::fill_n(out, n, *from);
    }
    return;
  }
  const T a0 = *a, b0 = *b;
  for (std::size_t i = 0; i < n; ++i) {
    const T x = kMovesA ? a[i] : a0;
    const T y = kMovesB ? b[i] : b0;
    out[i] = c[i] ? x : y;
  }
}

}  // namespace detail

/// out = f.value(a, b), elementwise with broadcasting. Both operands and the
/// output are whole tensors: aligned and padded.
template <class F, class T, class Out>
void zip(const F& f, const BroadcastPlan& plan, const T* a, const T* b,
         Out* out) {
  detail::zip_rows<T, Out>(detail::zip_loop<F, T, Out>,
                           detail::kElementwise<F, T, Out>, &f, plan, a, b,
                           out);
}

/// out = c ? a : b, elementwise with broadcasting; the plan's operands are c,
/// a, b.
template <class T>
void select(const BroadcastPlan& plan, const uint8_t* c, const T* a,
            const T* b, T* out) {
  auto* row = plan.moves[1]
                  ? (plan.moves[2] ? detail::select_row<true, true, T>
                                   : detail::select_row<true, false, T>)
                  : (plan.moves[2] ? detail::select_row<false, true, T>
                                   : detail::select_row<false, false, T>);
  for_each_row(plan, [&](std::size_t o, const std::ptrdiff_t* at) {
    row(c + at[0], plan.moves[0], a + at[1], b + at[2], out + o, plan.row);
  });
}

}  // namespace tidemark::kernels
