#include "core/ops/binary.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(binary) {
  bind<ops::add>("add(a,b)");
  bind<ops::sub>("sub(a,b)");
  bind<ops::mul>("mul(a,b)");
  bind<ops::div>("div(a,b)");
  bind<ops::div_no_nan>("divNoNan(a,b)");
  bind<ops::floor_div>("floorDiv(a,b)");
  bind<ops::mod>("mod(a,b)");
  bind<ops::pow>("pow(a,b)");
  bind<ops::maximum>("maximum(a,b)");
  bind<ops::minimum>("minimum(a,b)");
  bind<ops::bitwise_and>("bitwiseAnd(a,b)");
  bind<ops::squared_difference>("squaredDifference(a,b)");
  bind<ops::atan2>("atan2(a,b)");
  bind<ops::prelu>("prelu(x,alpha)");
  bind<ops::add_n>("addN(tensors)");
  bind<ops::equal>("equal(a,b)");
  bind<ops::not_equal>("notEqual(a,b)");
  bind<ops::greater>("greater(a,b)");
  bind<ops::greater_equal>("greaterEqual(a,b)");
  bind<ops::less>("less(a,b)");
  bind<ops::less_equal>("lessEqual(a,b)");
  bind<ops::logical_and>("logicalAnd(a,b)");
  bind<ops::logical_or>("logicalOr(a,b)");
  bind<ops::logical_xor>("logicalXor(a,b)");
  bind<ops::where>("where(condition,a,b)");
  bind<ops::where_true>("whereTrue(condition)");
}

}  // namespace tidemark
