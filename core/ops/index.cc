#include "core/ops/index.h"

namespace tidemark::ops {

NdSizes nd_sizes(const Shape& indices, const Shape& shape) {
  NdSizes nd{};
  nd.depth = indices.back();
  for (int d = 0; d < shape.rank(); ++d) nd.dims[d] = shape[d];
  auto size = [](const Shape& s, int from, int to) {
    return static_cast<kernels::Index>(s.size(from, to));
  };
  nd.sizes.dim = size(shape, 0, nd.depth);
  nd.sizes.count = size(indices, 0, indices.rank() - 1);
  nd.sizes.inner = size(shape, nd.depth, shape.rank());
  return nd;
}

std::vector<int32_t> flat_indices(const char* op, const NdSizes& nd,
                                  const int32_t* indices) {
  std::vector<int32_t> flat(static_cast<std::size_t>(nd.sizes.count));
  for (int32_t& place : flat) {
    place = 0;
    for (int d = 0; d < nd.depth; ++d) {
      int32_t at = indices[d];
      if (at < 0 || at >= nd.dims[d]) {
        fail(Code::argument, op, ": Invalid indices: ",
             Ints(indices, indices + nd.depth), " does not index into ",
             Ints(nd.dims, nd.dims + nd.depth));
      }
      place = place * nd.dims[d] + at;
    }
    indices += nd.depth;
  }
  return flat;
}

}  // namespace tidemark::ops
