#pragma once
// Running sums and products along one axis.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// Sum of the elements of x up to each one along `axis`; `exclusive` leaves
/// out the element itself, `reverse` counts from the end. int32 stays int32.
Tensor cumsum(Tensor x, int axis, bool exclusive, bool reverse);
/// The same with products; its gradient is right where elements are zero.
Tensor cumprod(Tensor x, int axis, bool exclusive, bool reverse);

}  // namespace tidemark::ops
