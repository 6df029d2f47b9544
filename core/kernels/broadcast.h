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

template <bool kMoves, class T>
Batch<T> batch_at(const T* p, std::size_t i) {
  if constexpr (kMoves) {
    return Batch<T>::load_unaligned(p + i);
  } else {
    return Batch<T>(*p);
  }
}

/// True where the loop goes element by element: for functors on scalars, and
/// where input and output elements differ in width (the compiler vectorises
/// these).
template <class F, class T, class Out>
inline constexpr bool kElementwise =
    requires { typename F::scalar; } || !std::is_same_v<T, Out> ||
    std::is_same_v<T, uint8_t>;

template <bool kMovesA, bool kMovesB, class F, class T, class Out>
void zip_elements(const F& f, const T* __restrict a, const T* __restrict b,
                  Out* __restrict out, std::size_t n) {
  const T a0 = *a, b0 = *b;
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = static_cast<Out>(
        f.value(kMovesA ? a[i] : a0, kMovesB ? b[i] : b0));
  }
}

// Rows that are whole tensors: aligned and padded, so there is no tail, and
// the padding's four batches go as one step.
template <bool kMovesA, bool kMovesB, class F, class T, class Out>
void zip_whole(const F& f, const T* a, const T* b, Out* out, std::size_t n) {
  if constexpr (kElementwise<F, T, Out>) {
    zip_elements<kMovesA, kMovesB>(f, a, b, out, n);
  } else {
    constexpr std::size_t kStep = kPadding / sizeof(T);
    for (std::size_t i = 0; i < n; i += kStep) {
      for (std::size_t k = i; k < i + kStep; k += kLanes<T>) {
        f.value(batch_at<kMovesA>(a, k), batch_at<kMovesB>(b, k))
            .store_aligned(out + k);
      }
    }
  }
}

// One row inside a tensor: whole batches first, then the tail.
template <bool kMovesA, bool kMovesB, class F, class T, class Out>
void zip_row(const F& f, const T* a, const T* b, Out* out, std::size_t n) {
  if constexpr (kElementwise<F, T, Out>) {
    zip_elements<kMovesA, kMovesB>(f, a, b, out, n);
  } else {
    std::size_t i = 0;
    for (; i + kLanes<T> <= n; i += kLanes<T>) {
      f.value(batch_at<kMovesA>(a, i), batch_at<kMovesB>(b, i))
          .store_unaligned(out + i);
    }
    if (i == n) return;
    // The tail goes through the same batch code, so that an element's value
    // never depends on its position.
    alignas(64) T ta[kLanes<T>] = {}, tb[kLanes<T>] = {}, tr[kLanes<T>];
    for (std::size_t k = 0; i + k < n; ++k) {
      ta[k] = a[kMovesA ? i + k : 0];
      tb[k] = b[kMovesB ? i + k : 0];
    }
    f.value(Batch<T>::load_aligned(ta), Batch<T>::load_aligned(tb))
        .store_aligned(tr);
    for (std::size_t k = 0; i + k < n; ++k) out[i + k] = tr[k];
  }
}

template <bool kMovesA, bool kMovesB, class F, class T, class Out>
void zip_rows(const F& f, const BroadcastPlan& plan, const T* a, const T* b,
              Out* out) {
  if (plan.rank == 0) {
    if (plan.row > 0) zip_whole<kMovesA, kMovesB>(f, a, b, out, plan.row);
    return;
  }
  for_each_row(plan, [&](std::size_t o, const std::ptrdiff_t* at) {
    zip_row<kMovesA, kMovesB>(f, a + at[0], b + at[1], out + o, plan.row);
  });
}

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
  auto* rows = plan.moves[0]
                   ? (plan.moves[1] ? detail::zip_rows<true, true, F, T, Out>
                                    : detail::zip_rows<true, false, F, T, Out>)
                   : (plan.moves[1] ? detail::zip_rows<false, true, F, T, Out>
                                    : detail::zip_rows<false, false, F, T, Out>);
  rows(f, plan, a, b, out);
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
