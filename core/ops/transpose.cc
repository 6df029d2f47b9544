#include "core/ops/transpose.h"

#include <algorithm>
#include <numeric>

#include "core/kernels/transpose.h"
#include "core/ops/cast.h"
#include "core/ops/emit.h"
#include "core/ops/pad.h"
#include "core/ops/shape_ops.h"
#include "core/ops/slice.h"

namespace tidemark::ops {
namespace {

struct Perm {
  int axes[kMaxRank];

  void tell(const Run& run, Teller& to) const {
    to.list("perm", per_dimension(axes, run.in[0]));
  }
};

constexpr Op kTranspose{
    .name = "transpose",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          if (x.size() == 0) return;
          kernels::Index shape[kMaxRank], perm[kMaxRank];
          auto rank = static_cast<std::size_t>(x.rank());
          for (std::size_t i = 0; i < rank; ++i) {
            shape[i] = x.shape()[static_cast<int>(i)];
            perm[i] = run.attr<Perm>().axes[i];
          }
          kernels::transpose(size_of(x.dtype()), {shape, rank}, {perm, rank},
                             x.raw(), run.out[0].mutable_raw());
        },
    .vjp =
        [](Vjp& v) {
          Ints inverse(v.in_spec(0).shape.rank());
          for (int i = 0; i < static_cast<int>(inverse.size()); ++i) {
            inverse[v.attr<Perm>().axes[i]] = i;
          }
          v.give(0, transpose(v.dy(), inverse));
        },
    .tell = tell<Perm>,
};

int product(const Ints& values) {
  return std::accumulate(values.begin(), values.end(), 1,
                         std::multiplies<int>());
}

void check_blocks(const char* op, const Ints& block) {
  for (int b : block) {
    if (b < 1) {
      fail(Code::argument, op, ": blockShape must be positive, but is ", block);
    }
  }
}

}  // namespace

Tensor transpose(Tensor x, Ints perm) {
  int rank = x.rank();
  if (perm.empty()) {
    for (int i = rank; i-- > 0;) perm.push_back(i);
  }
  if (static_cast<int>(perm.size()) != rank) {
    fail(Code::argument, "transpose: rank of input ", rank,
         " must match length of perm ", perm);
  }
  bool seen[kMaxRank] = {};
  bool same = true;
  for (int i = 0; i < rank; ++i) {
    if (perm[i] < 0 || perm[i] >= rank) {
      fail(Code::argument, "transpose: All entries in 'perm' must be between 0 "
           "and ", rank - 1, " but got ", perm);
    }
    if (seen[perm[i]]) {
      fail(Code::argument, "transpose: perm must name each axis once, but is ",
           perm);
    }
    seen[perm[i]] = true;
    same = same && perm[i] == i;
  }
  if (same) return clone(x);
  Perm attrs{};
  Ints dims(rank);
  for (int i = 0; i < rank; ++i) {
    attrs.axes[i] = perm[i];
    dims[i] = x.shape()[perm[i]];
  }
  return emit(kTranspose, {x}, {Shape(dims), x.dtype()}, attrs);
}

Tensor depth_to_space(Tensor x, int k, bool channels_first) {
  if (x.rank() != 4) {
    fail(Code::shape, "depthToSpace: the input must have rank 4, but has shape ",
         x.shape());
  }
  if (k <= 1) {
    fail(Code::argument, "depthToSpace: blockSize should be > 1 for "
         "depthToSpace, but was: ", k);
  }
  const Shape& s = x.shape();
  int channels = s[channels_first ? 1 : 3];
  if (k > 46340 || channels % (k * k) != 0) {
    std::string shape = text(s);
    fail(Code::shape, "depthToSpace: Dimension size must be evenly divisible "
         "by ", static_cast<long long>(k) * k, " but is ", channels,
         " for depthToSpace with input shape ",
         shape.substr(1, shape.size() - 2));
  }
  int c = channels / (k * k);
  if (channels_first) {
    Tensor y = transpose(reshape(x, Shape{s[0], k, k, c, s[2], s[3]}),
                         {0, 3, 4, 1, 5, 2});
    return reshape(y, Shape{s[0], c, s[2] * k, s[3] * k});
  }
  Tensor y = transpose(reshape(x, Shape{s[0], s[1], s[2], k, k, c}),
                       {0, 1, 3, 2, 4, 5});
  return reshape(y, Shape{s[0], s[1] * k, s[2] * k, c});
}

// One spatial dimension at a time, so that no more than five axes are ever
// needed: the last dimension's offsets enter the batch first, so those of the
// first end up outermost.
Tensor space_to_batch_nd(Tensor x, Ints block, Ints paddings) {
  const char* op = "spaceToBatchND";
  int m = static_cast<int>(block.size());
  if (x.rank() < 1 + m) {
    fail(Code::shape, op, ": input rank ", x.rank(),
         " should be > than [blockShape] ", m);
  }
  if (static_cast<int>(paddings.size()) != 2 * m) {
    fail(Code::argument, op, ": paddings.shape[0] ", paddings.size() / 2,
         " must be equal to [blockShape] ", m);
  }
  check_blocks(op, block);
  auto bare = [](const Ints& list) {
    std::string shown = text(list);
    return shown.substr(1, shown.size() - 2);
  };
  for (int i = 0; i < m; ++i) {
    long long dim = static_cast<long long>(x.shape()[i + 1]) +
                    paddings[2 * i] + paddings[2 * i + 1];
    if (dim % block[i] != 0) {
      fail(Code::shape, op, ": input spatial dimensions ",
           bare(Ints(x.shape().begin() + 1, x.shape().end())),
           " with paddings ", bare(paddings),
           " must be divisible by blockShapes ", bare(block));
    }
  }
  Ints pads(2 * x.rank(), 0);
  std::copy(paddings.begin(), paddings.end(), pads.begin() + 2);
  if (std::any_of(pads.begin(), pads.end(), [](int p) { return p != 0; })) {
    x = pad(x, pads, 0);
  }
  Shape shape = x.shape();
  for (int i = m; i-- > 0;) {
    if (block[i] == 1) continue;
    int before = static_cast<int>(shape.size(1, i + 1));
    int after = static_cast<int>(shape.size(i + 2, shape.rank()));
    int cut = shape[i + 1] / block[i];
    x = transpose(reshape(x, Shape{shape[0], before, cut, block[i], after}),
                  {3, 0, 1, 2, 4});
    shape[0] *= block[i];
    shape[i + 1] = cut;
  }
  return reshape(x, shape);
}

Tensor batch_to_space_nd(Tensor x, Ints block, Ints crops) {
  const char* op = "batchToSpaceND";
  int m = static_cast<int>(block.size());
  if (x.rank() < 1 + m) {
    fail(Code::shape, op, ": input rank is ", x.rank(),
         " but should be > than blockShape.length ", m);
  }
  if (static_cast<int>(crops.size()) != 2 * m) {
    fail(Code::argument, op, ": crops.length is ", crops.size() / 2,
         " but should be equal to blockShape.length  ", m);
  }
  check_blocks(op, block);
  if (x.shape()[0] % product(block) != 0) {
    std::string factors;
    for (int i = 0; i < m; ++i) {
      factors += (i > 0 ? " * " : "") + text(block[i]);
    }
    fail(Code::shape, op, ": input tensor batch is ", x.shape()[0],
         " but is not divisible by the product of the elements of blockShape ",
         factors, " === ", product(block));
  }
  Shape shape = x.shape();
  for (int i = 0; i < m; ++i) {
    if (block[i] == 1) continue;
    int before = static_cast<int>(shape.size(1, i + 1));
    int after = static_cast<int>(shape.size(i + 2, shape.rank()));
    shape[0] /= block[i];
    x = transpose(
        reshape(x, Shape{block[i], shape[0], before, shape[i + 1], after}),
        {1, 2, 3, 0, 4});
    shape[i + 1] *= block[i];
  }
  x = reshape(x, shape);
  Ints begin(x.rank(), 0), size(shape.begin(), shape.end());
  for (int i = 0; i < m; ++i) {
    begin[i + 1] = crops[2 * i];
    size[i + 1] -= crops[2 * i] + crops[2 * i + 1];
    if (crops[2 * i] < 0 || crops[2 * i + 1] < 0 || size[i + 1] < 0) {
      fail(Code::argument, op, ": crops ", crops, " do not fit the shape ",
           shape);
    }
  }
  return slice(x, begin, size);
}

}  // namespace tidemark::ops
