#include "core/base/error.h"

#include <cmath>
#include <cstdio>

namespace tidemark {

std::string text(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v < 0 ? "-Infinity" : "Infinity";
  // JavaScript writes whole numbers in full up to 10^21.
  const bool whole = v == std::trunc(v) && std::abs(v) < 1e21;
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, whole ? "%.0f" : "%.9g", v);
  return buffer;
}

std::string text(const std::vector<int>& v) {
  std::string out = "[";
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (i > 0) out += ',';
    out += std::to_string(v[i]);
  }
  return out + "]";
}

void fail_with(Code code, const Part* parts, std::size_t count) {
  std::string message;
  for (std::size_t i = 0; i < count; ++i) message += parts[i].shown();
  throw Error(code, std::move(message));
}

}  // namespace tidemark
