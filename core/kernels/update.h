#pragma once
// Several buffers in, several out, one pass: what an optimizer's update of a
// variable is. All buffers are tensors' storage: aligned, padded, equally long.
//
//   struct Sgd {
//     static constexpr int kIn = 2, kOut = 1;
//     float rate;
//     void value(const Float* in, Float* out) const {
//       out[0] = in[0] - Float(rate) * in[1];
//     }
//   };

#include "core/kernels/arch.h"
#include "core/kernels/map.h"

namespace tidemark::kernels {

/// out[j][i] = j-th value of f at (in[0][i], in[1][i], ...) for i in [0, n).
template <class F>
void map_lists(const F& f, const float* const* in, float* const* out,
               std::size_t n) {
  const auto pass = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; i += kLanes<float>) {
      Float x[F::kIn];
      Float y[F::kOut];
      for (int k = 0; k < F::kIn; ++k) x[k] = Float::load_aligned(in[k] + i);
      f.value(x, y);
      for (int k = 0; k < F::kOut; ++k) y[k].store_aligned(out[k] + i);
    }
  };
  parallel_for(n, kMapGrain, pass);
}

}  // namespace tidemark::kernels
