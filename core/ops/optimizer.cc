#include "core/ops/optimizer.h"

#include "core/kernels/update.h"
#include "core/ops/emit.h"

namespace tidemark::ops {
namespace {

using kernels::Float;
using kernels::madd;

float to_float(double x) { return static_cast<float>(x); }

/// share * average + (1 - share) * x. The complement is rounded from double.
struct Average {
  float share, rest;
  explicit Average(double s) : share(to_float(s)), rest(to_float(1 - s)) {}
  Float operator()(Float average, Float x) const {
    return madd(Float(share), average, Float(rest) * x);
  }
};

struct Sgd {
  static constexpr int kIn = 2, kOut = 1;
  float rate;
  void value(const Float* in, Float* out) const {
    out[0] = madd(Float(-rate), in[1], in[0]);
  }
  void tell(Teller& to) const {
    to.number("learning_rate", rate);
  }
};

struct Momentum {
  static constexpr int kIn = 3, kOut = 2;
  float rate, momentum;
  // The step is rate (own g + ahead m').
  float own, ahead;
  void value(const Float* in, Float* out) const {
    Float m = madd(Float(momentum), in[1], in[2]);
    Float step = madd(Float(own), in[2], Float(ahead) * m);
    out[0] = madd(Float(-rate), step, in[0]);
    out[1] = m;
  }
  void tell(Teller& to) const {
    to.number("learning_rate", rate);
    to.number("momentum", momentum);
    to.number("own", own);
    to.number("ahead", ahead);
  }
};

struct Adagrad {
  static constexpr int kIn = 3, kOut = 2;
  static constexpr float kEpsilon = 1e-7f;
  float rate;
  void value(const Float* in, Float* out) const {
    Float sum = madd(in[2], in[2], in[1]);
    Float step = in[2] / xsimd::sqrt(sum + Float(kEpsilon));
    out[0] = madd(Float(-rate), step, in[0]);
    out[1] = sum;
  }
  void tell(Teller& to) const {
    to.number("learning_rate", rate);
    to.number("epsilon", kEpsilon);
  }
};

struct Adadelta {
  static constexpr int kIn = 4, kOut = 3;
  float rate, epsilon;
  Average average;
  void value(const Float* in, Float* out) const {
    Float g = in[3];
    Float step = xsimd::sqrt(in[2] + Float(epsilon)) /
                 xsimd::sqrt(in[1] + Float(epsilon)) * g;
    out[0] = madd(Float(-rate), step, in[0]);
    out[1] = average(in[1], g * g);
    out[2] = average(in[2], step * step);
  }
  void tell(Teller& to) const {
    to.number("learning_rate", rate);
    to.number("rho", average.share);
    to.number("epsilon", epsilon);
  }
};

struct RmsProp {
  static constexpr int kIn = 4, kOut = 3;
  float rate, momentum, epsilon;
  Average average;
  void value(const Float* in, Float* out) const {
    Float g = in[3];
    Float square = average(in[1], g * g);
    Float root = xsimd::sqrt(square + Float(epsilon));
    Float step = madd(Float(momentum), in[2], Float(rate) * g / root);
    out[0] = in[0] - step;
    out[1] = square;
    out[2] = step;
  }
  void tell(Teller& to) const {
    to.number("learning_rate", rate);
    to.number("decay", average.share);
    to.number("momentum", momentum);
    to.number("epsilon", epsilon);
  }
};

struct CenteredRmsProp {
  static constexpr int kIn = 5, kOut = 4;
  float rate, momentum, epsilon;
  Average average;
  void value(const Float* in, Float* out) const {
    Float g = in[3];
    Float square = average(in[1], g * g);
    Float mean = average(in[4], g);
    Float root = xsimd::sqrt(square - (mean * mean + Float(epsilon)));
    Float step = madd(Float(momentum), in[2], Float(rate) * g / root);
    out[0] = in[0] - step;
    out[1] = square;
    out[2] = step;
    out[3] = mean;
  }
  void tell(Teller& to) const {
    to.number("learning_rate", rate);
    to.number("decay", average.share);
    to.number("momentum", momentum);
    to.number("epsilon", epsilon);
  }
};

struct Adam {
  static constexpr int kIn = 4, kOut = 3;
  float rate, epsilon, correction1, correction2;
  Average average1, average2;
  void value(const Float* in, Float* out) const {
    Float g = in[3];
    Float m1 = average1(in[1], g);
    Float m2 = average2(in[2], g * g);
    Float root = xsimd::sqrt(m2 * Float(correction2)) + Float(epsilon);
    out[0] = madd(Float(-rate), m1 * Float(correction1) / root, in[0]);
    out[1] = m1;
    out[2] = m2;
  }
  void tell(Teller& to) const {
    to.number("learning_rate", rate);
    to.number("beta1", average1.share);
    to.number("beta2", average2.share);
    to.number("epsilon", epsilon);
  }
};

struct Adamax {
  static constexpr int kIn = 4, kOut = 3;
  float rate, beta2, epsilon;
  Average average1;
  void value(const Float* in, Float* out) const {
    Float g = in[3];
    Float m1 = average1(in[1], g);
    Float norm = in[2] * Float(beta2);
    Float size = xsimd::abs(g);
    // The second comparison lets a NaN gradient into the norm.
    norm = xsimd::select((size > norm) || (size != size), size, norm);
    out[0] = madd(Float(-rate), m1 / (norm + Float(epsilon)), in[0]);
    out[1] = m1;
    out[2] = norm;
  }
  void tell(Teller& to) const {
    to.number("learning_rate", rate);
    to.number("beta1", average1.share);
    to.number("beta2", beta2);
    to.number("epsilon", epsilon);
  }
};

template <class F>
void update_kernel(const Run& run) {
  const float* in[F::kIn];
  float* out[F::kOut];
  for (int k = 0; k < F::kIn; ++k) in[k] = run.in[k].data<float>();
  for (int k = 0; k < F::kOut; ++k) out[k] = run.out[k].mutable_data<float>();
  kernels::map_lists(run.attr<F>(), in, out, run.in[0].size());
}

/// Runs F on tensors that must be alike; the first is the variable.
template <class F>
Tensors update(const char* name, std::initializer_list<Tensor> in,
               const F& f) {
  static const Op op{
      .name = name,
      .kernel = update_kernel<F>,
      .tell = [](const Run& run, Teller& to) { run.attr<F>().tell(to); },
  };
  const Tensor& v = *in.begin();
  for (const Tensor& t : in) {
    if (t.dtype() != DType::float32) {
      fail(Code::dtype, name, ": variable, slots and gradient must be float32 "
           "tensors, but got a ", t.dtype(), " tensor");
    }
    if (t.shape() != v.shape()) {
      fail(Code::shape, name, ": slots and gradient must have the variable's "
           "shape ", v.shape(), ", but got ", t.shape());
    }
  }
  Spec spec{v.shape(), DType::float32};
  Spec specs[F::kOut];
  for (Spec& s : specs) s = spec;
  return emit_list(op, std::span<const Tensor>(in.begin(), in.size()), specs,
                   f);
}

}  // namespace

Tensors sgd_update(Tensor v, Tensor g, double rate) {
  return update("sgdUpdate", {v, g}, Sgd{to_float(rate)});
}

Tensors momentum_update(Tensor v, Tensor m, Tensor g, double rate,
                        double momentum, bool use_nesterov) {
  float ahead = use_nesterov ? to_float(momentum) : 1.0f;
  return update("momentumUpdate", {v, m, g},
                Momentum{to_float(rate), to_float(momentum),
                         use_nesterov ? 1.0f : 0.0f, ahead});
}

Tensors adagrad_update(Tensor v, Tensor accumulator, Tensor g, double rate) {
  return update("adagradUpdate", {v, accumulator, g}, Adagrad{to_float(rate)});
}

Tensors adadelta_update(Tensor v, Tensor acc_grad, Tensor acc_update, Tensor g,
                        double rate, double rho, double epsilon) {
  return update("adadeltaUpdate", {v, acc_grad, acc_update, g},
                Adadelta{to_float(rate), to_float(epsilon), Average(rho)});
}

Tensors rmsprop_update(Tensor v, Tensor mean_square,
                       std::optional<Tensor> mean_grad, Tensor momentum_slot,
                       Tensor g, double rate, double decay, double momentum,
                       double epsilon) {
  if (mean_grad) {
    return update("rmspropUpdate",
                  {v, mean_square, momentum_slot, g, *mean_grad},
                  CenteredRmsProp{to_float(rate), to_float(momentum),
                                  to_float(epsilon), Average(decay)});
  }
  return update("rmspropUpdate", {v, mean_square, momentum_slot, g},
                RmsProp{to_float(rate), to_float(momentum), to_float(epsilon),
                        Average(decay)});
}

Tensors adam_update(Tensor v, Tensor m1, Tensor m2, Tensor g, double rate,
                    double beta1, double beta2, double acc_beta1,
                    double acc_beta2, double epsilon) {
  return update("adamUpdate", {v, m1, m2, g},
                Adam{to_float(rate), to_float(epsilon),
                     to_float(1 / (1 - acc_beta1)),
                     to_float(1 / (1 - acc_beta2)), Average(beta1),
                     Average(beta2)});
}

Tensors adamax_update(Tensor v, Tensor m1, Tensor norm, Tensor g, double rate,
                      double beta1, double beta2, double acc_beta1,
                      double epsilon) {
  return update("adamaxUpdate", {v, m1, norm, g},
                Adamax{to_float(rate / (1 - acc_beta1)), to_float(beta2),
                       to_float(epsilon), Average(beta1)});
}

}  // namespace tidemark::ops
