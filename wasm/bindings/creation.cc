#include "core/ops/creation.h"
#include "core/ops/cast.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(creation) {
  bind<ops::fill>("fill(shape,value,dtype)");
  bind<ops::clone>("clone(x)");
  bind<ops::cast>("cast(x,dtype)");
}

}  // namespace tidemark
