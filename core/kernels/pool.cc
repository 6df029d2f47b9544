#include "core/kernels/pool.h"

#include <algorithm>
#include <limits>

#include "core/kernels/parallel.h"

namespace tidemark::kernels {
namespace {

// Where the taps of a whole window lie, seen from its first tap. Most windows
// are whole and small, and one loop over a table beats two over ranges.
struct Taps {
  static constexpr Index kMost = 32;
  Index offsets[kMost];
  Index count = 0;  // 0 when there are too many.

  explicit Taps(const Window& w) {
    if (w.taps() > kMost) return;
    for (Index fy = 0; fy < w.kernel_height; ++fy) {
      for (Index fx = 0; fx < w.kernel_width; ++fx) {
        offsets[count++] = (fy * w.dilation_height * w.in_width +
                            fx * w.dilation_width) *
                           w.in_channels;
      }
    }
  }
};

// The taps of one output position that lie inside the image, as offsets of
// their first channel in the input.
struct Spot {
  Index first;  // Tap (0, 0); may lie outside.
  Range y, x;
  Index row_step, column_step;
  const Taps* whole;  // Null when some taps lie outside.

  Index count() const { return (y.end - y.begin) * (x.end - x.begin); }

  template <class F>
  void each(F f) const {
    if (whole != nullptr) {
      for (Index t = 0; t < whole->count; ++t) f(first + whole->offsets[t]);
      return;
    }
    for (Index fy = y.begin; fy < y.end; ++fy) {
      const Index row = first + fy * row_step;
      for (Index fx = x.begin; fx < x.end; ++fx) f(row + fx * column_step);
    }
  }
};

// Calls f(offset of the output position, spot) for output rows [begin, end).
template <class F>
void each_output(const Window& w, Index begin, Index end, F f) {
  const Taps taps(w);
  const Index channels = w.in_channels;
  const Range inside = interior_outputs(w);
  for (Index i = begin; i < end; ++i) {
    const Index y0 = i % w.out_height * w.stride_height - w.pad_top;
    const Range y =
        valid_taps(y0, w.kernel_height, w.dilation_height, w.in_height);
    const bool all_rows =
        taps.count > 0 && y.end - y.begin == w.kernel_height;
    const Index row = (i / w.out_height * w.in_height + y0) * w.in_width;
    Spot spot{.first = 0,
              .y = y,
              .x = {},
              .row_step = w.dilation_height * w.in_width * channels,
              .column_step = w.dilation_width * channels,
              .whole = nullptr};
    for (Index ox = 0; ox < w.out_width; ++ox) {
      const Index x0 = ox * w.stride_width - w.pad_left;
      const bool all_columns = ox >= inside.begin && ox < inside.end;
      spot.first = (row + x0) * channels;
      spot.x = all_columns ? Range{0, w.kernel_width}
                           : valid_taps(x0, w.kernel_width, w.dilation_width,
                                        w.in_width);
      spot.whole = all_rows && all_columns ? &taps : nullptr;
      f((i * w.out_width + ox) * channels, spot);
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
auto wins(Float x, Float best) {
  return (x > best) || ((x != x) && (best == best));
}
bool wins(float x, float best) { return x > best || (x != x && best == best); }
bool wins(std::int32_t x, std::int32_t best) { return x > best; }

// kCount batches of channels from c on; the taps are walked once for all.
template <class Max, int kCount>
void max_channels(const Spot& spot, Index c, const typename Max::T* input,
                  typename Max::T* to) {
  using V = typename Max::V;
  constexpr Index kStep = static_cast<Index>(V::size);
  Max max[kCount];
  spot.each([&](Index tap) {
    const auto* from = input + tap + c;
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
    T* to = output + out;
    Index c = 0;
    for (; c + 4 * kStep <= channels; c += 4 * kStep) {
      max_channels<Max, 4>(spot, c, input, to);
    }
    for (; c + 2 * kStep <= channels; c += 2 * kStep) {
      max_channels<Max, 2>(spot, c, input, to);
    }
    for (; c + kStep <= channels; c += kStep) {
      max_channels<Max, 1>(spot, c, input, to);
    }
    for (; c < channels; ++c) {
      T best = Max::kLowest;
      spot.each([&](Index tap) {
        const T x = input[tap + c];
        if (wins(x, best)) best = x;
      });
      to[c] = best;
    }
  });
}

// Calls f(output element, input element) with the place of each window's first
// largest value; windows that lie outside the image have none.
template <class F>
void each_max(const Window& w, const float* input, F f) {
  const Index channels = w.in_channels;
  each_output(w, 0, w.batch * w.out_height, [&](Index out, const Spot& spot) {
    if (spot.count() == 0) return;
    const Index start = spot.first + spot.y.begin * spot.row_step +
                        spot.x.begin * spot.column_step;
    Index c = 0;
    for (; c + kWidth <= channels; c += kWidth) {
      Float best = load(input + start + c);
      Int where(static_cast<std::int32_t>(start));
      spot.each([&](Index tap) {
        const Float x = load(input + tap + c);
        const auto better = wins(x, best);
        best = xsimd::select(better, x, best);
        where = xsimd::select(xsimd::batch_bool_cast<std::int32_t>(better),
                              Int(static_cast<std::int32_t>(tap)), where);
      });
      alignas(64) std::int32_t taps[kWidth];
      where.store_aligned(taps);
      for (Index k = 0; k < kWidth; ++k) f(out + c + k, taps[k] + c + k);
    }
    for (; c < channels; ++c) {
      Index where = start;
      float best = input[start + c];
      spot.each([&](Index tap) {
        const float x = input[tap + c];
        if (wins(x, best)) {
          best = x;
          where = tap;
        }
      });
      f(out + c, where + c);
    }
  });
}

template <int kCount>
void mean_channels(const Spot& spot, Index c, float count,
                   const float* input, float* to) {
  Float sum[kCount];
  for (Float& s : sum) s = Float(0.0f);
  spot.each([&](Index tap) {
    const float* from = input + tap + c;
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
  each_max(w, input, [&](Index out, Index in) { dx[in] += dy[out]; });
}

void max_pool_pick(const Window& w, const float* input, const float* values,
                   float* picked) {
  std::fill(picked, picked + w.out_size(), 0.0f);
  each_max(w, input, [&](Index out, Index in) { picked[out] = values[in]; });
}

void avg_pool(const Window& w, const float* input, float* output) {
  each_output_parallel(w, [&](Index out, const Spot& spot) {
    float* to = output + out;
    // 0 / 0 for an empty window is the NaN that is promised.
    const float count = static_cast<float>(spot.count());
    Index c = 0;
    for (; c + 4 * kWidth <= w.in_channels; c += 4 * kWidth) {
      mean_channels<4>(spot, c, count, input, to);
    }
    for (; c + 2 * kWidth <= w.in_channels; c += 2 * kWidth) {
      mean_channels<2>(spot, c, count, input, to);
    }
    for (; c + kWidth <= w.in_channels; c += kWidth) {
      mean_channels<1>(spot, c, count, input, to);
    }
    for (; c < w.in_channels; ++c) {
      float sum = 0.0f;
      spot.each([&](Index tap) { sum += input[tap + c]; });
      to[c] = sum / count;
    }
  });
}

void avg_pool_gradient(const Window& w, const float* dy, float* dx) {
  std::fill(dx, dx + w.in_size(), 0.0f);
  each_output(w, 0, w.batch * w.out_height, [&](Index out, const Spot& spot) {
    const float* from = dy + out;
    const float share = 1.0f / static_cast<float>(spot.count());
    spot.each([&](Index tap) {
      float* to = dx + tap;
      Index c = 0;
      for (; c + kWidth <= w.in_channels; c += kWidth) {
        store(to + c, madd(load(from + c), Float(share), load(to + c)));
      }
      for (; c < w.in_channels; ++c) to[c] += from[c] * share;
    });
  });
}

}  // namespace tidemark::kernels
