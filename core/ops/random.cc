#include "core/ops/random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/kernels/random.h"
#include "core/ops/binary.h"
#include "core/ops/cast.h"
#include "core/ops/emit.h"
#include "core/ops/operators.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

using kernels::Random;

// The two parameters of a distribution.
struct Draw {
  double a, b, seed;

  void tell(const Run&, Teller& to) const {
    to.number("a", a);
    to.number("b", b);
    to.number("seed", seed);
  }
};

// Draws by d(random) one by one, as float32 or rounded to int32.
template <class D>
void draw(const Run& run, D&& d) {
  Random random(run.attr<Draw>().seed);
  const Tensor& y = run.out[0];
  if (y.dtype() == DType::float32) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      y.mutable_data<float>()[i] = static_cast<float>(d(random));
    }
  } else {
    for (std::size_t i = 0; i < y.size(); ++i) {
      y.mutable_data<int32_t>()[i] = to_int32(std::nearbyint(d(random)));
    }
  }
}

// Random ops say that they depend on data: a recorded graph must not repeat
// one call's numbers for ever.
constexpr Op kUniform{
    .name = "randomUniform",
    .kernel =
        [](const Run& run) {
          const auto& [min, max, seed] = run.attr<Draw>();
          const Tensor& y = run.out[0];
          Random random(seed);
          std::size_t n = y.size();
          if (y.dtype() == DType::float32) {
            float* out = y.mutable_data<float>();
            kernels::fill_uniform(random, out, n);
            float low = static_cast<float>(min);
            float high = static_cast<float>(max);
            if (low == 0 && high == 1) return;
            // Rounding may reach `max`, which is not in the range.
            float last = high > low ? std::nextafterf(high, low) : high;
            for (std::size_t i = 0; i < n; ++i) {
              out[i] = std::min(low + out[i] * (high - low), last);
            }
          } else if (y.dtype() == DType::int32) {
            double low = std::ceil(min), count = std::ceil(max) - low;
            for (std::size_t i = 0; i < n; ++i) {
              y.mutable_data<int32_t>()[i] =
                  to_int32(low + std::floor(random.uniform() * count));
            }
          } else {
            for (std::size_t i = 0; i < n; ++i) {
              y.mutable_data<uint8_t>()[i] =
                  min + random.uniform() * (max - min) >= 0.5;
            }
          }
        },
    .data_dependent = true,
    .tell = tell<Draw>,
};

constexpr Op kNormal{
    .name = "randomNormal",
    .kernel =
        [](const Run& run) {
          const auto& [mean, deviation, seed] = run.attr<Draw>();
          const Tensor& y = run.out[0];
          Random random(seed);
          // Whole numbers are rounded in place: both types have four bytes.
          float* out = static_cast<float*>(y.mutable_raw());
          kernels::fill_normal(random, out, y.size());
          float m = static_cast<float>(mean);
          float d = static_cast<float>(deviation);
          for (std::size_t i = 0; i < y.size(); ++i) out[i] = m + d * out[i];
          if (y.dtype() == DType::float32) return;
          for (std::size_t i = 0; i < y.size(); ++i) {
            int32_t whole = to_int32(std::nearbyint(out[i]));
            std::memcpy(out + i, &whole, sizeof whole);
          }
        },
    .data_dependent = true,
    .tell = tell<Draw>,
};

constexpr Op kTruncatedNormal{
    .name = "truncatedNormal",
    .kernel =
        [](const Run& run) {
          const Draw& v = run.attr<Draw>();
          draw(run, [&](Random& random) {
            double x;
            do x = random.normal();
            while (std::fabs(x) > 2);
            return v.a + v.b * x;
          });
        },
    .data_dependent = true,
    .tell = tell<Draw>,
};

constexpr Op kGamma{
    .name = "randomGamma",
    .kernel =
        [](const Run& run) {
          const Draw& v = run.attr<Draw>();
          draw(run, [&](Random& random) {
            return random.gamma(v.a) / v.b;
          });
        },
    .data_dependent = true,
    .tell = tell<Draw>,
};

struct Multinomial {
  double seed;
  bool normalized;

  void tell(const Run&, Teller& to) const {
    to.number("seed", seed);
    to.flag("normalized", normalized);
  }
};

constexpr Op kMultinomial{
    .name = "multinomial",
    .kernel =
        [](const Run& run) {
          const auto& [seed, normalized] = run.attr<Multinomial>();
          const Tensor& x = run.in[0];
          const Tensor& y = run.out[0];
          std::size_t outcomes = x.shape().back();
          std::size_t num = y.shape().back();
          Random random(seed);
          std::vector<double> up_to(outcomes);
          const float* p = x.data<float>();
          int32_t* out = y.mutable_data<int32_t>();
          std::size_t rows = x.size() / outcomes;
          for (std::size_t r = 0; r < rows; ++r, p += outcomes) {
            double top = *std::max_element(p, p + outcomes), sum = 0;
            for (std::size_t k = 0; k < outcomes; ++k) {
              sum += normalized ? p[k] : std::exp(p[k] - top);
              up_to[k] = sum;
            }
            for (std::size_t i = 0; i < num; ++i) {
              auto at = std::upper_bound(up_to.begin(), up_to.end() - 1,
                                         random.uniform() * sum);
              *out++ = static_cast<int32_t>(at - up_to.begin());
            }
          }
        },
    .data_dependent = true,
    .tell = tell<Multinomial>,
};

Tensor drawn(const Op& op, const Shape& shape, DType dtype, Draw parameters) {
  if (dtype == DType::bool_ && &op != &kUniform) {
    fail(Code::dtype, op.name, ": Unsupported data type bool");
  }
  return emit(op, std::span<const Tensor>(), {shape, dtype}, parameters);
}

}  // namespace

Tensor random_uniform(const Shape& shape, double min, double max, DType dtype,
                      double seed) {
  return drawn(kUniform, shape, dtype, {min, max, seed});
}

Tensor random_normal(const Shape& shape, double mean, double deviation,
                     DType dtype, double seed) {
  return drawn(kNormal, shape, dtype, {mean, deviation, seed});
}

Tensor truncated_normal(const Shape& shape, double mean, double deviation,
                        DType dtype, double seed) {
  return drawn(kTruncatedNormal, shape, dtype, {mean, deviation, seed});
}

Tensor random_gamma(const Shape& shape, double alpha, double beta,
                    DType dtype, double seed) {
  if (!(alpha > 0) || !(beta > 0)) {
    fail(Code::argument, "randomGamma: alpha and beta must be positive, got ",
         alpha, " and ", beta);
  }
  return drawn(kGamma, shape, dtype, {alpha, beta, seed});
}

Tensor multinomial(Tensor logits, int num, double seed, bool normalized) {
  int rank = logits.rank();
  if (logits.size() > 0 && (rank == 0 || logits.shape().back() < 2)) {
    fail(Code::shape, "Error in multinomial: you need at least 2 outcomes, "
         "but got ", logits.size(), ".");
  }
  if (rank > 2) {
    fail(Code::shape, "Rank of probabilities must be 1 or 2, but is ", rank);
  }
  if (logits.size() == 0 || num < 0) {
    fail(Code::shape, "multinomial: no outcomes to draw from: logits ",
         logits.shape(), ", ", num, " samples");
  }
  if (logits.dtype() != DType::float32) logits = cast(logits, DType::float32);
  Shape shape = logits.shape();
  shape[rank - 1] = num;
  return emit(kMultinomial, {logits}, {shape, DType::int32},
              Multinomial{seed, normalized});
}

Tensor dropout(Tensor x, double rate, Ints noise_shape, double seed) {
  if (x.dtype() != DType::float32) {
    fail(Code::dtype, "x has to be a floating point tensor since it's going to "
         "be scaled, but got a ", x.dtype(), " tensor instead.");
  }
  if (!(rate >= 0 && rate < 1)) {
    fail(Code::argument, "rate must be a float in the range [0, 1), but got ",
         rate, ".");
  }
  if (rate == 0) return clone(x);
  Shape shape = x.shape();
  if (!noise_shape.empty()) {
    if (static_cast<int>(noise_shape.size()) == x.rank()) {
      for (int d = 0; d < x.rank(); ++d) {
        if (noise_shape[d] == -1) noise_shape[d] = x.shape()[d];
      }
    }
    shape = Shape(noise_shape);
  }
  Tensor noise = random_uniform(shape, 0, 1, DType::float32, seed);
  return x * (cast(greater_equal(noise, scalar(rate)), DType::float32) *
              (1 / (1 - rate)));
}

}  // namespace tidemark::ops
