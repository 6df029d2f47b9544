#pragma once
// Matrices taken apart and made orthogonal; matrices are the last two
// dimensions, those before are batches.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// x [..., m, n] where -lower <= column - row <= upper, 0 elsewhere; a negative
/// limit is no limit.
Tensor band_part(Tensor x, int lower, int upper);

/// q, r with x [..., m, n] = q r: q has orthonormal columns, r is upper
/// triangular. q is [..., m, k] and r [..., k, n] with k = min(m, n), or m
/// with `full_matrices`; a full q of a tall x has no derivative.
Tensors qr(Tensor x, bool full_matrices);

/// Vectors of one length, each made orthogonal to those before it and of
/// length 1; one matrix in place of vectors stands for its rows.
Tensors gram_schmidt(Tensors xs);

}  // namespace tidemark::ops
