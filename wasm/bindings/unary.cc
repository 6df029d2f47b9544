#include "core/ops/unary.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(unary) {
  bind<ops::neg>("neg(x)");
  bind<ops::square>("square(x)");
  bind<ops::exp>("exp(x)");
  bind<ops::expm1>("expm1(x)");
  bind<ops::relu>("relu(x)");
  bind<ops::leaky_relu>("leakyRelu(x,alpha)");
  bind<ops::step>("step(x,alpha)");
}

}  // namespace tidemark
