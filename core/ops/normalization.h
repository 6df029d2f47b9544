#pragma once
// Ops that rescale: batch and local response normalization, norms.

#include <optional>

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// (x - mean) / sqrt(variance + epsilon) * scale + offset; the parameters
/// broadcast to x, most often as one value per channel (last dimension).
Tensor batch_norm(Tensor x, Tensor mean, Tensor variance,
                  std::optional<Tensor> offset, std::optional<Tensor> scale,
                  double epsilon);

/// x / (bias + alpha * s)^beta, s being the sum of squares of the channels at
/// most `depth_radius` away; x is [height, width, channels] or a batch of it.
Tensor local_response_normalization(Tensor x, int depth_radius, double bias,
                                    double alpha, double beta);

/// What `norm` computes. Of a vector: the root of the sum of squares, the sum,
/// the largest, the smallest magnitude. Of a matrix: the root of the sum of
/// squares, the largest column sum, the largest, the smallest row sum.
enum class Norm { euclidean, one, max, min };

/// The norm over one axis (vectors) or two (matrices: rows, then columns);
/// no axes mean all elements as one vector.
Tensor norm(Tensor x, Norm kind, Ints axes, bool keep_dims);

}  // namespace tidemark::ops
