#pragma once
// Loops over operands of different shapes (NumPy broadcasting). Dimensions are
// merged wherever both operands keep step, so most calls end as one row.

#include <cstddef>

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

// One row: whole batches first, then the tail through scalars, because rows
// inside a tensor are not padded.
template <bool kMovesA, bool kMovesB, class F, class T, class Out>
void zip_row(const F& f, const T* a, const T* b, Out* out, std::size_t n) {
  std::size_t i = 0;
  if constexpr (requires { typename F::scalar; } || !std::is_same_v<T, Out> ||
                std::is_same_v<T, uint8_t>) {
    for (; i < n; ++i) {
      out[i] = static_cast<Out>(
          f.value(a[kMovesA ? i : 0], b[kMovesB ? i : 0]));
    }
  } else {
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

}  // namespace detail

/// out = f.value(a, b), elementwise with broadcasting.
template <class F, class T, class Out>
void zip(const F& f, const BroadcastPlan& plan, const T* a, const T* b,
         Out* out) {
  auto* row = plan.moves[0]
                  ? (plan.moves[1] ? detail::zip_row<true, true, F, T, Out>
                                   : detail::zip_row<true, false, F, T, Out>)
                  : (plan.moves[1] ? detail::zip_row<false, true, F, T, Out>
                                   : detail::zip_row<false, false, F, T, Out>);
  for_each_row(plan, [&](std::size_t o, const std::ptrdiff_t* at) {
    row(f, a + at[0], b + at[1], out + o, plan.row);
  });
}

}  // namespace tidemark::kernels
