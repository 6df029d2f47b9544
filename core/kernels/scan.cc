#include "core/kernels/scan.h"

#include <algorithm>

#include "core/kernels/scratch.h"

namespace tidemark::kernels {
namespace {

// Calls row(offset of the row, accumulators) in the order of the scan, with
// fresh accumulators for each outer index.
template <class Acc, class Row>
void for_each_scan_row(const Reduction& r, bool backwards, Acc start, Row row) {
  Acc* acc = scratch_of<Acc>(Scratch::kVector, r.inner);
  for (Index o = 0; o < r.outer; ++o) {
    std::fill_n(acc, r.inner, start);
    for (Index s = 0; s < r.n; ++s) {
      const Index k = backwards ? r.n - 1 - s : s;
      row((o * r.n + k) * r.inner, acc);
    }
  }
}

template <class Acc, class T, class Combine>
void scan(const Reduction& r, ScanOrder order, Acc start, const T* in, T* out,
          Combine combine) {
  for_each_scan_row(r, order.reverse, start, [&](Index at, Acc* acc) {
    for (Index j = 0; j < r.inner; ++j) {
      const Acc before = acc[j];
      acc[j] = combine(before, static_cast<Acc>(in[at + j]));
      out[at + j] = static_cast<T>(order.exclusive ? before : acc[j]);
    }
  });
}

constexpr auto kPlus = [](auto a, auto b) { return a + b; };
constexpr auto kTimes = [](auto a, auto b) { return a * b; };

}  // namespace

void cumsum(const Reduction& r, ScanOrder order, const float* in, float* out) {
  scan(r, order, 0.0, in, out, kPlus);
}

void cumsum(const Reduction& r, ScanOrder order, const std::int32_t* in,
            std::int32_t* out) {
  scan(r, order, std::uint32_t{0}, in, out, kPlus);
}

void cumprod(const Reduction& r, ScanOrder order, const float* in,
             float* out) {
  scan(r, order, 1.0, in, out, kTimes);
}

void cumprod(const Reduction& r, ScanOrder order, const std::int32_t* in,
             std::int32_t* out) {
  scan(r, order, std::uint32_t{1}, in, out, kTimes);
}

void cumprod_tail(const Reduction& r, ScanOrder order, const float* dy,
                  const float* x, float* out) {
  for_each_scan_row(r, !order.reverse, 0.0, [&](Index at, double* tail) {
    for (Index j = 0; j < r.inner; ++j) {
      const double here = dy[at + j] + (order.exclusive ? x[at + j] : 1.0) *
                                           tail[j];
      out[at + j] = static_cast<float>(order.exclusive ? tail[j] : here);
      tail[j] = order.exclusive ? here : x[at + j] * here;
    }
  });
}

}  // namespace tidemark::kernels
