#include "core/ops/concat.h"

#include <algorithm>
#include <cstring>

#include "core/ops/cast.h"
#include "core/ops/creation.h"
#include "core/ops/emit.h"
#include "core/ops/shape_ops.h"
#include "core/ops/slice.h"

namespace tidemark::ops {
namespace {

/// Stacked parts lack dimension `axis`, concatenated ones share it; in memory
/// both are runs of `part size / outer` elements.
struct Join {
  int axis;
  bool stacked;

  void tell(const Run&, Teller& to) const {
    to.integer("axis", axis);
    to.flag("stacked", stacked);
  }
};

// Copies between the whole and its parts; `copy(part, whole, bytes)`.
template <class Copy>
void each_run(const Tensor& whole, std::span<const Tensor> parts, int axis,
              Copy&& copy) {
  if (whole.size() == 0) return;
  std::size_t outer = whole.shape().size(0, axis);
  std::size_t stride = whole.bytes() / outer;
  char* at = static_cast<char*>(whole.mutable_raw());
  for (const Tensor& part : parts) {
    std::size_t run = part.bytes() / outer;
    char* p = static_cast<char*>(part.mutable_raw());
    for (std::size_t o = 0; o < outer; ++o) {
      copy(p + o * run, at + o * stride, run);
    }
    at += run;
  }
}

constexpr Op kConcat{
    .name = "concat",
    .kernel =
        [](const Run& run) {
          each_run(run.out[0], run.in, run.attr<Join>().axis,
                   [](char* part, char* whole, std::size_t bytes) {
                     std::memcpy(whole, part, bytes);
                   });
        },
    .vjp =
        [](Vjp& v) {
          Join join = v.attr<Join>();
          const Shape& whole = v.out_spec().shape;
          Ints begin(whole.rank(), 0), size(whole.begin(), whole.end());
          for (int i = 0; i < v.inputs(); ++i) {
            const Shape& shape = v.in_spec(i).shape;
            size[join.axis] = join.stacked ? 1 : shape[join.axis];
            if (v.needs(i)) {
              v.give(i, reshape(slice(v.dy(), begin, size), shape));
            }
            begin[join.axis] += size[join.axis];
          }
        },
    .tell = tell<Join>,
};

constexpr Op kSplit{
    .name = "split",
    .kernel =
        [](const Run& run) {
          each_run(run.in[0], run.out, run.attr<Join>().axis,
                   [](char* part, char* whole, std::size_t bytes) {
                     std::memcpy(part, whole, bytes);
                   });
        },
    .vjp =
        [](Vjp& v) {
          Join join = v.attr<Join>();
          Tensors parts;
          for (int i = 0; i < v.outputs(); ++i) {
            parts.push_back(v.dy(i) ? v.dy(i)
                                    : fill(v.out_spec(i).shape, 0,
                                           DType::float32));
          }
          v.give(0, join.stacked ? stack(parts, join.axis)
                                 : concat(parts, join.axis));
        },
    .tell = tell<Join>,
};

}  // namespace

Tensor concat(Tensors tensors, int axis) {
  if (tensors.empty()) {
    fail(Code::argument, "concat: Pass at least one tensor to concat");
  }
  const Shape& first = tensors[0].shape();
  int rank = first.rank();
  axis = normalize_axis("concat", axis, rank);
  DType dtype = tensors[0].dtype();
  long long dim = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Shape& shape = tensors[i].shape();
    if (shape.rank() != rank) {
      fail(Code::shape, "concat: Error in concat", rank, "D: rank of tensors[",
           i, "] must be the same as the rank of the rest (", rank,
           "), but its shape is ", shape);
    }
    for (int d = 0; d < rank; ++d) {
      if (d != axis && shape[d] != first[d]) {
        fail(Code::shape, "concat: Error in concat", rank,
             "D: Shape of tensors[", i, "] ", shape,
             " does not match the shape of the rest ", first,
             " along the non-concatenated axis ", d, ".");
      }
    }
    dtype = promote(dtype, tensors[i].dtype());
    dim += shape[axis];
  }
  if (dim > 0x7fffffff) {
    fail(Code::memory, "concat: dimension ", axis, " would have ", dim,
         " elements");
  }
  for (Tensor& t : tensors) {
    if (t.dtype() != dtype) t = cast(t, dtype);
  }
  if (tensors.size() == 1) return clone(tensors[0]);
  Shape shape = first.removed(axis).inserted(axis, static_cast<int>(dim));
  return emit(kConcat, tensors, {shape, dtype}, Join{axis, false});
}

Tensor stack(Tensors tensors, int axis) {
  if (tensors.empty()) {
    fail(Code::argument, "stack: Pass at least one tensor to tf.stack");
  }
  const Shape shape = tensors[0].shape();
  int rank = shape.rank();
  if (axis > rank || axis < -rank - 1) {
    fail(Code::argument, "stack: Axis must be <= rank of the tensor (", rank,
         ") but got ", axis);
  }
  if (axis < 0) axis += rank + 1;
  for (const Tensor& t : tensors) {
    if (t.shape() != shape) {
      fail(Code::shape, "stack: All tensors passed to stack must have matching "
           "shapes, but got ", shape, " and ", t.shape());
    }
    if (t.dtype() != tensors[0].dtype()) {
      fail(Code::dtype, "stack: All tensors passed to stack must have matching "
           "dtypes, but got ", tensors[0].dtype(), " and ", t.dtype());
    }
  }
  Shape joined = shape.inserted(axis, static_cast<int>(tensors.size()));
  return emit(kConcat, tensors, {joined, tensors[0].dtype()},
              Join{axis, true});
}

Tensors split(Tensor x, Ints sizes, int parts, int axis) {
  axis = normalize_axis("split", axis, x.rank());
  int dim = x.shape()[axis];
  if (sizes.empty()) {
    if (parts < 1 || dim % parts != 0) {
      fail(Code::argument, "split: Number of splits must evenly divide the "
           "axis. ", dim, " cannot be split into ", parts);
    }
    sizes.assign(parts, dim / parts);
  }
  long long sum = 0;
  int open = -1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1 && open >= 0) {
      fail(Code::argument, "split: There should be only one negative value in "
           "split array. Got ", sizes);
    }
    if (sizes[i] < -1) {
      fail(Code::argument, "split: sizes must not be below -1, but are ",
           sizes);
    }
    if (sizes[i] == -1) {
      open = static_cast<int>(i);
    } else {
      sum += sizes[i];
    }
  }
  if (open >= 0 ? sum > dim : sum != dim) {
    fail(Code::shape, "split: The sum of sizes must match the size of the axis "
         "dimension. ", sizes, " does not make up ", dim);
  }
  if (open >= 0) sizes[open] = static_cast<int>(dim - sum);
  std::vector<Spec> specs;
  specs.reserve(sizes.size());
  Shape shape = x.shape();
  for (int size : sizes) {
    shape[axis] = size;
    specs.push_back({shape, x.dtype()});
  }
  return emit_list(kSplit, {&x, 1}, specs, Join{axis, false});
}

Tensors unstack(Tensor x, int axis) {
  int rank = x.rank();
  if (axis < -rank || axis >= rank) {
    fail(Code::argument, "unstack: Axis = ", axis, " is not in [", -rank, ", ",
         rank, ")");
  }
  if (axis < 0) axis += rank;
  std::vector<Spec> specs(x.shape()[axis], {x.shape().removed(axis), x.dtype()});
  return emit_list(kSplit, {&x, 1}, specs, Join{axis, true});
}

// From the innermost dimension outwards, so that the last and largest copy
// moves the longest runs.
Tensor tile(Tensor x, Ints reps) {
  int rank = x.rank();
  if (static_cast<int>(reps.size()) != rank) {
    fail(Code::argument, "tile: rank of input ", rank,
         " must match length of reps ", reps);
  }
  Shape shape = x.shape();
  for (int d = rank; d-- > 0;) {
    if (reps[d] < 0) {
      fail(Code::argument, "tile: reps must not be negative, but are ", reps);
    }
    if (reps[d] == 1) continue;
    int outer = static_cast<int>(shape.size(0, d));
    int inner = static_cast<int>(shape.size(d, rank));
    x = broadcast_to(reshape(x, Shape{outer, 1, inner}),
                     Shape{outer, reps[d], inner});
    Ints dims(shape.begin(), shape.end());
    long long dim = static_cast<long long>(dims[d]) * reps[d];
    if (dim > 0x7fffffff) {
      fail(Code::memory, "tile: dimension ", d, " would have ", dim,
           " elements");
    }
    dims[d] = static_cast<int>(dim);
    shape = Shape(dims);
  }
  return reshape(x, shape);
}

}  // namespace tidemark::ops
