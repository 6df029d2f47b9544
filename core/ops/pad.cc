#include "core/ops/pad.h"

#include <algorithm>

#include "core/kernels/copy.h"
#include "core/ops/concat.h"
#include "core/ops/emit.h"
#include "core/ops/shape_ops.h"
#include "core/ops/slice.h"

namespace tidemark::ops {
namespace {

struct Placement {
  int begin[kMaxRank];
  int step[kMaxRank];
  double value;

  void tell(const Run& run, Teller& to) const {
    to.list("begin", per_dimension(begin, run.in[0]));
    to.list("step", per_dimension(step, run.in[0]));
    to.number("value", value);
  }
};

constexpr Op kPad{
    .name = "pad",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          const Tensor& y = run.out[0];
          const auto& at = run.attr<Placement>();
          Tensor filler = scalar(at.value, y.dtype());
          dispatch(y.dtype(), [&](auto type) {
            using T = decltype(type);
            std::fill_n(y.mutable_data<T>(), y.size(), *filler.data<T>());
          });
          kernels::copy_block(
              size_of(x.dtype()), x.shape(), kernels::whole(x.shape()),
              x.raw(), kernels::block_of(y.shape(), at.begin, at.step),
              y.mutable_raw());
        },
    .vjp =
        [](Vjp& v) {
          const auto& at = v.attr<Placement>();
          const Shape& shape = v.in_spec(0).shape;
          Ints begin(at.begin, at.begin + shape.rank());
          Ints step(at.step, at.step + shape.rank());
          v.give(0, take_block(v.dy(), begin, step, shape));
        },
    .tell = tell<Placement>,
};

void check_paddings(const char* op, const Tensor& x, const Ints& paddings) {
  if (x.rank() == 0) {
    fail(Code::argument, op, ": ", op,
         "(scalar) is not defined. Pass non-scalar to ", op);
  }
  if (paddings.size() != 2 * static_cast<std::size_t>(x.rank())) {
    fail(Code::argument, op, ": Padding doesn't match input. Must be ",
         x.rank(), ". Got ", paddings.size() / 2, ".");
  }
}

}  // namespace

Tensor put_block(const Tensor& x, const Ints& begin, const Ints& step,
                 const Shape& shape, double value) {
  Placement at{};
  std::copy(begin.begin(), begin.end(), at.begin);
  std::copy(step.begin(), step.end(), at.step);
  at.value = value;
  return emit(kPad, {x}, {shape, x.dtype()}, at);
}

Tensor pad(Tensor x, Ints paddings, double value) {
  check_paddings("pad", x, paddings);
  Ints begin, dims;
  for (int d = 0; d < x.rank(); ++d) {
    int before = paddings[2 * d], after = paddings[2 * d + 1];
    if (before < 0 || after < 0) {
      fail(Code::argument, "pad: paddings must not be negative, but those of "
           "dimension ", d, " are [", before, ",", after, "]");
    }
    long long dim = static_cast<long long>(x.shape()[d]) + before + after;
    if (dim > 0x7fffffff) {
      fail(Code::memory, "pad: dimension ", d, " would have ", dim,
           " elements");
    }
    begin.push_back(before);
    dims.push_back(static_cast<int>(dim));
  }
  return put_block(x, begin, Ints(x.rank(), 1), Shape(dims), value);
}

Tensor mirror_pad(Tensor x, Ints paddings, bool symmetric) {
  check_paddings("mirrorPad", x, paddings);
  // Without the edge element a mirror image has one element less.
  int skip = symmetric ? 0 : 1;
  for (int d = 0; d < x.rank(); ++d) {
    int most = x.shape()[d] - skip;
    for (int k = 0; k < 2; ++k) {
      if (paddings[2 * d + k] < 0 || paddings[2 * d + k] > most) {
        fail(Code::argument, "mirrorPad: Padding in dimension ", d,
             " cannot be greater than or equal to ", most,
             " or less than 0 for input of shape ", x.shape());
      }
    }
  }
  Tensor y = x;
  for (int d = 0; d < x.rank(); ++d) {
    int before = paddings[2 * d], after = paddings[2 * d + 1];
    int dim = x.shape()[d];
    auto image = [&](int from, int size) {
      Ints begin(y.rank(), 0), step(y.rank(), 1);
      Shape shape = y.shape();
      begin[d] = std::max(from + size - 1, 0);
      step[d] = -1;
      shape[d] = size;
      return take_block(y, begin, step, shape);
    };
    Tensors parts;
    if (before > 0) parts.push_back(image(skip, before));
    parts.push_back(y);
    if (after > 0) parts.push_back(image(dim - skip - after, after));
    if (parts.size() > 1) y = concat(parts, d);
  }
  // Nothing was added: the answer is still a tensor of its own.
  return y.id() == x.id() ? reshape(x, x.shape()) : y;
}

Tensor diag(Tensor x) {
  if (x.rank() == 0 || 2 * x.rank() > kMaxRank) {
    fail(Code::argument, "diag: the input must have rank 1 to ", kMaxRank / 2,
         ", but has shape ", x.shape());
  }
  Shape square = x.shape().joined(x.shape());
  int n = static_cast<int>(x.size());
  Tensor flat = put_block(reshape(x, Shape{n}), {0}, {n + 1},
                          Shape{static_cast<int>(square.size())}, 0);
  return reshape(flat, square);
}

}  // namespace tidemark::ops
