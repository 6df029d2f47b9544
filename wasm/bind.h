#pragma once
// bind<ops::expm1>("expm1(x)") exports one C++ function. What is the same for
// every function (safe point, catching, exposing) lives out of line in bind.cc:
// inlined it would cost about 1 kB each.
//
// Answers:  Tensor   a handle, 0 after an error
//           Tensors  their number, the handles in the block, -1 after an error
//           void     1, 0 after an error
//           numbers  the number, NaN after an error

#include <emscripten/bind.h>

#include <utility>

#include "wasm/wire.h"

namespace tidemark::wire {

using Arguments = const double*;

/// Frees some of what JavaScript has lost (the safe point), runs
/// body(arguments) and exposes its result; records an error instead of
/// letting it out.
double guard(Tensor (*body)(Arguments), Arguments arguments);
double guard(Tensors (*body)(Arguments), Arguments arguments);
double guard(void (*body)(Arguments), Arguments arguments);
double guard(double (*body)(Arguments), Arguments arguments);

/// The error recorded last; Code::none when there was none since the last take.
Code last_code();
/// Its text; valid until the next error.
const char* last_message();

namespace detail {

template <class R>
using Answer = std::conditional_t<std::is_arithmetic_v<R>, double, R>;

template <class>
using AsDouble = double;

template <auto F, class Signature>
struct Bound;

template <auto F, class R, class... A>
struct Bound<F, R (*)(A...)> {
  template <std::size_t... I>
  static Answer<R> unpack([[maybe_unused]] Arguments v,
                          std::index_sequence<I...>) {
    return static_cast<Answer<R>>(
        F(Wire<std::remove_cvref_t<A>>::read(v[I])...));
  }
  static Answer<R> body(Arguments v) {
    return unpack(v, std::index_sequence_for<A...>{});
  }
  static double call(AsDouble<A>... a) {
    double arguments[] = {a..., 0};
    return guard(&body, arguments);
  }
};

}  // namespace detail

/// Exports F under the name and parameter names in `signature`.
template <auto F>
void bind(const char* signature) {
  emscripten::function(signature, &detail::Bound<F, decltype(F)>::call);
}

}  // namespace tidemark::wire
