#pragma once
// Elementwise functions of one tensor. Unless a line says otherwise the result
// is float32, and int32 and bool inputs are converted first. "Keeps int32"
// means that int32 is computed in int32. "Keeps the type" means that x's type
// is the result's: int32 by truncation. "float32 only" refuses other types.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

// unary.cc: arithmetic, rounding, questions

Tensor abs(Tensor x);         ///< |x|; keeps int32.
Tensor ceil(Tensor x);        ///< Rounded up; float32 only.
/// min <= x <= max enforced; NaN stays NaN; keeps int32. Fails when min > max.
Tensor clip_by_value(Tensor x, double min, double max);
Tensor floor(Tensor x);       ///< Rounded down; float32 only.
Tensor is_finite(Tensor x);   ///< Neither infinite nor NaN, as bool.
Tensor is_inf(Tensor x);      ///< Infinite, as bool.
Tensor is_nan(Tensor x);      ///< NaN, as bool.
Tensor logical_not(Tensor x); ///< !x; bool only.
Tensor neg(Tensor x);         ///< -x; keeps int32, wraps.
Tensor reciprocal(Tensor x);  ///< 1 / x; keeps the type.
Tensor round(Tensor x);       ///< To nearest, halves to even; keeps int32.
Tensor rsqrt(Tensor x);       ///< 1 / sqrt(x); float32 only.
Tensor sign(Tensor x);        ///< -1, 0 or 1; 0 for NaN; keeps int32.
Tensor sqrt(Tensor x);        ///< Square root, NaN below 0; float32 only.
Tensor square(Tensor x);      ///< x * x; keeps int32, wraps.
/// 1 where x > 0, else alpha; NaN stays NaN. Has a zero derivative.
Tensor step(Tensor x, double alpha);

// math.cc: exponential, trigonometric and hyperbolic functions

Tensor acos(Tensor x);   ///< Keeps the type.
Tensor acosh(Tensor x);  ///< NaN below 1; keeps the type.
Tensor asin(Tensor x);   ///< Keeps the type.
Tensor asinh(Tensor x);  ///< Keeps the type.
Tensor atan(Tensor x);   ///< Keeps the type.
Tensor atanh(Tensor x);  ///< NaN beyond 1; keeps the type.
Tensor cos(Tensor x);    ///< x in radians, of any size; float32 only.
Tensor cosh(Tensor x);   ///< float32 only.
Tensor erf(Tensor x);    ///< 2 / sqrt(pi) times the integral of e^-t^2.
Tensor exp(Tensor x);    ///< e^x.
Tensor expm1(Tensor x);  ///< e^x - 1, accurate near zero; keeps the type.
Tensor log(Tensor x);    ///< Natural logarithm; float32 only.
Tensor log1p(Tensor x);  ///< log(1 + x), accurate near zero; keeps the type.
Tensor sin(Tensor x);    ///< x in radians, of any size; float32 only.
Tensor sinh(Tensor x);   ///< Keeps the type.
Tensor tan(Tensor x);    ///< x in radians, of any size; float32 only.
Tensor tanh(Tensor x);   ///< Never beyond 1; float32 only.

// activation.cc: what neural networks put between layers

Tensor elu(Tensor x);    ///< x for x > 0, else e^x - 1; float32 only.
Tensor leaky_relu(Tensor x, double alpha);  ///< x for x >= 0, else alpha * x.
Tensor log_sigmoid(Tensor x);  ///< log(sigmoid(x)); keeps the type.
Tensor relu(Tensor x);   ///< max(x, 0); NaN stays NaN; keeps int32.
Tensor relu6(Tensor x);  ///< min(max(x, 0), 6); NaN stays NaN; keeps int32.
/// scale * x for x > 0, else scale * alpha * (e^x - 1), with the two constants
/// of Klambauer et al. 2017; keeps the type.
Tensor selu(Tensor x);
Tensor sigmoid(Tensor x);   ///< 1 / (1 + e^-x); float32 only.
Tensor softplus(Tensor x);  ///< log(1 + e^x); keeps the type.

}  // namespace tidemark::ops
