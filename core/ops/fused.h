#pragma once
// Activations at the end of products and convolutions, as ops see them.

#include <optional>

#include "core/autodiff/op.h"
#include "core/kernels/epilogue.h"
#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// activation(x); prelu when there are weights for it.
Tensor activated(Tensor x, kernels::Activation activation,
                 const std::optional<Tensor>& prelu_weights, double alpha);

/// dL/dx for y = activation(x), from dy = dL/dy and y alone. For leaky relu
/// alpha must be positive, else y does not tell the sign of x.
Tensor activation_gradient(Tensor dy, Tensor y, kernels::Activation activation,
                           double alpha);

/// Whether `activation_gradient` can be used.
bool has_gradient_from_result(kernels::Activation activation, double alpha);

/// Names an activation, unless it is linear.
void tell_activation(Teller& to, kernels::Activation activation, double alpha);

}  // namespace tidemark::ops
