#pragma once
// What convolutions, depthwise convolutions and pooling do around the kernel.

#include <optional>

#include "core/ops/binary.h"
#include "core/ops/fused.h"
#include "core/ops/shape_ops.h"
#include "core/ops/window.h"

namespace tidemark::ops {

/// Calls f with x as [batch, height, width, channels] and gives the result x's
/// rank and layout: a missing batch is added and taken away again.
template <class F>
Tensor on_images(const char* op, Tensor x, const WindowOptions& o, F&& f) {
  bool single = x.rank() == 3;
  if (single) x = reshape(x, x.shape().inserted(0, 1));
  if (x.rank() != 4) {
    fail(Code::shape, op, ": input must be rank 4, but got rank ", x.rank(),
         " (shape ", x.shape(), ")");
  }
  Tensor y = f(to_channels_last(x, o.channels_first));
  y = from_channels_last(y, o.channels_first);
  return single ? reshape(y, y.shape().removed(0)) : y;
}

/// Fails unless `x` has the rank.
inline void require_rank(const char* op, const char* argument, const Tensor& x,
                         int rank) {
  if (x.rank() != rank) {
    fail(Code::shape, op, ": ", argument, " must be rank ", rank,
         ", but got rank ", x.rank(), " (shape ", x.shape(), ")");
  }
}

/// Strides and dilations above 1 together are refused, as in TensorFlow.
inline void require_one(const char* op, const WindowOptions& o) {
  bool strided = o.stride[0] > 1 || o.stride[1] > 1;
  bool dilated = o.dilation[0] > 1 || o.dilation[1] > 1;
  if (strided && dilated) {
    fail(Code::argument, op, ": Either strides or dilations must be 1. Got "
         "strides ", o.stride[0], ",", o.stride[1], " and dilations '",
         o.dilation[0], ",", o.dilation[1], "'");
  }
}

/// True when the kernels' epilogue can add the bias: none, or one value per
/// channel.
inline bool fits_epilogue(const std::optional<Tensor>& bias,
                          const kernels::Window& w) {
  if (!bias) return true;
  auto channels = static_cast<std::size_t>(w.out_channels);
  return bias->dtype() == DType::float32 && bias->size() == channels &&
         (bias->rank() == 1 ||
          (bias->rank() > 1 && bias->shape().back() == w.out_channels));
}

/// The kernels' epilogue for a bias (or none) and an activation.
inline kernels::Epilogue epilogue(const Tensor& bias, kernels::Activation kind,
                                  float alpha) {
  return {bias ? bias.data<float>() : nullptr, kind, alpha};
}

/// activation(y + bias) by ordinary ops, for what no epilogue can do. y is
/// channels last; with channels_first a bias or weights of rank above 1 are
/// channels first, as the caller's images are.
inline Tensor finish(const char* op, Tensor y,
                     const std::optional<Tensor>& bias,
                     kernels::Activation kind,
                     const std::optional<Tensor>& weights, double alpha,
                     bool channels_first) {
  auto placed = [&](const Tensor& t) {
    if (!channels_first || t.rank() < 2) return t;
    Tensor whole = t;
    while (whole.rank() < 4) {
      whole = reshape(whole, whole.shape().inserted(0, 1));
    }
    return to_channels_last(whole, true);
  };
  if (bias) {
    Tensor b = placed(*bias);
    if (broadcast_shape(op, y.shape(), b.shape()) != y.shape()) {
      fail(Code::shape, op, ": a bias of shape ", bias->shape(),
           " does not fit an output of shape ", y.shape());
    }
    y = add(y, b);
  }
  std::optional<Tensor> w;
  if (weights) w = placed(*weights);
  return activated(y, kind, w, alpha);
}

}  // namespace tidemark::ops
