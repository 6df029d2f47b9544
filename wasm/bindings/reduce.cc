#include "core/ops/reduce.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(reduce) {
  bind<ops::sum>("sum(x,axes,keepDims)");
}

}  // namespace tidemark
