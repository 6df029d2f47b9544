#include "core/base/shape.h"

#include <algorithm>

namespace tidemark {
namespace {

// Element counts stay below 2^31, so that index arithmetic fits in an int and
// byte counts in a wasm size_t.
constexpr std::size_t kMaxElements = 0x7fffffff;

// What stands for "no axis at all" where an empty list means all of them.
constexpr int kNoAxis = -2147483647 - 1;

Ints to_ints(std::span<const int> dims) { return {dims.begin(), dims.end()}; }

}  // namespace

Shape::Shape(std::span<const int> dims) {
  if (dims.size() > kMaxRank) {
    fail(Code::shape, "rank ", dims.size(), " is not supported, the most is ",
         kMaxRank, ": ", to_ints(dims));
  }
  rank_ = static_cast<uint8_t>(dims.size());
  // Zeros do not hide an overflow of the other dimensions: [2^20, 2^20, 0] is
  // refused too, because slices and gradients of it would overflow.
  uint64_t product = 1;
  for (int i = 0; i < rank_; ++i) {
    if (dims[i] < 0) {
      fail(Code::shape, "dimensions must not be negative: ", to_ints(dims));
    }
    dims_[i] = dims[i];
    product *= std::max(dims[i], 1);
    if (product > kMaxElements) {
      fail(Code::memory, "a tensor of shape ", to_ints(dims),
           " has too many elements, the most is ", kMaxElements);
    }
  }
}

std::size_t Shape::size(int from, int to) const {
  std::size_t n = 1;
  for (int i = from; i < to; ++i) n *= static_cast<std::size_t>(dims_[i]);
  return n;
}

Shape Shape::inserted(int axis, int dim) const {
  Ints dims(begin(), end());
  dims.insert(dims.begin() + axis, dim);
  return Shape(dims);
}

Shape Shape::removed(int axis) const {
  Shape out;
  for (int i = 0; i < rank_; ++i) {
    if (i != axis) out.dims_[out.rank_++] = dims_[i];
  }
  return out;
}

Shape Shape::sub(int from, int to) const {
  Shape out;
  for (int i = from; i < to; ++i) out.dims_[out.rank_++] = dims_[i];
  return out;
}

Shape Shape::joined(const Shape& tail) const {
  Ints dims(begin(), end());
  dims.insert(dims.end(), tail.begin(), tail.end());
  return Shape(dims);
}

bool Shape::operator==(const Shape& o) const {
  return rank_ == o.rank_ && std::equal(begin(), end(), o.begin());
}

std::string text(const Shape& shape) { return text(to_ints(shape.dims())); }

int normalize_axis(const char* op, int axis, int rank) {
  int a = axis < 0 ? axis + rank : axis;
  if (a < 0 || a >= rank) {
    fail(Code::argument, op, ": axis ", axis, " is out of range [", -rank, ", ",
         rank, ")");
  }
  return a;
}

Ints normalize_axes(const char* op, const Ints& axes, int rank) {
  Ints out;
  if (axes.empty()) {
    for (int i = 0; i < rank; ++i) out.push_back(i);
    return out;
  }
  if (axes.size() == 1 && axes[0] == kNoAxis) return out;
  for (int axis : axes) {
    int a = axis < 0 ? axis + rank : axis;
    if (a < 0 || a >= rank) {
      fail(Code::argument, op, ": All values in axis param must be in range [",
           -rank, ", ", rank, ") but got axis ", axis);
    }
    out.push_back(a);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Shape broadcast_shape(const char* op, const Shape& a, const Shape& b) {
  if (a == b) return a;
  int rank = std::max(a.rank(), b.rank());
  Ints dims(rank);
  for (int i = 0; i < rank; ++i) {
    int da = i < a.rank() ? a.back(i) : 1;
    int db = i < b.rank() ? b.back(i) : 1;
    if (da != db && da != 1 && db != 1) {
      fail(Code::shape, op, ": Operands could not be broadcast together with "
           "shapes ", a, " and ", b, ".");
    }
    dims[rank - 1 - i] = da == 1 ? db : da;
  }
  return Shape(dims);
}

}  // namespace tidemark
