#pragma once

#include <cstddef>

namespace tidemark::kernels {

/// Calls f(from, to) on ranges that cover [0, n), each a multiple of `grain`
/// long but the last. Ranges run inline, one after the other, until the
/// library has threads; f must not care about their order.
template <class F>
void parallel_for(std::size_t n, std::size_t grain, F&& f) {
  static_cast<void>(grain);
  if (n > 0) f(std::size_t{0}, n);
}

}  // namespace tidemark::kernels
