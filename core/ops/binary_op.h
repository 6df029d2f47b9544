#pragma once
// How a functor becomes an op of two broadcast tensors.
//
//   struct Mul {
//     using integer = void;                       // also defined on int32
//     static auto value(auto a, auto b) { return a * b; }
//     static Tensor da(Tensor dy, Tensor a, Tensor b) { return dy * b; }
//     static Tensor db(Tensor dy, Tensor a, Tensor b) { return dy * a; }
//   };
//
// da and db are dL/da and dL/db in the broadcast shape; the sum over what was
// broadcast is done here. With da(Tensor dy) alone the tape keeps neither
// operand. A functor with `using predicate = void` gives bool; one with
// `using scalar = void` works on scalars; one with `using integer_only = void`
// never sees floats. `keeps_type` and `boolean` are as in unary_op.h.

#include "core/kernels/broadcast.h"
#include "core/ops/cast.h"
#include "core/ops/emit.h"
#include "core/ops/reduce.h"
#include "core/ops/unary_op.h"

namespace tidemark::ops {

template <class F>
concept KeepsOperands =
    requires(const F& f, Tensor t) { f.da(t, t, t); f.db(t, t, t); };
template <class F>
concept KeepsNoOperand =
    requires(const F& f, Tensor t) { f.da(t); f.db(t); };

template <class F>
concept IntegerOnly = requires { typename F::integer_only; };

template <class F>
void binary_kernel(const Run& run) {
  const F& f = run.attr<F>();
  const Tensor& a = run.in[0];
  const Tensor& b = run.in[1];
  const Tensor& y = run.out[0];
  kernels::BroadcastPlan plan =
      kernels::plan_broadcast(y.shape(), {&a.shape(), &b.shape()});
  auto with = [&]<class T>(T) {
    using Out = std::conditional_t<Predicate<F>, uint8_t, T>;
    kernels::zip(f, plan, a.data<T>(), b.data<T>(), y.mutable_data<Out>());
  };
  if constexpr (Boolean<F>) {
    with(uint8_t{});
  } else {
    if constexpr (Integer<F>) {
      if (a.dtype() == DType::int32) return with(int32_t{});
    }
    if constexpr (Predicate<F>) {
      if (a.dtype() == DType::bool_) return with(uint8_t{});
    }
    if constexpr (!IntegerOnly<F>) with(float{});
  }
}

template <class F>
void binary_vjp(Vjp& v) {
  const F& f = v.attr<F>();
  for (int i = 0; i < 2; ++i) {
    if (!v.needs(i)) continue;
    Tensor d;
    if constexpr (KeepsOperands<F>) {
      d = i == 0 ? f.da(v.dy(), v.in(0), v.in(1))
                 : f.db(v.dy(), v.in(0), v.in(1));
    } else if constexpr (KeepsNoOperand<F>) {
      d = i == 0 ? f.da(v.dy()) : f.db(v.dy());
    }
    v.give(i, sum_to(d, v.in_spec(i).shape));
  }
}

template <class F>
constexpr auto binary_derivative() -> void (*)(Vjp&) {
  if constexpr (KeepsOperands<F> || KeepsNoOperand<F>) {
    return binary_vjp<F>;
  } else {
    return nullptr;
  }
}

/// Runs functor F on a and b; `name` is a static string.
template <class F>
Tensor binary(const char* name, const Tensor& a, const Tensor& b,
              const F& f = {}) {
  static const Op op{
      .name = name,
      .kernel = binary_kernel<F>,
      .vjp = binary_derivative<F>(),
      .keep_inputs = KeepsOperands<F> ? 3u : 0u,
  };
  Shape shape = broadcast_shape(name, a.shape(), b.shape());
  DType wide = promote(a.dtype(), b.dtype());
  // Arithmetic on bools counts, as in int32; float-only functions lift all.
  if (wide == DType::bool_ && !Predicate<F>) wide = DType::int32;
  DType type = Integer<F> || Predicate<F> ? wide : DType::float32;
  if constexpr (Boolean<F>) {
    require_dtype(name, "a", a, DType::bool_);
    require_dtype(name, "b", b, DType::bool_);
    type = DType::bool_;
  }
  Tensor y = emit(op,
                  {a.dtype() == type ? a : cast(a, type),
                   b.dtype() == type ? b : cast(b, type)},
                  {shape, Predicate<F> ? DType::bool_ : type}, f);
  return KeepsType<F> && wide != type ? cast(y, wide) : y;
}

}  // namespace tidemark::ops
