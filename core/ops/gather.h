#pragma once
// Elements by index, and their transposes: gather, scatter, segment sums.
// Indices are int32.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// x's slices along `axis` that `indices` names; the first batch_dims
/// dimensions of both go together. An index outside is an error.
Tensor gather(Tensor x, Tensor indices, int axis, int batch_dims);
/// Sums of the slices x[i] by ids[i]: a tensor of num_segments slices. Ids
/// outside are dropped.
Tensor unsorted_segment_sum(Tensor x, Tensor ids, int num_segments);
/// x[indices[i, ...]]: the last dimension of indices holds positions in x's
/// first dimensions.
Tensor gather_nd(Tensor x, Tensor indices);
/// Zeros of `shape` with `updates` added at `indices` (as gather_nd reads
/// them, but a flat list names places in the first dimension); duplicates add
/// up.
Tensor scatter_nd(Tensor indices, Tensor updates, const Shape& shape);
/// x with the slices at `indices` replaced; of duplicates the last one stays.
Tensor tensor_scatter_update(Tensor x, Tensor indices, Tensor updates);
/// A tensor of `shape` with values at `indices` ([n, rank], [n] or []) and
/// `fallback`, a scalar of the values' dtype, elsewhere.
Tensor sparse_to_dense(Tensor indices, Tensor values, const Shape& shape,
                       Tensor fallback);

/// dL/dx of y = the elements of x that `indices` picks in its last dimension.
Tensor scatter_last(const Tensor& dy, const Tensor& indices,
                    const Shape& shape);

}  // namespace tidemark::ops
