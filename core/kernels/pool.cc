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

// True where x replaces the best so far: greater, or the first NaN.
auto wins(Float x, Float best) {
  return (x > best) || ((x != x) && (best == best));
}
bool wins(float x, float best) { return x > best || (x != x && best == best); }
auto wins(Int x, Int best) { return x > best; }
bool wins(std::int32_t x, std::int32_t best) { return x > best; }

template <class T>
void max_pool_of(const Window& w, T lowest, const T* input, T* output) {
  constexpr Index kStep = static_cast<Index>(kLanes<T>);
  each_output_parallel(w, [&](Index out, const Spot& spot) {
    T* to = output + out * w.in_channels;
    Index c = 0;
    for (; c + kStep <= w.in_channels; c += kStep) {
      Batch<T> best(lowest);
      spot.each([&](Index pixel) {
        const auto x =
            Batch<T>::load_unaligned(input + pixel * w.in_channels + c);
        best = xsimd::select(wins(x, best), x, best);
      });
      best.store_unaligned(to + c);
    }
    for (; c < w.in_channels; ++c) {
      T best = lowest;
      spot.each([&](Index pixel) {
        const T x = input[pixel * w.in_channels + c];
        if (wins(x, best)) best = x;
      });
      to[c] = best;
    }
  });
}

}  // namespace

void max_pool(const Window& w, const float* input, float* output) {
  max_pool_of(w, -std::numeric_limits<float>::infinity(), input, output);
}

void max_pool(const Window& w, const std::int32_t* input,
              std::int32_t* output) {
  max_pool_of(w, std::numeric_limits<std::int32_t>::min(), input, output);
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
    for (; c + kWidth <= w.in_channels; c += kWidth) {
      Float sum(0.0f);
      spot.each([&](Index pixel) {
        sum += load(input + pixel * w.in_channels + c);
      });
      store(to + c, sum / Float(count));
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
