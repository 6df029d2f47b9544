#include "core/ops/concat.h"
#include "core/ops/pad.h"
#include "core/ops/shape_ops.h"
#include "core/ops/slice.h"
#include "core/ops/transpose.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(shape) {
  bind<static_cast<Tensor (*)(Tensor, Ints)>(ops::reshape)>("reshape(x,shape)");
  bind<ops::expand_dims>("expandDims(x,axis)");
  bind<ops::squeeze>("squeeze(x,axes)");
  bind<ops::broadcast_to>("broadcastTo(x,shape)");

  bind<ops::slice>("slice(x,begin,size)");
  bind<ops::strided_slice>(
      "stridedSlice(x,begin,end,strides,beginMask,endMask,ellipsisMask,"
      "newAxisMask,shrinkAxisMask)");
  bind<ops::reverse>("reverse(x,axes)");

  bind<ops::pad>("pad(x,paddings,value)");
  bind<ops::mirror_pad>("mirrorPad(x,paddings,symmetric)");
  bind<ops::diag>("diag(x)");

  bind<ops::concat>("concat(tensors,axis)");
  bind<ops::stack>("stack(tensors,axis)");
  bind<ops::split>("split(x,sizes,parts,axis)");
  bind<ops::unstack>("unstack(x,axis)");
  bind<ops::tile>("tile(x,reps)");

  bind<ops::transpose>("transpose(x,perm)");
  bind<ops::depth_to_space>("depthToSpace(x,blockSize,channelsFirst)");
  bind<ops::space_to_batch_nd>("spaceToBatchND(x,blockShape,paddings)");
  bind<ops::batch_to_space_nd>("batchToSpaceND(x,blockShape,crops)");
}

}  // namespace tidemark
