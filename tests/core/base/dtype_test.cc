#include "core/base/dtype.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace tidemark {
namespace {

constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();

TEST(ToInt32, TruncatesAndSaturatesFloats) {
  EXPECT_EQ(to_int32(3.7f), 3);
  EXPECT_EQ(to_int32(-3.7f), -3);
  EXPECT_EQ(to_int32(3e9f), kMost);
  EXPECT_EQ(to_int32(-3e9), kLeast);
  EXPECT_EQ(to_int32(std::numeric_limits<float>::infinity()), kMost);
  EXPECT_EQ(to_int32(std::numeric_limits<float>::quiet_NaN()), 0);
}

TEST(ToInt32, KeepsBytesAndInt32) {
  EXPECT_EQ(to_int32(uint8_t{0}), 0);
  EXPECT_EQ(to_int32(uint8_t{1}), 1);
  EXPECT_EQ(to_int32(uint8_t{255}), 255);
  EXPECT_EQ(to_int32(kMost), kMost);
  EXPECT_EQ(to_int32(kLeast), kLeast);
}

}  // namespace
}  // namespace tidemark
