#pragma once
// A naive reference for ops that move elements: the output is asked, position
// by position, where each element comes from.

#include "tests/core/support/check.h"

namespace tidemark::testing {

/// Coordinates of flat position `i` in `shape`.
inline Ints coordinates(const Shape& shape, std::size_t i) {
  Ints at(shape.rank());
  for (int d = shape.rank(); d-- > 0;) {
    at[d] = static_cast<int>(i % static_cast<std::size_t>(shape[d]));
    i /= static_cast<std::size_t>(shape[d]);
  }
  return at;
}

/// Flat position of coordinates in `shape`.
inline std::size_t position(const Shape& shape, const Ints& at) {
  std::size_t i = 0;
  for (int d = 0; d < shape.rank(); ++d) i = i * shape[d] + at[d];
  return i;
}

/// Different values of any dtype; int32 ones beyond 2^24, where float32 fails.
inline Tensor numbered(const Shape& shape, DType dtype) {
  Tensor t(shape, dtype);
  for (std::size_t i = 0; i < t.size(); ++i) {
    int n = static_cast<int>(i);
    switch (dtype) {
      case DType::float32: t.mutable_data<float>()[i] = n + 0.5f; break;
      case DType::int32: t.mutable_data<int32_t>()[i] = 2147483647 - n; break;
      case DType::bool_: t.mutable_data<uint8_t>()[i] = (n * 7 / 3) & 1; break;
    }
  }
  return t;
}

inline constexpr DType kDTypes[] = {DType::float32, DType::int32,
                                    DType::bool_};

/// Expects y[at] = x[from(at)] for every position; where `from` begins with a
/// negative coordinate, `filler`.
inline void expect_moved(
    const Tensor& y, const Shape& shape, const Tensor& x,
    const std::function<Ints(const Ints&)>& from, double filler = 0) {
  ASSERT_EQ(y.shape(), shape);
  ASSERT_EQ(y.dtype(), x.dtype());
  std::vector<double> got = values(y), in = values(x);
  for (std::size_t i = 0; i < got.size(); ++i) {
    Ints at = from(coordinates(shape, i));
    bool outside = !at.empty() && at[0] < 0;
    ASSERT_EQ(got[i], outside ? filler : in[position(x.shape(), at)])
        << "at " << text(coordinates(shape, i));
  }
}

/// The code of the error that f throws; Code::none when it does not.
template <class F>
Code code_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.code();
  }
  return Code::none;
}

}  // namespace tidemark::testing
