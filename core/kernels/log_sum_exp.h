#pragma once

#include "core/kernels/reduce.h"

namespace tidemark::kernels {

/// log(sum(e^in)) over the middle axis, shifted so that nothing overflows;
/// -infinity when n is 0. Exponentials are added in double.
void log_sum_exp(const Reduction& r, const float* in, float* out);

}  // namespace tidemark::kernels
