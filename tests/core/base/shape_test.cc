#include "core/base/shape.h"

#include <gtest/gtest.h>

#include "core/base/dtype.h"

namespace tidemark {
namespace {

TEST(Shape, CountsElements) {
  EXPECT_EQ(Shape{}.size(), 1u);
  EXPECT_EQ((Shape{2, 3, 4}).size(), 24u);
  EXPECT_EQ((Shape{2, 0, 4}).size(), 0u);
  EXPECT_EQ((Shape{2, 3, 4}).size(1, 3), 12u);
}

TEST(Shape, RefusesWhatCannotBe) {
  EXPECT_THROW((Shape{-1}), Error);
  EXPECT_THROW((Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), Error);
  EXPECT_THROW((Shape{65536, 65536}), Error);
  EXPECT_THROW((Shape{65536, 65536, 0}), Error);
}

TEST(Shape, IsEdited) {
  Shape s{2, 3};
  EXPECT_EQ(s.inserted(0, 1), (Shape{1, 2, 3}));
  EXPECT_EQ(s.inserted(2, 1), (Shape{2, 3, 1}));
  EXPECT_EQ(s.removed(0), (Shape{3}));
  EXPECT_EQ(s.joined({4}), (Shape{2, 3, 4}));
  EXPECT_EQ(text(s), "[2,3]");
}

TEST(Shape, BroadcastsByNumPysRule) {
  EXPECT_EQ(broadcast_shape("add", {2, 1, 3}, {4, 1}), (Shape{2, 4, 3}));
  EXPECT_EQ(broadcast_shape("add", {}, {2}), (Shape{2}));
  EXPECT_EQ(broadcast_shape("add", {0}, {1}), (Shape{0}));
  try {
    broadcast_shape("add", {2}, {3});
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "add: Operands could not be broadcast together "
                           "with shapes [2] and [3].");
  }
}

TEST(Axes, AreNormalized) {
  EXPECT_EQ(normalize_axis("sum", -1, 3), 2);
  EXPECT_THROW(normalize_axis("sum", 3, 3), Error);
  EXPECT_EQ(normalize_axes("sum", {-1, 0, 2}, 3), (Ints{0, 2}));
  EXPECT_EQ(normalize_axes("sum", {}, 2), (Ints{0, 1}));
  EXPECT_EQ(normalize_axes("sum", {-2147483647 - 1}, 2), Ints{});
}

TEST(DType, ConvertsNumbersToInt32Safely) {
  EXPECT_EQ(to_int32(3.9), 3);
  EXPECT_EQ(to_int32(-3.9), -3);
  EXPECT_EQ(to_int32(1e20), 2147483647);
  EXPECT_EQ(to_int32(-1e20f), -2147483647 - 1);
  EXPECT_EQ(to_int32(0.0 / 0.0), 0);
}

}  // namespace
}  // namespace tidemark
