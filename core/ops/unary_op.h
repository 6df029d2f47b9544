#pragma once
// How a functor becomes an op of one tensor.
//
//   struct Expm1 {
//     static auto value(auto x) { return xsimd::expm1(x); }
//     static Tensor vjp(Tensor dy, Output y) { return dy * (y + 1); }
//   };
//   Tensor expm1(Tensor x) { return unary<Expm1>("expm1", x); }
//
// The type of vjp's second parameter says what the tape keeps: Output keeps y,
// Input keeps x, neither keeps nothing. A functor with parameters has them as
// members and non-static functions; its bytes are the op's attributes. A
// functor without vjp has no derivative. What it says of types:
//
//   using integer = void;     also defined on int32
//   using keeps_type = void;  computed in float32, given in x's type
//   using float_only = void;  refuses int32 and bool
//   using boolean = void;     defined on bool alone, and gives it
//   using predicate = void;   gives bool

#include <type_traits>

#include "core/kernels/map.h"
#include "core/ops/cast.h"
#include "core/ops/check.h"
#include "core/ops/emit.h"

namespace tidemark::ops {

/// A kept tensor, marked by role; converts to the Tensor it is.
struct Input : Tensor {
  explicit Input(Tensor t) : Tensor(std::move(t)) {}
};
struct Output : Tensor {
  explicit Output(Tensor t) : Tensor(std::move(t)) {}
};

template <class F>
concept KeepsInput =
    requires(const F& f, Tensor t) { f.vjp(t, Input(t)); };
template <class F>
concept KeepsOutput =
    requires(const F& f, Tensor t) { f.vjp(t, Output(t)); };
template <class F>
concept KeepsNothing = requires(const F& f, Tensor t) { f.vjp(t); };
template <class F>
concept Integer = requires { typename F::integer; };
template <class F>
concept Predicate = requires { typename F::predicate; };
template <class F>
concept KeepsType = requires { typename F::keeps_type; };
template <class F>
concept FloatOnly = requires { typename F::float_only; };
template <class F>
concept Boolean = requires { typename F::boolean; };

template <class F>
void unary_kernel(const Run& run) {
  const F& f = run.attr<F>();
  const Tensor& x = run.in[0];
  const Tensor& y = run.out[0];
  auto with = [&]<class T>(T) {
    if constexpr (Predicate<F>) {
      kernels::map(f, x.data<T>(), y.mutable_data<uint8_t>(), x.size());
    } else {
      kernels::map(f, x.data<T>(), y.mutable_data<T>(), x.size());
    }
  };
  if constexpr (Boolean<F>) {
    with(uint8_t{});
  } else {
    if constexpr (Integer<F>) {
      if (x.dtype() == DType::int32) return with(int32_t{});
    }
    with(float{});
  }
}

template <class F>
void unary_vjp(Vjp& v) {
  const F& f = v.attr<F>();
  if constexpr (KeepsOutput<F>) {
    v.give(0, f.vjp(v.dy(), Output(v.out())));
  } else if constexpr (KeepsInput<F>) {
    v.give(0, f.vjp(v.dy(), Input(v.in(0))));
  } else {
    v.give(0, f.vjp(v.dy()));
  }
}

template <class F>
constexpr auto unary_derivative() -> void (*)(Vjp&) {
  if constexpr (KeepsOutput<F> || KeepsInput<F> || KeepsNothing<F>) {
    return unary_vjp<F>;
  } else {
    return nullptr;
  }
}

/// For functors that have `void tell(Teller& to) const`.
template <class F>
constexpr auto functor_tell() -> void (*)(const Run&, Teller&) {
  if constexpr (requires(const F& f, Teller& to) { f.tell(to); }) {
    return [](const Run& run, Teller& to) { run.attr<F>().tell(to); };
  } else {
    return nullptr;
  }
}

/// Runs functor F on x. `Name` is a static string by design: the descriptor is
/// static too.
template <class F>
Tensor unary(const char* name, const Tensor& x, const F& f = {}) {
  static const Op op{
      .name = name,
      .kernel = unary_kernel<F>,
      .vjp = unary_derivative<F>(),
      .keep_inputs = KeepsInput<F> && !KeepsOutput<F> ? 1u : 0u,
      .keep_outputs = KeepsOutput<F> ? 1u : 0u,
      .tell = functor_tell<F>(),
  };
  DType type = DType::float32;
  if constexpr (Integer<F>) {
    if (x.dtype() != DType::float32) type = DType::int32;
  }
  if constexpr (Boolean<F>) type = DType::bool_;
  if constexpr (FloatOnly<F> || Boolean<F>) require_dtype(name, "x", x, type);
  Tensor in = x.dtype() == type ? x : cast(x, type);
  DType out = Predicate<F> ? DType::bool_ : type;
  Tensor y = emit(op, {in}, {in.shape(), out}, f);
  constexpr bool keeps = (Integer<F> || KeepsType<F>) && !Predicate<F>;
  return keeps && out != x.dtype() ? cast(y, x.dtype()) : y;
}

}  // namespace tidemark::ops
