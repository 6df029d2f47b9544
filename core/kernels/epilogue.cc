#include "core/kernels/epilogue.h"

#include <cstring>
#include <limits>

#include "core/kernels/math.h"

namespace tidemark::kernels {
namespace {

template <class F>
void map_in_place(float* values, Index n, F f) {
  Index i = 0;
  for (; i + kWidth <= n; i += kWidth) store(values + i, f(load(values + i)));
  if (i == n) return;
  alignas(kPadding) float tail[kLanes<float>] = {};
  const std::size_t bytes = static_cast<std::size_t>(n - i) * sizeof(float);
  std::memcpy(tail, values + i, bytes);
  store(tail, f(load(tail)));
  std::memcpy(values + i, tail, bytes);
}

}  // namespace

Clamp clamp_of(Activation activation) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (activation) {
    case Activation::kRelu:
      return {0.0f, kInfinity};
    case Activation::kRelu6:
      return {0.0f, 6.0f};
    default:
      return {-kInfinity, kInfinity};
  }
}

bool needs_pass(Activation activation) {
  return activation == Activation::kElu ||
         activation == Activation::kLeakyRelu ||
         activation == Activation::kSigmoid;
}

void activate(float* values, Index n, Activation activation, float alpha) {
  switch (activation) {
    case Activation::kLinear:
      return;
    case Activation::kRelu:
      return map_in_place(values, n,
                          [](Float x) { return fast_max(x, Float(0.0f)); });
    case Activation::kRelu6:
      return map_in_place(values, n, [](Float x) {
        return fast_min(fast_max(x, Float(0.0f)), Float(6.0f));
      });
    case Activation::kElu:
      return map_in_place(values, n, [](Float x) {
        return xsimd::select(x < Float(0.0f), expm1(x), x);
      });
    case Activation::kLeakyRelu:
      return map_in_place(values, n, [alpha](Float x) {
        return xsimd::select(x < Float(0.0f), x * Float(alpha), x);
      });
    case Activation::kSigmoid:
      return map_in_place(values, n, [](Float x) { return sigmoid(x); });
  }
}

}  // namespace tidemark::kernels
