#include "core/ops/cast.h"

#include "core/ops/emit.h"

namespace tidemark::ops {
namespace {

template <class From, class To>
To converted(From x) {
  if constexpr (std::is_same_v<To, uint8_t>) {
    return x != 0;  // NaN too: it is not zero
  } else if constexpr (std::is_same_v<To, int32_t> &&
                       std::is_floating_point_v<From>) {
    return to_int32(x);
  } else {
    return static_cast<To>(x);
  }
}

constexpr Op kCast{
    .name = "cast",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          const Tensor& y = run.out[0];
          dispatch(x.dtype(), [&](auto from) {
            dispatch(y.dtype(), [&](auto to) {
              using From = decltype(from);
              using To = decltype(to);
              const From* __restrict in = x.data<From>();
              To* __restrict out = y.mutable_data<To>();
              for (std::size_t i = 0; i < x.size(); ++i) {
                out[i] = converted<From, To>(in[i]);
              }
            });
          });
        },
    // Between float32 tensors cast is clone; others carry no gradient.
    .vjp = [](Vjp& v) { v.give(0, v.dy()); },
};

constexpr Op kClone{
    .name = "clone",
    .kernel = nullptr,
    .vjp = [](Vjp& v) { v.give(0, v.dy()); },
};

}  // namespace

Tensor clone(Tensor x) { return emit(kClone, {x}, {x.shape(), x.dtype()}); }

Tensor cast(Tensor x, DType dtype) {
  if (x.dtype() == dtype) return clone(x);
  return emit(kCast, {x}, {x.shape(), dtype});
}

}  // namespace tidemark::ops
