// Exponential, trigonometric and hyperbolic functions.
#include "core/kernels/math.h"

#include <cmath>
#include <numbers>

#include "core/ops/operators.h"
#include "core/ops/unary.h"
#include "core/ops/unary_op.h"

namespace tidemark::ops {
namespace {

using kernels::Float;

struct Exp {
  static Float value(Float x) { return kernels::exp(x); }
  static Tensor vjp(Tensor dy, Output y) { return dy * y; }
};

struct Expm1 {
  using keeps_type = void;
  static Float value(Float x) { return kernels::expm1(x); }
  static Tensor vjp(Tensor dy, Output y) { return dy * (y + 1); }
};

struct Log {
  using float_only = void;
  static Float value(Float x) { return xsimd::log(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy / x; }
};

struct Log1p {
  using keeps_type = void;
  static Float value(Float x) { return kernels::log1p(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy / (x + 1); }
};

struct Erf {
  static Float value(Float x) { return xsimd::erf(x); }
  // 2 / sqrt(pi) e^(-x^2)
  static Tensor vjp(Tensor dy, Input x) {
    return dy * (exp(-square(x)) * (2 * std::numbers::inv_sqrtpi));
  }
};

struct Sin {
  using float_only = void;
  static Float value(Float x) { return xsimd::sin(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy * cos(x); }
};

struct Cos {
  using float_only = void;
  static Float value(Float x) { return xsimd::cos(x); }
  static Tensor vjp(Tensor dy, Input x) { return -(dy * sin(x)); }
};

// Near its poles the tangent magnifies a rounding of x, so float is too narrow
// for the way there.
struct Tan {
  using float_only = void;
  using scalar = void;
  static float value(float x) {
    return static_cast<float>(std::tan(static_cast<double>(x)));
  }
  static Tensor vjp(Tensor dy, Output y) { return dy * (square(y) + 1); }
};

struct Asin {
  using keeps_type = void;
  static Float value(Float x) { return xsimd::asin(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy / sqrt(1 - square(x)); }
};

struct Acos {
  using keeps_type = void;
  static Float value(Float x) { return xsimd::acos(x); }
  static Tensor vjp(Tensor dy, Input x) { return -dy / sqrt(1 - square(x)); }
};

struct Atan {
  using keeps_type = void;
  static Float value(Float x) { return xsimd::atan(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy / (square(x) + 1); }
};

struct Sinh {
  using keeps_type = void;
  static Float value(Float x) { return xsimd::sinh(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy * cosh(x); }
};

struct Cosh {
  using float_only = void;
  static Float value(Float x) { return xsimd::cosh(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy * sinh(x); }
};

struct Tanh {
  using float_only = void;
  static Float value(Float x) { return kernels::tanh(x); }
  static Tensor vjp(Tensor dy, Output y) { return dy * (1 - square(y)); }
};

struct Asinh {
  using keeps_type = void;
  static Float value(Float x) { return xsimd::asinh(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy / sqrt(square(x) + 1); }
};

struct Acosh {
  using keeps_type = void;
  static Float value(Float x) { return kernels::acosh(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy / sqrt(square(x) - 1); }
};

struct Atanh {
  using keeps_type = void;
  static Float value(Float x) { return xsimd::atanh(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy / (1 - square(x)); }
};

}  // namespace

Tensor acos(Tensor x) { return unary<Acos>("acos", x); }
Tensor acosh(Tensor x) { return unary<Acosh>("acosh", x); }
Tensor asin(Tensor x) { return unary<Asin>("asin", x); }
Tensor asinh(Tensor x) { return unary<Asinh>("asinh", x); }
Tensor atan(Tensor x) { return unary<Atan>("atan", x); }
Tensor atanh(Tensor x) { return unary<Atanh>("atanh", x); }
Tensor cos(Tensor x) { return unary<Cos>("cos", x); }
Tensor cosh(Tensor x) { return unary<Cosh>("cosh", x); }
Tensor erf(Tensor x) { return unary<Erf>("erf", x); }
Tensor exp(Tensor x) { return unary<Exp>("exp", x); }
Tensor expm1(Tensor x) { return unary<Expm1>("expm1", x); }
Tensor log(Tensor x) { return unary<Log>("log", x); }
Tensor log1p(Tensor x) { return unary<Log1p>("log1p", x); }
Tensor sin(Tensor x) { return unary<Sin>("sin", x); }
Tensor sinh(Tensor x) { return unary<Sinh>("sinh", x); }
Tensor tan(Tensor x) { return unary<Tan>("tan", x); }
Tensor tanh(Tensor x) { return unary<Tanh>("tanh", x); }

}  // namespace tidemark::ops
