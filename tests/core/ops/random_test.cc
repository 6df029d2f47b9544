// Distributions by their first moments, over enough numbers that a true
// generator fails once in millions of seeds; the seeds are fixed besides.
#include "core/ops/random.h"

#include "tests/core/support/check.h"

namespace tidemark::testing {
namespace {

struct Moments {
  double mean = 0, deviation = 0, skew = 0, kurtosis = 0, min = 1e9, max = -1e9;
};

Moments moments(const Tensor& t) {
  Moments m;
  std::vector<double> v = values(t);
  double n = static_cast<double>(v.size());
  for (double x : v) {
    m.mean += x / n;
    m.min = std::min(m.min, x);
    m.max = std::max(m.max, x);
  }
  double m2 = 0, m3 = 0, m4 = 0;
  for (double x : v) {
    double d = x - m.mean;
    m2 += d * d / n;
    m3 += d * d * d / n;
    m4 += d * d * d * d / n;
  }
  m.deviation = std::sqrt(m2);
  m.skew = m3 / std::pow(m2, 1.5);
  m.kurtosis = m4 / (m2 * m2);
  return m;
}

constexpr int kMany = 100001;

TEST(RandomTest, SeedsReproduce) {
  auto draw = [](double seed) {
    return values(ops::random_normal({67}, 0, 1, DType::float32, seed));
  };
  EXPECT_EQ(draw(3.14), draw(3.14));
  EXPECT_NE(draw(3.14), draw(3.15));
  EXPECT_NE(draw(0), draw(1));
}

TEST(RandomTest, Uniform) {
  Moments m =
      moments(ops::random_uniform({kMany}, -2, 4, DType::float32, 1));
  EXPECT_NEAR(m.mean, 1, 0.03);
  EXPECT_NEAR(m.deviation, 6 / std::sqrt(12.0), 0.03);
  EXPECT_GE(m.min, -2);
  EXPECT_LT(m.max, 4);
  Moments i = moments(ops::random_uniform({kMany}, -1, 3, DType::int32, 2));
  EXPECT_EQ(i.min, -1);
  EXPECT_EQ(i.max, 2);
  EXPECT_NEAR(i.mean, 0.5, 0.02);
  Moments b = moments(ops::random_uniform({kMany}, 0, 1, DType::bool_, 3));
  EXPECT_NEAR(b.mean, 0.5, 0.01);
}

TEST(RandomTest, Normal) {
  Moments m = moments(ops::random_normal({kMany}, 3, 2, DType::float32, 4));
  EXPECT_NEAR(m.mean, 3, 0.04);
  EXPECT_NEAR(m.deviation, 2, 0.03);
  EXPECT_NEAR(m.skew, 0, 0.05);
  EXPECT_NEAR(m.kurtosis, 3, 0.1);
  Moments i = moments(ops::random_normal({kMany}, 3, 2, DType::int32, 4));
  EXPECT_NEAR(i.mean, 3, 0.04);
  EXPECT_THROW(ops::random_normal({1}, 0, 1, DType::bool_, 1), Error);
}

TEST(RandomTest, TruncatedNormalAndGamma) {
  Moments m = moments(ops::truncated_normal({kMany}, 1, 3, DType::float32, 5));
  EXPECT_NEAR(m.mean, 1, 0.05);
  EXPECT_NEAR(m.deviation, 3 * 0.8796, 0.05);
  EXPECT_GE(m.min, -5);
  EXPECT_LE(m.max, 7);
  for (double alpha : {0.5, 2.5}) {
    Moments g =
        moments(ops::random_gamma({kMany}, alpha, 2, DType::float32, 6));
    EXPECT_NEAR(g.mean, alpha / 2, 0.02);
    EXPECT_NEAR(g.deviation, std::sqrt(alpha) / 2, 0.03);
    EXPECT_GE(g.min, 0);
  }
  EXPECT_THROW(ops::random_gamma({1}, 0, 1, DType::float32, 1), Error);
}

TEST(RandomTest, Multinomial) {
  Tensor p = tensor_of<float>({2, 3}, {0.2f, 0.5f, 0.3f, 0, 1, 0});
  std::vector<double> y = values(ops::multinomial(p, 30000, 7, true));
  double counts[3] = {};
  for (int i = 0; i < 30000; ++i) counts[static_cast<int>(y[i])] += 1 / 3e4;
  EXPECT_NEAR(counts[0], 0.2, 0.015);
  EXPECT_NEAR(counts[1], 0.5, 0.015);
  for (int i = 30000; i < 60000; ++i) ASSERT_EQ(y[i], 1);
  // Logits: unnormalised logarithms, however large.
  Tensor logits = tensor_of<float>({2}, {-1000, 1000});
  expect_close(ops::multinomial(logits, 3, 7, false), {1, 1, 1}, 0);
  EXPECT_THROW(ops::multinomial(ramp({1}), 3, 7, false), Error);
  EXPECT_THROW(ops::multinomial(ramp({2, 2, 2}), 3, 7, false), Error);
}

TEST(RandomTest, Dropout) {
  NoLeak no_leak;
  Tensor ones = ramp({kMany}, 1, 1);
  Tensor y = ops::dropout(ones, 0.25, {}, 8);
  int kept = 0;
  for (double v : values(y)) {
    ASSERT_TRUE(v == 0 || std::fabs(v - 4.0 / 3) < 1e-6);
    kept += v != 0;
  }
  EXPECT_NEAR(kept / double{kMany}, 0.75, 0.01);
  std::vector<double> rows =
      values(ops::dropout(ramp({4, 8}, 1, 1), 0.5, {-1, 1}, 9));
  for (int i = 0; i < 32; ++i) EXPECT_EQ(rows[i], rows[i - i % 8]);
  expect_derivative(
      [](const Tensors& xs) { return ops::dropout(xs[0], 0.5, {}, 1); },
      {ramp({9})});
  EXPECT_THROW(ops::dropout(ones, 1, {}, 1), Error);
  EXPECT_THROW(ops::dropout(tensor_of<int32_t>({1}, {1}), 0.5, {}, 1), Error);
}

}  // namespace
}  // namespace tidemark::testing
