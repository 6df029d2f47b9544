#pragma once
// What op tests share: values of tensors, comparison, finite differences.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "core/autodiff/gradients.h"
#include "core/ops/cast.h"
#include "core/ops/creation.h"
#include "core/ops/reduce.h"
#include "core/tensor/tensor.h"

namespace tidemark::testing {

inline std::vector<double> values(const Tensor& t) {
  std::vector<double> out;
  dispatch(t.dtype(), [&](auto type) {
    for (auto v : t.values<decltype(type)>()) out.push_back(v);
  });
  return out;
}

/// Deterministic values in [low, high), without 0 and without ties.
inline Tensor ramp(const Shape& shape, double low = -2, double high = 2) {
  Tensor t(shape, DType::float32);
  std::size_t n = t.size();
  for (std::size_t i = 0; i < n; ++i) {
    // A step coprime with n spreads neighbours apart.
    double at = std::fmod(0.618033988749895 * (i + 1), 1.0);
    t.mutable_data<float>()[i] = static_cast<float>(low + at * (high - low));
  }
  return t;
}

inline void expect_close(const Tensor& got, const std::vector<double>& want,
                         double tolerance = 1e-5) {
  std::vector<double> v = values(got);
  ASSERT_EQ(v.size(), want.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (std::isnan(want[i]) || std::isinf(want[i])) {
      EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(v[i]) : v[i] == want[i])
          << "at " << i << ": " << v[i] << " for " << want[i];
    } else {
      EXPECT_NEAR(v[i], want[i], tolerance * std::max(1.0, std::fabs(want[i])))
          << "at " << i;
    }
  }
}

using Function = std::function<Tensor(const Tensors&)>;

/// Compares the derivatives of f at xs with central differences, weighting the
/// outputs unevenly so that no error cancels.
inline void expect_derivative(const Function& f, const Tensors& xs,
                              double step = 1e-2, double tolerance = 2e-2) {
  Tensor y = f(xs);
  Tensor dy = ramp(y.shape(), 0.5, 1.5);
  Tensors got = gradients([&] { return f(xs); }, xs, dy);
  std::vector<double> weight = values(dy);
  auto weighted = [&](const Tensors& at) {
    std::vector<double> v = values(f(at));
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * weight[i];
    return sum;
  };
  for (std::size_t k = 0; k < xs.size(); ++k) {
    if (xs[k].dtype() != DType::float32) continue;
    // No gradient means zero: the differences below must agree.
    Tensor gradient = got[k] ? got[k] : ops::zeros_like(xs[k]);
    ASSERT_EQ(gradient.shape(), xs[k].shape());
    for (std::size_t i = 0; i < xs[k].size(); ++i) {
      auto moved = [&](double by) {
        Tensors at = xs;
        Tensor x(xs[k].shape(), DType::float32);
        std::copy_n(xs[k].data<float>(), x.size(), x.mutable_data<float>());
        x.mutable_data<float>()[i] += static_cast<float>(by);
        at[k] = x;
        return weighted(at);
      };
      double want = (moved(step) - moved(-step)) / (2 * step);
      EXPECT_NEAR(gradient.data<float>()[i], want,
                  tolerance * std::max(1.0, std::fabs(want)))
          << "input " << k << " element " << i;
    }
  }
}

/// Derivative of the sum of f's first derivative: checks second derivatives.
inline void expect_second_derivative(const Function& f, const Tensor& x,
                                     double step = 1e-2,
                                     double tolerance = 3e-2) {
  expect_derivative(
      [&](const Tensors& at) {
        return gradients([&] { return f(at); }, at)[0];
      },
      {x}, step, tolerance);
}

/// True when every buffer made while it lived is gone again.
class NoLeak {
 public:
  NoLeak() : before_(memory::statistics().buffers) {}
  ~NoLeak() { EXPECT_EQ(memory::statistics().buffers, before_); }

 private:
  std::size_t before_;
};

}  // namespace tidemark::testing
