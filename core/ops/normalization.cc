#include "core/ops/normalization.h"

#include "core/kernels/normalize.h"
#include "core/ops/emit.h"
#include "core/ops/fold.h"
#include "core/ops/numeric.h"
#include "core/ops/operators.h"
#include "core/ops/reduce.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

using kernels::Index;

struct BatchNorm {
  float epsilon;

  void tell(const Run&, Teller& to) const { to.number("epsilon", epsilon); }
};

// With r = 1 / sqrt(variance + epsilon), c = x - mean, g = dy scale r:
//   dx = g, dmean = -g, dvariance = -g c r^2 / 2, dscale = dy c r,
//   doffset = dy, each summed over what was broadcast.
void batch_norm_vjp(Vjp& v) {
  const Tensor& dy = v.dy();
  Tensor root = rsqrt(v.in(2) + v.attr<BatchNorm>().epsilon);
  Tensor factor = v.in(4) ? root * v.in(4) : root;
  Tensor g = dy * factor;
  auto give = [&](int i, const Tensor& t) {
    v.give(i, sum_to(t, v.in_spec(i).shape));
  };
  if (v.needs(0)) give(0, g);
  if (v.needs(1)) give(1, -g);
  if (v.needs(2)) {
    give(2, g * (v.in(0) - v.in(1)) * (square(root) * -0.5));
  }
  if (v.needs(3)) give(3, dy);
  if (v.needs(4)) give(4, dy * (v.in(0) - v.in(1)) * root);
}

constexpr Op kBatchNorm{
    .name = "batchNorm",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          if (x.size() == 0) return;
          auto data = [&](int i) {
            return run.in[i] ? run.in[i].data<float>() : nullptr;
          };
          Index channels = x.shape().back();
          kernels::batch_norm(static_cast<Index>(x.size()) / channels,
                              channels, data(0), data(1), data(2), data(3),
                              data(4), run.attr<BatchNorm>().epsilon,
                              run.out[0].mutable_data<float>());
        },
    .vjp = batch_norm_vjp,
    .keep_inputs = 1 | 2 | 4 | 16,
    .tell = tell<BatchNorm>,
};

// True for one value per channel of x.
bool is_per_channel(const Tensor& t, const Tensor& x) {
  return t.rank() >= 1 && t.rank() <= x.rank() &&
         t.shape().back() == x.shape().back() &&
         t.shape().size(0, t.rank() - 1) == 1;
}

struct Window {
  int radius;

  void tell(const Run&, Teller& to) const { to.integer("radius", radius); }
};

// A window is symmetric, so the sum over it is its own adjoint.
Tensor window_sum(const Tensor& x, int radius) {
  static constexpr Op op{
      .name = "windowSum",
      .kernel =
          [](const Run& run) {
            const Tensor& x = run.in[0];
            if (x.size() == 0) return;
            Index channels = x.shape().back();
            kernels::window_sum(static_cast<Index>(x.size()) / channels,
                                channels, run.attr<Window>().radius,
                                x.data<float>(),
                                run.out[0].mutable_data<float>());
          },
      .vjp =
          [](Vjp& v) {
            v.give(0, window_sum(v.dy(), v.attr<Window>().radius));
          },
      .tell = tell<Window>,
  };
  return emit(op, {x}, {x.shape(), DType::float32}, Window{radius});
}

Tensor vector_norm(const Tensor& x, Norm kind, const Ints& axes, bool keep) {
  switch (kind) {
    case Norm::euclidean: return sqrt(sum(square(x), axes, keep));
    case Norm::one: return sum(abs(x), axes, keep);
    case Norm::max: return max(abs(x), axes, keep);
    case Norm::min: return min(abs(x), axes, keep);
  }
  fail(Code::argument, "Error in norm: invalid ord value: ",
       static_cast<int>(kind));
}

}  // namespace

Tensor batch_norm(Tensor x, Tensor mean, Tensor variance,
                  std::optional<Tensor> offset, std::optional<Tensor> scale,
                  double epsilon) {
  x = as_float(x);
  bool per_channel = true;
  for (Tensor* t : {&mean, &variance, offset ? &*offset : nullptr,
                    scale ? &*scale : nullptr}) {
    if (t == nullptr) continue;
    *t = as_float(*t);
    if (broadcast_shape("batchNorm", x.shape(), t->shape()) != x.shape()) {
      fail(Code::shape, "batchNorm: a parameter of shape ", t->shape(),
           " does not broadcast to x of shape ", x.shape());
    }
    per_channel = per_channel && is_per_channel(*t, x);
  }
  if (per_channel) {
    return emit(kBatchNorm,
                {x, mean, variance, offset.value_or(Tensor()),
                 scale.value_or(Tensor())},
                {x.shape(), DType::float32},
                BatchNorm{static_cast<float>(epsilon)});
  }
  Tensor factor = rsqrt(variance + epsilon);
  if (scale) factor = factor * *scale;
  Tensor y = (x - mean) * factor;
  return offset ? y + *offset : y;
}

Tensor local_response_normalization(Tensor x, int depth_radius, double bias,
                                    double alpha, double beta) {
  if (x.rank() != 3 && x.rank() != 4) {
    fail(Code::shape, "localResponseNormalization: x must be rank 3 or 4 but "
         "got rank ", x.rank(), ".");
  }
  x = as_float(x);
  Tensor base = window_sum(square(x), depth_radius) * alpha + bias;
  Tensor factor = beta == 0.5 ? rsqrt(base) : pow(base, scalar(-beta));
  return x * factor;
}

Tensor norm(Tensor x, Norm kind, Ints axes, bool keep_dims) {
  x = as_float(x);
  if (axes.size() > 2) {
    fail(Code::argument, "Error in norm: invalid axis: ", axes);
  }
  bool vector = axes.size() < 2 || kind == Norm::euclidean;
  if (vector) return vector_norm(x, kind, axes, keep_dims);
  // Sums along one axis, then the largest or smallest along the other.
  bool columns = kind == Norm::one;
  Tensor sums = sum(abs(x), {axes[columns ? 0 : 1]}, true);
  Ints rest = {axes[columns ? 1 : 0]};
  Tensor y = kind == Norm::min ? min(sums, rest, true) : max(sums, rest, true);
  if (keep_dims) return y;
  return reshape(y, reduced_shape(x.shape(), Axes(normalize_axes(
                                                 "norm", axes, x.rank()))));
}

}  // namespace tidemark::ops
