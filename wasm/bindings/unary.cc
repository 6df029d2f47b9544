#include "core/ops/unary.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(unary) {
  bind<ops::abs>("abs(x)");
  bind<ops::acos>("acos(x)");
  bind<ops::acosh>("acosh(x)");
  bind<ops::asin>("asin(x)");
  bind<ops::asinh>("asinh(x)");
  bind<ops::atan>("atan(x)");
  bind<ops::atanh>("atanh(x)");
  bind<ops::ceil>("ceil(x)");
  bind<ops::clip_by_value>("clipByValue(x,min,max)");
  bind<ops::cos>("cos(x)");
  bind<ops::cosh>("cosh(x)");
  bind<ops::elu>("elu(x)");
  bind<ops::erf>("erf(x)");
  bind<ops::exp>("exp(x)");
  bind<ops::expm1>("expm1(x)");
  bind<ops::floor>("floor(x)");
  bind<ops::is_finite>("isFinite(x)");
  bind<ops::is_inf>("isInf(x)");
  bind<ops::is_nan>("isNan(x)");
  bind<ops::leaky_relu>("leakyRelu(x,alpha)");
  bind<ops::log>("log(x)");
  bind<ops::log1p>("log1p(x)");
  bind<ops::log_sigmoid>("logSigmoid(x)");
  bind<ops::logical_not>("logicalNot(x)");
  bind<ops::neg>("neg(x)");
  bind<ops::reciprocal>("reciprocal(x)");
  bind<ops::relu>("relu(x)");
  bind<ops::relu6>("relu6(x)");
  bind<ops::round>("round(x)");
  bind<ops::rsqrt>("rsqrt(x)");
  bind<ops::selu>("selu(x)");
  bind<ops::sigmoid>("sigmoid(x)");
  bind<ops::sign>("sign(x)");
  bind<ops::sin>("sin(x)");
  bind<ops::sinh>("sinh(x)");
  bind<ops::softplus>("softplus(x)");
  bind<ops::sqrt>("sqrt(x)");
  bind<ops::square>("square(x)");
  bind<ops::step>("step(x,alpha)");
  bind<ops::tan>("tan(x)");
  bind<ops::tanh>("tanh(x)");
}

}  // namespace tidemark
