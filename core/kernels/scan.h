#pragma once
// Running sums and products along the middle axis of [outer, n, inner].

#include "core/kernels/reduce.h"

namespace tidemark::kernels {

/// Which way a scan runs and whether an element takes part in its own result.
struct ScanOrder {
  bool exclusive = false;
  bool reverse = false;
};

/// Running sums; floats are added in double, int32 wraps.
void cumsum(const Reduction& r, ScanOrder order, const float* in, float* out);
void cumsum(const Reduction& r, ScanOrder order, const std::int32_t* in,
            std::int32_t* out);

/// Running products; floats are multiplied in double, int32 wraps.
void cumprod(const Reduction& r, ScanOrder order, const float* in, float* out);
void cumprod(const Reduction& r, ScanOrder order, const std::int32_t* in,
             std::int32_t* out);

/// For y = cumprod(x): out[k] = sum over i of dy[i] times the product of the
/// x between k and i, the elements that y[i] has beyond those before k. Times
/// the exclusive cumprod it is the gradient at x; nothing is divided, so zeros
/// in x do no harm.
void cumprod_tail(const Reduction& r, ScanOrder order, const float* dy,
                  const float* x, float* out);

}  // namespace tidemark::kernels
