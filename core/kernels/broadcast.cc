#include "core/kernels/broadcast.h"

namespace tidemark::kernels {

BroadcastPlan plan_broadcast(const Shape& out,
                             std::initializer_list<const Shape*> operands) {
  BroadcastPlan plan;
  int count = static_cast<int>(operands.size());
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

}  // namespace tidemark::kernels
