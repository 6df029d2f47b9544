#include "core/formats/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/formats/wire.h"

namespace tidemark::formats {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();

void put_double(Bytes& out, int field, double value) {
  put_key(out, field, WireType::fixed64);
  put(out, value);
}

}  // namespace

std::span<const double> bucket_limits() {
  static const std::vector<double> limits = [] {
    std::vector<double> v{0.0};
    // Repeated multiplication, because the limits must have the same bits.
    for (double x = 1e-12; x < 1e20; x *= 1.1) v.push_back(x);
    v.push_back(kMost);
    std::vector<double> all;
    for (std::size_t i = v.size(); i-- > 1;) all.push_back(-v[i]);
    all.insert(all.end(), v.begin(), v.end());
    return all;
  }();
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
