#include "core/kernels/pool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/core/support/buffer.h"
#include "tests/core/support/reference.h"
#include "tests/core/support/windows.h"

namespace tidemark::kernels {
namespace {

using testing::Buffer;
using testing::random_floats;
using testing::random_ints;
using testing::windows;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void check(const Window& w) {
  SCOPED_TRACE(::testing::Message()
               << "kernel " << w.kernel_height << " stride "
               << w.stride_height << " dilation " << w.dilation_height
               << " pad " << w.pad_top << " channels " << w.in_channels);
  const Index channels = w.in_channels;
  Buffer<float> input(random_floats(w.in_size(), 1));
  // Few different values, so that ties are common.
  for (Index i = 0; i < input.size(); ++i) {
    input[i] = std::round(input[i] * 3.0f);
  }
  const Buffer<float> dy(random_floats(w.out_size(), 3));
  std::vector<float> largest(static_cast<std::size_t>(w.out_size()),
                             -kInfinity);
  std::vector<Index> where(largest.size(), -1);
  std::vector<double> sum(largest.size());
  std::vector<double> count(largest.size());
  reference::for_each_tap(w, [&](Index out, Index in, Index) {
    for (Index c = 0; c < channels; ++c) {
      const auto o = static_cast<std::size_t>(out * channels + c);
      const Index i = in * channels + c;
      sum[o] += input[i];
      count[o] += 1;
      if (input[i] > largest[o]) {
        largest[o] = input[i];
        where[o] = i;
      }
    }
  });
  std::vector<double> max_dx(static_cast<std::size_t>(w.in_size()));
  std::vector<double> avg_dx(max_dx.size());
  for (std::size_t o = 0; o < where.size(); ++o) {
    if (where[o] >= 0) {
      max_dx[static_cast<std::size_t>(where[o])] += dy[static_cast<Index>(o)];
    }
  }
  reference::for_each_tap(w, [&](Index out, Index in, Index) {
    for (Index c = 0; c < channels; ++c) {
      const Index o = out * channels + c;
      avg_dx[static_cast<std::size_t>(in * channels + c)] +=
          dy[o] / count[static_cast<std::size_t>(o)];
    }
  });

  Buffer<float> got(w.out_size(), 9.0f);
  max_pool(w, input.data(), got.data());
  for (Index i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i], largest[static_cast<std::size_t>(i)]) << i;
  }
  avg_pool(w, input.data(), got.data());
  for (Index i = 0; i < got.size(); ++i) {
    const auto o = static_cast<std::size_t>(i);
    if (count[o] == 0) {
      ASSERT_TRUE(std::isnan(got[i])) << i;
    } else {
      ASSERT_NEAR(got[i], sum[o] / count[o], 1e-6) << i;
    }
  }
  Buffer<float> dx(w.in_size(), 9.0f);
  max_pool_gradient(w, input.data(), dy.data(), dx.data());
  for (Index i = 0; i < dx.size(); ++i) {
    ASSERT_NEAR(dx[i], max_dx[static_cast<std::size_t>(i)], 1e-5) << i;
  }
  avg_pool_gradient(w, dy.data(), dx.data());
  for (Index i = 0; i < dx.size(); ++i) {
    ASSERT_NEAR(dx[i], avg_dx[static_cast<std::size_t>(i)], 1e-5) << i;
  }
}

TEST(Pool, AgreesWithTheReferenceInAllGeometries) {
  for (Index channels : {0, 1, 4, 11}) {
    for (const Window& w : windows(channels, channels)) check(w);
  }
}

Window square(Index size, Index channels) {
  Window w;
  w.in_height = w.in_width = size;
  w.in_channels = w.out_channels = channels;
  w.kernel_height = w.kernel_width = 2;
  return testing::with_output(w, 0);
}

TEST(Pool, NanWinsAndTakesTheGradient) {
  const Window w = square(3, 5);
  Buffer<float> input(w.in_size(), 1.0f);
  input[4 * 5 + 2] = kNan;  // The centre, in every window.
  Buffer<float> output(w.out_size());
  max_pool(w, input.data(), output.data());
  for (Index i = 0; i < output.size(); ++i) {
    EXPECT_EQ(std::isnan(output[i]), i % 5 == 2) << i;
  }
  const Buffer<float> dy(w.out_size(), 1.0f);
  Buffer<float> dx(w.in_size());
  max_pool_gradient(w, input.data(), dy.data(), dx.data());
  EXPECT_EQ(dx[4 * 5 + 2], 4.0f);
}

TEST(Pool, IntegersKeepAllBits) {
  const Window w = square(9, 6);
  const Buffer<std::int32_t> input(random_ints(w.in_size(), 3));
  Buffer<std::int32_t> output(w.out_size());
  std::vector<std::int32_t> expected(
      static_cast<std::size_t>(w.out_size()),
      std::numeric_limits<std::int32_t>::min());
  reference::for_each_tap(w, [&](Index out, Index in, Index) {
    for (Index c = 0; c < 6; ++c) {
      auto& best = expected[static_cast<std::size_t>(out * 6 + c)];
      best = std::max(best, input[in * 6 + c]);
    }
  });
  max_pool(w, input.data(), output.data());
  for (Index i = 0; i < output.size(); ++i) {
    ASSERT_EQ(output[i], expected[static_cast<std::size_t>(i)]);
  }
}

}  // namespace
}  // namespace tidemark::kernels
