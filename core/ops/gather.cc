#include "core/ops/gather.h"

#include <cstring>

#include "core/kernels/gather.h"
#include "core/ops/cast.h"
#include "core/ops/check.h"
#include "core/ops/emit.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

struct Pick {
  kernels::GatherSizes sizes;
  bool drop;  ///< indices outside give zeros instead of an error

  void tell(const Run&, Teller& to) const {
    to.integer("batch", sizes.batch);
    to.integer("outer", sizes.outer);
    to.integer("dim", sizes.dim);
    to.flag("drop", drop);
  }
};

Tensor scatter_add(const Tensor& y, const Tensor& indices, const Shape& shape,
                   const Pick& pick);

constexpr Op kGather{
    .name = "gather",
    .kernel =
        [](const Run& run) {
          const auto& pick = run.attr<Pick>();
          const Tensor& indices = run.in[1];
          const int32_t* bad =
              pick.drop ? nullptr
                        : kernels::first_outside(indices.values<int32_t>(),
                                                 pick.sizes.dim);
          if (bad != nullptr) {
            fail(Code::argument, "gather: GatherV2: the index value ", *bad,
                 " is not in [0, ", pick.sizes.dim - 1, "]");
          }
          kernels::gather(size_of(run.in[0].dtype()), pick.sizes,
                          run.in[0].raw(), indices.data<int32_t>(),
                          run.out[0].mutable_raw());
        },
    .vjp =
        [](Vjp& v) {
          v.give(0, scatter_add(v.dy(), v.in(1), v.in_spec(0).shape,
                                v.attr<Pick>()));
        },
    .keep_inputs = 2,
    .tell = tell<Pick>,
};

Tensor pick_slices(const Tensor& x, const Tensor& indices, const Shape& shape,
                   const Pick& pick) {
  return emit(kGather, {x, indices}, {shape, x.dtype()}, pick);
}

constexpr Op kScatterAdd{
    .name = "unsortedSegmentSum",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.out[0];
          std::memset(x.mutable_raw(), 0, x.bytes());
          dispatch(x.dtype(), [&](auto type) {
            using T = decltype(type);
            kernels::scatter_add(run.attr<Pick>().sizes, run.in[0].data<T>(),
                                 run.in[1].data<int32_t>(),
                                 x.mutable_data<T>());
          });
        },
    .vjp =
        [](Vjp& v) {
          v.give(0, pick_slices(v.dy(), v.in(1), v.in_spec(0).shape,
                                v.attr<Pick>()));
        },
    .keep_inputs = 2,
    .tell = tell<Pick>,
};

Tensor scatter_add(const Tensor& y, const Tensor& indices, const Shape& shape,
                   const Pick& pick) {
  return emit(kScatterAdd, {y, indices}, {shape, y.dtype()}, pick);
}

}  // namespace

Tensor gather(Tensor x, Tensor indices, int axis, int batch_dims) {
  require_dtype("gather", "indices", indices, DType::int32);
  axis = normalize_axis("gather", axis, x.rank());
  int rank = indices.rank();
  if (batch_dims < -rank || batch_dims > rank) {
    fail(Code::argument, "gather: Expect batchDims in the range of [", -rank,
         ", ", rank, "], but got ", batch_dims);
  }
  if (batch_dims < 0) batch_dims += rank;
  if (batch_dims > axis) {
    fail(Code::argument, "gather: batchDims (", batch_dims,
         ") must be less than or equal to axis (", axis, ").");
  }
  const Shape& shape = x.shape();
  for (int d = 0; d < batch_dims; ++d) {
    if (shape[d] != indices.shape()[d]) {
      fail(Code::shape, "gather: x.shape[", d, "]: ", shape[d],
           " should be equal to indices.shape[", d, "]: ", indices.shape()[d],
           ".");
    }
  }
  auto size = [](const Shape& s, int from, int to) {
    return static_cast<kernels::Index>(s.size(from, to));
  };
  Pick pick{{size(shape, 0, batch_dims), size(shape, batch_dims, axis),
             shape[axis], size(indices.shape(), batch_dims, rank),
             size(shape, axis + 1, x.rank())},
            false};
  Shape out = shape.sub(0, axis)
                  .joined(indices.shape().sub(batch_dims, rank))
                  .joined(shape.sub(axis + 1, x.rank()));
  return pick_slices(x, indices, out, pick);
}

Tensor unsorted_segment_sum(Tensor x, Tensor ids, int num_segments) {
  const char* op = "unsortedSegmentSum";
  require_dtype(op, "segmentIds", ids, DType::int32);
  if (num_segments < 0) {
    fail(Code::argument, op, ": numSegments must not be negative, but is ",
         num_segments);
  }
  int rank = ids.rank();
  if (rank > x.rank() || x.shape().sub(0, rank) != ids.shape()) {
    fail(Code::shape, op, ": x.shape ", x.shape(),
         " must begin with segmentIds.shape ", ids.shape());
  }
  if (x.dtype() == DType::bool_) x = cast(x, DType::int32);
  Shape tail = x.shape().sub(rank, x.rank());
  Pick pick;
  pick.sizes.dim = num_segments;
  pick.sizes.count = static_cast<kernels::Index>(ids.size());
  pick.sizes.inner = static_cast<kernels::Index>(tail.size());
  pick.drop = true;
  return scatter_add(x, ids, Shape{num_segments}.joined(tail), pick);
}

Tensor scatter_last(const Tensor& dy, const Tensor& indices,
                    const Shape& shape) {
  Pick pick;
  pick.sizes.batch =
      static_cast<kernels::Index>(shape.size(0, shape.rank() - 1));
  pick.sizes.dim = shape.back();
  pick.sizes.count = indices.shape().back();
  pick.drop = true;
  return scatter_add(dy, indices, shape, pick);
}

}  // namespace tidemark::ops
