#include "core/kernels/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/core/support/buffer.h"

namespace tidemark::kernels {
namespace {

using testing::Buffer;
using testing::random_floats;
using testing::random_ints;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Calls f(index in the result, the reduced values in order).
template <class T, class F>
void each_result(const Reduction& r, const Buffer<T>& in, F f) {
  for (Index o = 0; o < r.outer; ++o) {
    for (Index c = 0; c < r.inner; ++c) {
      std::vector<T> values;
      for (Index i = 0; i < r.n; ++i) {
        values.push_back(in[(o * r.n + i) * r.inner + c]);
      }
      f(o * r.inner + c, values);
    }
  }
}

std::vector<Reduction> layouts() {
  std::vector<Reduction> all;
  for (Index n = 0; n <= 67; ++n) all.push_back({3, n, 1});
  for (Index inner = 2; inner <= 35; ++inner) all.push_back({2, 9, inner});
  all.insert(all.end(), {{0, 4, 3}, {3, 4, 0}, {2, 0, 7}, {1, 5000, 1},
                         {1, 1030, 6}, {7, 1, 13}});
  return all;
}

template <class T>
T first_best(const std::vector<T>& values, bool largest) {
  T best = values[0];
  for (T x : values) {
    if (largest ? x > best : x < best) best = x;
  }
  return best;
}

TEST(Reduce, FloatsAgreeWithTheReference) {
  for (const Reduction& r : layouts()) {
    SCOPED_TRACE(::testing::Message()
                 << r.outer << "," << r.n << "," << r.inner);
    const Buffer<float> in(random_floats(r.outer * r.n * r.inner, 1));
    const Index size = r.outer * r.inner;
    Buffer<float> sums(size), means(size), products(size), highs(size),
        lows(size);
    Buffer<std::int32_t> high_at(size), low_at(size);
    sum(r, in.data(), sums.data());
    mean(r, in.data(), means.data());
    prod(r, in.data(), products.data());
    max(r, in.data(), highs.data());
    min(r, in.data(), lows.data());
    arg_max(r, in.data(), high_at.data());
    arg_min(r, in.data(), low_at.data());
    each_result(r, in, [&](Index i, const std::vector<float>& values) {
      double total = 0, product = 1;
      for (float x : values) {
        total += x;
        product *= x;
      }
      ASSERT_NEAR(sums[i], total, 1e-6 * (1 + std::sqrt(r.n)));
      ASSERT_NEAR(products[i], product, 1e-5 * std::abs(product));
      if (values.empty()) {
        ASSERT_TRUE(std::isnan(means[i]));
        ASSERT_EQ(highs[i], -kInfinity);
        ASSERT_EQ(lows[i], kInfinity);
        return;
      }
      ASSERT_NEAR(means[i], total / static_cast<double>(r.n), 1e-6);
      const auto high = std::max_element(values.begin(), values.end());
      const auto low = std::min_element(values.begin(), values.end());
      ASSERT_EQ(highs[i], *high);
      ASSERT_EQ(lows[i], *low);
      ASSERT_EQ(high_at[i], high - values.begin());
      ASSERT_EQ(low_at[i], low - values.begin());
    });
  }
}

TEST(Reduce, IntegersAgreeWithTheReference) {
  for (const Reduction& r : layouts()) {
    SCOPED_TRACE(::testing::Message()
                 << r.outer << "," << r.n << "," << r.inner);
    const Buffer<std::int32_t> in(random_ints(r.outer * r.n * r.inner, 1));
    const Index size = r.outer * r.inner;
    Buffer<std::int32_t> sums(size), products(size), highs(size), lows(size),
        high_at(size), low_at(size);
    sum(r, in.data(), sums.data());
    prod(r, in.data(), products.data());
    max(r, in.data(), highs.data());
    min(r, in.data(), lows.data());
    arg_max(r, in.data(), high_at.data());
    arg_min(r, in.data(), low_at.data());
    each_result(r, in, [&](Index i, const std::vector<std::int32_t>& values) {
      std::uint32_t total = 0, product = 1;
      for (std::int32_t x : values) {
        total += static_cast<std::uint32_t>(x);
        product *= static_cast<std::uint32_t>(x);
      }
      ASSERT_EQ(static_cast<std::uint32_t>(sums[i]), total);
      ASSERT_EQ(static_cast<std::uint32_t>(products[i]), product);
      if (values.empty()) return;
      const auto high = std::max_element(values.begin(), values.end());
      const auto low = std::min_element(values.begin(), values.end());
      ASSERT_EQ(highs[i], *high);
      ASSERT_EQ(lows[i], *low);
      ASSERT_EQ(high_at[i], high - values.begin());
      ASSERT_EQ(low_at[i], low - values.begin());
    });
  }
}

TEST(Reduce, BoolsAgreeWithTheReference) {
  for (const Reduction& r : layouts()) {
    Buffer<std::uint8_t> in(r.outer * r.n * r.inner);
    const auto random = random_ints(in.size(), 7);
    for (Index i = 0; i < in.size(); ++i) {
      in[i] = random[static_cast<std::size_t>(i)] % 5 == 0;
    }
    Buffer<std::uint8_t> some(r.outer * r.inner), every(r.outer * r.inner);
    any(r, in.data(), some.data());
    all(r, in.data(), every.data());
    each_result(r, in, [&](Index i, const std::vector<std::uint8_t>& values) {
      const auto ones = std::count(values.begin(), values.end(), 1);
      ASSERT_EQ(some[i], ones > 0);
      ASSERT_EQ(every[i], ones == static_cast<Index>(values.size()));
    });
  }
}

TEST(Reduce, NanSpreadsButNeverWinsAnIndex) {
  for (Index inner : {1, 2, 5}) {
    for (Index n : {1, 2, 9, 33}) {
      for (Index at = 0; at < n; ++at) {
        const Reduction r{1, n, inner};
        Buffer<float> in(random_floats(n * inner, 3));
        for (Index c = 0; c < inner; ++c) in[at * inner + c] = kNan;
        Buffer<float> out(inner);
        for (auto* reduce : {static_cast<void (*)(const Reduction&,
                                                  const float*, float*)>(max),
                             static_cast<void (*)(const Reduction&,
                                                  const float*, float*)>(min),
                             static_cast<void (*)(const Reduction&,
                                                  const float*, float*)>(
                                 sum)}) {
          reduce(r, in.data(), out.data());
          for (Index c = 0; c < inner; ++c) ASSERT_TRUE(std::isnan(out[c]));
        }
        Buffer<std::int32_t> where(inner);
        arg_max(r, in.data(), where.data());
        for (Index c = 0; c < inner; ++c) {
          if (n == 1) {
            ASSERT_EQ(where[c], 0);
          } else {
            ASSERT_NE(where[c], at);
          }
        }
      }
    }
  }
}

TEST(Reduce, TiesTakeTheFirstIndex) {
  for (Index inner : {1, 6}) {
    const Reduction r{1, 20, inner};
    Buffer<float> in(20 * inner, -kInfinity);
    for (Index c = 0; c < inner; ++c) in[c] = kNan;
    Buffer<std::int32_t> where(inner);
    arg_max(r, in.data(), where.data());
    for (Index c = 0; c < inner; ++c) EXPECT_EQ(where[c], 1);
    for (Index c = 0; c < inner; ++c) {
      in[7 * inner + c] = 4.0f;
      in[11 * inner + c] = 4.0f;
    }
    arg_max(r, in.data(), where.data());
    for (Index c = 0; c < inner; ++c) EXPECT_EQ(where[c], 7);
  }
}

TEST(Reduce, ArgMaxSeesDenormals) {
  const Buffer<float> in(std::vector<float>{-1.0f, -0.0f, 1.4e-45f});
  Buffer<std::int32_t> where(1);
  arg_max({1, 3, 1}, in.data(), where.data());
  EXPECT_EQ(where[0], 2);
}

TEST(Reduce, SumsStayAccurateOverManyValues) {
  const Index n = 1 << 24;
  const Buffer<float> ones(n + 1, 1.0f);
  Buffer<float> total(1);
  sum({1, n, 1}, ones.data(), total.data());
  EXPECT_EQ(total[0], static_cast<float>(n));
  const Buffer<float> tenths(3000000, 0.1f);
  Buffer<float> columns(3);
  sum({1, 1000000, 3}, tenths.data(), columns.data());
  for (Index c = 0; c < 3; ++c) EXPECT_NEAR(columns[c], 100000.0f, 0.02f);
  sum({1, 3000000, 1}, tenths.data(), total.data());
  EXPECT_NEAR(total[0], 300000.0f, 0.1f);
}

}  // namespace
}  // namespace tidemark::kernels
