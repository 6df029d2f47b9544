#pragma once
// What may be fused to the end of a matrix product or convolution.

#include "core/kernels/arch.h"

namespace tidemark::kernels {

enum class Activation {
  kLinear,
  kRelu,
  kRelu6,
  kElu,
  kLeakyRelu,
  kSigmoid,
};

/// result = activation(product + bias).
struct Epilogue {
  const float* bias = nullptr;  ///< One value per column (channel), or null.
  Activation activation = Activation::kLinear;
  float alpha = 0.2f;  ///< Slope of kLeakyRelu below zero.
};

/// The part of an activation that is only a clamp; the rest is activate().
struct Clamp {
  float low;
  float high;
};

/// Bounds for kRelu and kRelu6, infinite ones for every other activation.
Clamp clamp_of(Activation activation);

/// True when clamp_of() is not the whole activation.
bool needs_pass(Activation activation);

/// Applies the activation in place to n values at any address.
void activate(float* values, Index n, Activation activation, float alpha);

}  // namespace tidemark::kernels
