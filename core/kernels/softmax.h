#pragma once
// Softmax over the rows of a matrix.

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// out[r, :] = e^in[r, :] / sum(e^in[r, :]), shifted so that nothing
/// overflows; a row with NaN or +infinity becomes NaN. in may be out. Values
/// within 4 ulp; those below e^-87 of the row's largest are zero.
void softmax(Index rows, Index columns, const float* in, float* out);

/// The logarithm of softmax(), computed without it: in - max - log(sum).
void log_softmax(Index rows, Index columns, const float* in, float* out);

}  // namespace tidemark::kernels
