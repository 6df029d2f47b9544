#include "core/ops/count.h"
#include "core/ops/gather.h"
#include "core/ops/sort.h"
#include "wasm/bind.h"

namespace tidemark {
using wire::bind;

EMSCRIPTEN_BINDINGS(gather) {
  bind<ops::gather>("gather(x,indices,axis,batchDims)");
  bind<ops::unsorted_segment_sum>(
      "unsortedSegmentSum(x,segmentIds,numSegments)");
  bind<ops::gather_nd>("gatherND(x,indices)");
  bind<ops::scatter_nd>("scatterND(indices,updates,shape)");
  bind<ops::tensor_scatter_update>(
      "tensorScatterUpdate(tensor,indices,updates)");
  bind<ops::sparse_to_dense>(
      "sparseToDense(indices,values,shape,defaultValue)");

  bind<ops::topk>("topk(x,k)");
  bind<ops::unique>("unique(x,axis)");
  bind<ops::search_sorted>("searchSorted(sequence,values,right)");
  bind<ops::setdiff1d>("setdiff1d(x,y)");

  bind<ops::bincount>("bincount(x,weights,size)");
  bind<ops::dense_bincount>("denseBincount(x,weights,size,binary)");
  bind<ops::boolean_mask>("booleanMask(x,mask,axis)");
}

}  // namespace tidemark
