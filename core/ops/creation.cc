#include "core/ops/creation.h"

#include <algorithm>
#include <cmath>

#include "core/ops/check.h"
#include "core/ops/emit.h"

namespace tidemark::ops {
namespace {

// `value` as an element of type T, converted as a cast would.
template <class T>
T element(double value) {
  if constexpr (std::is_same_v<T, uint8_t>) {
    return value != 0;
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return to_int32(value);
  } else {
    return static_cast<T>(value);
  }
}

struct Fill {
  double value;

  void tell(const Run&, Teller& to) const { to.number("value", value); }
};

constexpr Op kFill{
    .name = "fill",
    .kernel = [](const Run& run) {
      const Tensor& out = run.out[0];
      dispatch(out.dtype(), [&](auto type) {
        using T = decltype(type);
        std::fill_n(out.mutable_data<T>(), out.size(),
                    element<T>(run.attr<Fill>().value));
      });
    },
    .tell = tell<Fill>,
};

// Constants, but of x's shape: so a gradient of zeros reaches x.
template <int kValue>
constexpr Op kLike{
    .name = kValue == 0 ? "zerosLike" : "onesLike",
    .kernel =
        [](const Run& run) {
          const Tensor& out = run.out[0];
          dispatch(out.dtype(), [&](auto type) {
            using T = decltype(type);
            std::fill_n(out.mutable_data<T>(), out.size(), T{kValue});
          });
        },
    .vjp =
        [](Vjp& v) {
          v.give(0, fill(v.in_spec(0).shape, 0, DType::float32));
        },
};

// value(i) = start + i step, in double: no error adds up.
struct Steps {
  double start, step;

  void tell(const Run&, Teller& to) const {
    to.number("start", start);
    to.number("step", step);
  }
};

constexpr auto fill_steps = [](const Run& run) {
  const auto& [start, step] = run.attr<Steps>();
  const Tensor& out = run.out[0];
  dispatch(out.dtype(), [&](auto type) {
    using T = decltype(type);
    T* to = out.mutable_data<T>();
    for (std::size_t i = 0; i < out.size(); ++i) {
      to[i] = element<T>(start + static_cast<double>(i) * step);
    }
  });
};

constexpr Op kRange{.name = "range", .kernel = fill_steps,
                    .tell = tell<Steps>};
constexpr Op kLinspace{.name = "linspace", .kernel = fill_steps,
                       .tell = tell<Steps>};

constexpr Op kEye{
    .name = "eye",
    .kernel = [](const Run& run) {
      const Tensor& out = run.out[0];
      std::size_t columns = out.shape().back(0), rows = out.shape().back(1);
      dispatch(out.dtype(), [&](auto type) {
        using T = decltype(type);
        T* to = out.mutable_data<T>();
        std::fill_n(to, out.size(), T{0});
        for (std::size_t at = 0; at < out.size(); at += rows * columns) {
          for (std::size_t i = 0; i < std::min(rows, columns); ++i) {
            to[at + i * columns + i] = T{1};
          }
        }
      });
    },
};

struct OneHot {
  double on, off;

  void tell(const Run&, Teller& to) const {
    to.number("on_value", on);
    to.number("off_value", off);
  }
};

constexpr Op kOneHot{
    .name = "oneHot",
    .kernel =
        [](const Run& run) {
          const Tensor& indices = run.in[0];
          const Tensor& out = run.out[0];
          const auto& [on, off] = run.attr<OneHot>();
          int depth = out.shape().back();
          const int32_t* index = indices.data<int32_t>();
          dispatch(out.dtype(), [&](auto type) {
            using T = decltype(type);
            T* to = out.mutable_data<T>();
            std::fill_n(to, out.size(), element<T>(off));
            for (std::size_t i = 0; i < indices.size(); ++i, to += depth) {
              if (index[i] >= 0 && index[i] < depth) {
                to[index[i]] = element<T>(on);
              }
            }
          });
        },
    .vjp =
        [](Vjp& v) {
          v.give(0, fill(v.in_spec(0).shape, 0, DType::float32));
        },
    .tell = tell<OneHot>,
};

std::size_t range_size(double start, double stop, double step) {
  double n = std::ceil((stop - start) / step);
  if (!(n <= 2147483647.0)) {
    fail(Code::shape, "range: too many elements from ", start, " to ", stop,
         " by ", step);
  }
  return static_cast<std::size_t>(std::max(n, 0.0));
}

}  // namespace

Tensor fill(const Shape& shape, double value, DType dtype) {
  return emit(kFill, std::span<const Tensor>(), {shape, dtype}, Fill{value});
}

Tensor zeros_like(const Tensor& x) {
  return emit(kLike<0>, {x}, {x.shape(), x.dtype()});
}
Tensor ones_like(const Tensor& x) {
  return emit(kLike<1>, {x}, {x.shape(), x.dtype()});
}

Tensor range(double start, double stop, double step, DType dtype) {
  if (step == 0) fail(Code::argument, "Cannot have a step of zero");
  if (stop < start && step == 1) step = -1;
  int n = static_cast<int>(range_size(start, stop, step));
  return emit(kRange, std::span<const Tensor>(), {{n}, dtype},
              Steps{start, step});
}

Tensor linspace(double start, double stop, int num) {
  if (num <= 0) {
    fail(Code::argument, "The number of values should be positive.");
  }
  double step = num == 1 ? 0 : (stop - start) / (num - 1);
  return emit(kLinspace, std::span<const Tensor>(), {{num}, DType::float32},
              Steps{start, step});
}

Tensor eye(int rows, int columns, const Ints& batch, DType dtype) {
  Shape shape = Shape(batch).joined(Shape({rows, columns}));
  return emit(kEye, std::span<const Tensor>(), {shape, dtype});
}

Tensor one_hot(Tensor indices, int depth, double on, double off,
               DType dtype) {
  require_dtype("oneHot", "indices", indices, DType::int32);
  if (depth < 2) {
    fail(Code::argument, "Error in oneHot: depth must be >=2, but it is ",
         depth);
  }
  return emit(kOneHot, {indices},
              {indices.shape().joined(Shape({depth})), dtype},
              OneHot{on, off});
}

}  // namespace tidemark::ops
