#include "core/ops/normalization.h"

#include <cmath>

#include "core/ops/operators.h"
#include "core/ops/softmax.h"
#include "tests/core/support/check.h"

namespace tidemark {
namespace {

using testing::expect_close;
using testing::expect_derivative;
using testing::expect_second_derivative;
using testing::NoLeak;
using testing::ramp;
using testing::values;

std::vector<double> naive_softmax(const Tensor& x, bool logarithm) {
  std::vector<double> v = values(x), out;
  std::size_t n = x.rank() == 0 ? 1 : x.shape().back();
  for (std::size_t r = 0; r < v.size(); r += n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::exp(v[r + i]);
    for (std::size_t i = 0; i < n; ++i) {
      out.push_back(logarithm ? v[r + i] - std::log(sum)
                              : std::exp(v[r + i]) / sum);
    }
  }
  return out;
}

TEST(Softmax, AgreesWithItsFormula) {
  NoLeak no_leak;
  for (const Shape& s : {Shape{}, Shape{1}, Shape{7}, Shape{3, 5},
                         Shape{2, 3, 17}, Shape{0, 3}, Shape{3, 0}}) {
    Tensor x = ramp(s);
    expect_close(ops::softmax(x, -1), naive_softmax(x, false));
    expect_close(ops::log_softmax(x, -1), naive_softmax(x, true));
  }
  Tensor large = tensor_of<float>({2}, {1000, 0});
  expect_close(ops::softmax(large, 0), {1, 0});
  expect_close(ops::log_softmax(large, 0), {0, -1000});
  Tensor bad = tensor_of<float>({2}, {NAN, 0});
  EXPECT_TRUE(std::isnan(values(ops::softmax(bad, 0))[1]));
  EXPECT_THROW(ops::softmax(ramp({2, 3}), 0), Error);
  EXPECT_THROW(ops::log_softmax(ramp({2, 3}), 0), Error);
  EXPECT_THROW(ops::softmax(tensor_of<int32_t>({1}, {1}), 0), Error);
}

TEST(Softmax, DerivativesMatchDifferences) {
  auto f = [](const Tensors& at) { return ops::softmax(at[0], -1); };
  auto g = [](const Tensors& at) { return ops::log_softmax(at[0], -1); };
  for (const Shape& s : {Shape{}, Shape{4}, Shape{2, 3}}) {
    expect_derivative(f, {ramp(s)});
    expect_derivative(g, {ramp(s)});
    expect_second_derivative(f, ramp(s));
    expect_second_derivative(g, ramp(s));
  }
}

TEST(BatchNorm, AgreesWithItsFormulaForEveryShapeOfParameters) {
  NoLeak no_leak;
  for (const Shape& s : {Shape{5}, Shape{1, 5}, Shape{3, 5}, Shape{3, 1}}) {
    for (bool offset : {false, true}) {
      for (bool scale : {false, true}) {
        SCOPED_TRACE(::testing::Message() << text(s) << offset << scale);
        Tensors xs = {ramp({3, 5}), ramp(s), ramp(s, 0.5, 2)};
        if (offset) xs.push_back(ramp(s, 1, 2));
        if (scale) xs.push_back(ramp(s, -1, 2));
        auto f = [&](const Tensors& at) {
          std::optional<Tensor> o, g;
          if (offset) o = at[3];
          if (scale) g = at.back();
          return ops::batch_norm(at[0], at[1], at[2], o, g, 0.01);
        };
        Tensor y = (xs[0] - xs[1]) / ops::sqrt(xs[2] + 0.01);
        if (scale) y = y * xs.back();
        if (offset) y = y + xs[3];
        expect_close(f(xs), values(y));
        expect_derivative(f, xs);
      }
    }
  }
  EXPECT_THROW(ops::batch_norm(ramp({3, 5}), ramp({4}), ramp({5}),
                               std::nullopt, std::nullopt, 0.01),
               Error);
  EXPECT_EQ(ops::batch_norm(ramp({0, 5}), ramp({5}), ramp({5}), std::nullopt,
                            std::nullopt, 0.01)
                .size(),
            0u);
}

TEST(BatchNorm, HasASecondDerivative) {
  expect_second_derivative(
      [](const Tensors& at) {
        return ops::batch_norm(ramp({4, 3}), ramp({3}), at[0], std::nullopt,
                               std::nullopt, 0.01);
      },
      ramp({3}, 0.5, 2));
}

TEST(LocalResponseNormalization, AgreesWithLoops) {
  NoLeak no_leak;
  for (int channels : {1, 2, 7, 19}) {
    for (int radius : {0, 1, 5, 30}) {
      for (double beta : {0.5, 0.75, 1.0}) {
        Tensor x = ramp({2, 3, channels});
        std::vector<double> v = values(x), want;
        for (int i = 0; i < static_cast<int>(v.size()); ++i) {
          int c = i % channels;
          double sum = 0;
          for (int k = std::max(0, c - radius);
               k <= std::min(channels - 1, c + radius); ++k) {
            sum += v[i - c + k] * v[i - c + k];
          }
          want.push_back(v[i] * std::pow(0.5 + 0.25 * sum, -beta));
        }
        expect_close(
            ops::local_response_normalization(x, radius, 0.5, 0.25, beta),
            want);
      }
    }
  }
  for (double beta : {0.5, 0.75}) {
    auto f = [&](const Tensors& at) {
      return ops::local_response_normalization(at[0], 1, 1, 0.5, beta);
    };
    expect_derivative(f, {ramp({1, 2, 5})});
    expect_second_derivative(f, ramp({1, 1, 4}));
  }
  EXPECT_THROW(ops::local_response_normalization(ramp({2, 2}), 1, 1, 1, 0.5),
               Error);
}

TEST(Norm, VectorsAndMatrices) {
  using ops::Norm;
  Tensor x = tensor_of<float>({2, 3}, {1, -2, 3, -4, 5, -6});
  expect_close(ops::norm(x, Norm::euclidean, {}, false), {std::sqrt(91.0)});
  expect_close(ops::norm(x, Norm::one, {}, false), {21});
  expect_close(ops::norm(x, Norm::max, {}, false), {6});
  expect_close(ops::norm(x, Norm::min, {}, false), {1});
  expect_close(ops::norm(x, Norm::one, {1}, false), {6, 15});
  expect_close(ops::norm(x, Norm::max, {0}, false), {4, 5, 6});
  expect_close(ops::norm(x, Norm::one, {0, 1}, false), {9});
  expect_close(ops::norm(x, Norm::max, {0, 1}, false), {15});
  expect_close(ops::norm(x, Norm::min, {0, 1}, false), {6});
  expect_close(ops::norm(x, Norm::euclidean, {0, 1}, false), {std::sqrt(91.0)});
  EXPECT_EQ(ops::norm(x, Norm::min, {0, 1}, true).shape(), Shape({1, 1}));
  // No two rows, columns or elements are equally large.
  Tensor y = tensor_of<float>({3, 4}, {0.5f, -1.1f, 1.4f, -0.1f, -1.6f, 0.8f,
                                       -0.7f, 1.8f, 0.2f, -1.3f, 1.2f, -2.3f});
  for (Norm kind : {Norm::euclidean, Norm::one, Norm::max, Norm::min}) {
    for (const Ints& axes : {Ints{}, Ints{1}, Ints{0, 1}, Ints{1, 0}}) {
      expect_derivative(
          [&](const Tensors& at) {
            return ops::norm(at[0], kind, axes, false);
          },
          {y}, 1e-3);
    }
  }
}

}  // namespace
}  // namespace tidemark
