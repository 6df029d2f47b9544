#include "core/ops/slice.h"

#include <algorithm>
#include <cstdlib>

#include "core/kernels/copy.h"
#include "core/ops/cast.h"
#include "core/ops/emit.h"
#include "core/ops/pad.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

struct Block {
  int begin[kMaxRank];
  int step[kMaxRank];

  void tell(const Run& run, Teller& to) const {
    to.list("begin", per_dimension(begin, run.in[0]));
    to.list("step", per_dimension(step, run.in[0]));
  }
};

constexpr Op kSlice{
    .name = "slice",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          const Tensor& y = run.out[0];
          const auto& block = run.attr<Block>();
          kernels::copy_block(
              size_of(x.dtype()), y.shape(),
              kernels::block_of(x.shape(), block.begin, block.step), x.raw(),
              kernels::whole(y.shape()), y.mutable_raw());
        },
    .vjp =
        [](Vjp& v) {
          const auto& block = v.attr<Block>();
          const Shape& shape = v.in_spec(0).shape;
          Ints begin(block.begin, block.begin + shape.rank());
          Ints step(block.step, block.step + shape.rank());
          v.give(0, put_block(v.dy(), begin, step, shape, 0));
        },
    .tell = tell<Block>,
};

/// One dimension of a strided slice, resolved: `size` elements from `begin`.
struct Range {
  int begin, step, size;
};

Range resolve(int begin, int end, int step, bool from_edge, bool to_edge,
              int dim) {
  // Positions run over [0, dim] going up and [-1, dim - 1] going down; what
  // lies outside is brought to the nearest edge.
  int low = step > 0 ? 0 : -1;
  int high = step > 0 ? dim : dim - 1;
  auto place = [&](int at) {
    return std::clamp(at < 0 ? at + dim : at, low, high);
  };
  int first = from_edge ? (step > 0 ? low : high) : place(begin);
  int last = to_edge ? (step > 0 ? high : low) : place(end);
  int distance = last - first;
  bool empty = distance == 0 || (distance < 0) != (step < 0);
  int size = empty ? 0 : (std::abs(distance) - 1) / std::abs(step) + 1;
  return {size == 0 ? 0 : first, step, size};
}

}  // namespace

Tensor take_block(const Tensor& x, const Ints& begin, const Ints& step,
                  const Shape& shape) {
  Block block{};
  std::copy(begin.begin(), begin.end(), block.begin);
  std::copy(step.begin(), step.end(), block.step);
  return emit(kSlice, {x}, {shape, x.dtype()}, block);
}

Tensor slice(Tensor x, Ints begin, Ints size) {
  int rank = x.rank();
  if (rank == 0) fail(Code::argument, "slice: Slicing scalar is not possible");
  if (static_cast<int>(begin.size()) > rank ||
      static_cast<int>(size.size()) > rank) {
    fail(Code::argument, "slice: begin ", begin, " and size ", size,
         " must not be longer than the rank of ", x.shape());
  }
  begin.resize(rank, 0);
  size.resize(rank, -1);
  for (int d = 0; d < rank; ++d) {
    if (begin[d] < 0) {
      fail(Code::argument, "slice: slice() does not support negative begin "
           "indexing. Got ", begin);
    }
    if (size[d] < -1) {
      fail(Code::argument, "slice: Negative size values should be exactly -1 "
           "but got ", size[d], " at index ", d);
    }
    int dim = x.shape()[d];
    if (size[d] == -1) size[d] = std::max(dim - begin[d], -1);
    if (begin[d] > dim || size[d] < 0 || size[d] > dim - begin[d]) {
      fail(Code::shape, "slice: Error in slice", rank, "D: begin[", d,
           "] + size[", d, "] (",
           static_cast<long long>(begin[d]) + std::max(size[d], 0),
           ") would overflow input.shape[", d, "] (", dim, ")");
    }
  }
  return take_block(x, begin, Ints(rank, 1), Shape(size));
}

Tensor strided_slice(Tensor x, Ints begin, Ints end, Ints strides,
                     int begin_mask, int end_mask, int ellipsis_mask,
                     int new_axis_mask, int shrink_axis_mask) {
  int entries = static_cast<int>(begin.size());
  if (strides.empty()) strides.assign(entries, 1);
  if (end.size() != begin.size() || strides.size() != begin.size()) {
    fail(Code::argument, "stridedSlice: begin ", begin, ", end ", end,
         " and strides ", strides, " must have the same length");
  }
  if (entries > 30) {
    fail(Code::argument, "stridedSlice: ", entries, " entries are too many");
  }
  ellipsis_mask &= (1 << entries) - 1;
  if ((ellipsis_mask & (ellipsis_mask - 1)) != 0) {
    fail(Code::argument,
         "stridedSlice: Multiple ellipses in slice is not allowed.");
  }
  auto has = [](int mask, int i) { return (mask >> i & 1) != 0; };
  // Entries that stand for a dimension of x; the ellipsis takes the others.
  int named = 0;
  for (int i = 0; i < entries; ++i) {
    named += !has(ellipsis_mask, i) && !has(new_axis_mask, i);
  }
  if (named > x.rank()) {
    fail(Code::shape, "stridedSlice: ", named, " dimensions are sliced, but ",
         "the input has only ", x.rank());
  }
  Ints first, step, block, dims;
  auto keep_all = [&](int count) {
    for (int i = 0; i < count; ++i) {
      int dim = x.shape()[static_cast<int>(block.size())];
      first.push_back(0);
      step.push_back(1);
      block.push_back(dim);
      dims.push_back(dim);
    }
  };
  for (int i = 0; i < entries; ++i) {
    if (has(ellipsis_mask, i)) {
      keep_all(x.rank() - named);
      continue;
    }
    if (has(new_axis_mask, i)) {
      dims.push_back(1);
      continue;
    }
    int d = static_cast<int>(block.size());
    int dim = x.shape()[d];
    if (strides[i] == 0) {
      fail(Code::argument, "stridedSlice: strides[", i, "] must be non-zero");
    }
    Range range;
    if (has(shrink_axis_mask, i)) {
      int at = begin[i] < 0 ? begin[i] + dim : begin[i];
      if (strides[i] < 0) {
        fail(Code::argument, "stridedSlice: only stride 1 allowed on "
             "non-range indexing.");
      }
      if (at < 0 || at >= dim) {
        fail(Code::argument, "stridedSlice: slice index ", begin[i],
             " of dimension ", d, " out of bounds.");
      }
      range = {at, 1, 1};
    } else {
      range = resolve(begin[i], end[i], strides[i], has(begin_mask, i),
                      has(end_mask, i), dim);
      dims.push_back(range.size);
    }
    first.push_back(range.begin);
    step.push_back(range.step);
    block.push_back(range.size);
  }
  keep_all(x.rank() - static_cast<int>(block.size()));
  return reshape(take_block(x, first, step, Shape(block)), Shape(dims));
}

Tensor reverse(Tensor x, Ints axes) {
  if (x.rank() == 0) return clone(x);
  Ints begin(x.rank(), 0), step(x.rank(), 1);
  for (int a : normalize_axes("reverse", axes, x.rank())) {
    begin[a] = std::max(x.shape()[a] - 1, 0);
    step[a] = -1;
  }
  return take_block(x, begin, step, x.shape());
}

}  // namespace tidemark::ops
