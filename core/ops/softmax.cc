#include "core/ops/softmax.h"

#include "core/kernels/softmax.h"
#include "core/ops/emit.h"
#include "core/ops/numeric.h"
#include "core/ops/operators.h"
#include "core/ops/reduce.h"

namespace tidemark::ops {
namespace {

using kernels::Index;
using RowKernel = void (*)(Index rows, Index columns, const float*, float*);

template <RowKernel kKernel>
void row_kernel(const Run& run) {
  const Tensor& x = run.in[0];
  if (x.size() == 0) return;
  // A scalar is one row of one element.
  Index columns = x.rank() == 0 ? 1 : x.shape().back();
  kKernel(static_cast<Index>(x.size()) / columns, columns, x.data<float>(),
          run.out[0].mutable_data<float>());
}

Tensor row_sum(const Tensor& x) {
  return x.rank() == 0 ? x : sum(x, {-1}, true);
}

// d/dx = y (dy - sum(dy y)).
constexpr Op kSoftmax{
    .name = "softmax",
    .kernel = row_kernel<kernels::softmax>,
    .vjp =
        [](Vjp& v) {
          Tensor weighted = v.dy() * v.out();
          v.give(0, weighted - row_sum(weighted) * v.out());
        },
    .keep_outputs = 1,
};

// d/dx = dy - e^y sum(dy).
constexpr Op kLogSoftmax{
    .name = "logSoftmax",
    .kernel = row_kernel<kernels::log_softmax>,
    .vjp =
        [](Vjp& v) { v.give(0, v.dy() - row_sum(v.dy()) * exp(v.out())); },
    .keep_outputs = 1,
};

void check_last(const char* what, const char* name, int dim, int rank) {
  int last = rank - 1;
  if (dim != -1 && dim != last) {
    fail(Code::argument, what, " along a non-last dimension is not yet "
         "supported. Logits was rank ", rank, " and ", name, " was ", dim);
  }
}

}  // namespace

Tensor softmax(Tensor logits, int dim) {
  check_last("Softmax", "dim", dim, logits.rank());
  if (logits.dtype() != DType::float32) {
    fail(Code::dtype, "Argument 'logits' passed to 'softmax' must be float32 "
         "tensor, but got ", logits.dtype(), " tensor");
  }
  return emit(kSoftmax, {logits}, {logits.shape(), DType::float32});
}

Tensor log_softmax(Tensor logits, int axis) {
  check_last("Log Softmax", "axis", axis, logits.rank());
  return emit(kLogSoftmax, {as_float(logits)},
              {logits.shape(), DType::float32});
}

}  // namespace tidemark::ops
