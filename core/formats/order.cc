#include "core/formats/order.h"

#include <algorithm>

namespace tidemark::formats {

std::vector<uint32_t> ascending(const std::vector<View>& keys) {
  std::size_t n = keys.size();
  std::vector<uint32_t> order(n), merged(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<uint32_t>(i);
  // Merges neighbouring runs, from single keys up.
  for (std::size_t run = 1; run < n; run *= 2) {
    for (std::size_t start = 0; start < n; start += 2 * run) {
      std::size_t middle = std::min(start + run, n);
      std::size_t end = std::min(middle + run, n);
      std::size_t a = start, b = middle;
      for (std::size_t i = start; i < end; ++i) {
        bool second =
            a == middle || (b < end && keys[order[b]] < keys[order[a]]);
        merged[i] = order[second ? b++ : a++];
      }
    }
    order.swap(merged);
  }
  return order;
}

}  // namespace tidemark::formats
