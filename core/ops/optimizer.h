#pragma once
// One step of an optimizer for one variable: a function from the variable, its
// slots and its gradient to the new variable and the new slots, in this order.
// All tensors are float32 and have one shape. None of them has a derivative.
//
// Where each epsilon stands is TensorFlow.js's choice; models trained there go
// on here as they would there.

#include <optional>

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// v - rate g.
Tensors sgd_update(Tensor v, Tensor g, double rate);

/// m' = momentum m + g;  v' = v - rate m', or with Nesterov's look-ahead
/// v - rate (g + momentum m').
Tensors momentum_update(Tensor v, Tensor m, Tensor g, double rate,
                        double momentum, bool use_nesterov);

/// a' = a + g^2;  v' = v - rate g / sqrt(a' + 1e-7).
Tensors adagrad_update(Tensor v, Tensor accumulator, Tensor g, double rate);

/// u = g sqrt(acc_update + epsilon) / sqrt(acc_grad + epsilon), with both
/// accumulators as they were; then they become moving averages of g^2 and u^2,
/// and v' = v - rate u.
Tensors adadelta_update(Tensor v, Tensor acc_grad, Tensor acc_update, Tensor g,
                        double rate, double rho, double epsilon);

/// ms' = moving average of g^2;  mom' = momentum mom + rate g / sqrt(ms' +
/// epsilon);  v' = v - mom'. With `mean_grad` (centered) it becomes the moving
/// average of g, and the root is that of ms' - mean_grad'^2 - epsilon.
/// Returns v', ms', mom' and, when centered, mean_grad'.
Tensors rmsprop_update(Tensor v, Tensor mean_square,
                       std::optional<Tensor> mean_grad, Tensor momentum_slot,
                       Tensor g, double rate, double decay, double momentum,
                       double epsilon);

/// m1, m2 become moving averages of g and g^2;  v' = v - rate m / (sqrt(s) +
/// epsilon) with m = m1' / (1 - acc_beta1), s = m2' / (1 - acc_beta2).
/// acc_beta is beta to the number of this step, counted from 1.
Tensors adam_update(Tensor v, Tensor m1, Tensor m2, Tensor g, double rate,
                    double beta1, double beta2, double acc_beta1,
                    double acc_beta2, double epsilon);

/// m1' = moving average of g;  n' = max(beta2 n, |g|);
/// v' = v - rate / (1 - acc_beta1) m1' / (n' + epsilon).
Tensors adamax_update(Tensor v, Tensor m1, Tensor norm, Tensor g, double rate,
                      double beta1, double beta2, double acc_beta1,
                      double epsilon);

}  // namespace tidemark::ops
