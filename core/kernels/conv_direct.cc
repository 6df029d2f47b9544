#include "core/kernels/conv_direct.h"

#include <algorithm>
#include <cstring>

#include "core/kernels/gemm_core.h"
#include "core/kernels/parallel.h"
#include "core/kernels/scratch.h"

namespace tidemark::kernels {
namespace {

// Beyond these the blocked product wins.
constexpr Index kManyChannels = 32;
constexpr Index kDeep = 1024;
// The filter gradient is added to once per band and should stay in L2.
constexpr Index kLargeFilter = 40000;
// Values of a band: it is read once per panel and should stay in the L1 cache.
constexpr Index kBandSize = 8192;

// Some output rows of one image and the input values they need, the padding
// written out: no tile ever meets an edge.
struct Band {
  const float* data;  // Tap (0, 0) of the first output pixel.
  Index row_stride;   // Between input rows.
  Index pixel0;       // First output pixel, counted over the batch.
  Index rows;         // Output rows.
};

// Input columns that a row of outputs reads.
Index reach(const Window& w) {
  return (w.out_width - 1) * w.stride_width + w.kernel_width;
}

// Input rows that `rows` rows of outputs read.
Index reach(const Window& w, Index rows) {
  return (rows - 1) * w.stride_height +
         (w.kernel_height - 1) * w.dilation_height + 1;
}

bool needs_padding(const Window& w) {
  return w.pad_top > 0 || w.pad_left > 0 ||
         reach(w) - w.pad_left > w.in_width ||
         reach(w, w.out_height) - w.pad_top > w.in_height;
}

// One padded input row; `y` may lie outside the image.
void copy_row(const Window& w, const float* image, Index y, float* to) {
  const Index width = reach(w);
  Index begin = std::clamp(w.pad_left, Index{0}, width);
  Index end = std::clamp(w.in_width + w.pad_left, begin, width);
  if (y < 0 || y >= w.in_height) begin = end = width;
  const float* from =
      image + (y * w.in_width + begin - w.pad_left) * w.in_channels;
  std::fill(to, to + begin * w.in_channels, 0.0f);
  if (begin < end) {
    std::copy(from, from + (end - begin) * w.in_channels,
              to + begin * w.in_channels);
  }
  std::fill(to + end * w.in_channels, to + width * w.in_channels, 0.0f);
}

Band band_at(const Window& w, const float* input, Index image, Index y,
             Index rows) {
  const float* from =
      input + image * w.in_height * w.in_width * w.in_channels;
  const Index origin = y * w.stride_height - w.pad_top;
  Band band{.data = nullptr,
            .row_stride = w.in_width * w.in_channels,
            .pixel0 = (image * w.out_height + y) * w.out_width,
            .rows = rows};
  if (!needs_padding(w)) {
    band.data = from + (origin * w.in_width - w.pad_left) * w.in_channels;
    return band;
  }
  band.row_stride = reach(w) * w.in_channels;
  const Index count = reach(w, rows);
  float* copy = scratch_of<float>(Scratch::kPanelA, count * band.row_stride);
  for (Index r = 0; r < count; ++r) {
    copy_row(w, from, origin + r, copy + r * band.row_stride);
  }
  band.data = copy;
  return band;
}

// Calls f(band) for bands that cover all outputs.
template <class F>
void each_band(const Window& w, const float* input, F f) {
  Index rows = 1;
  while (rows < w.out_height &&
         reach(w, rows + 1) * reach(w) * w.in_channels <= kBandSize) {
    ++rows;
  }
  for (Index image = 0; image < w.batch; ++image) {
    for (Index y = 0; y < w.out_height; y += rows) {
      f(band_at(w, input, image, y, std::min(rows, w.out_height - y)));
    }
  }
}

// C[r][j] = init[j] + sum of a_r[k] b[k][j], where a_r is read in place, in
// `runs` runs of `length` values.
struct DirectJob {
  Index runs, length;
  Index a_step;    // Between values of a run.
  Index run_step;  // Between runs.
  const float* b;
  Index b_step;
  const float* init;  // Start values of a row, or null to add to C.
  Clamp clamp;
};

template <int kRows, int kVectors>
void direct_tile(const DirectJob& job, const float* const* from,
                 float* const* c) {
  Float acc[kRows][kVectors];
  const float* a[kRows];
  for (int r = 0; r < kRows; ++r) {
    const float* start = job.init != nullptr ? job.init : c[r];
    for (int v = 0; v < kVectors; ++v) acc[r][v] = load(start + v * kWidth);
    a[r] = from[r];
  }
  const float* b = job.b;
  const Index a_step = job.a_step;
  const Index b_step = job.b_step;
  const Index skip = job.run_step - job.length * a_step;
  for (Index run = job.runs; run > 0; --run) {
    for (Index k = job.length; k > 0; --k) {
      Float columns[kVectors];
      for (int v = 0; v < kVectors; ++v) columns[v] = load(b + v * kWidth);
      for (int r = 0; r < kRows; ++r) {
        const Float row(*a[r]);
        for (int v = 0; v < kVectors; ++v) {
          acc[r][v] = madd(row, columns[v], acc[r][v]);
        }
        a[r] += a_step;
      }
      b += b_step;
    }
    for (int r = 0; r < kRows; ++r) a[r] += skip;
  }
  const Float low(job.clamp.low);
  const Float high(job.clamp.high);
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      store(c[r] + v * kWidth, fast_min(fast_max(acc[r][v], low), high));
    }
  }
}

template <int kVectors, int kRows = static_cast<int>(kTileRows)>
void run_tile(Index rows, const DirectJob& job, const float* const* a,
              float* const* c) {
  if (rows == kRows) return direct_tile<kRows, kVectors>(job, a, c);
  if constexpr (kRows > 1) run_tile<kVectors, kRows - 1>(rows, job, a, c);
}

// `width` columns of a tile; a tile whose last columns lie outside C goes
// through a buffer.
void narrow_tile(Index rows, Index width, const DirectJob& job,
                 const float* const* a, float* const* c) {
  static_assert(kTileColumns == 2 * kWidth);
  if (width == kTileColumns) return run_tile<2>(rows, job, a, c);
  if (width == kWidth) return run_tile<1>(rows, job, a, c);
  alignas(kPadding) float buffer[kTileRows * kTileColumns] = {};
  float* to[kTileRows];
  const std::size_t bytes = static_cast<std::size_t>(width) * sizeof(float);
  for (Index r = 0; r < rows; ++r) {
    to[r] = buffer + r * kTileColumns;
    if (job.init == nullptr) std::memcpy(to[r], c[r], bytes);
  }
  if (width < kWidth) {
    run_tile<1>(rows, job, a, to);
  } else {
    run_tile<2>(rows, job, a, to);
  }
  for (Index r = 0; r < rows; ++r) std::memcpy(c[r], to[r], bytes);
}

// All pixels of a band for the output channels [column, column + width).
void forward_panel(const Window& w, const Band& band, Index column,
                   Index width, const DirectJob& job, float* output) {
  const Index step = w.stride_width * w.in_channels;
  const Index row_step = w.stride_height * band.row_stride;
  const Index pixels = band.rows * w.out_width;
  const float* row = band.data;
  float* to = output + band.pixel0 * w.out_channels + column;
  Index x = 0;
  for (Index i = 0; i < pixels; i += kTileRows) {
    const Index count = std::min(kTileRows, pixels - i);
    const float* a[kTileRows];
    float* c[kTileRows];
    for (Index r = 0; r < count; ++r) {
      a[r] = row + x * step;
      c[r] = to;
      to += w.out_channels;
      if (++x < w.out_width) continue;
      x = 0;
      row += row_step;
    }
    narrow_tile(count, width, job, a, c);
  }
}

// filter[taps - 1 - t] transposed to [out channel][in channel].
void turn_filter(const Window& w, const float* filter, float* turned) {
  for (Index t = w.taps() - 1; t >= 0; --t) {
    const float* tap = filter + t * w.in_channels * w.out_channels;
    for (Index o = 0; o < w.out_channels; ++o) {
      for (Index c = 0; c < w.in_channels; ++c) {
        *turned++ = tap[c * w.out_channels + o];
      }
    }
  }
}

// Adds a band's part of the filter gradient for some output channels; job.b
// holds their columns of dy.
void gradient_panel(const Window& w, const Band& band, Index column,
                    Index width, const DirectJob& job, float* dfilter) {
  const Index length = w.kernel_width * w.in_channels;
  const Index rows = w.kernel_height * length;
  for (Index i = 0; i < rows; i += kTileRows) {
    const Index count = std::min(kTileRows, rows - i);
    const float* a[kTileRows];
    float* c[kTileRows];
    for (Index r = 0; r < count; ++r) {
      a[r] = band.data +
             (i + r) / length * w.dilation_height * band.row_stride +
             (i + r) % length;
      c[r] = dfilter + (i + r) * w.out_channels + column;
    }
    narrow_tile(count, width, job, a, c);
  }
}

}  // namespace

bool suits_direct(const Window& w) {
  return w.dilation_width == 1 && w.out_channels <= kManyChannels &&
         w.taps() * w.in_channels <= kDeep;
}

bool suits_direct_gradient(const Window& w) {
  return w.dilation_width == 1 &&
         w.taps() * w.in_channels * w.out_channels <= kLargeFilter;
}

void direct_conv2d(const Window& w, const float* input, const float* filter,
                   float* output, const Epilogue& epilogue) {
  if (w.out_size() == 0) return;
  const Index length = w.kernel_width * w.in_channels;
  const Index depth = w.kernel_height * length;
  float* panels = scratch_of<float>(
      Scratch::kPanelB, depth * (w.out_channels + kTileColumns));
  const MatrixB b(filter, w.out_channels, false);
  for (Index j = 0; j < w.out_channels; j += kTileColumns) {
    b.pack(j, std::min(kTileColumns, w.out_channels - j), 0, depth,
           panels + j * depth);
  }
  const Clamp clamp = clamp_of(epilogue.activation);
  each_band(w, input, [&](const Band& band) {
    for (Index j = 0; j < w.out_channels; j += kTileColumns) {
      const Index width = std::min(kTileColumns, w.out_channels - j);
      alignas(kPadding) float init[kTileColumns] = {};
      if (epilogue.bias != nullptr) {
        std::copy(epilogue.bias + j, epilogue.bias + j + width, init);
      }
      forward_panel(w, band, j, width,
                    {.runs = w.kernel_height,
                     .length = length,
                     .a_step = 1,
                     .run_step = w.dilation_height * band.row_stride,
                     .b = panels + j * depth,
                     .b_step = kTileColumns,
                     .init = init,
                     .clamp = clamp},
                    output);
    }
    if (needs_pass(epilogue.activation)) {
      activate(output + band.pixel0 * w.out_channels,
               band.rows * w.out_width * w.out_channels, epilogue.activation,
               epilogue.alpha);
    }
  });
}

Window turned_window(const Window& w) {
  Window back = w;
  back.in_height = w.out_height;
  back.in_width = w.out_width;
  back.in_channels = w.out_channels;
  back.out_height = w.in_height;
  back.out_width = w.in_width;
  back.out_channels = w.in_channels;
  back.pad_top = (w.kernel_height - 1) * w.dilation_height - w.pad_top;
  back.pad_left = (w.kernel_width - 1) * w.dilation_width - w.pad_left;
  return back;
}

void direct_input_gradient(const Window& w, const float* dy,
                           const float* filter, float* dx,
                           const Epilogue& epilogue) {
  float* turned = scratch_of<float>(
      Scratch::kVector, w.taps() * w.in_channels * w.out_channels);
  turn_filter(w, filter, turned);
  direct_conv2d(turned_window(w), dy, turned, dx, epilogue);
}

void direct_filter_gradient(const Window& w, const float* input,
                            const float* dy, float* dfilter) {
  std::fill(dfilter, dfilter + w.taps() * w.in_channels * w.out_channels,
            0.0f);
  if (w.out_size() == 0) return;
  each_band(w, input, [&](const Band& band) {
    const float* from = dy + band.pixel0 * w.out_channels;
    const Index pixels = band.rows * w.out_width;
    for (Index j = 0; j < w.out_channels; j += kTileColumns) {
      const Index width = std::min(kTileColumns, w.out_channels - j);
      DirectJob job{.runs = band.rows,
                    .length = w.out_width,
                    .a_step = w.stride_width * w.in_channels,
                    .run_step = w.stride_height * band.row_stride,
                    .b = from + j,
                    .b_step = w.out_channels,
                    .init = nullptr,
                    .clamp = clamp_of(Activation::kLinear)};
      if (width < kTileColumns) {
        float* panel =
            scratch_of<float>(Scratch::kPanelB, pixels * kTileColumns);
        MatrixB(from, w.out_channels, false).pack(j, width, 0, pixels, panel);
        job.b = panel;
        job.b_step = kTileColumns;
      }
      gradient_panel(w, band, j, width, job, dfilter);
    }
  });
}

}  // namespace tidemark::kernels
