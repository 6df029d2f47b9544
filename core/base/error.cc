#include "core/base/error.h"

#include <algorithm>
#include <cmath>

#include "core/base/raise.h"

namespace tidemark {

std::string text(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v < 0 ? "-Infinity" : "Infinity";
  if (v < 0) return "-" + text(-v);
  // Whole numbers in full, as JavaScript writes them, others to nine digits.
  // By hand: printf would be the largest function of the whole program.
  if (v == std::trunc(v) && v < 1e18) {
    return std::to_string(static_cast<long long>(v));
  }
  int exponent = static_cast<int>(std::floor(std::log10(v)));
  bool scientific = exponent < -7 || exponent >= 18;
  double scaled = scientific ? v / std::pow(10.0, exponent) : v;
  int places = std::min(9, scientific ? 8 : 8 - exponent);
  auto unit = static_cast<long long>(std::pow(10.0, places) + 0.5);
  auto digits = static_cast<long long>(scaled * double(unit) + 0.5);
  std::string out = std::to_string(digits / unit);
  std::string rest = std::to_string(digits % unit + unit).substr(1);
  rest.erase(rest.find_last_not_of('0') + 1);
  if (!rest.empty()) out += "." + rest;
  if (scientific) {
    out += exponent < 0 ? "e" : "e+";
    out += std::to_string(exponent);
  }
  return out;
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
  raise(code, std::move(message));
}

}  // namespace tidemark
