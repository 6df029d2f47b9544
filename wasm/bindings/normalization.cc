#include "core/ops/normalization.h"
#include "core/ops/softmax.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(normalization) {
  bind<ops::softmax>("softmax(logits,dim)");
  bind<ops::log_softmax>("logSoftmax(logits,axis)");
  bind<ops::batch_norm>(
      "batchNorm(x,mean,variance,offset,scale,varianceEpsilon)");
  bind<ops::local_response_normalization>(
      "localResponseNormalization(x,depthRadius,bias,alpha,beta)");
  bind<ops::norm>("norm(x,kind,axes,keepDims)");
}

}  // namespace tidemark
