#include "core/kernels/qr.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace tidemark::kernels {
namespace {

// Rows [from, m) of w [m, n], columns [column, n): w -= t v (v^T w). Walks rows
// so that the inner loops are contiguous; `sums` holds n values.
void reflect(Index from, Index m, Index column, Index n, const double* v,
             double t, double* w, double* sums) {
  std::fill(sums + column, sums + n, 0.0);
  for (Index i = from; i < m; ++i) {
    for (Index c = column; c < n; ++c) sums[c] += v[i] * w[i * n + c];
  }
  for (Index i = from; i < m; ++i) {
    double by = t * v[i];
    for (Index c = column; c < n; ++c) w[i * n + c] -= by * sums[c];
  }
}

}  // namespace

void qr(Index m, Index n, Index k, const float* a, float* q, float* r) {
  Index steps = std::min(m, n);
  std::vector<double> w(a, a + m * n), vs(steps * m), ts(steps),
      sums(std::max(n, k)), full(m * k);
  for (Index j = 0; j < steps; ++j) {
    double* v = &vs[j * m];
    double squares = 0;
    for (Index i = j; i < m; ++i) {
      v[i] = w[i * n + j];
      squares += v[i] * v[i];
    }
    double length = std::sqrt(squares);
    // A column of zeros needs no reflection.
    if (length == 0) continue;
    double target = v[j] > 0 ? -length : length;
    v[j] -= target;
    // v^T v = 2 length (length + |v_j|), and the last factor is |v[j]| now.
    ts[j] = 1 / (length * std::fabs(v[j]));
    reflect(j, m, j + 1, n, v, ts[j], w.data(), sums.data());
    w[j * n + j] = target;
    for (Index i = j + 1; i < m; ++i) w[i * n + j] = 0;
  }
  std::copy_n(w.begin(), k * n, r);
  // q is the reflections, last one first, of the unit columns.
  for (Index i = 0; i < k; ++i) full[i * k + i] = 1;
  for (Index j = steps; j-- > 0;) {
    if (ts[j] == 0) continue;
    reflect(j, m, j, k, &vs[j * m], ts[j], full.data(), sums.data());
  }
  std::copy(full.begin(), full.end(), q);
}

void solve_upper(Index n, Index columns, bool transposed, const float* u,
                 const float* b, float* x) {
  std::vector<double> row(columns);
  for (Index step = 0; step < n; ++step) {
    Index i = transposed ? step : n - 1 - step;
    std::copy_n(b + i * columns, columns, row.begin());
    Index from = transposed ? 0 : i + 1;
    Index to = transposed ? i : n;
    for (Index j = from; j < to; ++j) {
      double factor = transposed ? u[j * n + i] : u[i * n + j];
      for (Index c = 0; c < columns; ++c) row[c] -= factor * x[j * columns + c];
    }
    double pivot = u[i * n + i];
    for (Index c = 0; c < columns; ++c) {
      x[i * columns + c] = static_cast<float>(row[c] / pivot);
    }
  }
}

void band_part(Index m, Index n, Index lower, Index upper, Index bytes,
               const void* x, void* y) {
  auto* in = static_cast<const char*>(x);
  auto* out = static_cast<char*>(y);
  for (Index i = 0; i < m; ++i, in += n * bytes, out += n * bytes) {
    Index from = lower < 0 ? 0 : std::clamp<Index>(i - lower, 0, n);
    Index to = upper < 0 ? n : std::clamp<Index>(i + upper + 1, from, n);
    std::memset(out, 0, from * bytes);
    std::memcpy(out + from * bytes, in + from * bytes, (to - from) * bytes);
    std::memset(out + to * bytes, 0, (n - to) * bytes);
  }
}

}  // namespace tidemark::kernels
