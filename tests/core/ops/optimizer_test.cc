// Each update against its formula in double, element by element, over sizes
// around the SIMD width and for several steps in a row.

#include "core/ops/optimizer.h"

#include <cmath>

#include "tests/core/support/check.h"

namespace tidemark {
namespace {

using testing::expect_close;
using testing::NoLeak;
using testing::ramp;
using testing::values;

/// One element's state: the variable, then its slots in the op's order.
using State = std::vector<double>;
/// The formula: from a state and a gradient at step t (from 1) to the next.
using Formula = std::function<State(const State&, double g, int t)>;
using Step = std::function<Tensors(const Tensors&, Tensor g, int t)>;

struct Case {
  const char* name;
  int slots;
  Step step;
  Formula formula;
};

constexpr double kRate = 0.1, kEpsilon = 1e-3;

std::vector<Case> cases() {
  return {
      {"sgd", 0,
       [](const Tensors& s, Tensor g, int) {
         return ops::sgd_update(s[0], g, kRate);
       },
       [](const State& s, double g, int) { return State{s[0] - kRate * g}; }},
      {"momentum", 1,
       [](const Tensors& s, Tensor g, int) {
         return ops::momentum_update(s[0], s[1], g, kRate, 0.9, false);
       },
       [](const State& s, double g, int) {
         double m = 0.9 * s[1] + g;
         return State{s[0] - kRate * m, m};
       }},
      {"nesterov", 1,
       [](const Tensors& s, Tensor g, int) {
         return ops::momentum_update(s[0], s[1], g, kRate, 0.9, true);
       },
       [](const State& s, double g, int) {
         double m = 0.9 * s[1] + g;
         return State{s[0] - kRate * (g + 0.9 * m), m};
       }},
      {"adagrad", 1,
       [](const Tensors& s, Tensor g, int) {
         return ops::adagrad_update(s[0], s[1], g, kRate);
       },
       [](const State& s, double g, int) {
         double a = s[1] + g * g;
         return State{s[0] - kRate * g / std::sqrt(a + 1e-7), a};
       }},
      {"adadelta", 2,
       [](const Tensors& s, Tensor g, int) {
         return ops::adadelta_update(s[0], s[1], s[2], g, kRate, 0.95,
                                     kEpsilon);
       },
       [](const State& s, double g, int) {
         double u =
             std::sqrt(s[2] + kEpsilon) / std::sqrt(s[1] + kEpsilon) * g;
         return State{s[0] - kRate * u, 0.95 * s[1] + 0.05 * g * g,
                      0.95 * s[2] + 0.05 * u * u};
       }},
      {"rmsprop", 2,
       [](const Tensors& s, Tensor g, int) {
         return ops::rmsprop_update(s[0], s[1], std::nullopt, s[2], g, kRate,
                                    0.9, 0.5, kEpsilon);
       },
       [](const State& s, double g, int) {
         double ms = 0.9 * s[1] + 0.1 * g * g;
         double mom = 0.5 * s[2] + kRate * g / std::sqrt(ms + kEpsilon);
         return State{s[0] - mom, ms, mom};
       }},
      {"centered rmsprop", 3,
       [](const Tensors& s, Tensor g, int) {
         return ops::rmsprop_update(s[0], s[1], s[3], s[2], g, kRate, 0.9, 0.5,
                                    kEpsilon);
       },
       [](const State& s, double g, int) {
         double ms = 0.9 * s[1] + 0.1 * g * g;
         double mg = 0.9 * s[3] + 0.1 * g;
         double mom =
             0.5 * s[2] + kRate * g / std::sqrt(ms - (mg * mg + kEpsilon));
         return State{s[0] - mom, ms, mom, mg};
       }},
      {"adam", 2,
       [](const Tensors& s, Tensor g, int t) {
         return ops::adam_update(s[0], s[1], s[2], g, kRate, 0.9, 0.99,
                                 std::pow(0.9, t), std::pow(0.99, t), kEpsilon);
       },
       [](const State& s, double g, int t) {
         double m1 = 0.9 * s[1] + 0.1 * g;
         double m2 = 0.99 * s[2] + 0.01 * g * g;
         double m = m1 / (1 - std::pow(0.9, t));
         double r = m2 / (1 - std::pow(0.99, t));
         return State{s[0] - kRate * m / (std::sqrt(r) + kEpsilon), m1, m2};
       }},
      {"adamax", 2,
       [](const Tensors& s, Tensor g, int t) {
         return ops::adamax_update(s[0], s[1], s[2], g, kRate, 0.9, 0.99,
                                   std::pow(0.9, t), kEpsilon);
       },
       [](const State& s, double g, int t) {
         double m1 = 0.9 * s[1] + 0.1 * g;
         double n = std::max(0.99 * s[2], std::fabs(g));
         double rate = kRate / (1 - std::pow(0.9, t));
         return State{s[0] - rate * m1 / (n + kEpsilon), m1, n};
       }},
  };
}

TEST(Optimizer, EachUpdateFollowsItsFormula) {
  NoLeak no_leak;
  for (const Case& c : cases()) {
    for (int n : {0, 1, 3, 4, 5, 17, 67}) {
      SCOPED_TRACE(::testing::Message() << c.name << " of " << n);
      Tensors state = {ramp({n})};
      for (int k = 0; k < c.slots; ++k) {
        Tensor zeros({n}, DType::float32);
        std::fill_n(zeros.mutable_data<float>(), n, 0.f);
        state.push_back(zeros);
      }
      std::vector<State> want(n, State(1 + c.slots, 0.0));
      std::vector<double> start = values(state[0]);
      for (int i = 0; i < n; ++i) want[i][0] = start[i];
      for (int t = 1; t <= 3; ++t) {
        Tensor g = ramp({n}, -3.0 + t, 4.0 - t / 2.0);
        std::vector<double> gradient = values(g);
        state = c.step(state, g, t);
        ASSERT_EQ(state.size(), 1u + c.slots);
        for (int i = 0; i < n; ++i) {
          want[i] = c.formula(want[i], gradient[i], t);
        }
        for (int k = 0; k <= c.slots; ++k) {
          std::vector<double> column;
          for (const State& s : want) column.push_back(s[k]);
          expect_close(state[k], column, 2e-5);
        }
      }
    }
  }
}

TEST(Optimizer, NanGradientShows) {
  Tensor v = tensor_of<float>({2}, {1, 2});
  Tensor zero = tensor_of<float>({2}, {0, 0});
  Tensor g = tensor_of<float>({2}, {NAN, 1});
  for (const Case& c : cases()) {
    Tensors state(1 + c.slots, zero);
    state[0] = v;
    Tensors next = c.step(state, g, 1);
    EXPECT_TRUE(std::isnan(next[0].data<float>()[0])) << c.name;
    EXPECT_FALSE(std::isinf(next[0].data<float>()[1])) << c.name;
  }
}

TEST(Optimizer, RefusesTensorsThatDiffer) {
  Tensor v = ramp({3});
  EXPECT_THROW(ops::sgd_update(v, ramp({2}), 1), Error);
  EXPECT_THROW(ops::sgd_update(v, ramp({3, 1}), 1), Error);
  EXPECT_THROW(ops::sgd_update(v, tensor_of<int32_t>({3}, {1, 2, 3}), 1),
               Error);
}

}  // namespace
}  // namespace tidemark
