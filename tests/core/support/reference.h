#pragma once
// Naive kernels, written to be obviously right: one loop per index, sums in
// double. Fast kernels are compared with these.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/kernels/resize.h"
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

/// Calls f(input pixel, output pixel, weight) for every pair that a resize
/// connects: two to four input pixels an output when bilinear, else one.
template <class F>
void for_each_resized(const kernels::Resize& r, bool bilinear, F f) {
  const auto position = [&](Index at, Index in, Index out) {
    const double scale = r.align_corners && out > 1
                             ? double(in - 1) / double(out - 1)
                             : double(in) / double(out);
    if (r.half_pixel_centers) {
      return scale * (double(at) + 0.5) - (bilinear ? 0.5 : 0.0);
    }
    return scale * double(at);
  };
  const auto pixel = [](double at, Index size) {
    return at < 0 ? 0 : at > double(size - 1) ? size - 1 : Index(at);
  };
  for (Index b = 0; b < r.batch; ++b)
    for (Index oy = 0; oy < r.out_height; ++oy)
      for (Index ox = 0; ox < r.out_width; ++ox) {
        const Index out = (b * r.out_height + oy) * r.out_width + ox;
        const double y = position(oy, r.in_height, r.out_height);
        const double x = position(ox, r.in_width, r.out_width);
        const auto in = [&](double iy, double ix) {
          return (b * r.in_height + pixel(iy, r.in_height)) * r.in_width +
                 pixel(ix, r.in_width);
        };
        if (!bilinear) {
          const double half = r.align_corners ? 0.5 : 0.0;
          f(in(std::floor(y + half), std::floor(x + half)), out, 1.0);
          continue;
        }
        const double ty = y - std::floor(y);
        const double tx = x - std::floor(x);
        f(in(std::floor(y), std::floor(x)), out, (1 - ty) * (1 - tx));
        f(in(std::floor(y), std::ceil(x)), out, (1 - ty) * tx);
        f(in(std::ceil(y), std::floor(x)), out, ty * (1 - tx));
        f(in(std::ceil(y), std::ceil(x)), out, ty * tx);
      }
}

}  // namespace tidemark::reference
