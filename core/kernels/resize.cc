#include "core/kernels/resize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/kernels/parallel.h"

namespace tidemark::kernels {
namespace {

// How one output position of an axis mixes two input positions.
struct Blend {
  Index low, high;
  float weight;  // Of `high`; `low` has the rest.
};

// In double: in float, a position that is whole can land just below it.
double scale_of(Index in, Index out, bool align_corners) {
  if (align_corners && out > 1) {
    return static_cast<double>(in - 1) / static_cast<double>(out - 1);
  }
  return static_cast<double>(in) / static_cast<double>(out);
}

std::vector<Blend> bilinear_axis(Index in, Index out, const Resize& r) {
  const double scale = scale_of(in, out, r.align_corners);
  std::vector<Blend> axis(static_cast<std::size_t>(out));
  for (Index i = 0; i < out; ++i) {
    const double at = static_cast<double>(i);
    const double x =
        r.half_pixel_centers ? scale * (at + 0.5) - 0.5 : scale * at;
    const double floor = std::floor(x);
    const Index low = std::max(static_cast<Index>(floor), Index{0});
    // Left of the first centre, low and high are both 0: the weight is idle.
    const Index high = std::clamp(static_cast<Index>(std::ceil(x)), Index{0},
                                  in - 1);
    axis[static_cast<std::size_t>(i)] = {std::min(low, in - 1), high,
                                         static_cast<float>(x - floor)};
  }
  return axis;
}

std::vector<Index> nearest_axis(Index in, Index out, const Resize& r) {
  const double scale = scale_of(in, out, r.align_corners);
  std::vector<Index> axis(static_cast<std::size_t>(out));
  for (Index i = 0; i < out; ++i) {
    const double at = static_cast<double>(i);
    const double x = r.half_pixel_centers ? scale * (at + 0.5) : scale * at;
    // Halves go up, as in TensorFlow; x is never negative.
    const double whole = std::floor(r.align_corners ? x + 0.5 : x);
    axis[static_cast<std::size_t>(i)] =
        std::clamp(static_cast<Index>(whole), Index{0}, in - 1);
  }
  return axis;
}

// a + (b - a) * t.
Float mix(Float a, Float b, Float t) { return madd(b - a, t, a); }
float mix(float a, float b, float t) { return a + (b - a) * t; }

bool is_empty(const Resize& r) {
  return r.batch * r.channels * r.in_height * r.in_width * r.out_height *
             r.out_width ==
         0;
}

}  // namespace

void resize_bilinear(const Resize& r, const float* in, float* out) {
  if (is_empty(r)) return;
  const auto ys = bilinear_axis(r.in_height, r.out_height, r);
  const auto xs = bilinear_axis(r.in_width, r.out_width, r);
  const Index channels = r.channels;
  const Index in_row = r.in_width * channels;
  parallel_for(r.batch * r.out_height, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Blend& y = ys[static_cast<std::size_t>(i % r.out_height)];
      const float* image = in + i / r.out_height * r.in_height * in_row;
      const float* top = image + y.low * in_row;
      const float* bottom = image + y.high * in_row;
      float* to = out + i * r.out_width * channels;
      for (const Blend& x : xs) {
        const Index a = x.low * channels;
        const Index b = x.high * channels;
        Index c = 0;
        for (; c + kWidth <= channels; c += kWidth) {
          const Float t(x.weight);
          store(to + c, mix(mix(load(top + a + c), load(top + b + c), t),
                            mix(load(bottom + a + c), load(bottom + b + c), t),
                            Float(y.weight)));
        }
        for (; c < channels; ++c) {
          to[c] = mix(mix(top[a + c], top[b + c], x.weight),
                      mix(bottom[a + c], bottom[b + c], x.weight), y.weight);
        }
        to += channels;
      }
    }
  });
}

void resize_bilinear_gradient(const Resize& r, const float* dy, float* dx) {
  std::fill(dx, dx + r.batch * r.in_height * r.in_width * r.channels, 0.0f);
  if (is_empty(r)) return;
  const auto ys = bilinear_axis(r.in_height, r.out_height, r);
  const auto xs = bilinear_axis(r.in_width, r.out_width, r);
  const Index channels = r.channels;
  const Index in_row = r.in_width * channels;
  for (Index i = 0; i < r.batch * r.out_height; ++i) {
    const Blend& y = ys[static_cast<std::size_t>(i % r.out_height)];
    float* image = dx + i / r.out_height * r.in_height * in_row;
    float* top = image + y.low * in_row;
    float* bottom = image + y.high * in_row;
    for (const Blend& x : xs) {
      const Index a = x.low * channels;
      const Index b = x.high * channels;
      for (Index c = 0; c < channels; ++c) {
        const float lower = dy[c] * y.weight;
        const float upper = dy[c] - lower;
        top[a + c] += upper * (1.0f - x.weight);
        top[b + c] += upper * x.weight;
        bottom[a + c] += lower * (1.0f - x.weight);
        bottom[b + c] += lower * x.weight;
      }
      dy += channels;
    }
  }
}

void resize_nearest(const Resize& r, const float* in, float* out) {
  if (is_empty(r)) return;
  const auto ys = nearest_axis(r.in_height, r.out_height, r);
  const auto xs = nearest_axis(r.in_width, r.out_width, r);
  const Index channels = r.channels;
  parallel_for(r.batch * r.out_height, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index y = ys[static_cast<std::size_t>(i % r.out_height)];
      const float* row = in + (i / r.out_height * r.in_height + y) *
                                  r.in_width * channels;
      float* to = out + i * r.out_width * channels;
      for (const Index x : xs) {
        std::copy(row + x * channels, row + (x + 1) * channels, to);
        to += channels;
      }
    }
  });
}

void resize_nearest_gradient(const Resize& r, const float* dy, float* dx) {
  std::fill(dx, dx + r.batch * r.in_height * r.in_width * r.channels, 0.0f);
  if (is_empty(r)) return;
  const auto ys = nearest_axis(r.in_height, r.out_height, r);
  const auto xs = nearest_axis(r.in_width, r.out_width, r);
  for (Index i = 0; i < r.batch * r.out_height; ++i) {
    const Index y = ys[static_cast<std::size_t>(i % r.out_height)];
    float* row = dx + (i / r.out_height * r.in_height + y) * r.in_width *
                          r.channels;
    for (const Index x : xs) {
      float* to = row + x * r.channels;
      for (Index c = 0; c < r.channels; ++c) to[c] += dy[c];
      dy += r.channels;
    }
  }
}

}  // namespace tidemark::kernels
