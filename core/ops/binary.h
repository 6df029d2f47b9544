#pragma once
// Elementwise functions of two tensors, broadcast together (NumPy's rule).
// Operands of different types meet in the wider one (bool < int32 < float32).

#include "core/tensor/tensor.h"

namespace tidemark::ops {

Tensor add(Tensor a, Tensor b);      ///< a + b; int32 wraps.
Tensor sub(Tensor a, Tensor b);      ///< a - b; int32 wraps.
Tensor mul(Tensor a, Tensor b);      ///< a * b; int32 wraps.
Tensor div(Tensor a, Tensor b);      ///< a / b; int32 rounds down, x/0 is 0.
Tensor greater(Tensor a, Tensor b);  ///< a > b, as bool.

}  // namespace tidemark::ops
