// Comparisons, logic and selection.
#include "core/ops/binary.h"
#include "core/ops/binary_op.h"
#include "core/ops/check.h"
#include "core/ops/creation.h"

namespace tidemark::ops {
namespace {

// Flat between its jumps, as floor and step are.
struct Comparison {
  using integer = void;
  using predicate = void;
  static Tensor da(Tensor dy) { return zeros_like(dy); }
  static Tensor db(Tensor dy) { return zeros_like(dy); }
};
struct Equal : Comparison {
  static bool value(auto a, auto b) { return a == b; }
};
struct NotEqual : Comparison {
  static bool value(auto a, auto b) { return a != b; }
};
struct Greater : Comparison {
  static bool value(auto a, auto b) { return a > b; }
};
struct GreaterEqual : Comparison {
  static bool value(auto a, auto b) { return a >= b; }
};
struct Less : Comparison {
  static bool value(auto a, auto b) { return a < b; }
};
struct LessEqual : Comparison {
  static bool value(auto a, auto b) { return a <= b; }
};

struct And {
  using boolean = void;
  static uint8_t value(uint8_t a, uint8_t b) { return a & b; }
};
struct Or {
  using boolean = void;
  static uint8_t value(uint8_t a, uint8_t b) { return a | b; }
};
struct Xor {
  using boolean = void;
  static uint8_t value(uint8_t a, uint8_t b) { return a ^ b; }
};

constexpr Op kWhere{
    .name = "where",
    .kernel =
        [](const Run& run) {
          const Tensor& c = run.in[0];
          const Tensor& a = run.in[1];
          const Tensor& b = run.in[2];
          const Tensor& y = run.out[0];
          auto plan = kernels::plan_broadcast(
              y.shape(), {&c.shape(), &a.shape(), &b.shape()});
          dispatch(y.dtype(), [&](auto type) {
            using T = decltype(type);
            kernels::select(plan, c.data<uint8_t>(), a.data<T>(), b.data<T>(),
                            y.mutable_data<T>());
          });
        },
    .vjp =
        [](Vjp& v) {
          const Tensor& c = v.in(0);
          Tensor zero = scalar(0);
          if (v.needs(0)) {
            v.give(0, fill(v.in_spec(0).shape, 0, DType::float32));
          }
          if (v.needs(1)) {
            v.give(1, sum_to(where(c, v.dy(), zero), v.in_spec(1).shape));
          }
          if (v.needs(2)) {
            v.give(2, sum_to(where(c, zero, v.dy()), v.in_spec(2).shape));
          }
        },
    .keep_inputs = 1,
};

}  // namespace

Tensor equal(Tensor a, Tensor b) { return binary<Equal>("equal", a, b); }
Tensor not_equal(Tensor a, Tensor b) {
  return binary<NotEqual>("notEqual", a, b);
}
Tensor greater(Tensor a, Tensor b) { return binary<Greater>("greater", a, b); }
Tensor greater_equal(Tensor a, Tensor b) {
  return binary<GreaterEqual>("greaterEqual", a, b);
}
Tensor less(Tensor a, Tensor b) { return binary<Less>("less", a, b); }
Tensor less_equal(Tensor a, Tensor b) {
  return binary<LessEqual>("lessEqual", a, b);
}
Tensor logical_and(Tensor a, Tensor b) {
  return binary<And>("logicalAnd", a, b);
}
Tensor logical_or(Tensor a, Tensor b) { return binary<Or>("logicalOr", a, b); }
Tensor logical_xor(Tensor a, Tensor b) {
  return binary<Xor>("logicalXor", a, b);
}

Tensor where(Tensor condition, Tensor a, Tensor b) {
  require_dtype("where", "condition", condition, DType::bool_);
  DType type = promote(a.dtype(), b.dtype());
  if (a.dtype() != type) a = cast(a, type);
  if (b.dtype() != type) b = cast(b, type);
  Shape shape = broadcast_shape(
      "where", broadcast_shape("where", condition.shape(), a.shape()),
      b.shape());
  return emit(kWhere, {condition, a, b}, {shape, type});
}

}  // namespace tidemark::ops
