#include "core/base/error.h"

#include <gtest/gtest.h>

#include <limits>

namespace tidemark {
namespace {

TEST(Text, WritesNumbersAsAPersonWould) {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},          {-3, "-3"},         {0.5, "0.5"},
      {1.2, "1.2"},      {-2.1, "-2.1"},     {1e12, "1000000000000"},
      {0.1f, "0.100000001"}, {1e-9, "1e-9"}, {2.5e21, "2.5e+21"},
      {123456.789, "123456.789"}, {0.00012, "0.00012"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
      {-std::numeric_limits<double>::infinity(), "-Infinity"},
  };
  for (auto [value, want] : cases) EXPECT_EQ(text(value), want);
}

TEST(Fail, JoinsItsParts) {
  try {
    fail(Code::shape, "op: ", 3, " of ", std::vector<int>{1, 2}, " at ", 0.5);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::shape);
    EXPECT_STREQ(e.what(), "op: 3 of [1,2] at 0.5");
  }
}

}  // namespace
}  // namespace tidemark
