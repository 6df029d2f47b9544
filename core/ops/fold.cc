#include "core/ops/fold.h"

#include <algorithm>

#include "core/kernels/transpose.h"

namespace tidemark::ops {

using kernels::Index;
using kernels::Reduction;

void Axes::tell(const Run& run, Teller& to) const {
  int axes[kMaxRank], n = 0;
  for (int d = 0; d < run.in[0].rank(); ++d) {
    if (has(d)) axes[n++] = d;
  }
  to.list("axes", std::span<const int>(axes, static_cast<std::size_t>(n)));
}

Shape kept_shape(const Shape& shape, Axes axes) {
  Shape kept = shape;
  for (int d = 0; d < shape.rank(); ++d) {
    if (axes.has(d)) kept[d] = 1;
  }
  return kept;
}

Shape reduced_shape(const Shape& shape, Axes axes) {
  Ints dims;
  for (int d = 0; d < shape.rank(); ++d) {
    if (!axes.has(d)) dims.push_back(shape[d]);
  }
  return Shape(dims);
}

Reduction along(const Shape& shape, int axis) {
  return {static_cast<Index>(shape.size(0, axis)), shape[axis],
          static_cast<Index>(shape.size(axis + 1, shape.rank()))};
}

Merged merge(const Shape& shape, Axes axes) {
  Ints dims;
  std::vector<bool> reduced;
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape[d] == 1) continue;  // of either kind, so it never separates
    if (!dims.empty() && reduced.back() == axes.has(d)) {
      dims.back() *= shape[d];
    } else {
      dims.push_back(shape[d]);
      reduced.push_back(axes.has(d));
    }
  }
  Merged merged{Shape(dims), {}};
  for (int d = static_cast<int>(dims.size()) - 1; d >= 0; --d) {
    if (reduced[d]) merged.axes.push_back(d);
  }
  return merged;
}

Folded fold(const Tensor& x, Axes axes) {
  auto [shape, reduced] = merge(x.shape(), axes);
  if (reduced.empty()) {
    return {{static_cast<Index>(x.size()), 1, 1}, x};
  }
  if (reduced.size() == 1) return {along(shape, reduced[0]), x};
  std::vector<Index> sizes(shape.begin(), shape.end()), order;
  Axes moved(reduced);
  Index outer = 1, n = 1;
  for (bool last : {false, true}) {
    for (int d = 0; d < shape.rank(); ++d) {
      if (moved.has(d) != last) continue;
      order.push_back(d);
      (last ? n : outer) *= shape[d];
    }
  }
  Tensor out(Shape{static_cast<int>(outer), static_cast<int>(n)}, x.dtype());
  kernels::transpose(size_of(x.dtype()), sizes, order, x.raw(),
                     out.mutable_raw());
  return {{outer, n, 1}, out};
}

}  // namespace tidemark::ops
