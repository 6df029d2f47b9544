#include "core/kernels/depthwise.h"

#include <algorithm>

#include "core/kernels/parallel.h"
#include "core/kernels/scratch.h"

namespace tidemark::kernels {
namespace {

// One row of output positions and what it reads.
struct RowJob {
  const Window& w;
  const float* image;
  const float* filter;
  const float* bias;  // out_channels start values.
  float* out;         // The row.
  Index origin_y;     // Input row of tap 0; may be negative.
  Range taps_y;

  const float* in(Index fy, Index x) const {
    const Index y = origin_y + fy * w.dilation_height;
    return image + (y * w.in_width + x) * w.in_channels;
  }
};

// How kWidth output channels from c on find their input channels: at(c) is a
// function that reads them from an input pixel.
struct SameChannel {
  auto at(Index c) const {
    return [c](const float* in) { return load(in + c); };
  }
};

// A multiplier that is a multiple of kWidth: all lanes share one.
struct OneChannel {
  Index multiplier;

  auto at(Index c) const {
    return [i = c / multiplier](const float* in) { return Float(in[i]); };
  }
};

struct AnyChannels {
  Index multiplier;

  auto at(Index c) const {
    static_assert(kWidth == 4);
    return [i = c / multiplier, j = (c + 1) / multiplier,
            k = (c + 2) / multiplier,
            l = (c + 3) / multiplier](const float* in) {
      return Float(in[i], in[j], in[k], in[l]);
    };
  }
};

// kCount neighbouring outputs whose windows lie inside the row: a filter
// value is loaded once for all of them.
template <int kCount, class Channels>
void interior(const RowJob& job, Index ox, const Channels& lanes) {
  const Window& w = job.w;
  const Index channels = w.out_channels;
  const Index multiplier = channels / w.in_channels;
  const Index x0 = ox * w.stride_width - w.pad_left;
  const Index step = w.stride_width * w.in_channels;
  const Index dilation = w.dilation_width * w.in_channels;
  float* out = job.out + ox * channels;
  Index c = 0;
  for (; c + kWidth <= channels; c += kWidth) {
    const auto read = lanes.at(c);
    Float acc[kCount];
    for (int o = 0; o < kCount; ++o) acc[o] = load(job.bias + c);
    for (Index fy = job.taps_y.begin; fy < job.taps_y.end; ++fy) {
      const float* in = job.in(fy, x0);
      const float* filter = job.filter + fy * w.kernel_width * channels + c;
      for (Index fx = 0; fx < w.kernel_width; ++fx) {
        const Float f = load(filter + fx * channels);
        const float* from = in + fx * dilation;
        for (int o = 0; o < kCount; ++o) {
          acc[o] = madd(read(from + o * step), f, acc[o]);
        }
      }
    }
    for (int o = 0; o < kCount; ++o) store(out + o * channels + c, acc[o]);
  }
  for (; c < channels; ++c) {
    for (int o = 0; o < kCount; ++o) {
      float sum = job.bias[c];
      for (Index fy = job.taps_y.begin; fy < job.taps_y.end; ++fy) {
        const float* in = job.in(fy, x0) + c / multiplier + o * step;
        const float* filter = job.filter + fy * w.kernel_width * channels + c;
        for (Index fx = 0; fx < w.kernel_width; ++fx) {
          sum += in[fx * dilation] * filter[fx * channels];
        }
      }
      out[o * channels + c] = sum;
    }
  }
}

// The same for three taps a row, stride and dilation 1: each input value is
// loaded once, too. Channels come in whole batches only.
template <int kCount>
void interior3(const RowJob& job, Index ox) {
  const Index channels = job.w.in_channels;
  float* out = job.out + ox * channels;
  for (Index c = 0; c < channels; c += kWidth) {
    Float acc[kCount];
    for (int o = 0; o < kCount; ++o) acc[o] = load(job.bias + c);
    for (Index fy = job.taps_y.begin; fy < job.taps_y.end; ++fy) {
      const float* in = job.in(fy, ox - job.w.pad_left) + c;
      const float* filter = job.filter + fy * 3 * channels + c;
      const Float f[3] = {load(filter), load(filter + channels),
                          load(filter + 2 * channels)};
      for (int i = 0; i < kCount + 2; ++i) {
        const Float x = load(in);
        in += channels;
        for (int t = 0; t < 3; ++t) {
          if (i - t >= 0 && i - t < kCount) {
            acc[i - t] = madd(x, f[t], acc[i - t]);
          }
        }
      }
    }
    for (int o = 0; o < kCount; ++o) store(out + o * channels + c, acc[o]);
  }
}

// One output whose window crosses the left or right edge, or any multiplier.
void edge(const RowJob& job, Index ox) {
  const Window& w = job.w;
  const Index multiplier = w.out_channels / w.in_channels;
  const Index x0 = ox * w.stride_width - w.pad_left;
  const Range taps =
      valid_taps(x0, w.kernel_width, w.dilation_width, w.in_width);
  float* out = job.out + ox * w.out_channels;
  std::copy(job.bias, job.bias + w.out_channels, out);
  for (Index fy = job.taps_y.begin; fy < job.taps_y.end; ++fy) {
    for (Index fx = taps.begin; fx < taps.end; ++fx) {
      const float* in = job.in(fy, x0 + fx * w.dilation_width);
      const float* filter =
          job.filter + (fy * w.kernel_width + fx) * w.out_channels;
      if (multiplier == 1) {
        Index c = 0;
        for (; c + kWidth <= w.in_channels; c += kWidth) {
          store(out + c, madd(load(in + c), load(filter + c), load(out + c)));
        }
        for (; c < w.in_channels; ++c) out[c] += in[c] * filter[c];
        continue;
      }
      float* to = out;
      for (Index c = 0; c < w.in_channels; ++c) {
        for (Index q = 0; q < multiplier; ++q) *to++ += in[c] * *filter++;
      }
    }
  }
}

template <class Channels>
void row(const RowJob& job, const Channels& lanes) {
  const Window& w = job.w;
  constexpr int kBlock = 4;
  const bool three = w.kernel_width == 3 && w.stride_width == 1 &&
                     w.dilation_width == 1 && w.in_channels % kWidth == 0 &&
                     w.in_channels == w.out_channels;
  const Range inside = interior_outputs(w);
  Index ox = 0;
  while (ox < w.out_width) {
    if (ox < inside.begin || ox >= inside.end) {
      edge(job, ox++);
    } else if (ox + kBlock <= inside.end) {
      if (three) {
        interior3<kBlock>(job, ox);
      } else {
        interior<kBlock>(job, ox, lanes);
      }
      ox += kBlock;
    } else {
      interior<1>(job, ox++, lanes);
    }
  }
}

void row(const RowJob& job) {
  const Index multiplier = job.w.out_channels / job.w.in_channels;
  if (multiplier == 1) {
    row(job, SameChannel{});
  } else if (multiplier % kWidth == 0) {
    row(job, OneChannel{multiplier});
  } else {
    row(job, AnyChannels{multiplier});
  }
}

void add_product(Index n, const float* x, const float* y, float* sum) {
  Index i = 0;
  for (; i + kWidth <= n; i += kWidth) {
    store(sum + i, madd(load(x + i), load(y + i), load(sum + i)));
  }
  for (; i < n; ++i) sum[i] += x[i] * y[i];
}

// With stride 1 the input gradient is a convolution with the filter turned by
// half a circle.
void turned_convolution(const Window& w, const float* dy, const float* filter,
                        float* dx) {
  const Index taps = w.taps();
  const Index channels = w.in_channels;
  float* turned = scratch_of<float>(Scratch::kPanelA, taps * channels);
  for (Index t = 0; t < taps; ++t) {
    const float* from = filter + (taps - 1 - t) * channels;
    std::copy(from, from + channels, turned + t * channels);
  }
  Window back = w;
  back.in_height = w.out_height;
  back.in_width = w.out_width;
  back.out_height = w.in_height;
  back.out_width = w.in_width;
  back.pad_top = (w.kernel_height - 1) * w.dilation_height - w.pad_top;
  back.pad_left = (w.kernel_width - 1) * w.dilation_width - w.pad_left;
  depthwise(back, dy, turned, dx);
}

// Calls f(output pixel, input pixel, tap) for every tap inside the image.
template <class F>
void each_tap(const Window& w, F f) {
  for (Index i = 0; i < w.batch * w.out_height; ++i) {
    const Index image = i / w.out_height;
    const Index y0 = i % w.out_height * w.stride_height - w.pad_top;
    const Range ty =
        valid_taps(y0, w.kernel_height, w.dilation_height, w.in_height);
    for (Index ox = 0; ox < w.out_width; ++ox) {
      const Index x0 = ox * w.stride_width - w.pad_left;
      const Range tx =
          valid_taps(x0, w.kernel_width, w.dilation_width, w.in_width);
      for (Index fy = ty.begin; fy < ty.end; ++fy) {
        const Index in_row =
            (image * w.in_height + y0 + fy * w.dilation_height) * w.in_width +
            x0;
        for (Index fx = tx.begin; fx < tx.end; ++fx) {
          f(i * w.out_width + ox, in_row + fx * w.dilation_width,
            fy * w.kernel_width + fx);
        }
      }
    }
  }
}

// Multiplier 1: adds one row's part of the filter gradient for filter row fy.
void filter_gradient_row(const Window& w, const float* in, const float* dy,
                         float* dfilter) {
  const Index channels = w.in_channels;
  const Index step = w.stride_width * channels;
  for (Index fx = 0; fx < w.kernel_width; ++fx, dfilter += channels) {
    const Index shift = fx * w.dilation_width - w.pad_left;
    // Outputs whose tap fx is inside: 0 <= ox * stride + shift < in_width.
    const Index begin =
        shift >= 0 ? 0 : (-shift + w.stride_width - 1) / w.stride_width;
    const Index room = w.in_width - 1 - shift;
    const Index end =
        room < 0 ? 0 : std::min(w.out_width, room / w.stride_width + 1);
    if (begin >= end) continue;
    const float* x0 = in + (begin * w.stride_width + shift) * channels;
    const float* y0 = dy + begin * channels;
    Index c = 0;
    for (; c + kWidth <= channels; c += kWidth) {
      const float* x = x0 + c;
      const float* y = y0 + c;
      Float even = load(dfilter + c);
      Float odd(0.0f);
      Index n = end - begin;
      for (; n >= 2; n -= 2, x += 2 * step, y += 2 * channels) {
        even = madd(load(x), load(y), even);
        odd = madd(load(x + step), load(y + channels), odd);
      }
      if (n > 0) even = madd(load(x), load(y), even);
      store(dfilter + c, even + odd);
    }
    for (; c < channels; ++c) {
      float sum = 0.0f;
      for (Index n = 0; n < end - begin; ++n) {
        sum += x0[n * step + c] * y0[n * channels + c];
      }
      dfilter[c] += sum;
    }
  }
}

}  // namespace

void depthwise(const Window& w, const float* input, const float* filter,
               float* output, const Epilogue& epilogue) {
  if (w.out_size() == 0 || w.in_channels == 0) return;
  const float* bias = epilogue.bias;
  if (bias == nullptr) {
    float* zeros = scratch_of<float>(Scratch::kVector, w.out_channels);
    std::fill(zeros, zeros + w.out_channels, 0.0f);
    bias = zeros;
  }
  const Index row_size = w.out_width * w.out_channels;
  parallel_for(w.batch * w.out_height, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index y0 = i % w.out_height * w.stride_height - w.pad_top;
      float* out = output + i * row_size;
      row({.w = w,
           .image = input + i / w.out_height * w.in_height * w.in_width *
                                w.in_channels,
           .filter = filter,
           .bias = bias,
           .out = out,
           .origin_y = y0,
           .taps_y = valid_taps(y0, w.kernel_height, w.dilation_height,
                                w.in_height)});
      activate(out, row_size, epilogue.activation, epilogue.alpha);
    }
  });
}

void depthwise_input_gradient(const Window& w, const float* dy,
                              const float* filter, float* dx) {
  if (w.in_size() == 0) return;
  const bool single = w.in_channels == w.out_channels;
  if (single && w.stride_height == 1 && w.stride_width == 1 &&
      w.out_size() > 0) {
    return turned_convolution(w, dy, filter, dx);
  }
  std::fill(dx, dx + w.in_size(), 0.0f);
  const Index multiplier = w.out_channels / w.in_channels;
  each_tap(w, [&](Index out, Index in, Index tap) {
    const float* y = dy + out * w.out_channels;
    const float* f = filter + tap * w.out_channels;
    float* x = dx + in * w.in_channels;
    if (single) return add_product(w.in_channels, y, f, x);
    for (Index c = 0; c < w.in_channels; ++c) {
      float sum = 0.0f;
      for (Index q = 0; q < multiplier; ++q) sum += *y++ * *f++;
      x[c] += sum;
    }
  });
}

void depthwise_filter_gradient(const Window& w, const float* input,
                               const float* dy, float* dfilter) {
  std::fill(dfilter, dfilter + w.taps() * w.out_channels, 0.0f);
  if (w.out_size() == 0 || w.in_channels == 0) return;
  if (w.in_channels == w.out_channels) {
    for (Index i = 0; i < w.batch * w.out_height; ++i) {
      const Index y0 = i % w.out_height * w.stride_height - w.pad_top;
      const Range taps =
          valid_taps(y0, w.kernel_height, w.dilation_height, w.in_height);
      for (Index fy = taps.begin; fy < taps.end; ++fy) {
        const Index y = i / w.out_height * w.in_height + y0 +
                        fy * w.dilation_height;
        filter_gradient_row(w, input + y * w.in_width * w.in_channels,
                            dy + i * w.out_width * w.out_channels,
                            dfilter + fy * w.kernel_width * w.in_channels);
      }
    }
    return;
  }
  const Index multiplier = w.out_channels / w.in_channels;
  each_tap(w, [&](Index out, Index in, Index tap) {
    const float* y = dy + out * w.out_channels;
    const float* x = input + in * w.in_channels;
    float* f = dfilter + tap * w.out_channels;
    for (Index c = 0; c < w.in_channels; ++c) {
      for (Index q = 0; q < multiplier; ++q) *f++ += x[c] * *y++;
    }
  });
}

}  // namespace tidemark::kernels
