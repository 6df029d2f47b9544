// Activation functions.
#include "core/kernels/math.h"
#include "core/ops/operators.h"
#include "core/ops/unary.h"
#include "core/ops/unary_op.h"

namespace tidemark::ops {
namespace {

using kernels::Float;

struct Relu {
  using integer = void;
  static auto value(auto x) {
    using B = decltype(x);
    // Comparing the other way round lets NaN through.
    return xsimd::select(x < B(0), B(0), x);
  }
  static Tensor vjp(Tensor dy, Input x) { return dy * step(x, 0); }
};

struct Relu6 {
  using integer = void;
  static auto value(auto x) {
    using B = decltype(x);
    return xsimd::select(x < B(0), B(0), xsimd::select(x > B(6), B(6), x));
  }
  static Tensor vjp(Tensor dy, Input x) {
    return dy * (step(x, 0) * less_equal(x, scalar(6)));
  }
};

struct LeakyRelu {
  float alpha;
  void tell(Teller& to) const { to.number("alpha", alpha); }
  auto value(auto x) const {
    using B = decltype(x);
    return xsimd::select(x < B(0.f), x * B(alpha), x);
  }
  Tensor vjp(Tensor dy, Input x) const { return dy * step(x, alpha); }
};

struct Elu {
  using float_only = void;
  static Float value(Float x) {
    return xsimd::select(x > Float(0.f), x, kernels::expm1(x));
  }
  // 1 for x > 0, else e^x = y + 1
  static Tensor vjp(Tensor dy, Output y) {
    return dy * (minimum(y, scalar(0)) + 1);
  }
};

struct Selu {
  using keeps_type = void;
  static constexpr double kAlpha = 1.6732632423543772848;
  static constexpr double kScale = 1.0507009873554804934;
  static Float value(Float x) {
    return xsimd::select(
        x > Float(0.f), x * Float(static_cast<float>(kScale)),
        kernels::expm1(x) * Float(static_cast<float>(kScale * kAlpha)));
  }
  // scale for x > 0, else scale alpha e^x = y + scale alpha
  static Tensor vjp(Tensor dy, Output y) {
    Tensor positive = step(y, 0);
    return dy *
           (positive * kScale + (1 - positive) * (y + kScale * kAlpha));
  }
};

struct Sigmoid {
  using float_only = void;
  static Float value(Float x) { return kernels::sigmoid(x); }
  static Tensor vjp(Tensor dy, Output y) { return dy * (y * (1 - y)); }
};

struct LogSigmoid {
  using keeps_type = void;
  static Float value(Float x) { return -kernels::softplus(-x); }
  static Tensor vjp(Tensor dy, Input x) { return dy * sigmoid(-x); }
};

struct Softplus {
  using keeps_type = void;
  static Float value(Float x) { return kernels::softplus(x); }
  static Tensor vjp(Tensor dy, Input x) { return dy * sigmoid(x); }
};

}  // namespace

Tensor elu(Tensor x) { return unary<Elu>("elu", x); }
Tensor leaky_relu(Tensor x, double alpha) {
  return unary("leakyRelu", x, LeakyRelu{static_cast<float>(alpha)});
}
Tensor log_sigmoid(Tensor x) { return unary<LogSigmoid>("logSigmoid", x); }
Tensor relu(Tensor x) { return unary<Relu>("relu", x); }
Tensor relu6(Tensor x) { return unary<Relu6>("relu6", x); }
Tensor selu(Tensor x) { return unary<Selu>("selu", x); }
Tensor sigmoid(Tensor x) { return unary<Sigmoid>("sigmoid", x); }
Tensor softplus(Tensor x) { return unary<Softplus>("softplus", x); }

}  // namespace tidemark::ops
