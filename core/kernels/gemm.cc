#include "core/kernels/gemm.h"

#include <algorithm>
#include <cstring>

#include "core/kernels/gemm_core.h"
#include "core/kernels/parallel.h"
#include "core/kernels/scratch.h"

namespace tidemark::kernels {
namespace {

// Below this many multiplications a plain loop beats setting up panels.
constexpr Index kSmall = 1024;
// B up to this many values stays in L1 and is not worth packing.
constexpr Index kSmallB = 4096;

void small_product(bool trans_a, bool trans_b, Index m, Index n, Index k,
                   const float* a, Index lda, const float* b, Index ldb,
                   float* c, Index ldc, const Epilogue& epilogue) {
  const Index a_row = trans_a ? 1 : lda;
  const Index a_step = trans_a ? lda : 1;
  const Index b_step = trans_b ? 1 : ldb;
  const Index b_column = trans_b ? ldb : 1;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      const float* x = a + i * a_row;
      const float* y = b + j * b_column;
      float sum = epilogue.bias != nullptr ? epilogue.bias[j] : 0.0f;
      for (Index p = 0; p < k; ++p) {
        sum += *x * *y;
        x += a_step;
        y += b_step;
      }
      c[i * ldc + j] = sum;
    }
    if (epilogue.activation != Activation::kLinear) {
      activate(c + i * ldc, n, epilogue.activation, epilogue.alpha);
    }
  }
}

float sum_lanes(Float v) { return xsimd::reduce_add(v); }

// out[r] = init[r] + sum_k matrix[r, k] x[k].
void rows_times_vector(Index rows, Index k, const float* matrix, Index stride,
                       const float* x, float* out) {
  parallel_for(rows, 16, [&](Index begin, Index end) {
    Index r = begin;
    for (; r + 4 <= end; r += 4) {
      const float* m = matrix + r * stride;
      Float s0(0.0f), s1(0.0f), s2(0.0f), s3(0.0f);
      Float t0(0.0f), t1(0.0f), t2(0.0f), t3(0.0f);
      Index p = 0;
      for (; p + 2 * kWidth <= k; p += 2 * kWidth) {
        const Float x0 = load(x + p);
        const Float x1 = load(x + p + kWidth);
        const float* q = m + p;
        s0 = madd(load(q), x0, s0);
        t0 = madd(load(q + kWidth), x1, t0);
        q += stride;
        s1 = madd(load(q), x0, s1);
        t1 = madd(load(q + kWidth), x1, t1);
        q += stride;
        s2 = madd(load(q), x0, s2);
        t2 = madd(load(q + kWidth), x1, t2);
        q += stride;
        s3 = madd(load(q), x0, s3);
        t3 = madd(load(q + kWidth), x1, t3);
      }
      float sums[4] = {sum_lanes(s0 + t0), sum_lanes(s1 + t1),
                       sum_lanes(s2 + t2), sum_lanes(s3 + t3)};
      for (; p < k; ++p) {
        for (Index i = 0; i < 4; ++i) sums[i] += m[i * stride + p] * x[p];
      }
      for (Index i = 0; i < 4; ++i) out[r + i] += sums[i];
    }
    for (; r < end; ++r) {
      const float* m = matrix + r * stride;
      Float s0(0.0f), s1(0.0f);
      Index p = 0;
      for (; p + 2 * kWidth <= k; p += 2 * kWidth) {
        s0 = madd(load(m + p), load(x + p), s0);
        s1 = madd(load(m + p + kWidth), load(x + p + kWidth), s1);
      }
      float sum = sum_lanes(s0 + s1);
      for (; p < k; ++p) sum += m[p] * x[p];
      out[r] += sum;
    }
  });
}

// out[j] += sum_k x[k] matrix[k, j]; eight rows a pass, so that `out` is
// touched once for every eight rows of the matrix.
void vector_times_rows(Index k, Index n, const float* matrix, Index stride,
                       const float* x, float* out) {
  constexpr Index kRows = 8;
  Index p = 0;
  for (; p + kRows <= k; p += kRows) {
    const float* m = matrix + p * stride;
    Float w[kRows];
    for (Index r = 0; r < kRows; ++r) w[r] = Float(x[p + r]);
    Index j = 0;
    for (; j + kWidth <= n; j += kWidth) {
      const float* q = m + j;
      Float even = load(out + j);
      Float odd(0.0f);
      for (Index r = 0; r < kRows; r += 2) {
        even = madd(load(q + r * stride), w[r], even);
        odd = madd(load(q + (r + 1) * stride), w[r + 1], odd);
      }
      store(out + j, even + odd);
    }
    for (; j < n; ++j) {
      float sum = out[j];
      for (Index r = 0; r < kRows; ++r) sum += m[r * stride + j] * x[p + r];
      out[j] = sum;
    }
  }
  for (; p < k; ++p) {
    const float* m = matrix + p * stride;
    for (Index j = 0; j < n; ++j) out[j] += m[j] * x[p];
  }
}

// The product of a vector with op(matrix), for m == 1 and n == 1 alike:
// out[count] += sum_k x[k] matrix[k, count], or of its transpose.
void gemv(bool dot_rows, Index count, Index k, const float* matrix,
          Index stride, const float* x, float* out) {
  if (dot_rows) {
    rows_times_vector(count, k, matrix, stride, x, out);
  } else {
    vector_times_rows(k, count, matrix, stride, x, out);
  }
}

const float* gathered(const float* x, Index step, Index count, float* buffer) {
  if (step == 1) return x;
  for (Index i = 0; i < count; ++i) buffer[i] = x[i * step];
  return buffer;
}

// One row of an int32 product; unsigned arithmetic wraps where signed may not.
void int_rows(const std::int32_t* a, Index a_step, Index k,
              const std::int32_t* b, Index ldb, Index n, std::int32_t* c) {
  Index j = 0;
  for (; j + 2 * kWidth <= n; j += 2 * kWidth) {
    Int low(0), high(0);
    for (Index p = 0; p < k; ++p) {
      const Int x(a[p * a_step]);
      const std::int32_t* row = b + p * ldb + j;
      low += x * Int::load_unaligned(row);
      high += x * Int::load_unaligned(row + kWidth);
    }
    low.store_unaligned(c + j);
    high.store_unaligned(c + j + kWidth);
  }
  for (; j < n; ++j) {
    std::uint32_t sum = 0;
    for (Index p = 0; p < k; ++p) {
      sum += static_cast<std::uint32_t>(a[p * a_step]) *
             static_cast<std::uint32_t>(b[p * ldb + j]);
    }
    c[j] = static_cast<std::int32_t>(sum);
  }
}

}  // namespace

void gemm(bool trans_a, bool trans_b, Index m, Index n, Index k,
          const float* a, Index lda, const float* b, Index ldb, float* c,
          Index ldc, const Epilogue& epilogue) {
  if (m <= 0 || n <= 0) return;
  if (m * n * k <= kSmall && m <= 16 && n <= 16) {
    return small_product(trans_a, trans_b, m, n, k, a, lda, b, ldb, c, ldc,
                         epilogue);
  }
  if (m == 1) {
    const float* x = gathered(a, trans_a ? lda : 1, k,
                              scratch_of<float>(Scratch::kVector, k));
    if (epilogue.bias != nullptr) {
      std::memcpy(c, epilogue.bias, static_cast<std::size_t>(n) * 4);
    } else {
      std::fill(c, c + n, 0.0f);
    }
    gemv(trans_b, n, k, b, ldb, x, c);
    return activate(c, n, epilogue.activation, epilogue.alpha);
  }
  if (n == 1) {
    float* buffer = scratch_of<float>(Scratch::kVector, k + m + 16);
    float* out = ldc == 1 ? c : buffer + k;
    const float* x = gathered(b, trans_b ? 1 : ldb, k, buffer);
    std::fill(out, out + m, epilogue.bias != nullptr ? *epilogue.bias : 0.0f);
    gemv(!trans_a, m, k, a, lda, x, out);
    activate(out, m, epilogue.activation, epilogue.alpha);
    if (out != c) {
      for (Index i = 0; i < m; ++i) c[i * ldc] = out[i];
    }
    return;
  }
  const MatrixA left(a, lda, trans_a);
  const MatrixB right(b, ldb, trans_b);
  const bool in_place = !trans_b && (n * k <= kSmallB || m <= 2 * kTileRows);
  blocked_product(m, n, k, left, right, Target{c, ldc}, epilogue,
                  in_place ? &right : nullptr);
}

void gemm(bool trans_a, bool trans_b, Index m, Index n, Index k,
          const std::int32_t* a, Index lda, const std::int32_t* b, Index ldb,
          std::int32_t* c, Index ldc) {
  if (m <= 0 || n <= 0) return;
  if (trans_b) {
    std::int32_t* straight = scratch_of<std::int32_t>(Scratch::kPanelB, n * k);
    for (Index j = 0; j < n; ++j) {
      for (Index p = 0; p < k; ++p) straight[p * n + j] = b[j * ldb + p];
    }
    b = straight;
    ldb = n;
  }
  parallel_for(m, 4, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      int_rows(a + (trans_a ? i : i * lda), trans_a ? lda : 1, k, b, ldb, n,
               c + i * ldc);
    }
  });
}

}  // namespace tidemark::kernels
