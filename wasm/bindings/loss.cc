#include "core/ops/loss.h"
#include "core/ops/metrics.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(loss) {
  bind<ops::compute_weighted_loss>(
      "computeWeightedLoss(losses,weights,reduction)");
  bind<ops::absolute_difference>(
      "absoluteDifference(labels,predictions,weights,reduction)");
  bind<ops::cosine_distance>(
      "cosineDistance(labels,predictions,axis,weights,reduction)");
  bind<ops::hinge_loss>("hingeLoss(labels,predictions,weights,reduction)");
  bind<ops::huber_loss>(
      "huberLoss(labels,predictions,weights,delta,reduction)");
  bind<ops::log_loss>("logLoss(labels,predictions,weights,epsilon,reduction)");
  bind<ops::mean_squared_error>(
      "meanSquaredError(labels,predictions,weights,reduction)");
  bind<ops::sigmoid_cross_entropy>(
      "sigmoidCrossEntropy(labels,logits,weights,labelSmoothing,reduction)");
  bind<ops::softmax_cross_entropy>(
      "softmaxCrossEntropy(labels,logits,weights,labelSmoothing,reduction)");
  bind<ops::in_top_k>("inTopK(predictions,targets,k)");
}

}  // namespace tidemark
