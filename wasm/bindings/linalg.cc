#include "core/ops/decompose.h"
#include "core/ops/einsum.h"
#include "core/ops/linalg.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(linalg) {
  bind<ops::mat_mul>("matMul(a,b,transposeA,transposeB)");
  bind<ops::dot>("dot(a,b)");
  bind<ops::outer_product>("outerProduct(a,b)");
  bind<ops::einsum>("einsum(tensors,labelsA,labelsB,labelsOut)");
  bind<ops::fused_mat_mul>(
      "fusedMatMul(a,b,transposeA,transposeB,bias,activation,preluWeights,"
      "leakyreluAlpha)");
  bind<ops::band_part>("bandPart(x,lower,upper)");
  bind<ops::qr>("qr(x,fullMatrices)");
  bind<ops::gram_schmidt>("gramSchmidt(xs)");
}

}  // namespace tidemark
