#pragma once

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// Einstein's summation: each of one or two operands has a label (any int) per
/// dimension, none twice; the result has the dimensions labelled `out`, and
/// products are summed over every other label. Equal labels, equal sizes.
Tensor einsum(Tensors xs, Ints a, Ints b, Ints out);

}  // namespace tidemark::ops
