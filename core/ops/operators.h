#pragma once
// Arithmetic on tensors, so that derivatives read like their formulas.

#include "core/ops/binary.h"
#include "core/ops/unary.h"

namespace tidemark {

inline Tensor operator+(const Tensor& a, const Tensor& b) {
  return ops::add(a, b);
}
inline Tensor operator-(const Tensor& a, const Tensor& b) {
  return ops::sub(a, b);
}
inline Tensor operator*(const Tensor& a, const Tensor& b) {
  return ops::mul(a, b);
}
inline Tensor operator/(const Tensor& a, const Tensor& b) {
  return ops::div(a, b);
}
inline Tensor operator-(const Tensor& a) { return ops::neg(a); }
inline Tensor operator+(const Tensor& a, double b) { return a + scalar(b); }
inline Tensor operator-(const Tensor& a, double b) { return a - scalar(b); }
inline Tensor operator-(double a, const Tensor& b) { return scalar(a) - b; }
inline Tensor operator*(const Tensor& a, double b) { return a * scalar(b); }
inline Tensor operator*(double a, const Tensor& b) { return scalar(a) * b; }
inline Tensor operator/(const Tensor& a, double b) { return a / scalar(b); }
inline Tensor operator/(double a, const Tensor& b) { return scalar(a) / b; }

}  // namespace tidemark
