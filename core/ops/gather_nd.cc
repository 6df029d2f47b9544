// Index vectors: gatherND, scatterND, tensorScatterUpdate, sparseToDense. The
// vectors are turned into places in one flat dimension of slices; then these
// are the loops of gather.

#include <cstring>

#include "core/kernels/gather.h"
#include "core/ops/check.h"
#include "core/ops/creation.h"
#include "core/ops/emit.h"
#include "core/ops/gather.h"
#include "core/ops/index.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

constexpr Op kGatherNd{
    .name = "gatherND",
    .kernel =
        [](const Run& run) {
          const auto& nd = run.attr<NdSizes>();
          auto flat = flat_indices("gatherND", nd, run.in[1].data<int32_t>());
          kernels::gather(size_of(run.in[0].dtype()), nd.sizes,
                          run.in[0].raw(), flat.data(),
                          run.out[0].mutable_raw());
        },
    .vjp =
        [](Vjp& v) {
          // One vector is a list of one: scatter_nd takes a flat list for many
          // vectors of length 1.
          bool one = v.in(1).rank() == 1;
          v.give(0, scatter_nd(one ? expand_dims(v.in(1), 0) : v.in(1),
                               one ? expand_dims(v.dy(), 0) : v.dy(),
                               v.in_spec(0).shape));
        },
    .keep_inputs = 2,
};

constexpr Op kScatterNd{
    .name = "scatterND",
    .kernel =
        [](const Run& run) {
          const auto& nd = run.attr<NdSizes>();
          const Tensor& y = run.out[0];
          std::memset(y.mutable_raw(), 0, y.bytes());
          auto flat = flat_indices("scatterND", nd, run.in[0].data<int32_t>());
          dispatch(y.dtype(), [&](auto type) {
            using T = decltype(type);
            kernels::scatter_add(nd.sizes, run.in[1].data<T>(), flat.data(),
                                 y.mutable_data<T>());
          });
        },
    .vjp = [](Vjp& v) { v.give(1, gather_nd(v.dy(), v.in(0))); },
    .keep_inputs = 1,
};

constexpr Op kScatterUpdate{
    .name = "tensorScatterUpdate",
    .kernel =
        [](const Run& run) {
          const auto& nd = run.attr<NdSizes>();
          const Tensor& x = run.in[0];
          const Tensor& y = run.out[0];
          auto flat = flat_indices("tensorScatterUpdate", nd,
                                   run.in[1].data<int32_t>());
          std::memcpy(y.mutable_raw(), x.raw(), x.bytes());
          std::size_t bytes = static_cast<std::size_t>(nd.sizes.inner) *
                              size_of(x.dtype());
          const char* from = static_cast<const char*>(run.in[2].raw());
          char* to = static_cast<char*>(y.mutable_raw());
          for (int32_t place : flat) {
            std::memcpy(to + static_cast<std::size_t>(place) * bytes, from,
                        bytes);
            from += bytes;
          }
        },
    // What was replaced has no influence; its replacement has all.
    .vjp =
        [](Vjp& v) {
          if (v.needs(0)) {
            v.give(0, tensor_scatter_update(
                          v.dy(), v.in(1),
                          fill(v.in_spec(2).shape, 0, DType::float32)));
          }
          if (v.needs(2)) v.give(2, gather_nd(v.dy(), v.in(1)));
        },
    .keep_inputs = 2,
};

// Places in the first dimension may come as a flat list.
Tensor as_vectors(const Tensor& indices) {
  return indices.rank() == 1 ? expand_dims(indices, 1) : indices;
}

// TensorFlow's rule: updates has the shape of the indices without their last
// dimension, then what one index vector leaves of `shape`.
void check_update(const char* op, const Shape& indices, const Shape& updates,
                  const Shape& shape) {
  if (indices.rank() < 1) {
    fail(Code::shape, op, ": tf.scatterND() expects the indices to be rank 1 "
         "or higher, but the rank was 0.");
  }
  if (updates.rank() < 1) {
    fail(Code::shape, op, ": tf.scatterND() expects the updates to be rank 1 "
         "or higher, but the rank was 0.");
  }
  int depth = indices.back();
  if (depth > shape.rank() ||
      updates != indices.sub(0, indices.rank() - 1)
                     .joined(shape.sub(depth, shape.rank()))) {
    fail(Code::shape, op, ": Must have updates.shape = "
         "indices.shape[:batchDim] + shape[sliceDim:], got updates.shape: ",
         updates, ", indices.shape: ", indices, ", shape: ", shape);
  }
}

}  // namespace

Tensor gather_nd(Tensor x, Tensor indices) {
  require_dtype("gatherND", "indices", indices, DType::int32);
  if (x.rank() < 1) {
    fail(Code::shape, "gatherND: tf.gatherND() expects the input to be rank 1 "
         "or higher, but the rank was 0.");
  }
  if (indices.rank() < 1) {
    fail(Code::shape, "gatherND: tf.gatherND() expects the indices to be rank "
         "1 or higher, but the rank was 0.");
  }
  int depth = indices.shape().back();
  if (depth > x.rank()) {
    fail(Code::shape, "gatherND: index innermost dimension length must be <= "
         "tensor rank; saw: ", depth, " vs. ", x.rank());
  }
  Shape shape = indices.shape().sub(0, indices.rank() - 1)
                    .joined(x.shape().sub(depth, x.rank()));
  return emit(kGatherNd, {x, indices}, {shape, x.dtype()},
              nd_sizes(indices.shape(), x.shape()));
}

Tensor scatter_nd(Tensor indices, Tensor updates, const Shape& shape) {
  require_dtype("scatterND", "indices", indices, DType::int32);
  indices = as_vectors(indices);
  check_update("scatterND", indices.shape(), updates.shape(), shape);
  return emit(kScatterNd, {indices, updates}, {shape, updates.dtype()},
              nd_sizes(indices.shape(), shape));
}

Tensor tensor_scatter_update(Tensor x, Tensor indices, Tensor updates) {
  const char* op = "tensorScatterUpdate";
  require_dtype(op, "indices", indices, DType::int32);
  indices = as_vectors(indices);
  if (updates.dtype() != x.dtype()) {
    fail(Code::dtype, op, ": tensor and updates instances must have the same "
         "dtype, instead got ", x.dtype(), " and ", updates.dtype(), ".");
  }
  check_update(op, indices.shape(), updates.shape(), x.shape());
  return emit(kScatterUpdate, {x, indices, updates}, {x.shape(), x.dtype()},
              nd_sizes(indices.shape(), x.shape()));
}

Tensor sparse_to_dense(Tensor indices, Tensor values, const Shape& shape,
                       Tensor fallback) {
  const char* op = "sparseToDense";
  require_dtype(op, "sparseIndices", indices, DType::int32);
  if (fallback.dtype() != values.dtype()) {
    fail(Code::dtype, op, ": Argument 'defaultValue' passed to '", op,
         "' must be ", values.dtype(), " tensor, but got ", fallback.dtype(),
         " tensor");
  }
  if (indices.rank() > 2) {
    fail(Code::shape, op, ": sparseIndices should be a scalar, vector, or "
         "matrix, but got shape ", indices.shape(), ".");
  }
  int count = indices.rank() > 0 ? indices.shape()[0] : 1;
  int depth = indices.rank() > 1 ? indices.shape()[1] : 1;
  if (depth != shape.rank()) {
    fail(Code::shape, op, ": outputShape has incorrect number of elements: ",
         shape.rank(), ", should be: ", depth, ".");
  }
  if (values.rank() != 0 && !(values.rank() == 1 &&
                              values.shape()[0] == count)) {
    fail(Code::shape, op, ": sparseValues has incorrect shape ",
         values.shape(), ", should be [] or [", count, "]");
  }
  if (fallback.rank() != 0) {
    fail(Code::shape, op, ": defaultValue must be a scalar, but has shape ",
         fallback.shape());
  }
  return tensor_scatter_update(broadcast_to(fallback, shape),
                               reshape(indices, Shape{count, depth}),
                               broadcast_to(values, Shape{count}));
}

}  // namespace tidemark::ops
