#pragma once
// The one place where kernels split their work.

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// Calls f(begin, end) over ranges that cover [0, n), each of at least `grain`.
template <class F>
void parallel_for(Index n, Index grain, F&& f) {
  (void)grain;
  if (n > 0) f(Index{0}, n);
}

}  // namespace tidemark::kernels
