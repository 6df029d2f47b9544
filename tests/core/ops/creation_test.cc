#include "core/ops/creation.h"

#include <limits>

#include "tests/core/support/check.h"

namespace tidemark::testing {
namespace {

TEST(CreationTest, FillConvertsAsACastWould) {
  expect_close(ops::fill({3}, 1.5, DType::float32), {1.5, 1.5, 1.5}, 0);
  expect_close(ops::fill({2}, -1.5, DType::int32), {-1, -1}, 0);
  expect_close(ops::fill({2}, 3, DType::bool_), {1, 1}, 0);
  EXPECT_EQ(ops::fill({2, 0}, 3, DType::bool_).size(), 0u);
}

TEST(CreationTest, RangeCountsInDouble) {
  expect_close(ops::range(0, 1, .3, DType::float32), {0, .3, .6, .9});
  expect_close(ops::range(3, 0, 1, DType::float32), {3, 2, 1}, 0);
  expect_close(ops::range(0, 3, -1, DType::float32), {}, 0);
  expect_close(ops::range(0, 3, 1.5, DType::int32), {0, 1}, 0);
  EXPECT_THROW(ops::range(0, 3, 0, DType::int32), Error);
  EXPECT_THROW(ops::range(0, 1e300, 1, DType::int32), Error);
}

TEST(CreationTest, Linspace) {
  expect_close(ops::linspace(0, 9, 4), {0, 3, 6, 9}, 0);
  expect_close(ops::linspace(5, 9, 1), {5}, 0);
  EXPECT_THROW(ops::linspace(0, 9, 0), Error);
}

TEST(CreationTest, Eye) {
  Tensor y = ops::eye(2, 3, {2}, DType::int32);
  EXPECT_EQ(y.shape(), Shape({2, 2, 3}));
  expect_close(y, {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0}, 0);
  EXPECT_EQ(ops::eye(0, 3, {}, DType::float32).size(), 0u);
}

TEST(CreationTest, OneHotIsOffOutOfRange) {
  Tensor at = tensor_of<int32_t>({4}, {0, 5, -1, 2});
  expect_close(ops::one_hot(at, 3, 5, 7, DType::float32),
               {5, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 5}, 0);
  EXPECT_THROW(ops::one_hot(at, 1, 1, 0, DType::int32), Error);
  EXPECT_THROW(ops::one_hot(ramp({2}), 3, 1, 0, DType::int32), Error);
}

TEST(CreationTest, CastBetweenAllTypes) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  Tensor f = tensor_of<float>({6}, {1.9f, -1.9f, kNan, 3e9f, -3e9f, 0});
  expect_close(ops::cast(f, DType::int32),
               {1, -1, 0, 2147483647, -2147483648.0, 0}, 0);
  expect_close(ops::cast(f, DType::bool_), {1, 1, 1, 1, 1, 0}, 0);
  Tensor i = tensor_of<int32_t>({3}, {-2, 0, 33554433});
  expect_close(ops::cast(i, DType::bool_), {1, 0, 1}, 0);
  expect_close(ops::cast(i, DType::float32), {-2, 0, 33554432}, 0);
  Tensor b = tensor_of<uint8_t>({3}, {1, 0, 1});
  expect_close(ops::cast(b, DType::int32), {1, 0, 1}, 0);
  expect_close(ops::cast(b, DType::float32), {1, 0, 1}, 0);
  EXPECT_EQ(ops::cast(f, DType::float32).raw(), f.raw());
}

TEST(CreationTest, LikesHaveZeroDerivatives) {
  NoLeak no_leak;
  Tensor x = ramp({5});
  expect_derivative([](const Tensors& xs) { return ops::ones_like(xs[0]); },
                    {x});
  expect_derivative([](const Tensors& xs) { return ops::zeros_like(xs[0]); },
                    {x});
}

}  // namespace
}  // namespace tidemark::testing
