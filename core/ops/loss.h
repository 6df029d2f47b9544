#pragma once
// Losses: how far predictions are from labels. Each gives a loss per element
// (or per row), weighted (weights broadcast to it) and then reduced.

#include <optional>

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// How losses become one number. The order is TensorFlow.js's.
enum class LossReduction {
  none,                    ///< They do not.
  mean,                    ///< Weighted sum over the sum of the weights.
  sum,                     ///< Weighted sum.
  sum_by_nonzero_weights,  ///< Weighted sum over the count of weights not 0.
};

using Weights = std::optional<Tensor>;

/// Weights and reduces losses that exist already.
Tensor compute_weighted_loss(Tensor losses, Weights weights,
                             LossReduction reduction);
/// |labels - predictions|.
Tensor absolute_difference(Tensor labels, Tensor predictions, Weights weights,
                           LossReduction reduction);
/// 1 - sum(labels * predictions) along `axis`; both are unit vectors there.
Tensor cosine_distance(Tensor labels, Tensor predictions, int axis,
                       Weights weights, LossReduction reduction);
/// max(0, 1 - (2 labels - 1) predictions); labels are 0 or 1.
Tensor hinge_loss(Tensor labels, Tensor predictions, Weights weights,
                  LossReduction reduction);
/// error^2 / 2 up to |error| = delta, a straight line beyond.
Tensor huber_loss(Tensor labels, Tensor predictions, Weights weights,
                  double delta, LossReduction reduction);
/// -labels log(predictions + epsilon) - (1 - labels) log(1 - predictions +
/// epsilon).
Tensor log_loss(Tensor labels, Tensor predictions, Weights weights,
                double epsilon, LossReduction reduction);
/// (labels - predictions)^2.
Tensor mean_squared_error(Tensor labels, Tensor predictions, Weights weights,
                          LossReduction reduction);
/// Cross entropy of sigmoid(logits) and labels in 0..1, without overflow;
/// smoothing draws labels towards 1/2.
Tensor sigmoid_cross_entropy(Tensor labels, Tensor logits, Weights weights,
                             double label_smoothing, LossReduction reduction);
/// Cross entropy of softmax(logits) and labels along the last dimension,
/// without overflow; smoothing draws labels towards uniform.
Tensor softmax_cross_entropy(Tensor labels, Tensor logits, Weights weights,
                             double label_smoothing, LossReduction reduction);

}  // namespace tidemark::ops
