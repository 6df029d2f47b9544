#include "core/kernels/conv2d.h"

#include <algorithm>

#include "core/kernels/conv_direct.h"
#include "core/kernels/gemm.h"
#include "core/kernels/gemm_core.h"
#include "core/kernels/scratch.h"

namespace tidemark::kernels {
namespace {

bool is_matrix_product(const Window& w) {
  return w.taps() == 1 && w.stride_height == 1 && w.stride_width == 1 &&
         w.pad_top == 0 && w.pad_left == 0 && w.in_height == w.out_height &&
         w.in_width == w.out_width;
}

// A position of an image batch, walked in row-major order.
struct Pixel {
  Index image, y, x;

  static Pixel at(Index i, Index height, Index width) {
    const Index row = i / width;
    return {row / height, row % height, i % width};
  }
  void next(Index height, Index width) {
    if (++x < width) return;
    x = 0;
    if (++y < height) return;
    y = 0;
    ++image;
  }
};

// A[output pixel][(tap y, tap x, channel)], read straight from the input.
class Patches : public PanelSource {
 public:
  Patches(const Window& w, const float* input, const float* zeros)
      : w_(w), input_(input), zeros_(zeros) {}

  void pack(Index first, Index count, Index k0, Index kc,
            float* panel) const override {
    Row rows[kTileRows];
    bool inside = w_.dilation_width == 1;
    Pixel pixel = Pixel::at(first, w_.out_height, w_.out_width);
    for (Index r = 0; r < count; ++r) {
      const Index y = pixel.y * w_.stride_height - w_.pad_top;
      const Index x = pixel.x * w_.stride_width - w_.pad_left;
      inside = inside && x >= 0 && x + w_.kernel_width <= w_.in_width;
      rows[r] = {input_ + pixel.image * w_.in_height * w_.in_width *
                              w_.in_channels,
                 y, x};
      pixel.next(w_.out_height, w_.out_width);
    }
    if (inside) {
      // The taps of a filter row are neighbours in memory: one run.
      runs(rows, count, k0, kc, w_.kernel_width * w_.in_channels, 1, panel);
    } else {
      runs(rows, count, k0, kc, w_.in_channels, w_.kernel_width, panel);
    }
  }

 private:
  struct Row {
    const float* image;
    Index y, x;
  };

  // k is split in runs of `length` contiguous values, `per_row` a filter row.
  void runs(const Row* rows, Index count, Index k0, Index kc, Index length,
            Index per_row, float* panel) const {
    Index run = k0 / length;
    Index offset = k0 % length;
    const Index end = k0 + kc;
    for (Index k = k0; k < end; ++run, offset = 0) {
      const Index amount = std::min(length - offset, end - k);
      const Index dy = run / per_row * w_.dilation_height;
      const Index dx = run % per_row * w_.dilation_width;
      const float* streams[kTileRows];
      for (Index r = 0; r < count; ++r) {
        const Index y = rows[r].y + dy;
        const Index x = rows[r].x + dx;
        const bool outside = y < 0 || y >= w_.in_height || x < 0 ||
                             x >= w_.in_width;
        streams[r] = outside ? zeros_
                             : rows[r].image +
                                   (y * w_.in_width + x) * w_.in_channels +
                                   offset;
      }
      interleave(streams, count, amount, panel + (k - k0) * count);
      k += amount;
    }
  }

  const Window& w_;
  const float* input_;
  const float* zeros_;
};

// The taps of one axis that meet the input positions of one stride phase:
// fy with (fy * dilation) % stride == phase.
struct Phase {
  Index first = 0;   // First input position.
  Index count = 0;   // Input positions, `stride` apart.
  Index taps = 0;    // Taps of this phase.
  Index tap0 = 0;    // First of them.
  Index tap_step = 1;
};

Phase phase_of(Index phase, Index stride, Index dilation, Index kernel,
               Index pad, Index size) {
  Phase p;
  p.first = ((phase - pad) % stride + stride) % stride;
  p.count = p.first < size ? (size - p.first - 1) / stride + 1 : 0;
  Index second = -1;
  for (Index tap = kernel - 1; tap >= 0; --tap) {
    if (tap * dilation % stride != phase) continue;
    second = p.tap0;
    p.tap0 = tap;
    ++p.taps;
  }
  if (p.taps > 1) p.tap_step = second - p.tap0;
  return p;
}

// A[input pixel of the phase][(tap, out channel)], read straight from dy.
class GradientPatches : public PanelSource {
 public:
  GradientPatches(const Window& w, const Phase& py, const Phase& px,
                  const float* dy, const float* zeros)
      : w_(w), py_(py), px_(px), dy_(dy), zeros_(zeros) {}

  void pack(Index first, Index count, Index k0, Index kc,
            float* panel) const override {
    Pixel pixels[kTileRows];
    Pixel pixel = Pixel::at(first, py_.count, px_.count);
    for (Index r = 0; r < count; ++r) {
      pixels[r] = {pixel.image,
                   py_.first + pixel.y * w_.stride_height + w_.pad_top,
                   px_.first + pixel.x * w_.stride_width + w_.pad_left};
      pixel.next(py_.count, px_.count);
    }
    Index run = k0 / w_.out_channels;
    Index offset = k0 % w_.out_channels;
    const Index end = k0 + kc;
    for (Index k = k0; k < end; ++run, offset = 0) {
      const Index amount = std::min(w_.out_channels - offset, end - k);
      const Index tap_y = py_.tap0 + run / px_.taps * py_.tap_step;
      const Index tap_x = px_.tap0 + run % px_.taps * px_.tap_step;
      const float* streams[kTileRows];
      for (Index r = 0; r < count; ++r) {
        // Both are multiples of the stride: that is what the phase means.
        const Index y = pixels[r].y - tap_y * w_.dilation_height;
        const Index x = pixels[r].x - tap_x * w_.dilation_width;
        const Index oy = y / w_.stride_height;
        const Index ox = x / w_.stride_width;
        const bool outside =
            y < 0 || x < 0 || oy >= w_.out_height || ox >= w_.out_width;
        streams[r] =
            outside ? zeros_
                    : dy_ + ((pixels[r].image * w_.out_height + oy) *
                                 w_.out_width +
                             ox) * w_.out_channels + offset;
      }
      interleave(streams, count, amount, panel + (k - k0) * count);
      k += amount;
    }
  }

 private:
  const Window& w_;
  const Phase& py_;
  const Phase& px_;
  const float* dy_;
  const float* zeros_;
};

// B[(tap, out channel)][in channel], read straight from the filter.
class PhaseFilter : public PanelSource {
 public:
  PhaseFilter(const Window& w, const Phase& py, const Phase& px,
              const float* filter)
      : w_(w), py_(py), px_(px), filter_(filter) {}

  void pack(Index first, Index count, Index k0, Index kc,
            float* panel) const override {
    Index run = k0 / w_.out_channels;
    Index offset = k0 % w_.out_channels;
    const Index end = k0 + kc;
    for (Index k = k0; k < end; ++run, offset = 0) {
      const Index amount = std::min(w_.out_channels - offset, end - k);
      const Index tap_y = py_.tap0 + run / px_.taps * py_.tap_step;
      const Index tap_x = px_.tap0 + run % px_.taps * px_.tap_step;
      const float* tap = filter_ + (tap_y * w_.kernel_width + tap_x) *
                                       w_.in_channels * w_.out_channels;
      const float* streams[kTileColumns];
      for (Index j = 0; j < kTileColumns; ++j) {
        const Index channel = first + std::min(j, count - 1);
        streams[j] = tap + channel * w_.out_channels + offset;
      }
      interleave(streams, kTileColumns, amount,
                 panel + (k - k0) * kTileColumns);
      k += amount;
    }
  }

 private:
  const Window& w_;
  const Phase& py_;
  const Phase& px_;
  const float* filter_;
};

// A[(tap, in channel)][output pixel]: the transpose of Patches.
class TransposedPatches : public PanelSource {
 public:
  TransposedPatches(const Window& w, const float* input)
      : w_(w), input_(input) {}

  void pack(Index first, Index count, Index k0, Index kc,
            float* panel) const override {
    // The rows of a panel are up to kTileRows pieces of filter taps.
    Piece pieces[kTileRows];
    Index piece_count = 0;
    for (Index r = 0; r < count;) {
      const Index tap = (first + r) / w_.in_channels;
      const Index channel = (first + r) % w_.in_channels;
      const Index length = std::min(count - r, w_.in_channels - channel);
      pieces[piece_count++] = {tap / w_.kernel_width * w_.dilation_height,
                               tap % w_.kernel_width * w_.dilation_width,
                               channel, length};
      r += length;
    }
    Pixel pixel = Pixel::at(k0, w_.out_height, w_.out_width);
    for (Index k = 0; k < kc; ++k) {
      const float* image = input_ + pixel.image * w_.in_height * w_.in_width *
                                        w_.in_channels;
      const Index y0 = pixel.y * w_.stride_height - w_.pad_top;
      const Index x0 = pixel.x * w_.stride_width - w_.pad_left;
      for (Index i = 0; i < piece_count; ++i) {
        const Piece& piece = pieces[i];
        const Index y = y0 + piece.dy;
        const Index x = x0 + piece.dx;
        if (y < 0 || y >= w_.in_height || x < 0 || x >= w_.in_width) {
          for (Index r = 0; r < piece.length; ++r) *panel++ = 0.0f;
        } else {
          const float* from =
              image + (y * w_.in_width + x) * w_.in_channels + piece.channel;
          for (Index r = 0; r < piece.length; ++r) *panel++ = from[r];
        }
      }
      pixel.next(w_.out_height, w_.out_width);
    }
  }

 private:
  struct Piece {
    Index dy, dx, channel, length;
  };

  const Window& w_;
  const float* input_;
};

const float* zero_row(Index count) {
  float* zeros = scratch_of<float>(Scratch::kVector, count);
  std::fill(zeros, zeros + count, 0.0f);
  return zeros;
}

// One stride phase of the input gradient; see conv2d_input_gradient.
void gradient_phase(const Window& w, const Phase& py, const Phase& px,
                    const float* dy, const float* filter, float* dx,
                    const Epilogue& epilogue, const float* zeros) {
  const Index pixels = w.batch * py.count * px.count;
  Index* offsets = scratch_of<Index>(Scratch::kRows, pixels);
  Pixel pixel = Pixel::at(0, 1, 1);
  for (Index i = 0; i < pixels; ++i) {
    const Index y = py.first + pixel.y * w.stride_height;
    const Index x = px.first + pixel.x * w.stride_width;
    offsets[i] = ((pixel.image * w.in_height + y) * w.in_width + x) *
                 w.in_channels;
    pixel.next(py.count, px.count);
  }
  blocked_product(pixels, w.in_channels, py.taps * px.taps * w.out_channels,
                  GradientPatches(w, py, px, dy, zeros),
                  PhaseFilter(w, py, px, filter),
                  Target{dx, w.in_channels, offsets}, epilogue);
}

}  // namespace

void conv2d(const Window& w, const float* input, const float* filter,
            float* output, const Epilogue& epilogue) {
  const Index depth = w.taps() * w.in_channels;
  if (is_matrix_product(w)) {
    return gemm(false, false, w.out_pixels(), w.out_channels, w.in_channels,
                input, w.in_channels, filter, w.out_channels, output,
                w.out_channels, epilogue);
  }
  if (suits_direct(w)) {
    return direct_conv2d(w, input, filter, output, epilogue);
  }
  const float* zeros = zero_row(w.kernel_width * w.in_channels);
  blocked_product(w.out_pixels(), w.out_channels, depth,
                  Patches(w, input, zeros),
                  MatrixB(filter, w.out_channels, false),
                  Target{output, w.out_channels}, epilogue);
}

// An input position meets only the taps of its own phase (its distance to the
// window's start modulo the stride), so each phase is a dense product and
// strided gradients waste no work on zeros.
void conv2d_input_gradient(const Window& w, const float* dy,
                           const float* filter, float* dx,
                           const Epilogue& epilogue) {
  if (is_matrix_product(w)) {
    return gemm(false, true, w.out_pixels(), w.in_channels, w.out_channels, dy,
                w.out_channels, filter, w.out_channels, dx, w.in_channels,
                epilogue);
  }
  if (w.stride_height == 1 && w.stride_width == 1 &&
      suits_direct(turned_window(w))) {
    return direct_input_gradient(w, dy, filter, dx, epilogue);
  }
  const float* zeros = zero_row(w.out_channels);
  for (Index y = 0; y < w.stride_height; ++y) {
    const Phase py = phase_of(y, w.stride_height, w.dilation_height,
                              w.kernel_height, w.pad_top, w.in_height);
    for (Index x = 0; x < w.stride_width; ++x) {
      const Phase px = phase_of(x, w.stride_width, w.dilation_width,
                                w.kernel_width, w.pad_left, w.in_width);
      gradient_phase(w, py, px, dy, filter, dx, epilogue, zeros);
    }
  }
}

void conv2d_filter_gradient(const Window& w, const float* input,
                            const float* dy, float* dfilter) {
  const Index rows = w.taps() * w.in_channels;
  const Index pixels = w.out_pixels();
  if (is_matrix_product(w)) {
    return gemm(true, false, rows, w.out_channels, pixels, input,
                w.in_channels, dy, w.out_channels, dfilter, w.out_channels);
  }
  if (suits_direct_gradient(w)) {
    return direct_filter_gradient(w, input, dy, dfilter);
  }
  blocked_product(rows, w.out_channels, pixels, TransposedPatches(w, input),
                  MatrixB(dy, w.out_channels, false),
                  Target{dfilter, w.out_channels}, {});
}

}  // namespace tidemark::kernels
