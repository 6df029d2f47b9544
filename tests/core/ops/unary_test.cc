// Elementwise functions of one tensor against the C library in double.
#include "core/ops/unary.h"

#include <limits>

#include "core/ops/shape_ops.h"
#include "tests/core/support/check.h"

namespace tidemark::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct Row {
  const char* name;
  Tensor (*f)(Tensor);
  double (*want)(double);
  double low = -3, high = 3;
  bool nan = true;  ///< NaN gives NaN
};

double clip(double x) { return std::min(std::max(x, -1.0), 2.0); }
double selu(double x) {
  constexpr double kScale = 1.0507009873554805, kAlpha = 1.6732632423543772;
  return kScale * (x > 0 ? x : kAlpha * std::expm1(x));
}

const Row kRows[] = {
    {"abs", ops::abs, std::fabs},
    {"acos", ops::acos, std::acos, -0.95, 0.95},
    {"acosh", ops::acosh, std::acosh, 1.1, 9},
    {"asin", ops::asin, std::asin, -0.95, 0.95},
    {"asinh", ops::asinh, std::asinh},
    {"atan", ops::atan, std::atan},
    {"atanh", ops::atanh, std::atanh, -0.9, 0.9},
    {"ceil", ops::ceil, std::ceil},
    {"clipByValue", [](Tensor x) { return ops::clip_by_value(x, -1, 2); },
     clip},
    {"cos", ops::cos, std::cos},
    {"cosh", ops::cosh, std::cosh},
    {"elu", ops::elu, [](double x) { return x > 0 ? x : std::expm1(x); }},
    {"erf", ops::erf, std::erf},
    {"exp", ops::exp, std::exp},
    {"expm1", ops::expm1, std::expm1},
    {"floor", ops::floor, std::floor},
    {"isFinite", ops::is_finite, [](double) { return 1.0; }, -3, 3, false},
    {"isInf", ops::is_inf, [](double) { return 0.0; }, -3, 3, false},
    {"isNaN", ops::is_nan, [](double) { return 0.0; }, -3, 3, false},
    {"leakyRelu", [](Tensor x) { return ops::leaky_relu(x, 0.2); },
     [](double x) { return x < 0 ? 0.2 * x : x; }},
    {"log", ops::log, std::log, 0.1, 9},
    {"log1p", ops::log1p, std::log1p, -0.9, 9},
    {"logSigmoid", ops::log_sigmoid,
     [](double x) { return -std::log1p(std::exp(-x)); }},
    {"neg", ops::neg, [](double x) { return -x; }},
    {"reciprocal", ops::reciprocal, [](double x) { return 1 / x; }, 0.3, 3},
    {"relu", ops::relu, [](double x) { return std::max(x, 0.0); }},
    {"relu6", ops::relu6,
     [](double x) { return std::min(std::max(x, 0.0), 6.0); }, -3, 9},
    {"round", ops::round, std::nearbyint},
    {"rsqrt", ops::rsqrt, [](double x) { return 1 / std::sqrt(x); }, 0.3, 9},
    {"selu", ops::selu, selu},
    {"sigmoid", ops::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"sign", ops::sign, [](double x) { return x > 0 ? 1.0 : -1.0; }, -3, 3,
     false},
    {"sin", ops::sin, std::sin},
    {"sinh", ops::sinh, std::sinh},
    {"softplus", ops::softplus,
     [](double x) { return std::log1p(std::exp(x)); }},
    {"sqrt", ops::sqrt, std::sqrt, 0.3, 9},
    {"square", ops::square, [](double x) { return x * x; }},
    {"step", [](Tensor x) { return ops::step(x, 0.25); },
     [](double x) { return x > 0 ? 1.0 : 0.25; }},
    {"tan", ops::tan, std::tan, -1.2, 1.2},
    {"tanh", ops::tanh, std::tanh},
};

class Unary : public ::testing::TestWithParam<Row> {
 protected:
  NoLeak no_leak_;
};

TEST_P(Unary, ValuesAtEverySize) {
  const Row& row = GetParam();
  for (int n : {0, 1, 2, 3, 4, 5, 7, 15, 16, 17, 31, 33, 64, 67}) {
    Tensor x = ramp({n}, row.low, row.high);
    std::vector<double> want;
    for (double v : values(x)) want.push_back(row.want(v));
    expect_close(row.f(x), want, 2e-6);
  }
}

TEST_P(Unary, NanInEveryLane) {
  const Row& row = GetParam();
  for (int at = 0; at < 5; ++at) {
    Tensor x = ramp({5}, row.low, row.high);
    x.mutable_data<float>()[at] = kNan;
    std::vector<double> y = values(row.f(x));
    EXPECT_EQ(std::isnan(y[at]), row.nan) << row.name << at;
  }
}

// Points stay away from the jumps of the rounding functions.
TEST_P(Unary, Derivatives) {
  const Row& row = GetParam();
  Tensor x = ramp({7}, row.low, row.high);
  auto f = [&](const Tensors& xs) { return row.f(xs[0]); };
  expect_derivative(f, {x}, 2e-3, 3e-2);
  if (row.f(x).dtype() == DType::float32) {
    expect_second_derivative(f, x, 2e-3, 5e-2);
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Unary, ::testing::ValuesIn(kRows),
                         [](const auto& info) { return info.param.name; });

TEST(UnaryTest, LargeAnglesAreReducedExactly) {
  std::vector<float> large = {1e5f, 2e8f, -6e8f, 1e9f, 1e20f, 3e38f};
  Tensor x({6}, DType::float32);
  std::copy(large.begin(), large.end(), x.mutable_data<float>());
  std::vector<double> s, c, t;
  for (float v : large) {
    s.push_back(std::sin(double{v}));
    c.push_back(std::cos(double{v}));
    t.push_back(std::tan(double{v}));
  }
  expect_close(ops::sin(x), s, 1e-6);
  expect_close(ops::cos(x), c, 1e-6);
  expect_close(ops::tan(x), t, 1e-6);
}

TEST(UnaryTest, LimitsAndSignedZero) {
  Tensor x = tensor_of<float>({6}, {-kInf, kInf, -1000, 1000, 89, 0});
  expect_close(ops::tanh(x), {-1, 1, -1, 1, 1, 0}, 0);
  expect_close(ops::sigmoid(x), {0, 1, 0, 1, 1, 0.5}, 0);
  expect_close(ops::softplus(x), {0, kInf, 0, 1000, 89, std::log(2.0)}, 1e-7);
  expect_close(ops::relu6(x), {0, 6, 0, 6, 6, 0}, 0);
  expect_close(ops::is_inf(x), {1, 1, 0, 0, 0, 0}, 0);
  expect_close(ops::is_finite(x), {0, 0, 1, 1, 1, 1}, 0);
  expect_close(ops::exp(x), {0, kInf, 0, kInf, kInf, 1}, 0);
  expect_close(ops::sqrt(tensor_of<float>({3}, {-1, 0, 4})), {kNan, 0, 2}, 0);
  expect_close(ops::log(tensor_of<float>({3}, {-1, 0, 1})), {kNan, -kInf, 0},
               0);
  expect_close(ops::acosh(tensor_of<float>({2}, {0.5, 1})), {kNan, 0}, 0);
  expect_close(ops::atanh(tensor_of<float>({3}, {-1, 1, 2})),
               {-kInf, kInf, kNan}, 0);
  expect_close(ops::asinh(tensor_of<float>({3}, {-1e4f, 1e4f, -30})),
               {std::asinh(-1e4), std::asinh(1e4), std::asinh(-30.0)}, 1e-6);
}

TEST(UnaryTest, TanhNeverPassesOne) {
  Tensor x({1024}, DType::float32);
  for (int i = 0; i < 1024; ++i) x.mutable_data<float>()[i] = 8 + i / 512.f;
  for (double v : values(ops::tanh(x))) EXPECT_LE(v, 1.0);
}

TEST(UnaryTest, HalvesGoToTheEvenNumber) {
  expect_close(
      ops::round(tensor_of<float>({6}, {.5, 1.5, 2.5, -.5, -1.5, -2.5})),
      {0, 2, 2, 0, -2, -2}, 0);
}

TEST(UnaryTest, IntegersStayExact) {
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  Tensor x = tensor_of<int32_t>({5}, {33554433, -33554433, 0, 46341, kMin});
  auto expect = [](const Tensor& y, const std::vector<double>& want) {
    EXPECT_EQ(y.dtype(), DType::int32);
    expect_close(y, want, 0);
  };
  expect(ops::abs(x), {33554433, 33554433, 0, 46341, kMin});
  expect(ops::neg(x), {-33554433, 33554433, 0, -46341, kMin});
  expect(ops::relu(x), {33554433, 0, 0, 46341, 0});
  expect(ops::relu6(x), {6, 0, 0, 6, 0});
  expect(ops::round(x), {33554433, -33554433, 0, 46341, kMin});
  expect(ops::sign(x), {1, -1, 0, 1, -1});
  expect(ops::square(x), {67108865, 67108865, 0, -2147479015, 0});
  expect(ops::clip_by_value(x, -5, 40000), {40000, -5, 0, 40000, -5});
  expect(ops::step(x, 0), {1, 0, 0, 1, 0});
  // What TensorFlow.js truncates is truncated.
  expect(ops::reciprocal(tensor_of<int32_t>({2}, {1, 2})), {1, 0});
  EXPECT_EQ(ops::exp(x).dtype(), DType::float32);
  EXPECT_EQ(ops::leaky_relu(x, 0.2).dtype(), DType::float32);
}

TEST(UnaryTest, TypesThatAreRefused) {
  Tensor i = tensor_of<int32_t>({1}, {1});
  for (auto* f : {ops::ceil, ops::cos, ops::cosh, ops::elu, ops::floor,
                  ops::log, ops::rsqrt, ops::sigmoid, ops::sin, ops::sqrt,
                  ops::tan, ops::tanh, ops::logical_not}) {
    try {
      f(i);
      ADD_FAILURE() << "int32 was taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Code::dtype);
    }
  }
  EXPECT_THROW(ops::clip_by_value(i, 2, 1), Error);
}

TEST(UnaryTest, LogicalNot) {
  Tensor y = ops::logical_not(tensor_of<uint8_t>({3}, {1, 0, 1}));
  EXPECT_EQ(y.dtype(), DType::bool_);
  expect_close(y, {0, 1, 0}, 0);
}

}  // namespace
}  // namespace tidemark::testing
