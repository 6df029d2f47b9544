#include "core/ops/metrics.h"

#include "core/ops/emit.h"
#include "core/ops/numeric.h"

namespace tidemark::ops {
namespace {

struct InTopK {
  int k;

  void tell(const Run&, Teller& to) const { to.integer("k", k); }
};

// Elements of the row that stand before the target in descending order.
int place(const float* row, int n, int target) {
  int larger = 0;
  for (int j = 0; j < n; ++j) {
    larger += row[j] > row[target] || (row[j] == row[target] && j < target);
  }
  return larger;
}

constexpr Op kInTopK{
    .name = "inTopK",
    .kernel = [](const Run& run) {
      int n = run.in[0].shape().back();
      const float* row = run.in[0].data<float>();
      const int32_t* target = run.in[1].data<int32_t>();
      uint8_t* out = run.out[0].mutable_data<uint8_t>();
      for (std::size_t r = 0; r < run.out[0].size(); ++r, row += n) {
        int t = target[r];
        out[r] = t >= 0 && t < n && row[t] == row[t] &&
                 place(row, n, t) < run.attr<InTopK>().k;
      }
    },
    .tell = tell<InTopK>,
};

}  // namespace

Tensor in_top_k(Tensor predictions, Tensor targets, int k) {
  if (predictions.rank() < 2 ||
      predictions.shape().sub(0, predictions.rank() - 1) != targets.shape()) {
    fail(Code::shape, "inTopK: predictions ", predictions.shape(),
         " must have one dimension more than targets ", targets.shape());
  }
  int last = predictions.shape().back();
  if (k < 1 || k > last) {
    fail(Code::argument, "'k' passed to inTopK() must be > 0 && <= the "
         "predictions last dimension (", last, "), but got ", k);
  }
  return emit(kInTopK, {as_float(predictions), cast(targets, DType::int32)},
              {targets.shape(), DType::bool_}, InTopK{k});
}

}  // namespace tidemark::ops
