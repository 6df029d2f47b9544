#include "core/formats/decimal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tidemark::formats {
namespace {

// digits * 10^exponent; digits without leading zeros, "" for zero.
struct Decimal {
  Bytes digits;
  int exponent = 0;

  /// The power of ten of the first digit.
  int power() const {
    return static_cast<int>(digits.size()) + exponent - 1;
  }
};

/// mantissa * 2^exponent, all digits of it.
Decimal exact(uint64_t mantissa, int exponent) {
  constexpr uint32_t kBase = 1'000'000'000;
  std::vector<uint32_t> limbs;  // low ones first
  for (; mantissa > 0; mantissa /= kBase) {
    limbs.push_back(static_cast<uint32_t>(mantissa % kBase));
  }
  // 2^-n is 5^n / 10^n.
  for (int i = 0; i < std::abs(exponent); ++i) {
    uint64_t carry = 0;
    for (uint32_t& limb : limbs) {
      carry += uint64_t{limb} * (exponent < 0 ? 5 : 2);
      limb = static_cast<uint32_t>(carry % kBase);
      carry /= kBase;
    }
    if (carry > 0) limbs.push_back(static_cast<uint32_t>(carry));
  }
  Decimal out;
  out.exponent = std::min(exponent, 0);
  for (std::size_t i = limbs.size(); i-- > 0;) {
    Bytes nine = std::to_string(limbs[i]);
    if (!out.digits.empty()) out.digits.append(9 - nine.size(), '0');
    out.digits += nine;
  }
  return out;
}

/// A positive double as mantissa * 2^exponent.
uint64_t split(double v, int& exponent) {
  auto bits = std::bit_cast<uint64_t>(v);
  int raw = static_cast<int>(bits >> 52);
  uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  exponent = std::max(raw, 1) - 1075;
  return raw == 0 ? fraction : fraction | uint64_t{1} << 52;
}

/// Halfway between a double and the next larger one.
Decimal midpoint(double v) {
  int exponent;
  uint64_t mantissa = split(v, exponent);
  return exact(2 * mantissa + 1, exponent - 1);
}

/// Less than, equal to or greater than 0 as a is to b.
int compare(const Decimal& a, const Decimal& b) {
  if (a.digits.empty() || b.digits.empty()) {
    return int(!a.digits.empty()) - int(!b.digits.empty());
  }
  if (a.power() != b.power()) return a.power() < b.power() ? -1 : 1;
  std::size_t n = std::max(a.digits.size(), b.digits.size());
  for (std::size_t i = 0; i < n; ++i) {
    char x = i < a.digits.size() ? a.digits[i] : '0';
    char y = i < b.digits.size() ? b.digits[i] : '0';
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

/// Rounded to at most n digits, halves to the even digit.
void round_to(Decimal& d, std::size_t n) {
  if (d.digits.size() > n) {
    Bytes rest = d.digits.substr(n);
    d.exponent += static_cast<int>(rest.size());
    d.digits.resize(n);
    rest.erase(rest.find_last_not_of('0') + 1);
    bool odd = (d.digits.back() - '0') % 2 != 0;
    if (rest > "5" || (rest == "5" && odd)) {
      std::size_t i = n;
      while (i > 0 && d.digits[i - 1] == '9') d.digits[--i] = '0';
      if (i > 0) {
        ++d.digits[i - 1];
      } else {
        d.digits.insert(0, "1");
      }
    }
  }
  std::size_t kept = d.digits.find_last_not_of('0') + 1;
  d.exponent += static_cast<int>(d.digits.size() - kept);
  d.digits.resize(kept);
}

/// What %.<precision>g writes for a positive number.
Bytes general(Decimal d, int precision) {
  round_to(d, static_cast<std::size_t>(precision));
  int power = d.power();
  Bytes digits = d.digits;
  auto n = static_cast<int>(digits.size());
  if (power < -4 || power >= precision) {
    if (n > 1) digits.insert(1, ".");
    Bytes e = std::to_string(std::abs(power));
    return digits + (power < 0 ? "e-" : "e+") + (e.size() < 2 ? "0" : "") + e;
  }
  if (power < 0) {
    return "0." + Bytes(static_cast<std::size_t>(-power - 1), '0') + digits;
  }
  if (n <= power + 1) {
    return digits + Bytes(static_cast<std::size_t>(power + 1 - n), '0');
  }
  return digits.insert(static_cast<std::size_t>(power + 1), ".");
}

template <class T>
Bytes shortest(T value, int few, int all) {
  if (std::isnan(value)) return "nan";
  Bytes sign = std::signbit(value) ? "-" : "";
  value = std::abs(value);
  if (std::isinf(value)) return sign + "inf";
  if (value == 0) return sign + "0";
  int exponent;
  uint64_t mantissa = split(value, exponent);
  Decimal d = exact(mantissa, exponent);
  Bytes text = general(d, few);
  double back;
  parse_decimal(text, back);
  return sign + (static_cast<T>(back) == value ? text : general(d, all));
}

double nearest(const Decimal& d) {
  if (d.digits.empty() || d.power() < -330) return 0;
  if (d.power() > 310) return std::numeric_limits<double>::infinity();
  // A guess by floating point, then steps to the double whose neighbourhood
  // holds the number.
  Decimal head = d;
  round_to(head, 17);
  double v = 0;
  for (char c : head.digits) v = v * 10 + (c - '0');
  int e = head.exponent;
  for (; e <= -100; e += 100) v *= 1e-100;
  for (; e < 0; ++e) v /= 10;
  for (; e >= 100; e -= 100) v *= 1e100;
  for (; e > 0; --e) v *= 10;
  constexpr double kMost = std::numeric_limits<double>::max();
  if (v > kMost) v = kMost;
  while (true) {
    int exponent;
    bool odd = split(v, exponent) % 2 != 0;
    int above = compare(d, midpoint(v));
    if (above > 0 || (above == 0 && odd)) {
      if (v == kMost) return std::numeric_limits<double>::infinity();
      v = std::nextafter(v, std::numeric_limits<double>::infinity());
      continue;
    }
    if (v == 0) return v;
    double below = std::nextafter(v, 0.0);
    int under = compare(d, midpoint(below));
    if (under > 0 || (under == 0 && !odd)) return v;
    v = below;
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Bytes decimal(double value) { return shortest(value, 15, 17); }
Bytes decimal(float value) { return shortest(value, 6, 9); }

bool parse_decimal(View text, double& value) {
  bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  value = 0;
  if (text == "inf" || text == "infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (text == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    Decimal d;
    bool point = false, any = false;
    std::size_t i = 0;
    for (; i < text.size(); ++i) {
      if (text[i] == '.' && !point) {
        point = true;
      } else if (is_digit(text[i])) {
        any = true;
        if (!d.digits.empty() || text[i] != '0') d.digits += text[i];
        d.exponent -= point;
      } else {
        break;
      }
    }
    if (!any) return false;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
      ++i;
      bool down = i < text.size() && text[i] == '-';
      if (down || (i < text.size() && text[i] == '+')) ++i;
      if (i == text.size()) return false;
      int e = 0;
      for (; i < text.size() && is_digit(text[i]); ++i) {
        e = std::min(e * 10 + (text[i] - '0'), 100'000);
      }
      d.exponent += down ? -e : e;
    }
    if (i != text.size()) return false;
    value = nearest(d);
  }
  if (negative) value = -value;
  return true;
}

}  // namespace tidemark::formats
