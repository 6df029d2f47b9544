#pragma once
// Products of matrices and vectors. int32 operands are multiplied in int32,
// which wraps; operands of different types meet in the wider one.

#include <optional>

#include "core/kernels/epilogue.h"
#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// The matrix product over the last two dimensions of a [..., m, k] and
/// b [..., k, n], either transposed first; the dimensions before broadcast.
Tensor mat_mul(Tensor a, Tensor b, bool transpose_a = false,
               bool transpose_b = false);

/// The inner product of vectors, matrix times vector, vector times matrix, or
/// the matrix product.
Tensor dot(Tensor a, Tensor b);

/// [m, n] products of the elements of a [m] and b [n].
Tensor outer_product(Tensor a, Tensor b);

/// activation(mat_mul(a, b) + bias) in one pass where a kernel has it.
/// `prelu_weights` (broadcast) make the activation prelu; `alpha` is the slope
/// of leaky relu.
Tensor fused_mat_mul(Tensor a, Tensor b, bool transpose_a, bool transpose_b,
                     std::optional<Tensor> bias,
                     kernels::Activation activation,
                     std::optional<Tensor> prelu_weights, double alpha);

}  // namespace tidemark::ops
