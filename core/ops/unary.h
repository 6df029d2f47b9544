#pragma once
// Elementwise functions of one tensor. Unless a line says otherwise the result
// is float32, and int32 and bool inputs are converted first.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

Tensor neg(Tensor x);                       ///< -x; keeps int32.
Tensor square(Tensor x);                    ///< x * x; keeps int32.
Tensor exp(Tensor x);                       ///< e^x.
Tensor expm1(Tensor x);                     ///< e^x - 1, accurate near zero.
Tensor relu(Tensor x);                      ///< max(x, 0); keeps int32.
Tensor leaky_relu(Tensor x, double alpha);  ///< x for x >= 0, else alpha * x.
/// 1 where x > 0, else alpha; NaN stays NaN. Has a zero derivative.
Tensor step(Tensor x, double alpha);

}  // namespace tidemark::ops
