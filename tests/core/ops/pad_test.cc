#include "core/ops/pad.h"

#include "core/ops/operators.h"
#include "tests/core/support/moves.h"

namespace tidemark {
namespace {

using namespace testing;

TEST(Pad, SetsATensorIntoALargerOne) {
  NoLeak guard;
  for (DType dtype : kDTypes) {
    Tensor x = numbered({2, 3, 17}, dtype);
    expect_moved(
        ops::pad(x, {1, 0, 0, 2, 3, 4}, 1), {3, 5, 24}, x,
        [](Ints at) {
          Ints from{at[0] - 1, at[1], at[2] - 3};
          bool in = from[0] >= 0 && from[1] < 3 && from[2] >= 0 && from[2] < 17;
          return in ? from : Ints{-1};
        },
        1);
  }
  expect_close(ops::pad(numbered({0}, DType::float32), {2, 1}, NAN),
               {NAN, NAN, NAN});
}

TEST(Pad, RefusesBadPaddings) {
  Tensor x = numbered({2, 3}, DType::float32);
  EXPECT_EQ(code_of([&] { ops::pad(x, {1, 1}, 0); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::pad(x, {-1, 1, 0, 0}, 0); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::pad(scalar(1), {}, 0); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::pad(x, {2147483647, 1, 0, 0}, 0); }),
            Code::memory);
}

TEST(MirrorPad, Mirrors) {
  NoLeak guard;
  for (DType dtype : kDTypes) {
    for (bool symmetric : {false, true}) {
      Tensor x = numbered({3, 4}, dtype);
      auto fold = [&](int at, int n) {
        if (at < 0) return symmetric ? -1 - at : -at;
        if (at >= n) return symmetric ? 2 * n - 1 - at : 2 * n - 2 - at;
        return at;
      };
      expect_moved(ops::mirror_pad(x, {2, 1, 0, 3}, symmetric), {6, 7}, x,
                   [&](Ints at) {
                     return Ints{fold(at[0] - 2, 3), fold(at[1], 4)};
                   });
    }
  }
  Tensor x = numbered({2, 3}, DType::float32);
  expect_close(ops::mirror_pad(x, {0, 0, 0, 0}, false), values(x));
  EXPECT_EQ(code_of([&] { ops::mirror_pad(x, {2, 0, 0, 0}, false); }),
            Code::argument);
  EXPECT_EQ(code_of([&] { ops::mirror_pad(x, {2, 0, 0, 0}, true); }),
            Code::none);
  EXPECT_EQ(code_of([&] { ops::mirror_pad(x, {0, -1, 0, 0}, true); }),
            Code::argument);
}

TEST(Diag, PutsElementsOnTheDiagonal) {
  for (DType dtype : kDTypes) {
    Tensor x = numbered({2, 3}, dtype);
    expect_moved(ops::diag(x), {2, 3, 2, 3}, x, [](Ints at) {
      return at[0] == at[2] && at[1] == at[3] ? Ints{at[0], at[1]} : Ints{-1};
    });
  }
  EXPECT_EQ(ops::diag(numbered({0}, DType::int32)).shape(), (Shape{0, 0}));
  EXPECT_EQ(code_of([] { ops::diag(scalar(1)); }), Code::argument);
}

TEST(Pad, Derivatives) {
  Tensor x = ramp({2, 3});
  auto check = [&](const Function& f) {
    expect_derivative(f, {x});
    expect_second_derivative(
        [&](const Tensors& t) {
          Tensor y = f(t);
          return y * y * y;
        },
        x);
  };
  check([](const Tensors& t) { return ops::pad(t[0], {1, 0, 2, 1}, 3); });
  check([](const Tensors& t) {
    return ops::mirror_pad(t[0], {1, 1, 2, 1}, false);
  });
  check([](const Tensors& t) {
    return ops::mirror_pad(t[0], {2, 1, 3, 0}, true);
  });
  check([](const Tensors& t) { return ops::diag(t[0]); });
}

}  // namespace
}  // namespace tidemark
