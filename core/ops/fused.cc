#include "core/ops/fused.h"

#include "core/ops/operators.h"

namespace tidemark::ops {

using kernels::Activation;

Tensor activated(Tensor x, Activation activation,
                 const std::optional<Tensor>& prelu_weights, double alpha) {
  if (prelu_weights) return prelu(x, *prelu_weights);
  switch (activation) {
    case Activation::kLinear: return x;
    case Activation::kRelu: return relu(x);
    case Activation::kRelu6: return relu6(x);
    case Activation::kElu: return elu(x);
    case Activation::kLeakyRelu: return leaky_relu(x, alpha);
    case Activation::kSigmoid: return sigmoid(x);
  }
  fail(Code::argument, "Unknown fused activation ",
       static_cast<int>(activation), ".");
}

Tensor activation_gradient(Tensor dy, Tensor y, Activation activation,
                           double alpha) {
  switch (activation) {
    case Activation::kLinear: return dy;
    case Activation::kRelu: return dy * step(y, 0);
    case Activation::kRelu6: return dy * (step(y, 0) * step(6.0 - y, 0));
    // e^x is y + 1 below zero.
    case Activation::kElu: return dy * (1.0 - relu(-y));
    case Activation::kLeakyRelu: return dy * step(y, alpha);
    case Activation::kSigmoid: return dy * (y * (1.0 - y));
  }
  fail(Code::argument, "Unknown fused activation ",
       static_cast<int>(activation), ".");
}

bool has_gradient_from_result(Activation activation, double alpha) {
  return activation != Activation::kLeakyRelu || alpha > 0;
}

void tell_activation(Teller& to, Activation activation, double alpha) {
  static constexpr const char* kNames[] = {"linear", "relu",      "relu6",
                                           "elu",    "leakyRelu", "sigmoid"};
  if (activation == Activation::kLinear) return;
  to.text("activation", kNames[static_cast<int>(activation)]);
  if (activation == Activation::kLeakyRelu) to.number("alpha", alpha);
}

}  // namespace tidemark::ops
