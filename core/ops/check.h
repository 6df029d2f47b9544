#pragma once
// Checks that several families share, in TensorFlow.js's words.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// Fails with code dtype unless x has the given type; `argument` is the name
/// of the parameter.
void require_dtype(const char* op, const char* argument, const Tensor& x,
                   DType dtype);

}  // namespace tidemark::ops
