#include "core/ops/loss.h"

#include "core/ops/cast.h"
#include "core/ops/numeric.h"
#include "core/ops/operators.h"
#include "core/ops/reduce.h"
#include "core/ops/shape_ops.h"
#include "core/ops/softmax.h"

namespace tidemark::ops {
namespace {

// "2,3", as TensorFlow.js shows shapes in the sentences its tests match.
std::string plain(const Shape& shape) {
  std::string s = text(shape);
  return s.substr(1, s.size() - 2);
}

void check_shapes(const char* where, const Tensor& a, const Tensor& b) {
  if (a.shape() == b.shape()) return;
  fail(Code::shape, where, "Shapes ", plain(a.shape()), " and ",
       plain(b.shape()), " must match");
}

}  // namespace

Tensor compute_weighted_loss(Tensor losses, Weights weights,
                             LossReduction reduction) {
  losses = as_float(losses);
  if (!weights) {
    switch (reduction) {
      case LossReduction::none: return losses;
      case LossReduction::sum: return sum(losses, {});
      default: return mean(losses, {});
    }
  }
  Tensor w = as_float(*weights);
  Tensor weighted = losses * w;
  switch (reduction) {
    case LossReduction::none: return weighted;
    case LossReduction::sum: return sum(weighted, {});
    case LossReduction::mean: {
      // A weight that was broadcast counts as often as it was used.
      double uses = static_cast<double>(losses.size()) /
                    static_cast<double>(w.size());
      Tensor y = sum(weighted, {}) / sum(w, {});
      return uses > 1 ? y / uses : y;
    }
    case LossReduction::sum_by_nonzero_weights: {
      Tensor used = cast(not_equal(broadcast_to(w, weighted.shape()), scalar(0)),
                         DType::float32);
      return sum(weighted, {}) / sum(used, {});
    }
  }
  fail(Code::argument, "Unknown reduction: ", static_cast<int>(reduction));
}

Tensor absolute_difference(Tensor labels, Tensor predictions, Weights weights,
                           LossReduction reduction) {
  check_shapes("Error in absoluteDifference: ", labels, predictions);
  return compute_weighted_loss(abs(labels - predictions), weights, reduction);
}

Tensor cosine_distance(Tensor labels, Tensor predictions, int axis,
                       Weights weights, LossReduction reduction) {
  check_shapes("Error in cosineDistance: ", labels, predictions);
  Tensor losses = 1.0 - sum(labels * predictions, {axis}, true);
  return compute_weighted_loss(losses, weights, reduction);
}

Tensor hinge_loss(Tensor labels, Tensor predictions, Weights weights,
                  LossReduction reduction) {
  check_shapes("Error in hingeLoss: ", labels, predictions);
  Tensor sign = 2.0 * labels - 1.0;
  return compute_weighted_loss(relu(1.0 - sign * predictions), weights,
                               reduction);
}

Tensor huber_loss(Tensor labels, Tensor predictions, Weights weights,
                  double delta, LossReduction reduction) {
  check_shapes("Error in huberLoss: ", labels, predictions);
  Tensor error = abs(predictions - labels);
  Tensor quadratic = minimum(error, scalar(delta));
  Tensor linear = error - quadratic;
  return compute_weighted_loss(0.5 * square(quadratic) + delta * linear,
                               weights, reduction);
}

Tensor log_loss(Tensor labels, Tensor predictions, Weights weights,
                double epsilon, LossReduction reduction) {
  check_shapes("Error in logLoss: ", labels, predictions);
  Tensor on = labels * log(predictions + epsilon);
  Tensor off = (1.0 - labels) * log(1.0 - predictions + epsilon);
  return compute_weighted_loss(-(on + off), weights, reduction);
}

Tensor mean_squared_error(Tensor labels, Tensor predictions, Weights weights,
                          LossReduction reduction) {
  check_shapes("Error in meanSquaredError: ", labels, predictions);
  return compute_weighted_loss(squared_difference(labels, predictions),
                               weights, reduction);
}

// -z log s(x) - (1 - z) log(1 - s(x)) = max(x, 0) - x z + log(1 + e^-|x|).
Tensor sigmoid_cross_entropy(Tensor labels, Tensor logits, Weights weights,
                             double label_smoothing, LossReduction reduction) {
  check_shapes("Error in sigmoidCrossEntropy:  ", labels, logits);
  labels = as_float(labels);
  logits = as_float(logits);
  if (label_smoothing > 0) {
    labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing;
  }
  Tensor losses = softplus(logits) - logits * labels;
  return compute_weighted_loss(losses, weights, reduction);
}

Tensor softmax_cross_entropy(Tensor labels, Tensor logits, Weights weights,
                             double label_smoothing, LossReduction reduction) {
  check_shapes("Error in softmaxCrossEntropy:  ", labels, logits);
  if (labels.rank() == 0) {
    fail(Code::shape, "softmaxCrossEntropy: labels and logits must have rank 1 "
         "or more");
  }
  labels = as_float(labels);
  logits = as_float(logits);
  if (label_smoothing > 0) {
    labels = labels * (1 - label_smoothing) +
             label_smoothing / labels.shape().back();
  }
  Tensor losses = -sum(labels * log_softmax(logits, -1), {-1});
  return compute_weighted_loss(losses, weights, reduction);
}

}  // namespace tidemark::ops
