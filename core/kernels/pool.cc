#include "core/kernels/pool.h"

#include <algorithm>
#include <limits>

#include "core/kernels/parallel.h"

namespace tidemark::kernels {
namespace {

// The taps of one output position that lie inside the image.
struct Spot {
  Index first;  // Input pixel of tap (0, 0); may lie outside.
  Range y, x;
  Index row_step, column_step;  // In pixels.

  Index count() const { return (y.end - y.begin) * (x.end - x.begin); }

  template <class F>
  void each(F f) const {
    for (Index fy = y.begin; fy < y.end; ++fy) {
      const Index row = first + fy * row_step;
      for (Index fx = x.begin; fx < x.end; ++fx) f(row + fx * column_step);
    }
  }
};

// Calls f(output pixel, spot) for output rows [begin, end).
template <class F>
void each_output(const Window& w, Index begin, Index end, F f) {
  for (Index i = begin; i < end; ++i) {
    const Index y0 = i % w.out_height * w.stride_height - w.pad_top;
    const Range y =
        valid_taps(y0, w.kernel_height, w.dilation_height, w.in_height);
    const Index row = (i / w.out_height * w.in_height + y0) * w.in_width;
    for (Index ox = 0; ox < w.out_width; ++ox) {
      const Index x0 = ox * w.stride_width - w.pad_left;
      f(i * w.out_width + ox,
        Spot{.first = row + x0,
             .y = y,
             .x = valid_taps(x0, w.kernel_width, w.dilation_width,
                             w.in_width),
             .row_step = w.dilation_height * w.in_width,
             .column_step = w.dilation_width});
    }
  }
}

template <class F>
void each_output_parallel(const Window& w, F f) {
  if (w.in_channels == 0) return;
  parallel_for(w.batch * w.out_height, 1, [&](Index begin, Index end) {
    each_output(w, begin, end, f);
  });
}

// The largest value so far of one batch of channels. NaN is noted apart: the
// one-instruction maximum drops it.
struct FloatMax {
  using T = float;
  using V = Float;
  static constexpr T kLowest = -std::numeric_limits<T>::infinity();
  Float best{kLowest};
  xsimd::batch_bool<float, Arch> nan{false};

  void take(Float x) {
    best = fast_max(best, x);
    nan = nan || (x != x);
  }
  Float result() const {
    return xsimd::select(nan, Float(std::numeric_limits<T>::quiet_NaN()),
                         best);
  }
};

struct IntMax {
  using T = std::int32_t;
  using V = Int;
  static constexpr T kLowest = std::numeric_limits<T>::min();
  Int best{kLowest};

  void take(Int x) { best = xsimd::max(best, x); }
  Int result() const { return best; }
};

// True where x replaces the best so far: greater, or the first NaN.
bool wins(float x, float best) { return x > best || (x != x && best == best); }
bool wins(std::int32_t x, std::int32_t best) { return x > best; }

// kCount batches of channels from c on; the taps are walked once for all.
template <class Max, int kCount>
void max_channels(const Spot& spot, Index channels, Index c,
                  const typename Max::T* input, typename Max::T* to) {
  using V = typename Max::V;
  constexpr Index kStep = static_cast<Index>(V::size);
  Max max[kCount];
  spot.each([&](Index pixel) {
    const auto* from = input + pixel * channels + c;
    for (int v = 0; v < kCount; ++v) {
      max[v].take(V::load_unaligned(from + v * kStep));
    }
  });
  for (int v = 0; v < kCount; ++v) {
    max[v].result().store_unaligned(to + c + v * kStep);
  }
}

template <class Max>
void max_pool_of(const Window& w, const typename Max::T* input,
                 typename Max::T* output) {
  using T = typename Max::T;
  constexpr Index kStep = static_cast<Index>(Max::V::size);
  const Index channels = w.in_channels;
  each_output_parallel(w, [&](Index out, const Spot& spot) {
    T* to = output + out * channels;
    Index c = 0;
    for (; c + 4 * kStep <= channels; c += 4 * kStep) {
      max_channels<Max, 4>(spot, channels, c, input, to);
    }
    for (; c + kStep <= channels; c += kStep) {
      max_channels<Max, 1>(spot, channels, c, input, to);
    }
    for (; c < channels; ++c) {
      T best = Max::kLowest;
      spot.each([&](Index pixel) {
        const T x = input[pixel * channels + c];
        if (wins(x, best)) best = x;
      });
      to[c] = best;
    }
  });
}

template <int kCount>
void mean_channels(const Spot& spot, Index channels, Index c, float count,
                   const float* input, float* to) {
  Float sum[kCount];
  for (Float& s : sum) s = Float(0.0f);
  spot.each([&](Index pixel) {
    const float* from = input + pixel * channels + c;
    for (int v = 0; v < kCount; ++v) sum[v] += load(from + v * kWidth);
  });
  for (int v = 0; v < kCount; ++v) {
    store(to + c + v * kWidth, sum[v] / Float(count));
  }
}

}  // namespace

void max_pool(const Window& w, const float* input, float* output) {
  max_pool_of<FloatMax>(w, input, output);
}

void max_pool(const Window& w, const std::int32_t* input,
              std::int32_t* output) {
  max_pool_of<IntMax>(w, input, output);
}

void max_pool_gradient(const Window& w, const float* input, const float* dy,
                       float* dx) {
  std::fill(dx, dx + w.in_size(), 0.0f);
  each_output(w, 0, w.batch * w.out_height, [&](Index out, const Spot& spot) {
    if (spot.count() == 0) return;
    const Index start = spot.first + spot.y.begin * spot.row_step +
                        spot.x.begin * spot.column_step;
    for (Index c = 0; c < w.in_channels; ++c) {
      Index where = start;
      float best = input[start * w.in_channels + c];
      spot.each([&](Index pixel) {
        const float x = input[pixel * w.in_channels + c];
        if (wins(x, best)) {
          best = x;
          where = pixel;
        }
      });
      dx[where * w.in_channels + c] += dy[out * w.in_channels + c];
    }
  });
}

void avg_pool(const Window& w, const float* input, float* output) {
  each_output_parallel(w, [&](Index out, const Spot& spot) {
    float* to = output + out * w.in_channels;
    // 0 / 0 for an empty window is the NaN that is promised.
    const float count = static_cast<float>(spot.count());
    Index c = 0;
    for (; c + 4 * kWidth <= w.in_channels; c += 4 * kWidth) {
      mean_channels<4>(spot, w.in_channels, c, count, input, to);
    }
    for (; c + kWidth <= w.in_channels; c += kWidth) {
      mean_channels<1>(spot, w.in_channels, c, count, input, to);
    }
    for (; c < w.in_channels; ++c) {
      float sum = 0.0f;
      spot.each(
          [&](Index pixel) { sum += input[pixel * w.in_channels + c]; });
      to[c] = sum / count;
    }
  });
}

void avg_pool_gradient(const Window& w, const float* dy, float* dx) {
  std::fill(dx, dx + w.in_size(), 0.0f);
  each_output(w, 0, w.batch * w.out_height, [&](Index out, const Spot& spot) {
    const float* from = dy + out * w.in_channels;
    const float share = 1.0f / static_cast<float>(spot.count());
    spot.each([&](Index pixel) {
      float* to = dx + pixel * w.in_channels;
      Index c = 0;
      for (; c + kWidth <= w.in_channels; c += kWidth) {
        store(to + c, madd(load(from + c), Float(share), load(to + c)));
      }
      for (; c < w.in_channels; ++c) to[c] += from[c] * share;
    });
  });
}

}  // namespace tidemark::kernels
