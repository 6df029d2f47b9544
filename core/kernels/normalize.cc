#include "core/kernels/normalize.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/parallel.h"
#include "core/kernels/scratch.h"

namespace tidemark::kernels {

void batch_norm(Index rows, Index channels, const float* in, const float* mean,
                const float* variance, const float* offset, const float* scale,
                float epsilon, float* out) {
  float* factor = scratch_of<float>(Scratch::kVector, channels);
  float* shift = scratch_of<float>(Scratch::kRows, channels);
  for (Index c = 0; c < channels; ++c) {
    factor[c] = (scale != nullptr ? scale[c] : 1.0f) /
                std::sqrt(variance[c] + epsilon);
    shift[c] = offset != nullptr ? offset[c] : 0.0f;
  }
  for (Index r = 0; r < rows; ++r) {
    const float* x = in + r * channels;
    float* y = out + r * channels;
    Index c = 0;
    for (; c + kWidth <= channels; c += kWidth) {
      store(y + c, (load(x + c) - load(mean + c)) * load(factor + c) +
                       load(shift + c));
    }
    for (; c < channels; ++c) y[c] = (x[c] - mean[c]) * factor[c] + shift[c];
  }
}

void window_sum(Index rows, Index channels, Index radius, const float* in,
                float* out) {
  std::fill_n(out, rows * channels, 0.0f);
  const Index reach = std::min(radius, channels - 1);
  for (Index r = 0; r < rows; ++r) {
    const float* x = in + r * channels;
    float* y = out + r * channels;
    for (Index d = -reach; d <= reach; ++d) {
      const Index end = std::min(channels, channels - d);
      for (Index c = std::max<Index>(0, -d); c < end; ++c) y[c] += x[c + d];
    }
  }
}

}  // namespace tidemark::kernels
