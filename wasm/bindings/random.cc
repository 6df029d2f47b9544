#include "core/ops/random.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(random) {
  bind<ops::random_uniform>("randomUniform(shape,min,max,dtype,seed)");
  bind<ops::random_normal>("randomNormal(shape,mean,deviation,dtype,seed)");
  bind<ops::truncated_normal>(
      "truncatedNormal(shape,mean,deviation,dtype,seed)");
  bind<ops::random_gamma>("randomGamma(shape,alpha,beta,dtype,seed)");
  bind<ops::multinomial>("multinomial(logits,num,seed,normalized)");
  bind<ops::dropout>("dropout(x,rate,noiseShape,seed)");
}

}  // namespace tidemark
