#include "core/ops/unary.h"

#include <limits>

#include "core/ops/creation.h"
#include "core/ops/operators.h"
#include "core/ops/unary_op.h"

namespace tidemark::ops {
namespace {

using kernels::Float;
using kernels::Int;

// Functions that are flat between their jumps.
struct Flat {
  static Tensor vjp(Tensor dy) { return zeros_like(dy); }
};

struct Abs {
  using integer = void;
  static auto value(auto x) { return xsimd::abs(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy * sign(x); }
};

struct Ceil : Flat {
  using float_only = void;
  static Float value(Float x) { return xsimd::ceil(x); }
};

struct Floor : Flat {
  using float_only = void;
  static Float value(Float x) { return xsimd::floor(x); }
};

struct Round : Flat {
  using integer = void;
  static Float value(Float x) { return xsimd::nearbyint(x); }
  static Int value(Int x) { return x; }
};

struct Sign : Flat {
  using integer = void;
  static auto value(auto x) {
    using B = decltype(x);
    return xsimd::select(x > B(0), B(1),
                         xsimd::select(x < B(0), B(-1), B(0)));
  }
};

struct Step {
  float alpha;
  void tell(Teller& to) const { to.number("alpha", alpha); }
  auto value(auto x) const {
    using B = decltype(x);
    auto one_or_alpha = xsimd::select(x > B(0.f), B(1.f), B(alpha));
    return xsimd::select(x == x, one_or_alpha, x);
  }
  static Tensor vjp(Tensor dy) { return zeros_like(dy); }
  using keeps_type = void;
};

struct Clip {
  using integer = void;
  double min, max;
  void tell(Teller& to) const {
    to.number("min", min);
    to.number("max", max);
  }
  auto value(auto x) const {
    using B = decltype(x);
    using T = typename B::value_type;
    B low(as<T>(min)), high(as<T>(max));
    // Comparing the bound with x lets NaN through.
    return xsimd::select(x < low, low, xsimd::select(x > high, high, x));
  }
  Tensor vjp(Tensor dy, Input x) const {
    return dy * logical_and(greater_equal(x, scalar(min)),
                            less_equal(x, scalar(max)));
  }

  template <class T>
  static T as(double v) {
    if constexpr (std::is_same_v<T, float>) {
      return static_cast<float>(v);
    } else {
      return to_int32(v);
    }
  }
};

struct Neg {
  using integer = void;
  static auto value(auto x) { return -x; }
  static Tensor vjp(Tensor dy) { return -dy; }
};

struct Square {
  using integer = void;
  static auto value(auto x) { return x * x; }
  static Tensor vjp(Tensor dy, Input x) { return dy * (x * 2); }
};

struct Reciprocal {
  using keeps_type = void;
  static Float value(Float x) { return Float(1.f) / x; }
  static Tensor vjp(Tensor dy, Output y) { return -(dy * (y * y)); }
};

struct Sqrt {
  using float_only = void;
  static Float value(Float x) { return xsimd::sqrt(x); }
  static Tensor vjp(Tensor dy, Output y) { return dy / (y * 2); }
};

struct Rsqrt {
  using float_only = void;
  static Float value(Float x) { return Float(1.f) / xsimd::sqrt(x); }
  static Tensor vjp(Tensor dy, Output y) { return dy * (y * y * y) * -0.5; }
};

// x - x is 0 for finite x alone.
struct IsFinite : Flat {
  using predicate = void;
  static bool value(float x) { return x - x == 0; }
};

struct IsInf : Flat {
  using predicate = void;
  static bool value(float x) {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    return (x == kInf) | (x == -kInf);
  }
};

struct IsNan : Flat {
  using predicate = void;
  static bool value(float x) { return x != x; }
};

struct LogicalNot {
  using boolean = void;
  static uint8_t value(uint8_t x) { return x ^ 1; }
};

}  // namespace

Tensor abs(Tensor x) { return unary<Abs>("abs", x); }
Tensor ceil(Tensor x) { return unary<Ceil>("ceil", x); }
Tensor clip_by_value(Tensor x, double min, double max) {
  if (!(min <= max)) {
    fail(Code::argument, "Error in clip: min (", min,
         ") must be less than or equal to max (", max, ").");
  }
  return unary("clipByValue", x, Clip{min, max});
}
Tensor floor(Tensor x) { return unary<Floor>("floor", x); }
Tensor is_finite(Tensor x) { return unary<IsFinite>("isFinite", x); }
Tensor is_inf(Tensor x) { return unary<IsInf>("isInf", x); }
Tensor is_nan(Tensor x) { return unary<IsNan>("isNaN", x); }
Tensor logical_not(Tensor x) { return unary<LogicalNot>("logicalNot", x); }
Tensor neg(Tensor x) { return unary<Neg>("neg", x); }
Tensor reciprocal(Tensor x) { return unary<Reciprocal>("reciprocal", x); }
Tensor round(Tensor x) { return unary<Round>("round", x); }
Tensor rsqrt(Tensor x) { return unary<Rsqrt>("rsqrt", x); }
Tensor sign(Tensor x) { return unary<Sign>("sign", x); }
Tensor sqrt(Tensor x) { return unary<Sqrt>("sqrt", x); }
Tensor square(Tensor x) { return unary<Square>("square", x); }
Tensor step(Tensor x, double alpha) {
  return unary("step", x, Step{static_cast<float>(alpha)});
}

}  // namespace tidemark::ops
