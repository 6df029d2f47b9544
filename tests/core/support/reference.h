#pragma once
// Naive kernels, written to be obviously right: one loop per index, sums in
// double. Fast kernels are compared with these.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace tidemark::reference {

using Index = std::ptrdiff_t;

/// c[m, n] = op(a) op(b), tightly stored except for the row strides.
template <class T, class Sum>
std::vector<T> matmul(bool trans_a, bool trans_b, Index m, Index n, Index k,
                      const T* a, Index lda, const T* b, Index ldb) {
  std::vector<T> c(static_cast<std::size_t>(m * n));
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) {
      Sum sum = 0;
      for (Index p = 0; p < k; ++p) {
        const T x = trans_a ? a[p * lda + i] : a[i * lda + p];
        const T y = trans_b ? b[j * ldb + p] : b[p * ldb + j];
        sum += static_cast<Sum>(x) * static_cast<Sum>(y);
      }
      c[static_cast<std::size_t>(i * n + j)] = static_cast<T>(sum);
    }
  }
  return c;
}

}  // namespace tidemark::reference
