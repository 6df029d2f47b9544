#include "core/base/error.h"

#include <gtest/gtest.h>

#include <limits>

namespace tidemark {
namespace {

TEST(Text, WritesNumbersAsJavaScriptDoes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(text(0.5), "0.5");
  EXPECT_EQ(text(-3.0), "-3");
  EXPECT_EQ(text(4000000000.0), "4000000000");
  EXPECT_EQ(text(1e12), "1000000000000");
  EXPECT_EQ(text(1e300), "1e+300");
  EXPECT_EQ(text(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(text(kInfinity), "Infinity");
  EXPECT_EQ(text(-kInfinity), "-Infinity");
}

}  // namespace
}  // namespace tidemark
