#pragma once
// Types that an op computes in.

#include "core/ops/cast.h"

namespace tidemark::ops {

/// x as float32; x itself when it is.
inline Tensor as_float(const Tensor& x) {
  return x.dtype() == DType::float32 ? x : cast(x, DType::float32);
}

/// x, with bools counted in int32.
inline Tensor as_number(const Tensor& x) {
  return x.dtype() == DType::bool_ ? cast(x, DType::int32) : x;
}

}  // namespace tidemark::ops
