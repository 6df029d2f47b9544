#include "core/kernels/gemm_core.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/kernels/parallel.h"
#include "core/kernels/scratch.h"

namespace tidemark::kernels {
namespace {

// A panel of each operand (8 KiB + 5 KiB) stays in the L1 cache, a block of A
// (120 KiB) in L2. Depths up to kDepthWhole are not split: C is written once.
constexpr Index kDepth = 256;
constexpr Index kDepthWhole = 384;
constexpr Index kBlockRows = 24 * kTileRows;
constexpr Index kBlockColumns = 1024;
constexpr Index kVectors = kTileColumns / kWidth;
static_assert(kTileColumns % kWidth == 0);

struct TileJob {
  Index kc;
  const float* a;
  const float* b;
  Index b_stride;
  const float* init;  // kTileColumns start values, or null to add to C.
  Clamp clamp;
};

template <int kRows>
void tile(const TileJob& job, float* const* c) {
  Float acc[kRows][kVectors];
  for (int r = 0; r < kRows; ++r) {
    const float* start = job.init != nullptr ? job.init : c[r];
    for (int v = 0; v < kVectors; ++v) acc[r][v] = load(start + v * kWidth);
  }
  const float* a = job.a;
  const float* b = job.b;
  // One k a turn: V8 unrolls small loops itself, and spills if we do it.
  for (Index k = job.kc; k > 0; --k) {
    Float columns[kVectors];
    for (int v = 0; v < kVectors; ++v) columns[v] = load(b + v * kWidth);
    for (int r = 0; r < kRows; ++r) {
      const Float row(a[r]);
      for (int v = 0; v < kVectors; ++v) {
        acc[r][v] = madd(row, columns[v], acc[r][v]);
      }
    }
    a += kRows;
    b += job.b_stride;
  }
  const Float low(job.clamp.low);
  const Float high(job.clamp.high);
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) {
      store(c[r] + v * kWidth, fast_min(fast_max(acc[r][v], low), high));
    }
  }
}

template <int kRows = static_cast<int>(kTileRows)>
void run_tile(Index rows, const TileJob& job, float* const* c) {
  if (rows == kRows) return tile<kRows>(job, c);
  if constexpr (kRows > 1) run_tile<kRows - 1>(rows, job, c);
}

// One block of the product: which part of C, and how it starts and ends.
struct Block {
  Index column0, columns;
  Index k0, kc;
  bool first, last;
};

class Product {
 public:
  Product(const PanelSource& a, const PanelSource& b, const Target& c,
          const Epilogue& epilogue, const MatrixB* direct)
      : a_(a), b_(b), c_(c), epilogue_(epilogue), direct_(direct) {}

  void run(const Block& block, Index m) {
    float* packed_b = scratch_of<float>(
        Scratch::kPanelB, block.kc * (block.columns + kTileColumns));
    for (Index j = 0; j < block.columns; j += kTileColumns) {
      const Index count = std::min(kTileColumns, block.columns - j);
      if (block.kc == 0) break;
      if (direct_ != nullptr && count == kTileColumns) continue;
      b_.pack(block.column0 + j, count, block.k0, block.kc,
              packed_b + j * block.kc);
    }
    const Index blocks = (m + kBlockRows - 1) / kBlockRows;
    parallel_for(blocks, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const Index row0 = i * kBlockRows;
        rows(block, row0, std::min(kBlockRows, m - row0), packed_b);
      }
    });
  }

 private:
  void rows(const Block& block, Index row0, Index count,
            const float* packed_b) const {
    float* packed_a =
        scratch_of<float>(Scratch::kPanelA, block.kc * kBlockRows);
    for (Index i = 0; i < count && block.kc > 0; i += kTileRows) {
      a_.pack(row0 + i, std::min(kTileRows, count - i), block.k0, block.kc,
              packed_a + i * block.kc);
    }
    for (Index j = 0; j < block.columns; j += kTileColumns) {
      column_panel(block, row0, count, j, packed_a, packed_b);
    }
    if (block.last && needs_pass(epilogue_.activation)) {
      for (Index i = 0; i < count; ++i) {
        activate(c_.row(row0 + i) + block.column0, block.columns,
                 epilogue_.activation, epilogue_.alpha);
      }
    }
  }

  void column_panel(const Block& block, Index row0, Index count, Index j,
                    const float* packed_a, const float* packed_b) const {
    const Index column = block.column0 + j;
    const Index width = std::min(kTileColumns, block.columns - j);
    const bool whole = width == kTileColumns;
    const bool in_place = direct_ != nullptr && whole;
    alignas(kPadding) float init[kTileColumns] = {};
    if (epilogue_.bias != nullptr) {
      std::memcpy(init, epilogue_.bias + column, bytes(width));
    }
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    TileJob job{
        .kc = block.kc,
        .a = nullptr,
        .b = in_place ? direct_->direct(column, block.k0)
                      : packed_b + j * block.kc,
        .b_stride = in_place ? direct_->stride() : kTileColumns,
        .init = block.first ? init : nullptr,
        .clamp = block.last ? clamp_of(epilogue_.activation)
                            : Clamp{-kInfinity, kInfinity},
    };
    for (Index i = 0; i < count; i += kTileRows) {
      const Index height = std::min(kTileRows, count - i);
      job.a = packed_a + i * block.kc;
      float* targets[kTileRows];
      for (Index r = 0; r < height; ++r) {
        targets[r] = c_.row(row0 + i + r) + column;
      }
      if (whole) {
        run_tile(height, job, targets);
      } else {
        partial_tile(height, width, job, targets);
      }
    }
  }

  // A tile whose last columns lie outside C goes through a buffer.
  static void partial_tile(Index height, Index width, const TileJob& job,
                           float* const* targets) {
    alignas(kPadding) float buffer[kTileRows * kTileColumns] = {};
    float* rows[kTileRows];
    for (Index r = 0; r < height; ++r) {
      rows[r] = buffer + r * kTileColumns;
      if (job.init == nullptr) std::memcpy(rows[r], targets[r], bytes(width));
    }
    run_tile(height, job, rows);
    for (Index r = 0; r < height; ++r) {
      std::memcpy(targets[r], rows[r], bytes(width));
    }
  }

  static std::size_t bytes(Index floats) {
    return static_cast<std::size_t>(floats) * sizeof(float);
  }

  const PanelSource& a_;
  const PanelSource& b_;
  const Target& c_;
  const Epilogue& epilogue_;
  const MatrixB* direct_;
};

// dst[k * stride + r] = streams[r][k] for kWidth streams at a time.
void interleave_group(const float* const* streams, Index kc, Index stride,
                      float* dst) {
  const float* from[kLanes<float>];
  for (Index r = 0; r < kWidth; ++r) from[r] = streams[r];
  Index k = 0;
  for (; k + kWidth <= kc; k += kWidth) {
    Float block[kLanes<float>];
    for (Index r = 0; r < kWidth; ++r) block[r] = load(from[r] + k);
    xsimd::transpose(block, block + kWidth);
    for (Index r = 0; r < kWidth; ++r) store(dst + (k + r) * stride, block[r]);
  }
  for (; k < kc; ++k) {
    for (Index r = 0; r < kWidth; ++r) dst[k * stride + r] = from[r][k];
  }
}

}  // namespace

void interleave(const float* const* streams, Index rows, Index kc,
                float* panel) {
  Index r = 0;
  for (; r + kWidth <= rows; r += kWidth) {
    interleave_group(streams + r, kc, rows, panel + r);
  }
  for (; r < rows; ++r) {
    const float* from = streams[r];
    for (Index k = 0; k < kc; ++k) panel[k * rows + r] = from[k];
  }
}

void MatrixA::pack(Index first, Index count, Index k0, Index kc,
                   float* panel) const {
  if (transposed_) {
    const float* from = data_ + k0 * stride_ + first;
    for (Index k = 0; k < kc; ++k) {
      for (Index r = 0; r < count; ++r) panel[k * count + r] = from[r];
      from += stride_;
    }
    return;
  }
  const float* streams[kTileRows];
  for (Index r = 0; r < count; ++r) {
    streams[r] = data_ + (first + r) * stride_ + k0;
  }
  interleave(streams, count, kc, panel);
}

void MatrixB::pack(Index first, Index count, Index k0, Index kc,
                   float* panel) const {
  if (transposed_) {
    const float* streams[kTileColumns];
    for (Index j = 0; j < kTileColumns; ++j) {
      // Columns past the last repeat it: finite or not, they are dropped.
      const Index column = first + std::min(j, count - 1);
      streams[j] = data_ + column * stride_ + k0;
    }
    interleave(streams, kTileColumns, kc, panel);
    return;
  }
  const float* from = data_ + k0 * stride_ + first;
  for (Index k = 0; k < kc; ++k, from += stride_, panel += kTileColumns) {
    if (count == kTileColumns) {
      for (Index v = 0; v < kVectors; ++v) {
        store(panel + v * kWidth, load(from + v * kWidth));
      }
    } else {
      for (Index j = 0; j < kTileColumns; ++j) {
        panel[j] = j < count ? from[j] : 0.0f;
      }
    }
  }
}

void blocked_product(Index m, Index n, Index k, const PanelSource& a,
                     const PanelSource& b, const Target& c,
                     const Epilogue& epilogue, const MatrixB* direct) {
  if (m <= 0 || n <= 0) return;
  Product product(a, b, c, epilogue, direct);
  const Index depths = k <= kDepthWhole ? 1 : (k + kDepth - 1) / kDepth;
  const Index depth = (k + depths - 1) / depths;
  for (Index column0 = 0; column0 < n; column0 += kBlockColumns) {
    for (Index d = 0; d < depths; ++d) {
      const Index k0 = d * depth;
      product.run(
          Block{.column0 = column0,
                .columns = std::min(kBlockColumns, n - column0),
                .k0 = k0,
                .kc = std::min(depth, k - k0),
                .first = d == 0,
                .last = d + 1 == depths},
          m);
    }
  }
}

}  // namespace tidemark::kernels
