#include "core/ops/binary.h"

#include "core/ops/binary_op.h"
#include "core/ops/operators.h"

namespace tidemark::ops {
namespace {

struct Add {
  using integer = void;
  static auto value(auto a, auto b) { return a + b; }
  static Tensor da(Tensor dy) { return dy; }
  static Tensor db(Tensor dy) { return dy; }
};

struct Sub {
  using integer = void;
  static auto value(auto a, auto b) { return a - b; }
  static Tensor da(Tensor dy) { return dy; }
  static Tensor db(Tensor dy) { return -dy; }
};

struct Mul {
  using integer = void;
  static auto value(auto a, auto b) { return a * b; }
  static Tensor da(Tensor dy, Tensor, Tensor b) { return dy * b; }
  static Tensor db(Tensor dy, Tensor a, Tensor) { return dy * a; }
};

struct Div {
  static auto value(auto a, auto b) { return a / b; }
  static Tensor da(Tensor dy, Tensor, Tensor b) { return dy / b; }
  static Tensor db(Tensor dy, Tensor a, Tensor b) {
    return -(dy * a / (b * b));
  }
};

struct Greater {
  using integer = void;
  using predicate = void;
  static bool value(auto a, auto b) { return a > b; }
};

}  // namespace

Tensor add(Tensor a, Tensor b) { return binary<Add>("add", a, b); }
Tensor sub(Tensor a, Tensor b) { return binary<Sub>("sub", a, b); }
Tensor mul(Tensor a, Tensor b) { return binary<Mul>("mul", a, b); }
Tensor div(Tensor a, Tensor b) { return binary<Div>("div", a, b); }
Tensor greater(Tensor a, Tensor b) { return binary<Greater>("greater", a, b); }

}  // namespace tidemark::ops
