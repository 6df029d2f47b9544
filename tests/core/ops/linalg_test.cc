// Matrix products against three nested loops, for every transposition, batch
// broadcast, and size around the kernels' tiles.

#include "core/ops/linalg.h"

#include <cstring>
#include <string>

#include "core/ops/einsum.h"
#include "core/ops/fused.h"
#include "core/ops/operators.h"
#include "tests/core/support/check.h"

namespace tidemark {
namespace {

using kernels::Activation;
using testing::expect_close;
using testing::expect_derivative;
using testing::expect_second_derivative;
using testing::NoLeak;
using testing::ramp;
using testing::values;

// One [m, k] x [k, n] product, all transposed as stored.
std::vector<double> naive(const std::vector<double>& a,
                          const std::vector<double>& b, int m, int n, int k,
                          bool ta, bool tb) {
  std::vector<double> y(m * n, 0.0);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int p = 0; p < k; ++p) {
        y[i * n + j] += a[ta ? p * m + i : i * k + p] *
                        b[tb ? j * k + p : p * n + j];
      }
    }
  }
  return y;
}

Shape stored(int rows, int columns, bool transposed) {
  return transposed ? Shape{columns, rows} : Shape{rows, columns};
}

TEST(MatMul, AgreesWithLoops) {
  NoLeak no_leak;
  struct {
    int m, n, k;
  } sizes[] = {{1, 1, 1},  {3, 4, 5},  {5, 8, 3},   {17, 9, 33},
               {1, 40, 7}, {40, 1, 7}, {21, 35, 64}, {0, 3, 2},
               {3, 0, 2},  {2, 3, 0}};
  for (auto s : sizes) {
    for (bool ta : {false, true}) {
      for (bool tb : {false, true}) {
        SCOPED_TRACE(::testing::Message() << s.m << "," << s.n << "," << s.k
                                          << (ta ? " ta" : "")
                                          << (tb ? " tb" : ""));
        Tensor a = ramp(stored(s.m, s.k, ta));
        Tensor b = ramp(stored(s.k, s.n, tb));
        Tensor y = ops::mat_mul(a, b, ta, tb);
        EXPECT_EQ(y.shape(), Shape({s.m, s.n}));
        expect_close(y, naive(values(a), values(b), s.m, s.n, s.k, ta, tb),
                     1e-4);
      }
    }
  }
}

TEST(MatMul, BatchesBroadcast) {
  struct {
    Shape a, b, y;
  } cases[] = {
      {{2, 3, 4}, {2, 4, 5}, {2, 3, 5}},
      {{2, 3, 4}, {4, 5}, {2, 3, 5}},
      {{3, 4}, {2, 4, 5}, {2, 3, 5}},
      {{2, 1, 3, 4}, {1, 3, 4, 5}, {2, 3, 3, 5}},
      {{2, 2, 2, 1, 3, 4}, {2, 1, 4, 5}, {2, 2, 2, 1, 3, 5}},
      {{0, 3, 4}, {4, 5}, {0, 3, 5}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(text(c.a) + " x " + text(c.b));
    Tensor a = ramp(c.a), b = ramp(c.b);
    Tensor y = ops::mat_mul(a, b);
    ASSERT_EQ(y.shape(), c.y);
    // Element by element, reading each operand at its broadcast place.
    std::vector<double> va = values(a), vb = values(b), want;
    int rank = c.y.rank();
    for (std::size_t o = 0; o < y.size(); ++o) {
      std::vector<int> at(rank);
      std::size_t rest = o;
      for (int d = rank - 1; d >= 0; --d) {
        at[d] = static_cast<int>(rest % c.y[d]);
        rest /= c.y[d];
      }
      auto place = [&](const Shape& s, int row, int column) {
        std::size_t p = 0;
        for (int d = 0; d < s.rank() - 2; ++d) {
          int i = at[d + rank - s.rank()];
          p = p * s[d] + (s[d] == 1 ? 0 : i);
        }
        return (p * s.back(1) + row) * s.back(0) + column;
      };
      double sum = 0;
      for (int k = 0; k < c.a.back(); ++k) {
        sum += va[place(c.a, at[rank - 2], k)] * vb[place(c.b, k, at[rank - 1])];
      }
      want.push_back(sum);
    }
    expect_close(y, want, 1e-4);
    if (y.size() > 0 && y.size() < 100) {
      expect_derivative(
          [](const Tensors& at) { return ops::mat_mul(at[0], at[1]); },
          {a, b});
    }
  }
}

TEST(MatMul, IntsAreExact) {
  Tensor a = tensor_of<int32_t>({1, 2}, {16777217, 3});
  Tensor b = tensor_of<int32_t>({2, 1}, {1, 1});
  Tensor y = ops::mat_mul(a, b);
  EXPECT_EQ(y.dtype(), DType::int32);
  expect_close(y, {16777220}, 0);
  EXPECT_EQ(ops::mat_mul(a, ramp({2, 1})).dtype(), DType::float32);
}

TEST(MatMul, DerivativesMatchDifferences) {
  for (bool ta : {false, true}) {
    for (bool tb : {false, true}) {
      auto f = [&](const Tensors& at) {
        return ops::mat_mul(at[0], at[1], ta, tb);
      };
      expect_derivative(f, {ramp(stored(2, 3, ta)), ramp(stored(3, 4, tb))});
      Tensor b = ramp(stored(3, 2, tb));
      expect_second_derivative(
          [&](const Tensors& at) {
            return ops::square(ops::mat_mul(at[0], b, ta, tb));
          },
          ramp(stored(2, 3, ta)));
    }
  }
}

TEST(MatMul, RefusesWhatDoesNotFit) {
  EXPECT_THROW(ops::mat_mul(ramp({2, 3}), ramp({2, 3})), Error);
  EXPECT_THROW(ops::mat_mul(ramp({2, 3}), ramp({3})), Error);
  EXPECT_THROW(ops::mat_mul(ramp({2, 2, 3}), ramp({3, 3, 2})), Error);
  EXPECT_THROW(ops::dot(ramp({2}), ramp({3})), Error);
  EXPECT_THROW(ops::dot(ramp({2}), ramp({})), Error);
  EXPECT_THROW(ops::outer_product(ramp({2}), ramp({2, 2})), Error);
}

TEST(Dot, AllRanks) {
  Tensor v = tensor_of<float>({2}, {1, 2});
  Tensor m = tensor_of<float>({2, 2}, {1, 2, 3, 4});
  expect_close(ops::dot(v, v), {5});
  EXPECT_EQ(ops::dot(v, v).rank(), 0);
  expect_close(ops::dot(m, v), {5, 11});
  expect_close(ops::dot(v, m), {7, 10});
  expect_close(ops::dot(m, m), {7, 10, 15, 22});
  expect_close(ops::outer_product(v, v), {1, 2, 2, 4});
  expect_derivative(
      [](const Tensors& at) { return ops::dot(at[0], at[1]); },
      {ramp({3}), ramp({3, 2})});
}

TEST(Einsum, AgreesWithLoops) {
  NoLeak no_leak;
  struct {
    const char *a, *b, *out;
  } cases[] = {
      {"i", "i", ""},       {"i", "j", "ij"},       {"i", "", "i"},
      {"ij", "jk", "ik"},   {"ij", "jk", "ki"},     {"bi", "bj", "bij"},
      {"adc", "abc", "adb"}, {"abcd", "cde", "abe"}, {"aecd", "abcd", "acbe"},
      {"ij", "k", "j"},     {"ij", nullptr, "ji"},  {"ijk", nullptr, "j"},
      {"ij", nullptr, ""},
  };
  for (const auto& c : cases) {
    auto size = [](char label) { return 2 + (label - 'a') % 3; };
    auto labels = [](const char* s) {
      return s == nullptr ? Ints{} : Ints(s, s + std::strlen(s));
    };
    auto shape = [&](const char* s) {
      Ints dims;
      for (; *s; ++s) dims.push_back(size(*s));
      return Shape(dims);
    };
    Tensors xs = {ramp(shape(c.a))};
    if (c.b != nullptr) xs.push_back(ramp(shape(c.b)));
    auto f = [&](const Tensors& at) {
      return ops::einsum(at, labels(c.a), labels(c.b), labels(c.out));
    };
    SCOPED_TRACE(::testing::Message() << c.a << "," << (c.b ? c.b : "-")
                                      << "->" << c.out);
    // Every assignment of the labels adds its product where it belongs.
    std::vector<double> want(shape(c.out).size(), 0.0);
    std::vector<double> va = values(xs[0]);
    std::vector<double> vb = c.b ? values(xs[1]) : std::vector<double>{1};
    int at[26] = {};
    std::string used = std::string(c.a) + (c.b ? c.b : "");
    auto slot = [](char label) { return label - 'a'; };
    auto place = [&](const char* s) {
      std::size_t p = 0;
      for (; s && *s; ++s) p = p * size(*s) + at[slot(*s)];
      return p;
    };
    std::string distinct;
    for (char l : used) {
      if (distinct.find(l) == std::string::npos) distinct += l;
    }
    std::function<void(std::size_t)> each = [&](std::size_t d) {
      if (d == distinct.size()) {
        want[place(c.out)] += va[place(c.a)] * vb[c.b ? place(c.b) : 0];
        return;
      }
      for (int i = 0; i < size(distinct[d]); ++i) {
        at[slot(distinct[d])] = i;
        each(d + 1);
      }
    };
    each(0);
    expect_close(f(xs), want, 1e-4);
    expect_derivative(f, xs);
  }
  EXPECT_THROW(ops::einsum({ramp({2, 3})}, {0}, {}, {0}), Error);
  EXPECT_THROW(ops::einsum({ramp({2}), ramp({3})}, {0}, {0}, {0}), Error);
}

TEST(FusedMatMul, AgreesWithItsParts) {
  NoLeak no_leak;
  Tensor weights = tensor_of<float>({4}, {0.1f, 0.2f, -0.3f, 0.4f});
  for (Activation activation :
       {Activation::kLinear, Activation::kRelu, Activation::kRelu6,
        Activation::kElu, Activation::kLeakyRelu, Activation::kSigmoid}) {
    for (const Shape& bias : {Shape{4}, Shape{1, 4}, Shape{}, Shape{3, 1}}) {
      for (bool prelu : {false, true}) {
        if (prelu && activation != Activation::kLinear) continue;
        SCOPED_TRACE(::testing::Message()
                     << static_cast<int>(activation) << text(bias) << prelu);
        std::optional<Tensor> slopes;
        if (prelu) slopes = weights;
        for (double alpha : {0.2, -0.5}) {
          auto fused = [&](const Tensors& at) {
            return ops::fused_mat_mul(at[0], at[1], false, false, at[2],
                                      activation, slopes, alpha);
          };
          Tensors xs = {ramp({3, 5}, -3, 4), ramp({5, 4}), ramp(bias)};
          Tensor parts = ops::activated(ops::mat_mul(xs[0], xs[1]) + xs[2],
                                        activation, slopes, alpha);
          expect_close(fused(xs), values(parts));
          expect_derivative(fused, xs, 1e-3, 2e-2);
        }
      }
    }
  }
}

TEST(FusedMatMul, BatchesAndTransposes) {
  Tensor a = ramp({2, 3, 5}), b = ramp({4, 5}), bias = ramp({4});
  Tensor y = ops::fused_mat_mul(a, b, false, true, bias, Activation::kRelu,
                                std::nullopt, 0.2);
  EXPECT_EQ(y.shape(), Shape({2, 3, 4}));
  expect_close(y, values(ops::relu(ops::mat_mul(a, b, false, true) + bias)));
  EXPECT_THROW(ops::fused_mat_mul(a, b, false, true, ramp({3}),
                                  Activation::kRelu, std::nullopt, 0.2),
               Error);
}

}  // namespace
}  // namespace tidemark
