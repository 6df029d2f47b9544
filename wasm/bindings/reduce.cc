#include "core/ops/reduce.h"
#include "core/ops/scan.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(reduce) {
  bind<ops::sum>("sum(x,axes,keepDims)");
  bind<ops::mean>("mean(x,axes,keepDims)");
  bind<ops::prod>("prod(x,axes,keepDims)");
  bind<ops::max>("max(x,axes,keepDims)");
  bind<ops::min>("min(x,axes,keepDims)");
  bind<ops::any>("any(x,axes,keepDims)");
  bind<ops::all>("all(x,axes,keepDims)");
  bind<ops::arg_max>("argMax(x,axis)");
  bind<ops::arg_min>("argMin(x,axis)");
  bind<ops::log_sum_exp>("logSumExp(x,axes,keepDims)");
  bind<ops::moments>("moments(x,axes,keepDims)");
  bind<ops::cumsum>("cumsum(x,axis,exclusive,reverse)");
  bind<ops::cumprod>("cumprod(x,axis,exclusive,reverse)");
}

}  // namespace tidemark
