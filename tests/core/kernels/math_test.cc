#include "core/kernels/math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace tidemark::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Function = std::function<Float(Float)>;
using Truth = std::function<double(double)>;

float first_lane(Float v) {
  alignas(64) float lanes[kLanes<float>];
  v.store_aligned(lanes);
  return lanes[0];
}

// The distance between got and want in units of want's last place.
double ulps(float got, double want) {
  const float rounded = static_cast<float>(want);
  if (std::isnan(rounded) || std::isnan(got)) {
    return std::isnan(rounded) == std::isnan(got) ? 0 : kInfinity;
  }
  if (rounded == got) return 0;
  if (std::isinf(rounded) || std::isinf(got)) return kInfinity;
  const float size = std::abs(rounded);
  const double unit = double{std::nextafter(size, kInfinity)} - double{size};
  return std::abs(double{got} - want) / unit;
}

// Walks through the bit patterns of all floats, exponents and signs included.
void check(const Function& f, const Truth& truth, double bound) {
  const auto check_at = [&](float x) {
    const float got = first_lane(f(Float(x)));
    const double want = truth(x);
    ASSERT_LE(ulps(got, want), bound) << "at " << x << ": " << got;
    if (want == 0) {
      ASSERT_EQ(std::signbit(got), std::signbit(want)) << "at " << x;
    }
  };
  for (std::uint64_t bits = 0; bits < (1ull << 32); bits += 40503) {
    const auto word = static_cast<std::uint32_t>(bits);
    float x;
    std::memcpy(&x, &word, sizeof x);
    check_at(x);
  }
  for (float x : {0.0f, -0.0f, 1.0f, -1.0f, 1e-45f, -1e-45f, kInfinity,
                  -kInfinity, kNan, 88.72f, 88.73f, 89.5f, -87.3f, -87.4f,
                  -103.9f, -104.1f}) {
    check_at(x);
  }
  for (float x = -20.0f; x < 20.0f; x += 0.00917f) check_at(x);
}

TEST(Math, ExpIsAccurateEverywhere) {
  check([](Float x) { return exp(x); }, [](double x) { return std::exp(x); },
        2);
}

TEST(Math, ExpNegativeFlushesDenormals) {
  check([](Float x) { return exp_negative(fast_min(x, Float(0.0f))); },
        [](double x) {
          const double y = std::exp(x > 0 ? 0 : x);
          return y < std::numeric_limits<float>::min() ? 0 : y;
        },
        3);
}

TEST(Math, Expm1IsAccurateEverywhere) {
  check([](Float x) { return expm1(x); },
        [](double x) { return std::expm1(x); }, 3);
}

TEST(Math, TanhIsAccurateAndNeverBeyondOne) {
  check([](Float x) { return tanh(x); }, [](double x) { return std::tanh(x); },
        3);
  for (float x = 0.0f; x < 30.0f; x += 0.0007f) {
    ASSERT_LE(first_lane(tanh(Float(x))), 1.0f) << x;
    ASSERT_GE(first_lane(tanh(Float(-x))), -1.0f) << x;
  }
}

TEST(Math, SigmoidIsAccurateEverywhere) {
  check([](Float x) { return sigmoid(x); },
        [](double x) {
          const double y = 1 / (1 + std::exp(-x));
          return y < std::numeric_limits<float>::min() ? 0 : y;
        },
        4);
}

TEST(Math, SoftplusIsAccurateEverywhere) {
  check([](Float x) { return softplus(x); },
        [](double x) {
          return std::log1p(std::exp(-std::abs(x))) + (x < 0 ? 0 : x);
        },
        4);
}

TEST(Math, Log1pAndAcoshAreRightAtTheirEdges) {
  check([](Float x) { return log1p(x); },
        [](double x) { return std::log1p(x); }, 2);
  check([](Float x) { return acosh(x); },
        [](double x) { return std::acosh(x); }, 3);
}

// What the other functions rely on from xsimd, huge arguments above all.
TEST(Math, XsimdIsAccurateEnough) {
  check([](Float x) { return xsimd::log(x); },
        [](double x) { return std::log(x); }, 2);
  check([](Float x) { return xsimd::sin(x); },
        [](double x) { return std::sin(x); }, 4);
  check([](Float x) { return xsimd::cos(x); },
        [](double x) { return std::cos(x); }, 4);
  check([](Float x) { return xsimd::tan(x); },
        [](double x) { return std::tan(x); }, 4);
  EXPECT_NEAR(first_lane(xsimd::cos(Float(2e8f))), std::cos(2e8), 1e-6);
  EXPECT_NEAR(first_lane(xsimd::sin(Float(1e20f))),
              std::sin(double{1e20f}), 1e-6);
}

TEST(Math, TrigonometryMixesSmallAndHugeLanes) {
  alignas(64) float in[kLanes<float>], got[kLanes<float>];
  for (std::size_t i = 0; i < kLanes<float>; ++i) {
    in[i] = i % 2 == 0 ? 0.5f : 1e20f;
  }
  xsimd::sin(Float::load_aligned(in)).store_aligned(got);
  for (std::size_t i = 0; i < kLanes<float>; ++i) {
    EXPECT_NEAR(got[i], std::sin(double{in[i]}), 1e-6);
  }
}

TEST(Math, PowKeepsSpecialCases) {
  for (float x : {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -2.0f, 0.5f, kInfinity,
                  -kInfinity, kNan, 3.7f}) {
    for (float y : {0.0f, 1.0f, 2.0f, 3.0f, -1.0f, 0.5f, -2.0f, kInfinity,
                    -kInfinity, kNan, 2.2f}) {
      EXPECT_LE(ulps(first_lane(pow(Float(x), Float(y))),
                     std::pow(double{x}, double{y})),
                1)
          << x << " to the " << y;
    }
  }
}

}  // namespace
}  // namespace tidemark::kernels
