// Arithmetic, comparisons and selection with broadcasting.
#include "core/ops/binary.h"

#include <limits>

#include "core/ops/shape_ops.h"
#include "core/ops/unary.h"
#include "tests/core/support/check.h"

namespace tidemark::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();

double modulo(double a, double b) { return a - b * std::floor(a / b); }

struct Row {
  const char* name;
  Tensor (*f)(Tensor, Tensor);
  double (*want)(double, double);
  bool smooth = true;  ///< has derivatives to check
};

const Row kRows[] = {
    {"add", ops::add, [](double a, double b) { return a + b; }},
    {"sub", ops::sub, [](double a, double b) { return a - b; }},
    {"mul", ops::mul, [](double a, double b) { return a * b; }},
    {"div", ops::div, [](double a, double b) { return a / b; }},
    {"divNoNan", ops::div_no_nan, [](double a, double b) { return a / b; }},
    {"mod", ops::mod, modulo},
    {"pow", ops::pow, [](double a, double b) { return std::pow(a, b); }},
    {"maximum", ops::maximum, [](double a, double b) { return std::max(a, b); }},
    {"minimum", ops::minimum, [](double a, double b) { return std::min(a, b); }},
    {"squaredDifference", ops::squared_difference,
     [](double a, double b) { return (a - b) * (a - b); }},
    {"atan2", ops::atan2, [](double a, double b) { return std::atan2(a, b); }},
    {"prelu", ops::prelu, [](double a, double b) { return a < 0 ? a * b : a; }},
    {"equal", ops::equal, [](double a, double b) { return double(a == b); },
     false},
    {"notEqual", ops::not_equal,
     [](double a, double b) { return double(a != b); }, false},
    {"greater", ops::greater, [](double a, double b) { return double(a > b); },
     false},
    {"greaterEqual", ops::greater_equal,
     [](double a, double b) { return double(a >= b); }, false},
    {"less", ops::less, [](double a, double b) { return double(a < b); }, false},
    {"lessEqual", ops::less_equal,
     [](double a, double b) { return double(a <= b); }, false},
};

struct Shapes {
  Shape a, b;
};

const Shapes kShapes[] = {
    {{}, {}},         {{0}, {0}},           {{1}, {5}},
    {{67}, {67}},     {{67}, {}},           {{}, {67}},
    {{3, 5}, {5}},    {{3, 5}, {3, 1}},     {{3, 1}, {1, 5}},
    {{2, 3, 4}, {3, 1}}, {{2, 1, 4}, {2, 3, 1}}, {{2, 0}, {1, 1}},
    {{2, 1, 3, 1, 2, 2}, {1, 2, 1, 5, 1, 2}},
};

std::vector<double> naive(const Row& row, const Tensor& a, const Tensor& b,
                          const Shape& shape) {
  std::vector<double> x = values(ops::broadcast_to(a, shape));
  std::vector<double> y = values(ops::broadcast_to(b, shape));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = row.want(x[i], y[i]);
  return x;
}

class Binary : public ::testing::TestWithParam<Row> {
 protected:
  NoLeak no_leak_;
};

TEST_P(Binary, ValuesInEveryBroadcast) {
  const Row& row = GetParam();
  for (const Shapes& s : kShapes) {
    Tensor a = ramp(s.a, 0.5, 3), b = ramp(s.b, 0.7, 2);
    Shape shape = broadcast_shape("", s.a, s.b);
    Tensor y = row.f(a, b);
    EXPECT_EQ(y.shape(), shape);
    expect_close(y, naive(row, a, b, shape), 2e-6);
  }
}

TEST_P(Binary, Derivatives) {
  const Row& row = GetParam();
  if (!row.smooth) return;
  for (const Shapes& s : {kShapes[3], kShapes[6], kShapes[8]}) {
    Shape small = s.a.rank() == 1 ? Shape({5}) : s.a;
    Tensor a = ramp(small, 0.5, 3);
    Tensor b = ramp(s.b.rank() == 1 ? Shape({5}) : s.b, 0.7, 2);
    auto f = [&](const Tensors& xs) { return row.f(xs[0], xs[1]); };
    expect_derivative(f, {a, b}, 2e-3, 3e-2);
  }
  Tensor b = ramp({5}, 0.7, 2);
  expect_second_derivative(
      [&](const Tensors& xs) { return row.f(xs[0], b); }, ramp({5}, 0.5, 3),
      2e-3, 5e-2);
}

INSTANTIATE_TEST_SUITE_P(Ops, Binary, ::testing::ValuesIn(kRows),
                         [](const auto& info) { return info.param.name; });

TEST(BinaryTest, IntegersAreExactAndNeverTrap) {
  Tensor a = tensor_of<int32_t>({7}, {7, -7, 5, kMin, kMin, 2147483647, -1});
  Tensor b = tensor_of<int32_t>({7}, {2, 2, 0, -1, 0, 1, -2});
  auto expect = [](const Tensor& y, const std::vector<double>& want) {
    EXPECT_EQ(y.dtype(), DType::int32);
    expect_close(y, want, 0);
  };
  expect(ops::add(a, b), {9, -5, 5, 2147483647, kMin, kMin, -3});
  expect(ops::div(a, b), {3, -4, 0, kMin, 0, 2147483647, 0});
  expect(ops::div_no_nan(a, b), {3, -4, 0, kMin, 0, 2147483647, 0});
  expect(ops::floor_div(a, b), {3, -4, 0, kMin, 0, 2147483647, 0});
  expect(ops::mod(a, b), {1, 1, 0, 0, 0, 0, -1});
  expect(ops::maximum(a, b), {7, 2, 5, -1, 0, 2147483647, -1});
  expect(ops::minimum(a, b), {2, -7, 0, kMin, kMin, 1, -2});
  expect(ops::pow(tensor_of<int32_t>({6}, {3, 2, 2, -1, 0, 2}),
                  tensor_of<int32_t>({6}, {19, 31, -1, -3, 0, 40})),
         {1162261467, kMin, 0, -1, 1, 0});
  expect(ops::mul(tensor_of<int32_t>({1}, {33554433}),
                  tensor_of<int32_t>({1}, {3})), {100663299});
  expect_close(ops::equal(tensor_of<int32_t>({1}, {33554433}),
                          tensor_of<int32_t>({1}, {33554432})), {0});
}

TEST(BinaryTest, TypesMeetInTheWider) {
  Tensor f = tensor_of<float>({2}, {1.5, 2}), i = tensor_of<int32_t>({2}, {1, 2});
  Tensor b = tensor_of<uint8_t>({2}, {1, 0});
  EXPECT_EQ(ops::add(f, i).dtype(), DType::float32);
  EXPECT_EQ(ops::add(i, b).dtype(), DType::int32);
  expect_close(ops::sub(i, b), {0, 2}, 0);
  expect_close(ops::add(b, b), {2, 0}, 0);
  expect_close(ops::equal(b, i), {1, 0}, 0);
  expect_close(ops::greater_equal(b, b), {1, 1}, 0);
  EXPECT_EQ(ops::atan2(i, i).dtype(), DType::int32);
  expect_close(ops::floor_div(f, scalar(0)), {0, 0}, 0);
}

TEST(BinaryTest, NanAndInfinity) {
  Tensor a = tensor_of<float>({4}, {kNan, 2, kInf, -1});
  Tensor b = tensor_of<float>({4}, {2, kNan, 1, 0});
  expect_close(ops::maximum(a, b), {kNan, kNan, kInf, 0}, 0);
  expect_close(ops::minimum(a, b), {kNan, kNan, 1, -1}, 0);
  expect_close(ops::div(a, b), {kNan, kNan, kInf, -kInf}, 0);
  expect_close(ops::div_no_nan(a, b), {kNan, kNan, kInf, 0}, 0);
  expect_close(ops::equal(a, a), {0, 1, 1, 1}, 0);
  expect_close(ops::not_equal(a, a), {1, 0, 0, 0}, 0);
  expect_close(ops::mod(tensor_of<float>({3}, {7.5, -7.5, 5}),
                        tensor_of<float>({3}, {-2, 2, 0})), {-0.5, 0.5, kNan},
               0);
}

TEST(BinaryTest, PowAtTheCorners) {
  Tensor a = tensor_of<float>({5}, {0, -3, 2, 0, 0});
  Tensor b = tensor_of<float>({5}, {2, 2, 3, 0, 1});
  Tensors g = gradients([&] { return ops::pow(a, b); }, {a, b});
  expect_close(g[0], {0, -6, 12, 0, 1}, 1e-6);
  expect_close(g[1], {0, 0, 8 * std::log(2.0), 0, 0}, 1e-6);
  expect_close(ops::pow(tensor_of<float>({4}, {-9, -2, -2, 0}),
                        tensor_of<float>({4}, {.5, 3, -2, 0})),
               {kNan, -8, .25, 1}, 1e-6);
}

TEST(BinaryTest, LogicTakesBoolAlone) {
  Tensor a = tensor_of<uint8_t>({2, 2}, {1, 1, 0, 0});
  Tensor b = tensor_of<uint8_t>({2}, {1, 0});
  expect_close(ops::logical_and(a, b), {1, 0, 0, 0}, 0);
  expect_close(ops::logical_or(a, b), {1, 1, 1, 0}, 0);
  expect_close(ops::logical_xor(a, b), {0, 1, 1, 0}, 0);
  EXPECT_THROW(ops::logical_and(a, scalar(1)), Error);
  EXPECT_THROW(ops::logical_and(scalar(1), a), Error);
}

TEST(WhereTest, BroadcastsAndDifferentiates) {
  NoLeak no_leak;
  Tensor c = tensor_of<uint8_t>({2, 1}, {1, 0});
  Tensor a = ramp({3}), b = ramp({2, 3});
  std::vector<double> va = values(a), vb = values(b);
  expect_close(ops::where(c, a, b), {va[0], va[1], va[2], vb[3], vb[4], vb[5]},
               0);
  expect_derivative(
      [&](const Tensors& xs) { return ops::where(c, xs[0], xs[1]); }, {a, b});
  Tensor y = ops::where(c, tensor_of<int32_t>({1}, {33554433}), c);
  EXPECT_EQ(y.dtype(), DType::int32);
  expect_close(y, {33554433, 0}, 0);
  EXPECT_THROW(ops::where(a, a, a), Error);
  for (int n = 0; n < 40; ++n) {
    Tensor x = ramp({n});
    Tensor positive = ops::greater(x, scalar(0));
    std::vector<double> want = values(x);
    for (double& v : want) v = v > 0 ? v : 7;
    expect_close(ops::where(positive, x, scalar(7)), want, 0);
  }
}

TEST(AddNTest, SumsAndRefuses) {
  NoLeak no_leak;
  Tensor a = ramp({7}), b = ramp({7}, 3, 5);
  auto f = [](const Tensors& xs) { return ops::add_n({xs[0], xs[1], xs[0]}); };
  std::vector<double> want = values(a), vb = values(b);
  for (std::size_t i = 0; i < 7; ++i) want[i] = 2 * want[i] + vb[i];
  expect_close(f({a, b}), want, 1e-6);
  expect_derivative(f, {a, b});
  EXPECT_THROW(ops::add_n({}), Error);
  EXPECT_THROW(ops::add_n({a, ramp({6})}), Error);
}

TEST(BitwiseAnd, WorksOnInt32AtEverySize) {
  NoLeak no_leak;
  for (int n : {0, 1, 3, 4, 5, 67}) {
    Tensor a(Shape{n}, DType::int32), b(Shape{n}, DType::int32);
    std::vector<double> want;
    for (int i = 0; i < n; ++i) {
      a.mutable_data<int32_t>()[i] = i * 2654435 - 77;
      b.mutable_data<int32_t>()[i] = 1 << (i % 31);
      want.push_back((i * 2654435 - 77) & (1 << (i % 31)));
    }
    expect_close(ops::bitwise_and(a, b), want);
  }
  EXPECT_THROW(ops::bitwise_and(scalar(1), scalar(1)), Error);
}

}  // namespace
}  // namespace tidemark::testing
