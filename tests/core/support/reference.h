#pragma once
// Naive kernels, written to be obviously right: one loop per index, sums in
// double. Fast kernels are compared with these.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/kernels/window.h"

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

/// Calls f(output pixel, input pixel, tap) for every tap inside the image.
template <class F>
void for_each_tap(const kernels::Window& w, F f) {
  for (Index b = 0; b < w.batch; ++b)
    for (Index oy = 0; oy < w.out_height; ++oy)
      for (Index ox = 0; ox < w.out_width; ++ox)
        for (Index fy = 0; fy < w.kernel_height; ++fy)
          for (Index fx = 0; fx < w.kernel_width; ++fx) {
            const Index y =
                oy * w.stride_height - w.pad_top + fy * w.dilation_height;
            const Index x =
                ox * w.stride_width - w.pad_left + fx * w.dilation_width;
            if (y < 0 || y >= w.in_height || x < 0 || x >= w.in_width) continue;
            f((b * w.out_height + oy) * w.out_width + ox,
              (b * w.in_height + y) * w.in_width + x,
              fy * w.kernel_width + fx);
          }
}

/// Calls f(input, filter, output index) for every product of a convolution.
template <class F>
void for_each_product(const kernels::Window& w, F f) {
  for_each_tap(w, [&](Index out, Index in, Index tap) {
    for (Index ci = 0; ci < w.in_channels; ++ci)
      for (Index co = 0; co < w.out_channels; ++co)
        f(in * w.in_channels + ci,
          (tap * w.in_channels + ci) * w.out_channels + co,
          out * w.out_channels + co);
  });
}

/// The same for a depthwise convolution.
template <class F>
void for_each_depthwise_product(const kernels::Window& w, F f) {
  const Index multiplier =
      w.in_channels == 0 ? 0 : w.out_channels / w.in_channels;
  for_each_tap(w, [&](Index out, Index in, Index tap) {
    for (Index ci = 0; ci < w.in_channels; ++ci)
      for (Index q = 0; q < multiplier; ++q)
        f(in * w.in_channels + ci,
          (tap * w.in_channels + ci) * multiplier + q,
          out * w.out_channels + ci * multiplier + q);
  });
}

}  // namespace tidemark::reference
