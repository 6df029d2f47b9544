#include "core/ops/check.h"

namespace tidemark::ops {

void require_dtype(const char* op, const char* argument, const Tensor& x,
                   DType dtype) {
  if (x.dtype() == dtype) return;
  fail(Code::dtype, "Argument '", argument, "' passed to '", op, "' must be ",
       dtype, " tensor, but got ", x.dtype(), " tensor");
}

}  // namespace tidemark::ops
