// Decompositions against what defines them: q r = x, orthonormal q, triangular
// r; and derivatives by finite differences.

#include "core/ops/decompose.h"

#include <algorithm>
#include <string>

#include "core/ops/concat.h"
#include "core/ops/linalg.h"
#include "core/ops/operators.h"
#include "tests/core/support/moves.h"

namespace tidemark {
namespace {

using namespace testing;

// Element (i, j) of matrix b of x.
double at(const Tensor& x, int b, int i, int j) {
  int m = x.shape().back(1), n = x.shape().back(0);
  return x.data<float>()[(b * m + i) * n + j];
}

int batches(const Tensor& x) {
  return static_cast<int>(x.shape().size(0, x.rank() - 2));
}

void expect_qr(const Tensor& x, bool full) {
  SCOPED_TRACE(text(x.shape()) + (full ? " full" : ""));
  Tensors out = ops::qr(x, full);
  const Tensor& q = out[0];
  const Tensor& r = out[1];
  int m = x.shape().back(1), n = x.shape().back(0);
  int k = full ? m : std::min(m, n);
  Shape batch = x.shape().sub(0, x.rank() - 2);
  ASSERT_EQ(q.shape(), batch.joined({m, k}));
  ASSERT_EQ(r.shape(), batch.joined({k, n}));
  for (int b = 0; b < batches(x); ++b) {
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int p = 0; p < k; ++p) sum += at(q, b, i, p) * at(r, b, p, j);
        EXPECT_NEAR(sum, at(x, b, i, j), 2e-6);
      }
    }
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < k; ++j) {
        double sum = 0;
        for (int p = 0; p < m; ++p) sum += at(q, b, p, i) * at(q, b, p, j);
        EXPECT_NEAR(sum, i == j, 1e-6);
      }
      for (int j = 0; j < std::min(i, n); ++j) EXPECT_EQ(at(r, b, i, j), 0);
    }
  }
}

TEST(Qr, FactorsTallSquareAndWideMatrices) {
  NoLeak guard;
  for (int m : {1, 2, 3, 5, 8, 17}) {
    for (int n : {1, 2, 3, 5, 8, 17}) {
      expect_qr(ramp({m, n}), false);
      expect_qr(ramp({m, n}), true);
    }
  }
  expect_qr(ramp({3, 4, 2}), false);
  expect_qr(ramp({2, 1, 3, 4}), true);
}

TEST(Qr, HasTensorFlowsSigns) {
  Tensors y = ops::qr(tensor_of<float>({2, 2}, {1, 3, -2, -4}), false);
  expect_close(y[0], {-0.4472136, -0.8944272, 0.8944272, -0.4472136});
  expect_close(y[1], {-2.236068, -4.9193496, 0, -0.8944272});
  Tensors one = ops::qr(tensor_of<int32_t>({1, 1}, {10}), true);
  expect_close(one[0], {-1});
  expect_close(one[1], {-10});
}

TEST(Qr, TakesDependentColumnsZerosAndNothing) {
  expect_qr(tensor_of<float>({3, 3}, {0, 1, 2, 0, 2, 4, 0, 3, 6}), false);
  expect_qr(ops::zeros_like(ramp({3, 2})), true);
  for (Shape shape : {Shape{0, 3}, Shape{3, 0}, Shape{0, 2, 2}, Shape{0, 0}}) {
    expect_qr(Tensor(shape, DType::float32), false);
    expect_qr(Tensor(shape, DType::float32), true);
  }
  Tensors bad = ops::qr(tensor_of<float>({2, 2}, {NAN, 1, 2, 3}), false);
  for (double v : values(bad[0])) EXPECT_TRUE(std::isnan(v));
  EXPECT_EQ(code_of([] { ops::qr(ramp({3}), false); }), Code::shape);
  EXPECT_EQ(code_of([] { ops::qr(scalar(1), false); }), Code::shape);
}

// Both factors in one value, unevenly.
Function both(bool full) {
  return [full](const Tensors& t) {
    Tensors y = ops::qr(t[0], full);
    return ops::mat_mul(y[0] * y[0] + y[0], ops::sin(y[1]));
  };
}

TEST(Qr, Derivatives) {
  for (Shape shape : {Shape{1, 1}, Shape{3, 3}, Shape{4, 2}, Shape{2, 4},
                      Shape{1, 3}, Shape{3, 1}, Shape{2, 3, 2},
                      Shape{2, 2, 3}}) {
    SCOPED_TRACE(text(shape));
    expect_derivative(both(false), {ramp(shape)}, 2e-3);
    for (int i : {0, 1}) {
      expect_derivative(
          [i](const Tensors& t) { return ops::qr(t[0], false)[i]; },
          {ramp(shape)}, 2e-3);
    }
    if (shape.back(1) <= shape.back(0)) {
      expect_derivative(both(true), {ramp(shape)}, 2e-3);
    }
    expect_second_derivative(both(false), ramp(shape), 1e-3, 5e-2);
  }
}

TEST(Qr, RefusesTheGradientOfAFullTallFactor) {
  Tensor x = ramp({3, 2});
  EXPECT_EQ(code_of([&] {
              gradients([&] { return ops::sum(ops::qr(x, true)[1], {}); }, {x});
            }),
            Code::unsupported);
}

TEST(Qr, GradientOfNothingIsNothing) {
  Tensor x = Tensor(Shape{0, 3}, DType::float32);
  Tensors dx =
      gradients([&] { return ops::sum(ops::qr(x, false)[1], {}); }, {x});
  EXPECT_EQ(dx[0].shape(), x.shape());
}

TEST(BandPart, KeepsTheBand) {
  NoLeak guard;
  for (DType dtype : kDTypes) {
    for (Shape shape : {Shape{3, 4}, Shape{4, 3}, Shape{2, 3, 3}, Shape{1, 1},
                        Shape{0, 3}, Shape{2, 0}}) {
      Tensor x = numbered(shape, dtype);
      std::vector<double> in = values(x);
      int m = shape.back(1), n = shape.back(0);
      for (int lower : {-1, 0, 1, m}) {
        for (int upper : {-1, 0, 1, n}) {
          if (lower > m || upper > n) continue;
          std::vector<double> want = in;
          for (std::size_t p = 0; p < want.size(); ++p) {
            int j = static_cast<int>(p) % n, i = static_cast<int>(p) / n % m;
            if ((lower >= 0 && i - j > lower) || (upper >= 0 && j - i > upper)) {
              want[p] = 0;
            }
          }
          Tensor y = ops::band_part(x, lower, upper);
          EXPECT_EQ(y.dtype(), dtype);
          EXPECT_EQ(values(y), want) << text(shape) << lower << upper;
        }
      }
    }
  }
}

TEST(BandPart, RefusesVectorsAndLimitsBeyondTheMatrix) {
  Tensor x = ramp({2, 3});
  EXPECT_EQ(code_of([&] { ops::band_part(ramp({3}), 1, 1); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::band_part(x, 3, 0); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::band_part(x, 0, 4); }), Code::argument);
}

TEST(BandPart, Derivatives) {
  auto f = [](const Tensors& t) {
    Tensor y = ops::band_part(t[0], 0, 1);
    return y * y * y;
  };
  expect_derivative(f, {ramp({2, 3, 3})});
  expect_second_derivative(f, ramp({3, 3}));
}

TEST(GramSchmidt, MakesVectorsOrthonormal) {
  NoLeak guard;
  Tensors xs = ops::unstack(ramp({3, 5}), 0);
  Tensors ys = ops::gram_schmidt(xs);
  Tensor rows = ops::gram_schmidt({ramp({3, 5})})[0];
  ASSERT_EQ(ys.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(values(ops::dot(ys[i], ys[j]))[0], i == j, 1e-5);
    }
    expect_close(ops::unstack(rows, 0)[i], values(ys[i]), 0);
    // The i-th vector is made of the first i + 1.
    for (int j = i + 1; j < 3; ++j) {
      EXPECT_NEAR(values(ops::dot(xs[i], ys[j]))[0], 0, 1e-5);
    }
  }
  expect_derivative(
      [](const Tensors& t) { return ops::gram_schmidt({t[0]})[0]; },
      {ramp({2, 3})}, 2e-3);
}

TEST(GramSchmidt, RefusesWhatHasNoAnswer) {
  EXPECT_EQ(code_of([] { ops::gram_schmidt({}); }), Code::argument);
  EXPECT_EQ(code_of([] { ops::gram_schmidt({ramp({3, 2})}); }), Code::shape);
  EXPECT_EQ(code_of([] { ops::gram_schmidt({ramp({2}), ramp({3})}); }),
            Code::shape);
  EXPECT_EQ(code_of([] { ops::gram_schmidt({scalar(1)}); }), Code::shape);
}

}  // namespace
}  // namespace tidemark
