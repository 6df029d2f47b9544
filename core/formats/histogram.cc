#include "core/formats/histogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/formats/wire.h"

namespace tidemark::formats {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();
// Repeated multiplication, because the limits must have the same bits.
constexpr double kFirst = 1e-12, kRatio = 1.1, kEnd = 1e20;
constexpr std::size_t kSteps = [] {
  std::size_t n = 0;
  for (double x = kFirst; x < kEnd; x *= kRatio) ++n;
  return n;
}();

void put_double(Bytes& out, int field, double value) {
  put_key(out, field, WireType::fixed64);
  put(out, value);
}

}  // namespace

std::span<const double> bucket_limits() {
  // Below zero, zero, above it. Filled at the first use: as a constant it would
  // be 12 kB of the program.
  static std::array<double, 2 * kSteps + 3> limits;
  double* zero = &limits[kSteps + 1];
  if (limits.back() == 0) {
    double x = kFirst;
    for (std::size_t i = 1; i <= kSteps + 1; ++i, x *= kRatio) {
      zero[i] = i <= kSteps ? x : kMost;
      *(zero - i) = -zero[i];
    }
  }
  return limits;
}

Histogram::Histogram()
    : min_(kMost), max_(-kMost), counts_(bucket_limits().size()) {}

void Histogram::add(double value, View tag) {
  if (!std::isfinite(value)) {
    fail(Code::argument, std::isnan(value) ? "Nan" : "Infinity",
         " in summary histogram for: ", tag);
  }
  std::span<const double> limits = bucket_limits();
  auto at = std::upper_bound(limits.begin(), limits.end(), value);
  auto bucket = static_cast<std::size_t>(at - limits.begin());
  ++counts_[std::min(bucket, counts_.size() - 1)];
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  ++num_;
  sum_ += value;
  squares_ += value * value;
}

Bytes Histogram::encode() const {
  Bytes out, limits, counts;
  double values[] = {min_, max_, num_, sum_, squares_};
  for (int i = 0; i < 5; ++i) put_double(out, i + 1, values[i]);
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    bool empty = counts_[i] <= 0;
    while (empty && i + 1 < counts_.size() && counts_[i + 1] <= 0) ++i;
    put(limits, bucket_limits()[i]);
    put(counts, counts_[i]);
  }
  put_bytes_field(out, 6, limits);
  put_bytes_field(out, 7, counts);
  return out;
}

}  // namespace tidemark::formats
