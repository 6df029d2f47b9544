#include "core/ops/binary.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(binary) {
  bind<ops::add>("add(a,b)");
  bind<ops::sub>("sub(a,b)");
  bind<ops::mul>("mul(a,b)");
  bind<ops::div>("div(a,b)");
  bind<ops::greater>("greater(a,b)");
}

}  // namespace tidemark
