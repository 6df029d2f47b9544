#pragma once
// Elementwise loops. Functors know maths, these know memory: a functor has
// `value(x)` written on SIMD batches (or on scalars, where it says so by
// `using scalar = void`), and never sees a pointer.
//
// Contiguous buffers start on 64 bytes and are padded to 64, so `map` is one
// aligned loop with no tail; what it computes in the pads is never read.

#include <cstddef>
#include <type_traits>

#include "core/kernels/arch.h"
#include "core/kernels/parallel.h"

namespace tidemark::kernels {

/// True for functors whose `value` takes scalars.
template <class F>
concept ScalarFunctor = requires { typename F::scalar; };

/// Elements one task of an elementwise loop should have at least.
inline constexpr Index kMapGrain = 32768;

/// out[i] = f.value(in[i]) for i in [0, n).
template <class F, class In, class Out>
void map(const F& f, const In* in, Out* out, std::size_t n) {
  parallel_for(static_cast<Index>(n), kMapGrain, [&](Index from, Index to) {
    if constexpr (ScalarFunctor<F> || !std::is_same_v<In, Out> ||
                  std::is_same_v<In, uint8_t>) {
      for (Index i = from; i < to; ++i) {
        out[i] = static_cast<Out>(f.value(in[i]));
      }
    } else {
      for (Index i = from; i < to; i += Index(kLanes<In>)) {
        f.value(Batch<In>::load_aligned(in + i)).store_aligned(out + i);
      }
    }
  });
}

}  // namespace tidemark::kernels
