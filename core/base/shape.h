#pragma once
// Shape: up to kMaxRank dimensions, row-major, kept inside the object.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace tidemark {

/// Public tensors have rank 0 to 6; two more serve ops made of reshapes.
inline constexpr int kMaxRank = 8;

/// A list of ints as ops take them: axes, strides, begins.
using Ints = std::vector<int>;

/// Dimensions of a tensor. A value type: copy it freely.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int> dims)
      : Shape(std::span<const int>(dims.begin(), dims.size())) {}
  /// Fails with code shape above kMaxRank or on a negative dimension.
  explicit Shape(std::span<const int> dims);
  explicit Shape(const Ints& dims) : Shape(std::span<const int>(dims)) {}

  int rank() const { return rank_; }
  int operator[](int axis) const { return dims_[axis]; }
  int& operator[](int axis) { return dims_[axis]; }
  /// Dimension counted from the end: back(0) is the innermost.
  int back(int i = 0) const { return dims_[rank_ - 1 - i]; }
  std::span<const int> dims() const { return {dims_.data(), rank_}; }
  const int* begin() const { return dims_.data(); }
  const int* end() const { return dims_.data() + rank_; }

  /// Number of elements; 1 for a scalar. Never overflows: an oversized shape
  /// is refused when it is made.
  std::size_t size() const { return size(0, rank_); }
  /// Product of the dimensions in [from, to).
  std::size_t size(int from, int to) const;

  /// A copy with `dim` put before `axis`, or with `axis` taken out.
  Shape inserted(int axis, int dim) const;
  Shape removed(int axis) const;
  /// Dimensions [from, to) as a shape of their own.
  Shape sub(int from, int to) const;
  /// This shape's dimensions followed by those of `tail`.
  Shape joined(const Shape& tail) const;

  bool operator==(const Shape& o) const;

 private:
  std::array<int, kMaxRank> dims_{};
  uint8_t rank_ = 0;
};

/// "[2,3]", as messages show shapes.
std::string text(const Shape& shape);

/// Turns an axis that may count from the end into 0..rank-1, or fails.
int normalize_axis(const char* op, int axis, int rank);

/// Sorted, duplicate-free axes in 0..rank-1; an empty list means all axes.
Ints normalize_axes(const char* op, const Ints& axes, int rank);

/// The shape both operands are broadcast to (NumPy's rule), or a failure in
/// TensorFlow.js's words.
Shape broadcast_shape(const char* op, const Shape& a, const Shape& b);

}  // namespace tidemark
