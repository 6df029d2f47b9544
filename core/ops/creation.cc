#include "core/ops/creation.h"

#include <algorithm>
#include <cstring>

#include "core/ops/emit.h"

namespace tidemark::ops {
namespace {

struct Fill {
  double value;
};

constexpr Op kFill{
    .name = "fill",
    .kernel = [](const Run& run) {
      const Tensor& out = run.out[0];
      dispatch(out.dtype(), [&](auto type) {
        using T = decltype(type);
        Tensor one = scalar(run.attr<Fill>().value, out.dtype());
        std::fill_n(out.mutable_data<T>(), out.size(), *one.data<T>());
      });
    },
};

}  // namespace

Tensor fill(const Shape& shape, double value, DType dtype) {
  return emit(kFill, std::span<const Tensor>(), {shape, dtype}, Fill{value});
}

Tensor zeros_like(const Tensor& x) { return fill(x.shape(), 0, x.dtype()); }
Tensor ones_like(const Tensor& x) { return fill(x.shape(), 1, x.dtype()); }

}  // namespace tidemark::ops
