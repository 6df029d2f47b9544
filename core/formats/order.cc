#include "core/formats/order.h"

#include <algorithm>

namespace tidemark::formats {

std::vector<std::size_t> order_of(std::span<const View> keys) {
  std::size_t n = keys.size();
  std::vector<std::size_t> from(n), to(n);
  for (std::size_t i = 0; i < n; ++i) from[i] = i;
  // Runs that are in order are merged in pairs.
  for (std::size_t run = 1; run < n; run *= 2) {
    for (std::size_t at = 0; at < n; at += 2 * run) {
      std::size_t middle = std::min(at + run, n);
      std::size_t end = std::min(at + 2 * run, n), i = at, j = middle;
      for (std::size_t k = at; k < end; ++k) {
        bool left =
            i < middle && (j == end || keys[from[i]] <= keys[from[j]]);
        to[k] = from[left ? i++ : j++];
      }
    }
    from.swap(to);
  }
  return from;
}

}  // namespace tidemark::formats
