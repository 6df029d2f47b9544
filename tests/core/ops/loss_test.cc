// Each loss against its formula in double, for every reduction and for
// weights of every shape that broadcasts.

#include "core/ops/loss.h"

#include <cmath>

#include "core/ops/metrics.h"
#include "core/ops/reduce.h"
#include "tests/core/support/check.h"

namespace tidemark {
namespace {

using ops::LossReduction;
using ops::Weights;
using testing::expect_close;
using testing::expect_derivative;
using testing::expect_second_derivative;
using testing::NoLeak;
using testing::ramp;
using testing::values;

struct Case {
  const char* name;
  std::function<Tensor(Tensor labels, Tensor x, Weights, LossReduction)> op;
  std::function<double(double label, double x)> formula;
};

const Case kCases[] = {
    {"absoluteDifference", ops::absolute_difference,
     [](double z, double x) { return std::fabs(z - x); }},
    {"meanSquaredError", ops::mean_squared_error,
     [](double z, double x) { return (z - x) * (z - x); }},
    {"hingeLoss", ops::hinge_loss,
     [](double z, double x) { return std::max(0.0, 1 - (2 * z - 1) * x); }},
    {"huberLoss",
     [](Tensor z, Tensor x, Weights w, LossReduction r) {
       return ops::huber_loss(z, x, w, 0.3, r);
     },
     [](double z, double x) {
       double e = std::fabs(z - x);
       return e <= 0.3 ? e * e / 2 : 0.3 * (e - 0.15);
     }},
    {"logLoss",
     [](Tensor z, Tensor x, Weights w, LossReduction r) {
       return ops::log_loss(z, x, w, 0.01, r);
     },
     [](double z, double x) {
       return -z * std::log(x + 0.01) - (1 - z) * std::log(1 - x + 0.01);
     }},
    {"sigmoidCrossEntropy",
     [](Tensor z, Tensor x, Weights w, LossReduction r) {
       return ops::sigmoid_cross_entropy(z, x, w, 0.1, r);
     },
     [](double z, double x) {
       z = 0.9 * z + 0.05;
       double s = 1 / (1 + std::exp(-x));
       return -z * std::log(s) - (1 - z) * std::log(1 - s);
     }},
};

TEST(Loss, EachFollowsItsFormula) {
  NoLeak no_leak;
  Tensor labels = tensor_of<float>({2, 3}, {0, 1, 1, 0, 1, 0});
  Tensor x = ramp({2, 3}, 0.05, 0.95);
  std::vector<double> z = values(labels), v = values(x);
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    std::vector<double> losses;
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
      losses.push_back(c.formula(z[i], v[i]));
      sum += losses.back();
    }
    auto loss = [&](LossReduction r) {
      return c.op(labels, x, std::nullopt, r);
    };
    expect_close(loss(LossReduction::none), losses);
    expect_close(loss(LossReduction::sum), {sum});
    expect_close(loss(LossReduction::mean), {sum / 6});
    expect_close(loss(LossReduction::sum_by_nonzero_weights), {sum / 6});
    expect_derivative(
        [&](const Tensors& at) {
          return c.op(labels, at[0], std::nullopt, LossReduction::none);
        },
        {x}, 1e-3);
    EXPECT_THROW(c.op(labels, ramp({3, 2}), std::nullopt, LossReduction::sum),
                 Error);
  }
}

TEST(Loss, Weights) {
  Tensor losses = tensor_of<float>({2, 2}, {1, 2, 3, 4});
  auto loss = [&](Tensor w, LossReduction r) {
    return ops::compute_weighted_loss(losses, w, r);
  };
  Tensor full = tensor_of<float>({2, 2}, {0, 1, 0, 2});
  Tensor row = tensor_of<float>({1, 2}, {0, 3});
  expect_close(loss(full, LossReduction::none), {0, 2, 0, 8});
  expect_close(loss(full, LossReduction::sum), {10});
  expect_close(loss(full, LossReduction::mean), {10.0 / 3});
  expect_close(loss(full, LossReduction::sum_by_nonzero_weights), {5});
  expect_close(loss(row, LossReduction::sum), {18});
  expect_close(loss(row, LossReduction::mean), {18.0 / 3 / 2});
  expect_close(loss(row, LossReduction::sum_by_nonzero_weights), {9});
  // Weights may also be larger than the losses.
  Tensor rows = tensor_of<float>({2}, {1, 2});
  expect_close(ops::compute_weighted_loss(
                   rows, tensor_of<float>({2, 1}, {0, 3}),
                   LossReduction::sum_by_nonzero_weights),
               {4.5});
  expect_derivative(
      [&](const Tensors& at) {
        return ops::compute_weighted_loss(at[0], at[1],
                                          LossReduction::mean);
      },
      {losses, tensor_of<float>({1, 2}, {1, 3})});
}

TEST(Loss, CosineDistance) {
  Tensor a = ramp({2, 3}), b = ramp({2, 3}, -1, 3);
  std::vector<double> va = values(a), vb = values(b), want;
  for (int r = 0; r < 2; ++r) {
    double dot = 0;
    for (int c = 0; c < 3; ++c) dot += va[r * 3 + c] * vb[r * 3 + c];
    want.push_back(1 - dot);
  }
  expect_close(
      ops::cosine_distance(a, b, 1, std::nullopt, LossReduction::none), want);
}

TEST(Loss, SoftmaxCrossEntropy) {
  Tensor labels = tensor_of<float>({2, 3}, {0, 1, 0, 0.5f, 0.25f, 0.25f});
  Tensor logits = ramp({2, 3});
  std::vector<double> z = values(labels), x = values(logits), want;
  for (int r = 0; r < 2; ++r) {
    double sum = 0, loss = 0;
    for (int c = 0; c < 3; ++c) sum += std::exp(x[r * 3 + c]);
    for (int c = 0; c < 3; ++c) {
      double smooth = 0.9 * z[r * 3 + c] + 0.1 / 3;
      loss -= smooth * (x[r * 3 + c] - std::log(sum));
    }
    want.push_back(loss);
  }
  auto f = [&](const Tensors& at) {
    return ops::softmax_cross_entropy(at[0], at[1], std::nullopt, 0.1,
                                      LossReduction::none);
  };
  expect_close(f({labels, logits}), want);
  // Labels need not sum to 1 for the derivative to be right.
  expect_derivative(f, {ramp({2, 3}), logits});
  expect_second_derivative(
      [&](const Tensors& at) { return f({labels, at[0]}); }, logits);
  expect_close(ops::softmax_cross_entropy(
                   tensor_of<float>({1, 2}, {1, 0}),
                   tensor_of<float>({1, 2}, {1e4, -1e4}), std::nullopt, 0,
                   LossReduction::none),
               {0});
}

TEST(Loss, SigmoidCrossEntropyDoesNotOverflow) {
  expect_close(ops::sigmoid_cross_entropy(
                   tensor_of<float>({3}, {1, 0, 1}),
                   tensor_of<float>({3}, {1e4, -1e4, -1e4}), std::nullopt, 0,
                   LossReduction::none),
               {0, 0, 1e4});
}

TEST(Metrics, InTopK) {
  Tensor x = tensor_of<float>({3, 4}, {1, 2, 2, 1, 5, NAN, 7, 6, 0, 1, 2, 3});
  auto hits = [&](std::initializer_list<int32_t> targets, int k) {
    return ops::in_top_k(x, tensor_of<int32_t>({3}, targets), k);
  };
  EXPECT_EQ(hits({1, 2, 3}, 1).dtype(), DType::bool_);
  expect_close(hits({1, 2, 3}, 1), {1, 1, 1});
  expect_close(hits({2, 1, 0}, 1), {0, 0, 0});
  expect_close(hits({2, 3, 4}, 2), {1, 1, 0});
  EXPECT_THROW(hits({0, 0, 0}, 5), Error);
  EXPECT_THROW(ops::in_top_k(x, ramp({2}), 1), Error);
}

}  // namespace
}  // namespace tidemark
