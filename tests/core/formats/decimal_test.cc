#include "core/formats/decimal.h"

#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

template <class T>
Bytes by_printf(T v, int few, int all) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", few, double(v));
  if (static_cast<T>(std::strtod(text, nullptr)) != v) {
    std::snprintf(text, sizeof text, "%.*g", all, double(v));
  }
  return text;
}

double parsed(View text) {
  double v = -77;
  EXPECT_TRUE(parse_decimal(text, v)) << text;
  return v;
}

TEST(Decimal, AsTheCLibraryWrites) {
  Random random(3);
  for (int i = 0; i < 600; ++i) {
    uint64_t bits = uint64_t{random.below(1u << 31)} << 33 ^
                    uint64_t{random.below(1u << 31)} << 11 ^ random.below(4096);
    auto v = std::bit_cast<double>(bits);
    if (!std::isfinite(v)) continue;
    ASSERT_EQ(decimal(v), by_printf(v, 15, 17));
    double back = parsed(decimal(v));
    ASSERT_EQ(std::bit_cast<uint64_t>(back), bits) << decimal(v);
    auto f = std::bit_cast<float>(static_cast<uint32_t>(bits >> 20));
    if (!std::isfinite(f)) continue;
    ASSERT_EQ(decimal(f), by_printf(f, 6, 9));
  }
  for (double v : {0.0, -0.0, 1.0, 10.0, 0.1, 100000.0, 999999.5, 1e15, 1e16,
                   123456789012345.0, 0.0001, 0.00001, 5e-324, DBL_MIN,
                   DBL_MAX, 1700000000.1234567, 0.1 + 0.2, -2.5}) {
    EXPECT_EQ(decimal(v), by_printf(v, 15, 17));
    EXPECT_EQ(parsed(decimal(v)), v);
  }
  for (float v : {0.1f, 1e20f, 16777216.0f, 1.0f / 3, FLT_MAX, 1e-45f}) {
    EXPECT_EQ(decimal(v), by_printf(v, 6, 9));
  }
  EXPECT_EQ(decimal(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(decimal(-std::numeric_limits<float>::infinity()), "-inf");
  EXPECT_EQ(decimal(std::nan("")), "nan");
}

TEST(Decimal, ParsedToTheNearest) {
  for (const char* text :
       {"0", "1", "-1.5e-3", "1e308", "1.7976931348623157e308", "4.9e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400",
        "9007199254740993", "9007199254740992.999999999999999999999999",
        "9007199254740993.000000000000000000000001", "17976931348623158e292",
        ".5", "5.", "000.25", "0.000000000000000000000000000000000000000001",
        "123456789012345678901234567890", "1e23", "8.5e22", "+3"}) {
    EXPECT_EQ(parsed(text), std::strtod(text, nullptr)) << text;
  }
  EXPECT_TRUE(std::isinf(parsed("1e309")));
  EXPECT_TRUE(std::isinf(parsed("1.8e308")));
  EXPECT_TRUE(std::isinf(parsed("-inf")));
  EXPECT_TRUE(std::isnan(parsed("nan")));
  EXPECT_EQ(parsed("1e-99999999999"), 0);
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    Bytes text;
    for (int d = 0; d < 25; ++d) {
      text += static_cast<char>('0' + random.below(10));
    }
    text += "e" + std::to_string(static_cast<int>(random.below(660)) - 345);
    ASSERT_EQ(parsed(text), std::strtod(text.c_str(), nullptr)) << text;
  }
}

TEST(Decimal, WhatIsNoNumber) {
  for (const char* text : {"", "-", ".", "e5", "1e", "1e+", "1x", "1.2.3",
                           "0x10", "--1", "infi"}) {
    double v;
    EXPECT_FALSE(parse_decimal(text, v)) << text;
  }
}

}  // namespace
}  // namespace tidemark::formats
