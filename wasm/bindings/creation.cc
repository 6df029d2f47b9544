#include "core/ops/cast.h"
#include "core/ops/creation.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(creation) {
  bind<ops::fill>("fill(shape,value,dtype)");
  bind<ops::zeros_like>("zerosLike(x)");
  bind<ops::ones_like>("onesLike(x)");
  bind<ops::range>("range(start,stop,step,dtype)");
  bind<ops::linspace>("linspace(start,stop,num)");
  bind<ops::eye>("eye(rows,columns,batch,dtype)");
  bind<ops::one_hot>("oneHot(indices,depth,on,off,dtype)");
  bind<ops::clone>("clone(x)");
  bind<ops::cast>("cast(x,dtype)");
}

}  // namespace tidemark
