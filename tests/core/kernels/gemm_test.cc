#include "core/kernels/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/core/support/buffer.h"
#include "tests/core/support/reference.h"

namespace tidemark::kernels {
namespace {

using testing::Buffer;
using testing::random_floats;
using testing::random_ints;

float activated(float x, Activation activation, float alpha) {
  switch (activation) {
    case Activation::kLinear:
      return x;
    case Activation::kRelu:
      return x < 0 ? 0 : x;
    case Activation::kRelu6:
      return x < 0 ? 0 : x > 6 ? 6 : x;
    case Activation::kElu:
      return x < 0 ? std::expm1(x) : x;
    case Activation::kLeakyRelu:
      return x < 0 ? alpha * x : x;
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-x));
  }
  return x;
}

void check(bool trans_a, bool trans_b, Index m, Index n, Index k, Index slack,
           bool with_bias = false,
           Activation activation = Activation::kLinear) {
  SCOPED_TRACE(::testing::Message()
               << m << "x" << n << "x" << k << " trans " << trans_a << trans_b
               << " slack " << slack);
  const Index lda = (trans_a ? m : k) + slack;
  const Index ldb = (trans_b ? k : n) + slack;
  const Index ldc = n + slack;
  const Buffer<float> a(random_floats((trans_a ? k : m) * lda, 1));
  const Buffer<float> b(random_floats((trans_b ? n : k) * ldb, 2));
  const Buffer<float> bias(random_floats(n, 3));
  Buffer<float> c(m * ldc, 77.0f);
  Epilogue epilogue;
  if (with_bias) epilogue.bias = bias.data();
  epilogue.activation = activation;
  gemm(trans_a, trans_b, m, n, k, a.data(), lda, b.data(), ldb, c.data(), ldc,
       epilogue);
  const auto expected = reference::matmul<float, double>(
      trans_a, trans_b, m, n, k, a.data(), lda, b.data(), ldb);
  const float tolerance = 2e-6f * static_cast<float>(std::sqrt(k) + 1);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < ldc; ++j) {
      const float got = c[i * ldc + j];
      if (j >= n) {
        ASSERT_EQ(got, 77.0f) << "wrote past row " << i;
        continue;
      }
      const float sum = expected[static_cast<std::size_t>(i * n + j)] +
                        (with_bias ? bias[j] : 0.0f);
      ASSERT_NEAR(got, activated(sum, activation, epilogue.alpha), tolerance)
          << "at " << i << ", " << j;
    }
  }
}

TEST(Gemm, AgreesWithTheReferenceOverOddSizes) {
  for (Index size = 1; size <= 67; size += size < 20 ? 1 : 5) {
    for (int trans = 0; trans < 4; ++trans) {
      check(trans & 1, trans & 2, size, size, size, 0);
      check(trans & 1, trans & 2, size, 67 - size + 1, 13, 3);
      check(trans & 1, trans & 2, 7, size, 67 - size + 1, 1);
    }
  }
}

TEST(Gemm, MultipliesVectors) {
  for (int trans = 0; trans < 4; ++trans) {
    for (Index size : {1, 2, 7, 33, 300}) {
      check(trans & 1, trans & 2, 1, size, 50, 0, true);
      check(trans & 1, trans & 2, size, 1, 50, 2, true, Activation::kRelu);
      check(trans & 1, trans & 2, 1, 100, size, 1, true, Activation::kElu);
    }
  }
}

TEST(Gemm, SplitsDeepAndWideProducts) {
  check(false, false, 33, 20, 700, 0, true, Activation::kSigmoid);
  check(true, true, 13, 17, 1025, 0, true, Activation::kRelu);
  check(false, false, 12, 1030, 40, 0, true, Activation::kRelu6);
  check(false, true, 130, 40, 385, 0);
}

TEST(Gemm, AppliesEveryActivation) {
  for (Activation activation :
       {Activation::kLinear, Activation::kRelu, Activation::kRelu6,
        Activation::kElu, Activation::kLeakyRelu, Activation::kSigmoid}) {
    check(false, false, 3, 3, 2, 0, true, activation);
    check(false, false, 23, 19, 31, 0, true, activation);
    check(false, false, 1, 19, 31, 0, true, activation);
  }
}

TEST(Gemm, HandlesEmptyDimensions) {
  check(false, false, 0, 4, 3, 0);
  check(false, false, 4, 0, 3, 0);
  check(false, false, 40, 30, 0, 0, true);
  check(false, false, 1, 30, 0, 0);
}

TEST(Gemm, PropagatesNanThroughRelu) {
  Buffer<float> a(40 * 40, 1.0f);
  a[3 * 40 + 5] = std::numeric_limits<float>::quiet_NaN();
  const Buffer<float> b(40 * 40, 1.0f);
  Buffer<float> c(40 * 40);
  Epilogue epilogue;
  epilogue.activation = Activation::kRelu6;
  gemm(false, false, 40, 40, 40, a.data(), 40, b.data(), 40, c.data(), 40,
       epilogue);
  for (Index j = 0; j < 40; ++j) {
    EXPECT_TRUE(std::isnan(c[3 * 40 + j]));
    EXPECT_EQ(c[4 * 40 + j], 6.0f);
  }
}

TEST(Gemm, IntegersAreExactAndWrap) {
  for (int trans = 0; trans < 4; ++trans) {
    const bool ta = trans & 1, tb = trans & 2;
    for (Index size = 0; size <= 35; ++size) {
      const Index m = size, n = 36 - size, k = 9;
      const Buffer<std::int32_t> a(random_ints(m * k, 5));
      const Buffer<std::int32_t> b(random_ints(n * k, 6));
      Buffer<std::int32_t> c(m * n, 1);
      const Index lda = ta ? m : k, ldb = tb ? k : n;
      gemm(ta, tb, m, n, k, a.data(), lda, b.data(), ldb, c.data(), n);
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < n; ++j) {
          std::uint32_t sum = 0;
          for (Index p = 0; p < k; ++p) {
            const Index x = ta ? p * lda + i : i * lda + p;
            const Index y = tb ? j * ldb + p : p * ldb + j;
            sum += static_cast<std::uint32_t>(a[x]) *
                   static_cast<std::uint32_t>(b[y]);
          }
          ASSERT_EQ(c[i * n + j], static_cast<std::int32_t>(sum));
        }
      }
    }
  }
}

}  // namespace
}  // namespace tidemark::kernels
