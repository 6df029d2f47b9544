#pragma once
// Reductions over axes. Axes may count from the end; an empty list means all
// of them. With keep_dims reduced axes stay, with size 1.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// Sum over `axes`; int32 stays int32 and wraps, bool counts as int32.
Tensor sum(Tensor x, Ints axes, bool keep_dims = false);
/// The sum of x down to `shape`, to which x's shape was broadcast: the
/// derivative of broadcasting.
Tensor sum_to(Tensor x, const Shape& shape);
/// Mean over `axes`, always float32; NaN over nothing.
Tensor mean(Tensor x, Ints axes, bool keep_dims = false);
/// Product over `axes`; int32 wraps, bool counts as int32.
Tensor prod(Tensor x, Ints axes, bool keep_dims = false);

/// Largest or smallest element over `axes`; NaN if there is one. Every element
/// that equals the result gets the whole gradient.
Tensor max(Tensor x, Ints axes, bool keep_dims = false);
Tensor min(Tensor x, Ints axes, bool keep_dims = false);

/// Whether any or all elements of a bool tensor are true.
Tensor any(Tensor x, Ints axes, bool keep_dims = false);
Tensor all(Tensor x, Ints axes, bool keep_dims = false);

/// Index of the largest or smallest element along `axis`, the first of equal
/// ones, as int32; the gradient is zero.
Tensor arg_max(Tensor x, int axis);
Tensor arg_min(Tensor x, int axis);

/// log(sum(e^x)) over `axes`, without overflow.
Tensor log_sum_exp(Tensor x, Ints axes, bool keep_dims = false);
/// Mean and (population) variance over `axes`.
Tensors moments(Tensor x, Ints axes, bool keep_dims = false);

}  // namespace tidemark::ops
