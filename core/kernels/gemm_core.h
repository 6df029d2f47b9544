#pragma once
// The blocked matrix product under gemm and the convolutions. Operands are
// "panel sources": they write themselves, piece by piece, in the order the
// register tile reads them, so a convolution never builds its im2col matrix.
//
// A panel of A is [k][rows], rows <= kTileRows; a panel of B is
// [k][kTileColumns]; columns past the last hold anything.

#include "core/kernels/epilogue.h"

namespace tidemark::kernels {

// 5 x 8 keeps 10 accumulators, 2 loads and a broadcast in 15 registers, which
// V8 compiles without spills; it was the fastest tile measured in Chromium in
// both the simd and the relaxed build.
inline constexpr Index kTileRows = 5;
inline constexpr Index kTileColumns = 8;

/// An operand of a blocked product.
class PanelSource {
 public:
  virtual ~PanelSource() = default;

  /// Writes rows (A) or columns (B) [first, first + count) for
  /// k in [k0, k0 + kc).
  virtual void pack(Index first, Index count, Index k0, Index kc,
                    float* panel) const = 0;
};

/// A row-major matrix (or its transpose) as the left operand.
class MatrixA : public PanelSource {
 public:
  MatrixA(const float* data, Index stride, bool transposed)
      : data_(data), stride_(stride), transposed_(transposed) {}
  void pack(Index first, Index count, Index k0, Index kc,
            float* panel) const override;

 private:
  const float* data_;
  Index stride_;
  bool transposed_;
};

/// A row-major matrix (or its transpose) as the right operand.
class MatrixB : public PanelSource {
 public:
  MatrixB(const float* data, Index stride, bool transposed)
      : data_(data), stride_(stride), transposed_(transposed) {}
  void pack(Index first, Index count, Index k0, Index kc,
            float* panel) const override;

  /// Where the tile may read row k0 from column `first` unpacked.
  const float* direct(Index first, Index k0) const {
    return data_ + k0 * stride_ + first;
  }
  Index stride() const { return stride_; }

 private:
  const float* data_;
  Index stride_;
  bool transposed_;
};

/// Where rows of the result start: offsets[i] if given, else i * stride.
struct Target {
  float* data;
  Index stride;
  const Index* offsets = nullptr;

  float* row(Index i) const {
    return data + (offsets != nullptr ? offsets[i] : i * stride);
  }
};

/// Interleaves `rows` streams: panel[k * rows + r] = streams[r][k].
void interleave(const float* const* streams, Index rows, Index kc,
                float* panel);

/// c[m, n] = epilogue(A B). With `direct`, full panels of B are read in place.
void blocked_product(Index m, Index n, Index k, const PanelSource& a,
                     const PanelSource& b, const Target& c,
                     const Epilogue& epilogue, const MatrixB* direct = nullptr);

}  // namespace tidemark::kernels
