#include "core/ops/count.h"

#include <algorithm>

#include "core/ops/binary.h"
#include "core/ops/cast.h"
#include "core/ops/check.h"
#include "core/ops/emit.h"
#include "core/ops/gather.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

struct Count {
  bool binary;
  const char* op;

  void tell(const Run&, Teller& to) const { to.flag("binary", binary); }
};

constexpr Op kBincount{
    .name = "bincount",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          const Tensor& weights = run.in[1];
          const Tensor& y = run.out[0];
          auto count = run.attr<Count>();
          int bins = y.shape().back();
          std::size_t rows = y.rank() > 1
                                 ? static_cast<std::size_t>(y.shape()[0])
                                 : 1;
          std::size_t columns = rows == 0 ? 0 : x.size() / rows;
          const int32_t* at = x.data<int32_t>();
          bool weighted = weights.size() > 0;
          dispatch(y.dtype(), [&](auto type) {
            using T = decltype(type);
            T* out = y.mutable_data<T>();
            const T* weight = weights.data<T>();
            std::fill_n(out, y.size(), T{});
            for (std::size_t r = 0; r < rows; ++r, out += bins) {
              for (std::size_t i = 0; i < columns; ++i, ++at, ++weight) {
                if (*at < 0) {
                  fail(Code::argument, count.op,
                       ": Input x must be non-negative! Got ", *at);
                }
                if (*at >= bins) continue;
                if (count.binary) {
                  out[*at] = 1;
                } else {
                  out[*at] = static_cast<T>(out[*at] +
                                            (weighted ? *weight : T{1}));
                }
              }
            }
          });
        },
    .tell = tell<Count>,
};

Tensor counted(const char* op, Tensor x, Tensor weights, const Shape& shape,
               bool binary) {
  if (weights.dtype() == DType::bool_) weights = cast(weights, DType::int32);
  return emit(kBincount, {x, weights}, {shape, weights.dtype()},
              Count{binary, op});
}

void check_bins(const char* op, const Tensor& x, int size) {
  if (x.dtype() != DType::int32) {
    fail(Code::dtype, op, ": Error in ", op,
         ": input dtype must be int32, but got ", x.dtype());
  }
  if (size < 0) {
    fail(Code::argument, op, ": size must be non-negative, but got ", size,
         ".");
  }
}

}  // namespace

Tensor bincount(Tensor x, Tensor weights, int size) {
  check_bins("bincount", x, size);
  if (weights.size() != x.size() && weights.size() != 0) {
    fail(Code::shape, "bincount: Error in bincount: weights must have the same "
         "size as input or 0-length, but got input shape: ", x.shape(),
         ", weights shape: ", weights.shape(), ".");
  }
  return counted("bincount", x, weights, Shape{size}, false);
}

Tensor dense_bincount(Tensor x, Tensor weights, int size, bool binary) {
  check_bins("denseBincount", x, size);
  if (x.rank() < 1 || x.rank() > 2) {
    fail(Code::shape, "denseBincount: Error in denseBincount: input must be at "
         "most rank 2, but got rank ", x.rank(), ".");
  }
  if (weights.shape() != x.shape() && weights.size() != 0) {
    fail(Code::shape, "denseBincount: Error in denseBincount: weights must "
         "have the same shape as x or 0-length, but got x shape: ", x.shape(),
         ", weights shape: ", weights.shape(), ".");
  }
  Shape shape = x.rank() == 1 ? Shape{size} : Shape{x.shape()[0], size};
  return counted("denseBincount", x, weights, shape, binary);
}

Tensor boolean_mask(Tensor x, Tensor mask, int axis) {
  const char* op = "booleanMask";
  require_dtype(op, "mask", mask, DType::bool_);
  if (mask.rank() == 0) fail(Code::shape, op, ": mask cannot be scalar");
  axis = normalize_axis(op, axis, x.rank());
  int end = axis + mask.rank();
  if (end > x.rank() || x.shape().sub(axis, end) != mask.shape()) {
    fail(Code::shape, op, ": mask's shape must match the first K dimensions "
         "of tensor's shape, Shapes ", x.shape(), " and ", mask.shape(),
         " must match");
  }
  int n = static_cast<int>(mask.size());
  Tensor places = where_true(reshape(mask, Shape{n}));
  Shape flat = x.shape().sub(0, axis).joined(Shape{n}).joined(
      x.shape().sub(end, x.rank()));
  return gather(reshape(x, flat),
                reshape(places, Shape{places.shape()[0]}), axis, 0);
}

}  // namespace tidemark::ops
