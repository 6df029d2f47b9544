#include "core/ops/scan.h"

#include "core/kernels/scan.h"
#include "core/ops/emit.h"
#include "core/ops/fold.h"
#include "core/ops/numeric.h"
#include "core/ops/operators.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

struct Scan {
  int axis;
  bool exclusive, reverse;

  void tell(const Run&, Teller& to) const {
    to.integer("axis", axis);
    to.flag("exclusive", exclusive);
    to.flag("reverse", reverse);
  }
  kernels::ScanOrder order() const { return {exclusive, reverse}; }
};

constexpr Op kCumsum{
    .name = "cumsum",
    .kernel = [](const Run& run) {
      const Tensor& x = run.in[0];
      const Tensor& y = run.out[0];
      const Scan& s = run.attr<Scan>();
      auto r = along(x.shape(), s.axis);
      if (x.dtype() == DType::int32) {
        kernels::cumsum(r, s.order(), x.data<int32_t>(),
                        y.mutable_data<int32_t>());
      } else {
        kernels::cumsum(r, s.order(), x.data<float>(), y.mutable_data<float>());
      }
    },
    .vjp = [](Vjp& v) {
      const Scan& s = v.attr<Scan>();
      v.give(0, cumsum(v.dy(), s.axis, s.exclusive, !s.reverse));
    },
    .tell = tell<Scan>,
};

constexpr Op kCumprodTail{
    .name = "cumprodTail",
    .kernel = [](const Run& run) {
      const Scan& s = run.attr<Scan>();
      kernels::cumprod_tail(along(run.in[0].shape(), s.axis), s.order(),
                            run.in[0].data<float>(), run.in[1].data<float>(),
                            run.out[0].mutable_data<float>());
    },
    .tell = tell<Scan>,
};

// d/dx[k] is the product of all before k times the tail from k on.
constexpr Op kCumprod{
    .name = "cumprod",
    .kernel = [](const Run& run) {
      const Tensor& x = run.in[0];
      const Tensor& y = run.out[0];
      const Scan& s = run.attr<Scan>();
      auto r = along(x.shape(), s.axis);
      if (x.dtype() == DType::int32) {
        kernels::cumprod(r, s.order(), x.data<int32_t>(),
                         y.mutable_data<int32_t>());
      } else {
        kernels::cumprod(r, s.order(), x.data<float>(),
                         y.mutable_data<float>());
      }
    },
    .vjp = [](Vjp& v) {
      const Scan& s = v.attr<Scan>();
      const Tensor& x = v.in(0);
      Tensor tail = emit(kCumprodTail, {v.dy(), x}, v.in_spec(0), s);
      v.give(0, cumprod(x, s.axis, true, s.reverse) * tail);
    },
    .keep_inputs = 1,
    .tell = tell<Scan>,
};

Tensor scan(const Op& op, Tensor x, int axis, bool exclusive, bool reverse) {
  x = as_number(x);
  // A scalar is scanned as the one element of a vector.
  int rank = x.rank() == 0 ? 1 : x.rank();
  Scan attrs{normalize_axes(op.name, {axis}, rank)[0], exclusive, reverse};
  if (x.rank() == 0) {
    Tensor y = scan(op, reshape(x, Shape{1}), 0, exclusive, reverse);
    return reshape(y, Shape{});
  }
  return emit(op, {x}, {x.shape(), x.dtype()}, attrs);
}

}  // namespace

Tensor cumsum(Tensor x, int axis, bool exclusive, bool reverse) {
  return scan(kCumsum, x, axis, exclusive, reverse);
}

Tensor cumprod(Tensor x, int axis, bool exclusive, bool reverse) {
  return scan(kCumprod, x, axis, exclusive, reverse);
}

}  // namespace tidemark::ops
