#include "core/kernels/softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/core/support/buffer.h"

namespace tidemark::kernels {
namespace {

using testing::Buffer;
using testing::random_floats;

void check(Index rows, Index columns, float scale) {
  SCOPED_TRACE(::testing::Message() << rows << "x" << columns);
  Buffer<float> in(random_floats(rows * columns, 1));
  for (Index i = 0; i < in.size(); ++i) in[i] = in[i] * scale + 1000.0f;
  Buffer<float> out(in.size(), 9.0f), log_out(in.size(), 9.0f);
  softmax(rows, columns, in.data(), out.data());
  log_softmax(rows, columns, in.data(), log_out.data());
  for (Index r = 0; r < rows; ++r) {
    double sum = 0;
    for (Index c = 0; c < columns; ++c) {
      sum += std::exp(double{in[r * columns + c]} - 1000.0);
    }
    for (Index c = 0; c < columns; ++c) {
      const Index i = r * columns + c;
      const double x = double{in[i]} - 1000.0;
      ASSERT_NEAR(out[i], std::exp(x) / sum, 1e-6 * std::exp(x) / sum + 1e-37);
      ASSERT_NEAR(log_out[i], x - std::log(sum), 1e-5 * (1 + scale / 10));
    }
  }
}

TEST(Softmax, AgreesWithTheReferenceOverOddSizes) {
  for (Index columns = 0; columns <= 67; ++columns) check(3, columns, 5.0f);
  check(0, 5, 1.0f);
  check(2, 1000, 40.0f);
}

TEST(Softmax, WorksInPlace) {
  Buffer<float> values(std::vector<float>{0, 0, 0, 0, 0, 0});
  softmax(2, 3, values.data(), values.data());
  for (Index i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(values[i], 1.0f / 3.0f);
}

TEST(Softmax, KeepsNanToItsRow) {
  Buffer<float> in(3 * 7, 1.0f), out(3 * 7);
  in[7 + 6] = std::numeric_limits<float>::quiet_NaN();
  softmax(3, 7, in.data(), out.data());
  for (Index i = 0; i < 21; ++i) {
    EXPECT_EQ(std::isnan(out[i]), i / 7 == 1) << i;
  }
  log_softmax(3, 7, in.data(), out.data());
  for (Index i = 0; i < 21; ++i) {
    EXPECT_EQ(std::isnan(out[i]), i / 7 == 1) << i;
  }
}

TEST(Softmax, TakesMinusInfinityAsImpossible) {
  const float low = -std::numeric_limits<float>::infinity();
  const Buffer<float> in(std::vector<float>{low, 2, 2, low, low});
  Buffer<float> out(5);
  softmax(1, 5, in.data(), out.data());
  EXPECT_EQ(out[0], 0.0f);
  EXPECT_FLOAT_EQ(out[1], 0.5f);
  EXPECT_EQ(out[4], 0.0f);
}

}  // namespace
}  // namespace tidemark::kernels
