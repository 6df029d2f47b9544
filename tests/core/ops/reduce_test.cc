// Reductions against loops over every element, for each kind of axis set; and
// their derivatives by finite differences.

#include "core/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/scan.h"
#include "core/ops/unary.h"
#include "tests/core/support/check.h"

namespace tidemark {
namespace {

using testing::expect_close;
using testing::expect_derivative;
using testing::expect_second_derivative;
using testing::NoLeak;
using testing::ramp;
using testing::values;

using Op = Tensor (*)(Tensor, Ints, bool);
using Naive = double (*)(const std::vector<double>&);

double naive_sum(const std::vector<double>& v) {
  double s = 0;
  for (double x : v) s += x;
  return s;
}
double naive_mean(const std::vector<double>& v) {
  return naive_sum(v) / static_cast<double>(v.size());
}
double naive_prod(const std::vector<double>& v) {
  double p = 1;
  for (double x : v) p *= x;
  return p;
}
double naive_max(const std::vector<double>& v) {
  double m = -INFINITY;
  for (double x : v) m = std::max(m, x);
  return m;
}
double naive_min(const std::vector<double>& v) {
  double m = INFINITY;
  for (double x : v) m = std::min(m, x);
  return m;
}
double naive_log_sum_exp(const std::vector<double>& v) {
  double s = 0;
  for (double x : v) s += std::exp(x);
  return std::log(s);
}

struct Case {
  const char* name;
  Op op;
  Naive naive;
};
const Case kCases[] = {
    {"sum", ops::sum, naive_sum},    {"mean", ops::mean, naive_mean},
    {"prod", ops::prod, naive_prod}, {"max", ops::max, naive_max},
    {"min", ops::min, naive_min},
    {"logSumExp", ops::log_sum_exp, naive_log_sum_exp},
};

// The elements that land in each output element, in row-major order.
std::vector<std::vector<double>> groups(const Tensor& x, const Ints& axes) {
  std::vector<double> v = values(x);
  std::vector<bool> reduced(x.rank(), axes.empty());
  for (int a : axes) reduced[a < 0 ? a + x.rank() : a] = true;
  std::size_t count = 1;
  for (int d = 0; d < x.rank(); ++d) count *= reduced[d] ? 1 : x.shape()[d];
  std::vector<std::vector<double>> out(count);
  for (std::size_t i = 0; i < v.size(); ++i) {
    std::size_t rest = i, place = 0, step = 1;
    for (int d = x.rank() - 1; d >= 0; --d) {
      std::size_t at = rest % x.shape()[d];
      rest /= x.shape()[d];
      if (!reduced[d]) {
        place += at * step;
        step *= x.shape()[d];
      }
    }
    out[place].push_back(v[i]);
  }
  return out;
}

TEST(Reduce, AgreesWithALoopForEveryKindOfAxes) {
  NoLeak no_leak;
  struct {
    Shape shape;
    Ints axes;
  } sets[] = {
      {{}, {}},           {{1}, {0}},          {{67}, {}},
      {{5, 7}, {0}},      {{5, 7}, {1}},       {{5, 7}, {-1, 0}},
      {{3, 4, 5}, {1}},   {{3, 4, 5}, {0, 2}}, {{3, 1, 5}, {0, 2}},
      {{2, 3, 4, 5}, {0, 2}}, {{2, 3, 4, 5}, {1, 3}}, {{2, 3, 4, 5}, {1, 2}},
      {{0, 3}, {1}},      {{2, 2, 3, 2, 2, 3}, {1, 3, 5}},
  };
  for (const Case& c : kCases) {
    for (const auto& s : sets) {
      SCOPED_TRACE(::testing::Message()
                   << c.name << text(s.shape) << " over " << text(s.axes));
      Tensor x = ramp(s.shape);
      std::vector<double> want;
      for (const auto& g : groups(x, s.axes)) want.push_back(c.naive(g));
      Tensor y = c.op(x, s.axes, false);
      EXPECT_EQ(y.dtype(), DType::float32);
      expect_close(y, want);
      Tensor kept = c.op(x, s.axes, true);
      EXPECT_EQ(kept.rank(), x.rank());
      expect_close(kept, want);
    }
  }
}

TEST(Reduce, DerivativesMatchDifferences) {
  for (const Case& c : kCases) {
    for (const Ints& axes : {Ints{}, Ints{0}, Ints{1}, Ints{0, 2}}) {
      SCOPED_TRACE(::testing::Message() << c.name << text(axes));
      expect_derivative(
          [&](const Tensors& at) { return c.op(at[0], axes, false); },
          {ramp({2, 3, 2})});
    }
    SCOPED_TRACE(c.name);
    expect_second_derivative(
        [&](const Tensors& at) {
          return ops::square(c.op(at[0], {1}, true));
        },
        ramp({2, 3}, 0.5, 1.5));
  }
  expect_derivative(
      [](const Tensors& at) { return ops::moments(at[0], {0}, false)[1]; },
      {ramp({4, 3})});
}

TEST(Reduce, ProductHasADerivativeWhereElementsAreZero) {
  for (int zeros : {1, 2}) {
    Tensor x = ramp({2, 4});
    for (int i = 0; i < zeros; ++i) x.mutable_data<float>()[i * 2] = 0;
    auto f = [](const Tensors& at) { return ops::prod(at[0], {1}, false); };
    expect_derivative(f, {x});
    expect_second_derivative(f, x);
  }
}

TEST(Reduce, LargestGetsTheWholeGradientEvenWhenTied) {
  Tensor x = tensor_of<float>({4}, {1, 3, 3, 2});
  Tensor d = gradients([&] { return ops::max(x, {}); }, {x})[0];
  expect_close(d, {0, 1, 1, 0});
}

TEST(Reduce, IntsAreExactAndBoolsCount) {
  Tensor big = tensor_of<int32_t>({3}, {16777217, 1, 2147483647});
  EXPECT_EQ(values(ops::sum(big, {}))[0], 16777217.0 + 1 - 2147483649.0);
  Tensor y = ops::sum(tensor_of<int32_t>({2}, {16777217, 2}), {});
  EXPECT_EQ(y.dtype(), DType::int32);
  expect_close(y, {16777219}, 0);
  Tensor bools = tensor_of<uint8_t>({2, 2}, {1, 1, 0, 1});
  EXPECT_EQ(ops::sum(bools, {}).dtype(), DType::int32);
  expect_close(ops::sum(bools, {}), {3});
  expect_close(ops::mean(bools, {0}), {0.5, 1});
  expect_close(ops::prod(bools, {1}), {1, 0});
  EXPECT_EQ(ops::max(bools, {}).dtype(), DType::bool_);
  expect_close(ops::min(bools, {1}), {1, 0});
  expect_close(ops::any(bools, {1}), {1, 1});
  expect_close(ops::all(bools, {0}), {0, 1});
  EXPECT_EQ(ops::mean(big, {}).dtype(), DType::float32);
  EXPECT_THROW(ops::any(big, {}, false), Error);
}

TEST(Reduce, SumOfAMillionIsExact) {
  Tensor ones({1000, 1000}, DType::float32);
  std::fill_n(ones.mutable_data<float>(), ones.size(), 1.f);
  expect_close(ops::sum(ones, {}), {1e6}, 0);
  std::fill_n(ones.mutable_data<float>(), ones.size(), 0.1f);
  expect_close(ops::sum(ones, {}), {1e6 * 0.1f}, 1e-6);
}

TEST(Reduce, NanAndNothing) {
  Tensor x = tensor_of<float>({2, 2}, {1, NAN, 3, 4});
  for (const Case& c : kCases) {
    EXPECT_TRUE(std::isnan(values(c.op(x, {1}, false))[0])) << c.name;
    EXPECT_FALSE(std::isnan(values(c.op(x, {1}, false))[1])) << c.name;
  }
  Tensor none({2, 0}, DType::float32);
  expect_close(ops::sum(none, {1}), {0, 0});
  expect_close(ops::prod(none, {1}), {1, 1});
  expect_close(ops::max(none, {1}), {-INFINITY, -INFINITY});
  expect_close(ops::log_sum_exp(none, {1}), {-INFINITY, -INFINITY});
  EXPECT_TRUE(std::isnan(values(ops::mean(none, {}))[0]));
  EXPECT_EQ(ops::sum(Tensor({0, 3}, DType::float32), {1}).size(), 0u);
}

TEST(Reduce, LogSumExpDoesNotOverflow) {
  expect_close(ops::log_sum_exp(tensor_of<float>({2}, {1000, 1000}), {}),
               {1000 + std::log(2.0)});
  expect_close(ops::log_sum_exp(tensor_of<float>({2}, {-INFINITY, -INFINITY}),
                                {}),
               {-INFINITY});
  expect_close(ops::log_sum_exp(tensor_of<float>({2}, {INFINITY, 0}), {}),
               {INFINITY});
}

TEST(Reduce, IndexOfTheLargest) {
  Tensor x = tensor_of<float>({2, 3}, {1, 3, 3, -1, -5, -5});
  Tensor y = ops::arg_max(x, 1);
  EXPECT_EQ(y.dtype(), DType::int32);
  EXPECT_EQ(y.shape(), Shape({2}));
  expect_close(y, {1, 0});
  expect_close(ops::arg_min(x, -1), {0, 1});
  expect_close(ops::arg_max(x, 0), {0, 0, 0});
  expect_close(ops::arg_max(tensor_of<uint8_t>({3}, {0, 1, 1}), 0), {1});
  expect_close(gradients([&] { return ops::arg_max(x, 1); }, {x},
                         tensor_of<float>({2}, {1, 1}))[0],
               {0, 0, 0, 0, 0, 0});
  EXPECT_THROW(ops::arg_max(x, 2), Error);
}

TEST(Scan, SumsAndProducts) {
  Tensor x = tensor_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  expect_close(ops::cumsum(x, 1, false, false), {1, 3, 6, 4, 9, 15});
  expect_close(ops::cumsum(x, 0, false, false), {1, 2, 3, 5, 7, 9});
  expect_close(ops::cumsum(x, -1, true, false), {0, 1, 3, 0, 4, 9});
  expect_close(ops::cumsum(x, 1, false, true), {6, 5, 3, 15, 11, 6});
  expect_close(ops::cumsum(x, 1, true, true), {5, 3, 0, 11, 6, 0});
  expect_close(ops::cumprod(x, 1, false, false), {1, 2, 6, 4, 20, 120});
  expect_close(ops::cumprod(x, 1, true, true), {6, 3, 1, 30, 6, 1});
  expect_close(ops::cumsum(tensor_of<int32_t>({2}, {2147483647, 1}), 0, false,
                           false),
               {2147483647, -2147483648.0}, 0);
  expect_close(ops::cumsum(tensor_of<float>({}, {5}), 0, false, false), {5});
  EXPECT_EQ(ops::cumsum(Tensor({0}, DType::float32), 0, false, false).size(),
            0u);
  EXPECT_THROW(ops::cumsum(x, 2, false, false), Error);
}

TEST(Scan, DerivativesMatchDifferences) {
  Tensor x = ramp({2, 4, 3});
  x.mutable_data<float>()[4] = 0;
  for (bool exclusive : {false, true}) {
    for (bool reverse : {false, true}) {
      expect_derivative(
          [&](const Tensors& at) {
            return ops::cumsum(at[0], 1, exclusive, reverse);
          },
          {x});
      expect_derivative(
          [&](const Tensors& at) {
            return ops::cumprod(at[0], 1, exclusive, reverse);
          },
          {x});
    }
  }
}

}  // namespace
}  // namespace tidemark
