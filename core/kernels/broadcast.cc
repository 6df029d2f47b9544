#include "core/kernels/broadcast.h"

#include <algorithm>

namespace tidemark::kernels {

BroadcastPlan plan_broadcast(const Shape& out,
                             std::initializer_list<const Shape*> operands) {
  BroadcastPlan plan;
  int count = static_cast<int>(operands.size());
  // Most calls broadcast nothing: all is one row.
  if (std::all_of(operands.begin(), operands.end(),
                  [&](const Shape* s) { return *s == out; })) {
    plan.row = out.size();
    std::fill_n(plan.moves, count, true);
    return plan;
  }
  // Strides of each operand in the output's dimensions, 0 where it repeats.
  std::ptrdiff_t strides[BroadcastPlan::kOperands][kMaxRank] = {};
  for (int k = 0; k < count; ++k) {
    const Shape& s = *operands.begin()[k];
    std::ptrdiff_t step = 1;
    for (int i = 0; i < s.rank(); ++i) {
      int d = out.rank() - 1 - i;
      strides[k][d] = s.back(i) == 1 ? 0 : step;
      step *= s.back(i);
    }
  }
  // Merge from the inside out: dimension d joins the one inside it when every
  // operand steps over exactly that one's extent.
  int dims[kMaxRank];
  std::ptrdiff_t merged[BroadcastPlan::kOperands][kMaxRank];
  int rank = 0;
  for (int d = out.rank() - 1; d >= 0; --d) {
    if (out[d] == 1) continue;
    bool joins = rank > 0;
    for (int k = 0; joins && k < count; ++k) {
      joins = strides[k][d] == merged[k][rank - 1] * dims[rank - 1];
    }
    if (joins) {
      dims[rank - 1] *= out[d];
    } else {
      dims[rank] = out[d];
      for (int k = 0; k < count; ++k) merged[k][rank] = strides[k][d];
      ++rank;
    }
  }
  // Now innermost first; the row is entry 0, the rest turn around.
  if (rank > 0) {
    plan.row = static_cast<std::size_t>(dims[0]);
    for (int k = 0; k < count; ++k) plan.moves[k] = merged[k][0] != 0;
    plan.rank = rank - 1;
    for (int d = 0; d < plan.rank; ++d) {
      plan.dims[d] = dims[rank - 1 - d];
      for (int k = 0; k < BroadcastPlan::kOperands; ++k) {
        plan.strides[k][d] = k < count ? merged[k][rank - 1 - d] : 0;
      }
    }
  }
  return plan;
}

namespace detail {
namespace {

// Elements of the buffer a standing operand is spread into: it stays in L1.
constexpr std::size_t kSpread = 512;

template <class T, class Out>
void zip_row(ZipLoop<T, Out> loop, bool elementwise, const void* f, const T* a,
             bool moves_a, const T* b, bool moves_b, Out* out, std::size_t n) {
  std::size_t whole = elementwise ? n : n - n % kLanes<T>;
  loop(f, a, b, out, whole);
  if (whole == n) return;
  alignas(64) T ta[kLanes<T>] = {}, tb[kLanes<T>] = {};
  alignas(64) Out to[kLanes<T>];
  for (std::size_t k = 0; whole + k < n; ++k) {
    ta[k] = a[moves_a ? whole + k : k];
    tb[k] = b[moves_b ? whole + k : k];
  }
  loop(f, ta, tb, to, kLanes<T>);
  std::copy_n(to, n - whole, out + whole);
}

}  // namespace

template <class T, class Out>
void zip_rows(ZipLoop<T, Out> loop, bool elementwise, const void* f,
              const BroadcastPlan& plan, const T* a, const T* b, Out* out) {
  const bool moves_a = plan.moves[0], moves_b = plan.moves[1];
  if (plan.row == 0) return;
  if (plan.rank == 0 && moves_a && moves_b) {
    // Whole tensors: the padding takes the tail.
    std::size_t n = plan.row;
    if (!elementwise) n = (n + kLanes<T> - 1) / kLanes<T> * kLanes<T>;
    loop(f, a, b, out, n);
    return;
  }
  alignas(64) T spread[2][kSpread];
  const std::size_t step =
      moves_a && moves_b ? plan.row : std::min(plan.row, kSpread);
  const std::size_t filled = std::min(
      kSpread, (step + kLanes<T> - 1) / kLanes<T> * kLanes<T>);
  for_each_row(plan, [&](std::size_t o, const std::ptrdiff_t* at) {
    if (!moves_a) std::fill_n(spread[0], filled, a[at[0]]);
    if (!moves_b) std::fill_n(spread[1], filled, b[at[1]]);
    for (std::size_t i = 0; i < plan.row; i += step) {
      zip_row(loop, elementwise, f, moves_a ? a + at[0] + i : spread[0],
              moves_a, moves_b ? b + at[1] + i : spread[1], moves_b,
              out + o + i, std::min(step, plan.row - i));
    }
  });
}

template void zip_rows(ZipLoop<float, float>, bool, const void*,
                       const BroadcastPlan&, const float*, const float*,
                       float*);
template void zip_rows(ZipLoop<int32_t, int32_t>, bool, const void*,
                       const BroadcastPlan&, const int32_t*, const int32_t*,
                       int32_t*);
template void zip_rows(ZipLoop<float, uint8_t>, bool, const void*,
                       const BroadcastPlan&, const float*, const float*,
                       uint8_t*);
template void zip_rows(ZipLoop<int32_t, uint8_t>, bool, const void*,
                       const BroadcastPlan&, const int32_t*, const int32_t*,
                       uint8_t*);
template void zip_rows(ZipLoop<uint8_t, uint8_t>, bool, const void*,
                       const BroadcastPlan&, const uint8_t*, const uint8_t*,
                       uint8_t*);

}  // namespace detail
}  // namespace tidemark::kernels
