#include "core/ops/conv.h"

#include "core/ops/image.h"
#include "core/ops/pool.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(conv) {
  bind<ops::conv1d>("conv1d(x,filter,options)");
  bind<ops::conv2d>("conv2d(x,filter,options)");
  bind<ops::conv2d_transpose>("conv2dTranspose(x,filter,shape,options)");
  bind<ops::conv2d_der_input>(
      "conv2dDerInput(dy,filter,shape,options)");
  bind<ops::conv2d_der_filter>(
      "conv2dDerFilter(x,dy,filterShape,options)");
  bind<ops::fused_conv2d>(
      "fusedConv2d(x,filter,options,bias,activation,preluWeights,leakyAlpha)");
  bind<ops::depthwise_conv2d>("depthwiseConv2d(x,filter,options)");
  bind<ops::fused_depthwise_conv2d>(
      "fusedDepthwiseConv2d(x,filter,options,bias,activation,preluWeights,"
      "leakyAlpha)");
  bind<ops::separable_conv2d>(
      "separableConv2d(x,depthwiseFilter,pointwiseFilter,options)");

  bind<ops::max_pool>("maxPool(x,window,options)");
  bind<ops::avg_pool>("avgPool(x,window,options)");

  bind<ops::resize_bilinear>(
      "resizeBilinear(images,size,alignCorners,halfPixelCenters)");
  bind<ops::resize_nearest_neighbor>(
      "resizeNearestNeighbor(images,size,alignCorners,halfPixelCenters)");
}

}  // namespace tidemark
