#pragma once
// Matrix products over row-major matrices.

#include "core/kernels/epilogue.h"

namespace tidemark::kernels {

/// c[m, n] = epilogue(op(a) op(b)), op transposing when asked; op(a) is [m, k],
/// op(b) is [k, n], ld* are the row strides of a, b, c as stored. c must not
/// overlap a or b; with k == 0 it is epilogue(0).
void gemm(bool trans_a, bool trans_b, Index m, Index n, Index k,
          const float* a, Index lda, const float* b, Index ldb, float* c,
          Index ldc, const Epilogue& epilogue = {});

/// The same product in exact int32 arithmetic, wrapping at 2^32.
void gemm(bool trans_a, bool trans_b, Index m, Index n, Index k,
          const std::int32_t* a, Index lda, const std::int32_t* b, Index ldb,
          std::int32_t* c, Index ldc);

}  // namespace tidemark::kernels
