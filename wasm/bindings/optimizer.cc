#include "core/ops/optimizer.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(optimizer) {
  bind<ops::sgd_update>("sgdUpdate(v,g,learningRate)");
  bind<ops::momentum_update>(
      "momentumUpdate(v,m,g,learningRate,momentum,useNesterov)");
  bind<ops::adagrad_update>("adagradUpdate(v,accumulator,g,learningRate)");
  bind<ops::adadelta_update>(
      "adadeltaUpdate(v,accGrad,accUpdate,g,learningRate,rho,epsilon)");
  bind<ops::rmsprop_update>(
      "rmspropUpdate(v,meanSquare,meanGrad,momentumSlot,g,learningRate,decay,"
      "momentum,epsilon)");
  bind<ops::adam_update>(
      "adamUpdate(v,m1,m2,g,learningRate,beta1,beta2,accBeta1,accBeta2,"
      "epsilon)");
  bind<ops::adamax_update>(
      "adamaxUpdate(v,m1,weightedInfNorm,g,learningRate,beta1,beta2,accBeta1,"
      "epsilon)");
}

}  // namespace tidemark
