#pragma once
// What ops whose indices are vectors of positions share.

#include "core/kernels/gather.h"
#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// A tensor x seen through index vectors of length `depth` = the last
/// dimension of the indices: one flat dimension of slices.
struct NdSizes {
  int depth;
  int dims[kMaxRank];           ///< of x, the first `depth` count
  kernels::GatherSizes sizes;   ///< dim: slices of x, count: index vectors
};

/// The view of a tensor of `shape` that `indices` takes.
NdSizes nd_sizes(const Shape& indices, const Shape& shape);

/// The place of each index vector among the slices; fails, naming the first
/// vector outside.
std::vector<int32_t> flat_indices(const char* op, const NdSizes& nd,
                                  const int32_t* indices);

}  // namespace tidemark::ops
