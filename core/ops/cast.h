#pragma once

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// x with elements converted: to int32 by truncation, to bool as x != 0. The
/// same dtype shares x's storage.
Tensor cast(Tensor x, DType dtype);
/// The same elements under a new identity.
Tensor clone(Tensor x);

}  // namespace tidemark::ops
