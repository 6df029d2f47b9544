#pragma once
// Random tensors. The same seed gives the same numbers on every machine; the
// core has no other source of randomness. float32 unless a dtype is asked for.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// Uniform in [min, max). int32: whole numbers in it; bool: at least 1/2.
Tensor random_uniform(const Shape& shape, double min, double max, DType dtype,
                      double seed);
/// Normal; int32 is rounded. bool is refused.
Tensor random_normal(const Shape& shape, double mean, double deviation,
                     DType dtype, double seed);
/// Normal, redrawn until within two deviations of the mean.
Tensor truncated_normal(const Shape& shape, double mean, double deviation,
                        DType dtype, double seed);
/// Gamma of shape parameter alpha and rate beta.
Tensor random_gamma(const Shape& shape, double alpha, double beta,
                    DType dtype, double seed);
/// `num` outcomes drawn from each row of logits [batch, outcomes] or
/// [outcomes], as int32 [batch, num] or [num]. `normalized` says that logits
/// are probabilities.
Tensor multinomial(Tensor logits, int num, double seed, bool normalized);
/// x with a share `rate` of its elements set to 0 and the others scaled by
/// 1 / (1 - rate). The noise has noise_shape, broadcast to x: -1 stands for
/// x's dimension, no dimensions for x's shape. float32 only.
Tensor dropout(Tensor x, double rate, Ints noise_shape, double seed);

}  // namespace tidemark::ops
