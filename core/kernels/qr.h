#pragma once
// Small dense linear algebra on one row-major matrix at a time.

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// a [m, n] = q r by Householder reflections, computed in double: q [m, k] has
/// orthonormal columns, r [k, n] is upper triangular; k is m or min(m, n). The
/// diagonal of r has the sign opposite to what it meets there.
void qr(Index m, Index n, Index k, const float* a, float* q, float* r);

/// x [n, columns] with u x = b, or u^T x = b when `transposed`; only the upper
/// triangle of u [n, n] is read. A zero on the diagonal gives inf and NaN.
void solve_upper(Index n, Index columns, bool transposed, const float* u,
                 const float* b, float* x);

/// x [m, n] inside the band -lower <= column - row <= upper, 0 outside; a
/// negative limit is no limit. Elements have `bytes` bytes.
void band_part(Index m, Index n, Index lower, Index upper, Index bytes,
               const void* x, void* y);

}  // namespace tidemark::kernels
