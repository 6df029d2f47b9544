// The ops JavaScript can call: one line each, in the order of core/ops.

#include "core/ops/binary.h"
#include "core/ops/cast.h"
#include "core/ops/creation.h"
#include "core/ops/reduce.h"
#include "core/ops/shape_ops.h"
#include "core/ops/unary.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(ops) {
  // creation
  bind<ops::fill>("fill(shape,value,dtype)");
  bind<ops::clone>("clone(x)");
  bind<ops::cast>("cast(x,dtype)");

  // unary
  bind<ops::neg>("neg(x)");
  bind<ops::square>("square(x)");
  bind<ops::exp>("exp(x)");
  bind<ops::expm1>("expm1(x)");
  bind<ops::relu>("relu(x)");
  bind<ops::leaky_relu>("leakyRelu(x,alpha)");
  bind<ops::step>("step(x,alpha)");

  // binary
  bind<ops::add>("add(a,b)");
  bind<ops::sub>("sub(a,b)");
  bind<ops::mul>("mul(a,b)");
  bind<ops::div>("div(a,b)");
  bind<ops::greater>("greater(a,b)");

  // reduce
  bind<ops::sum>("sum(x,axes,keepDims)");

  // shape
  bind<static_cast<Tensor (*)(Tensor, Ints)>(ops::reshape)>("reshape(x,shape)");
  bind<ops::broadcast_to>("broadcastTo(x,shape)");
}

}  // namespace tidemark
