#include "core/ops/shape_ops.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(shape) {
  bind<static_cast<Tensor (*)(Tensor, Ints)>(ops::reshape)>("reshape(x,shape)");
  bind<ops::broadcast_to>("broadcastTo(x,shape)");
}

}  // namespace tidemark
