#include "core/ops/slice.h"

#include "core/ops/operators.h"
#include "core/ops/pad.h"
#include "core/ops/shape_ops.h"
#include "tests/core/support/moves.h"

namespace tidemark {
namespace {

using namespace testing;

TEST(Slice, TakesBlocksOfEveryType) {
  NoLeak guard;
  Shape shape{3, 5, 2, 17};
  for (DType dtype : kDTypes) {
    Tensor x = numbered(shape, dtype);
    expect_moved(ops::slice(x, {1, 2, 0, 3}, {2, 3, 1, -1}), {2, 3, 1, 14}, x,
                 [](Ints at) {
                   return Ints{at[0] + 1, at[1] + 2, at[2], at[3] + 3};
                 });
    expect_moved(ops::slice(x, {1}, {1}), {1, 5, 2, 17}, x, [](Ints at) {
      return Ints{at[0] + 1, at[1], at[2], at[3]};
    });
  }
}

TEST(Slice, TakesNothing) {
  Tensor x = numbered({3, 4}, DType::float32);
  EXPECT_EQ(ops::slice(x, {3, 0}, {0, 4}).shape(), (Shape{0, 4}));
  EXPECT_EQ(ops::slice(x, {3, 4}, {}).shape(), (Shape{0, 0}));
  EXPECT_EQ(ops::slice(numbered({0, 4}, DType::bool_), {0, 1}, {-1, 2}).shape(),
            (Shape{0, 2}));
}

TEST(Slice, RefusesWhatDoesNotFit) {
  Tensor x = numbered({3, 4}, DType::float32);
  EXPECT_EQ(code_of([&] { ops::slice(x, {-1}, {}); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::slice(x, {4}, {}); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::slice(x, {2}, {2}); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::slice(x, {2}, {2147483647}); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::slice(x, {0}, {-2}); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::slice(x, {0, 0, 0}, {}); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::slice(scalar(1), {}, {}); }), Code::argument);
}

// Every slice of a vector of five, against the definition by a loop.
TEST(StridedSlice, AgreesWithALoopOverIndices) {
  const int n = 5;
  Tensor x = numbered({n}, DType::int32);
  std::vector<double> in = values(x);
  for (int step : {-7, -3, -2, -1, 1, 2, 3, 7}) {
    for (int begin = -7; begin <= 7; ++begin) {
      for (int end = -7; end <= 7; ++end) {
        for (int masks = 0; masks < 4; ++masks) {
          int low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
          auto clip = [&](int at) {
            return std::clamp(at < 0 ? at + n : at, low, high);
          };
          int first = masks & 1 ? (step > 0 ? 0 : n - 1) : clip(begin);
          int last = masks & 2 ? (step > 0 ? n : -1) : clip(end);
          std::vector<double> want;
          for (int i = first; step > 0 ? i < last : i > last; i += step) {
            want.push_back(in[i]);
          }
          EXPECT_EQ(values(ops::strided_slice(x, {begin}, {end}, {step},
                                              masks & 1, masks >> 1, 0, 0, 0)),
                    want)
              << begin << ":" << end << ":" << step << " masks " << masks;
        }
      }
    }
  }
}

TEST(StridedSlice, UnderstandsEveryMask) {
  NoLeak guard;
  for (DType dtype : kDTypes) {
    Tensor x = numbered({4, 3, 6, 5}, dtype);
    // x[1::2, newaxis, ..., -2, ::-2]
    Tensor y = ops::strided_slice(x, {1, 0, 0, -2, 0}, {0, 0, 0, 0, 0},
                                  {2, 1, 1, 1, -2}, 0b10000, 0b10001, 0b100,
                                  0b10, 0b1000);
    expect_moved(y, {2, 1, 3, 3}, x, [](Ints at) {
      return Ints{1 + 2 * at[0], at[2], 4, 4 - 2 * at[3]};
    });
  }
}

TEST(StridedSlice, RefusesBadEntries) {
  Tensor x = numbered({3, 4}, DType::float32);
  auto cut = [&](Ints b, Ints e, Ints s, int ellipsis = 0, int shrink = 0) {
    return code_of(
        [&] { ops::strided_slice(x, b, e, s, 0, 0, ellipsis, 0, shrink); });
  };
  EXPECT_EQ(cut({0}, {1}, {0}), Code::argument);
  EXPECT_EQ(cut({0, 0}, {1, 1}, {1, 1}, 3), Code::argument);
  EXPECT_EQ(cut({0, 0, 0}, {1, 1, 1}, {}), Code::shape);
  EXPECT_EQ(cut({3}, {4}, {1}, 0, 1), Code::argument);
  EXPECT_EQ(cut({-4}, {4}, {1}, 0, 1), Code::argument);
  EXPECT_EQ(cut({0}, {1, 2}, {}), Code::argument);
  EXPECT_EQ(cut({-1}, {0}, {1}, 0, 1), Code::none);
}

TEST(Reverse, TurnsAxesAround) {
  for (DType dtype : kDTypes) {
    Tensor x = numbered({2, 3, 4, 33}, dtype);
    expect_moved(ops::reverse(x, {1, -1}), x.shape(), x, [](Ints at) {
      return Ints{at[0], 2 - at[1], at[2], 32 - at[3]};
    });
  }
  expect_close(ops::reverse(tensor_of<float>({3}, {1, 2, 3}), {}), {3, 2, 1});
  EXPECT_EQ(ops::reverse(numbered({2, 0}, DType::int32), {}).shape(),
            (Shape{2, 0}));
  expect_close(ops::reverse(scalar(7), {}), {7});
}

TEST(Slice, Derivatives) {
  Tensor x = ramp({3, 4});
  auto check = [&](const Function& f) {
    expect_derivative(f, {x});
    expect_second_derivative(
        [&](const Tensors& t) {
          Tensor y = f(t);
          return y * y * y;
        },
        x);
  };
  check([](const Tensors& t) { return ops::slice(t[0], {1, 1}, {2, 2}); });
  check([](const Tensors& t) {
    return ops::strided_slice(t[0], {2, 3}, {0, 0}, {-1, -2}, 0, 1, 0, 0, 0);
  });
  check([](const Tensors& t) { return ops::reverse(t[0], {0}); });
}

}  // namespace
}  // namespace tidemark
