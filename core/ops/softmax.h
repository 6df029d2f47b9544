#pragma once
// Softmax over the last dimension, the only one TensorFlow.js has it for.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

/// e^x / sum(e^x) along dimension `dim`, which must be the last; float32 only.
Tensor softmax(Tensor logits, int dim);
/// log(softmax(x)), computed without it.
Tensor log_softmax(Tensor logits, int axis);

}  // namespace tidemark::ops
