#include "core/ops/unary.h"

#include "core/ops/creation.h"
#include "core/ops/operators.h"
#include "core/ops/unary_op.h"

namespace tidemark::ops {
namespace {

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

struct Exp {
  static auto value(auto x) { return xsimd::exp(x); }
  static Tensor vjp(Tensor dy, Output y) { return dy * y; }
};

struct Expm1 {
  static auto value(auto x) { return xsimd::expm1(x); }
  static Tensor vjp(Tensor dy, Output y) { return dy * (y + 1); }
};

struct Step {
  float alpha;
  auto value(auto x) const {
    using B = decltype(x);
    auto one_or_alpha = xsimd::select(x > B(0.f), B(1.f), B(alpha));
    return xsimd::select(x == x, one_or_alpha, x);
  }
  Tensor vjp(Tensor dy) const { return zeros_like(dy); }
};

struct Relu {
  using integer = void;
  static auto value(auto x) {
    using B = decltype(x);
    // Comparing the other way round lets NaN through.
    return xsimd::select(x < B(0), B(0), x);
  }
  static Tensor vjp(Tensor dy, Input x) { return dy * step(x, 0); }
};

struct LeakyRelu {
  float alpha;
  auto value(auto x) const {
    using B = decltype(x);
    return xsimd::select(x < B(0.f), x * B(alpha), x);
  }
  Tensor vjp(Tensor dy, Input x) const { return dy * step(x, alpha); }
};

}  // namespace

Tensor neg(Tensor x) { return unary<Neg>("neg", x); }
Tensor square(Tensor x) { return unary<Square>("square", x); }
Tensor exp(Tensor x) { return unary<Exp>("exp", x); }
Tensor expm1(Tensor x) { return unary<Expm1>("expm1", x); }
Tensor relu(Tensor x) { return unary<Relu>("relu", x); }
Tensor leaky_relu(Tensor x, double alpha) {
  return unary("leakyRelu", x, LeakyRelu{static_cast<float>(alpha)});
}
Tensor step(Tensor x, double alpha) {
  return unary("step", x, Step{static_cast<float>(alpha)});
}

}  // namespace tidemark::ops
