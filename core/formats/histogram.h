#pragma once
// Histograms with TensorFlow's bucket limits: 1e-12 times powers of 1.1 up to
// 1e20, the same with a minus, zero between.

#include <span>
#include <vector>

#include "core/formats/bytes.h"

namespace tidemark::formats {

/// TensorFlow's limits, ascending; a bucket holds what is less than its limit
/// and not less than the limit before.
std::span<const double> bucket_limits();

class Histogram {
 public:
  Histogram();
  /// Counts a value; fails with code argument, as TensorFlow does, for NaN and
  /// infinity. `tag` is for the message.
  void add(double value, View tag);
  /// The encoded HistogramProto; runs of empty buckets are one.
  Bytes encode() const;

 private:
  double min_, max_, num_ = 0, sum_ = 0, squares_ = 0;
  std::vector<double> counts_;
};

}  // namespace tidemark::formats
