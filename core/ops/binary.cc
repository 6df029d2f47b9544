#include "core/ops/binary.h"

#include <cmath>

#include "core/kernels/math.h"
#include "core/ops/binary_op.h"
#include "core/ops/check.h"
#include "core/ops/operators.h"

namespace tidemark::ops {
namespace {

using kernels::Float;

struct Add {
  using integer = void;
  static auto value(auto a, auto b) { return a + b; }
  static Tensor da(Tensor dy) { return dy; }
  static Tensor db(Tensor dy) { return dy; }
};

struct Sub {
  using integer = void;
  static auto value(auto a, auto b) { return a - b; }
  static Tensor da(Tensor dy) { return dy; }
  static Tensor db(Tensor dy) { return -dy; }
};

struct Mul {
  using integer = void;
  static auto value(auto a, auto b) { return a * b; }
  static Tensor da(Tensor dy, Tensor, Tensor b) { return dy * b; }
  static Tensor db(Tensor dy, Tensor a, Tensor) { return dy * a; }
};

struct Quotient {
  static Tensor da(Tensor dy, Tensor, Tensor b) { return dy / b; }
  static Tensor db(Tensor dy, Tensor a, Tensor b) {
    return -(dy * a / (b * b));
  }
};

struct Div : Quotient {
  static auto value(auto a, auto b) { return a / b; }
};

struct DivNoNan {
  static auto value(auto a, auto b) {
    using B = decltype(a);
    return xsimd::select(b == B(0.f), B(0.f), a / b);
  }
  static Tensor da(Tensor dy, Tensor, Tensor b) { return div_no_nan(dy, b); }
  static Tensor db(Tensor dy, Tensor a, Tensor b) {
    return -div_no_nan(dy * a, b * b);
  }
};

// Quotient rounded down. Neither x / 0 nor INT_MIN / -1 may reach the machine:
// both trap.
int32_t floor_quotient(int32_t a, int32_t b) {
  if (b == 0) return 0;
  if (b == -1) return static_cast<int32_t>(0u - static_cast<uint32_t>(a));
  int32_t q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

// Its derivative is that of the quotient before rounding.
struct IntDiv : Quotient {
  using integer = void;
  using integer_only = void;
  using scalar = void;
  static int32_t value(int32_t a, int32_t b) { return floor_quotient(a, b); }
};

struct FloorDiv {
  using integer = void;
  using scalar = void;
  static int32_t value(int32_t a, int32_t b) { return floor_quotient(a, b); }
  static float value(float a, float b) {
    return b == 0 ? 0 : std::floor(a / b);
  }
};

struct Mod {
  using integer = void;
  using scalar = void;
  static int32_t value(int32_t a, int32_t b) {
    if (b == 0 || b == -1) return 0;
    int32_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
  static float value(float a, float b) {
    float r = std::fmod(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  }
  static Tensor da(Tensor dy, Tensor, Tensor) { return dy; }
  // a - b floor(a / b)
  static Tensor db(Tensor dy, Tensor a, Tensor b) {
    return -(dy * floor(a / b));
  }
};

struct Pow {
  static Float value(Float a, Float b) { return kernels::pow(a, b); }
  // b a^(b - 1). At a = b = 0 the power is infinite and its factor 0: any
  // finite power gives the 0 that a constant function has.
  static Tensor da(Tensor dy, Tensor a, Tensor b) {
    Tensor corner = logical_and(equal(a, scalar(0)), equal(b, scalar(0)));
    return dy * (b * pow(a, where(corner, scalar(1), b - 1)));
  }
  // a^b log a; taken as 0 where a has no logarithm.
  static Tensor db(Tensor dy, Tensor a, Tensor b) {
    Tensor positive = where(greater(a, scalar(0)), a, scalar(1));
    return dy * (pow(a, b) * log(positive));
  }
};

struct IntPow {
  using integer = void;
  using integer_only = void;
  using scalar = void;
  static int32_t value(int32_t a, int32_t b) {
    if (b < 0) {
      if (a == -1) return b % 2 == 0 ? 1 : -1;
      return a == 1;
    }
    uint32_t result = 1, square = static_cast<uint32_t>(a);
    for (; b > 0; b >>= 1, square *= square) {
      if (b & 1) result *= square;
    }
    return static_cast<int32_t>(result);
  }
};

struct Maximum {
  using integer = void;
  static auto value(auto a, auto b) {
    // The comparison gives b where either is NaN, so only a's is left to see.
    return xsimd::select((a > b) | (a != a), a, b);
  }
  static Tensor da(Tensor dy, Tensor a, Tensor b) {
    return dy * greater_equal(a, b);
  }
  static Tensor db(Tensor dy, Tensor a, Tensor b) { return dy * less(a, b); }
};

struct Minimum {
  using integer = void;
  static auto value(auto a, auto b) {
    return xsimd::select((a < b) | (a != a), a, b);
  }
  static Tensor da(Tensor dy, Tensor a, Tensor b) {
    return dy * less_equal(a, b);
  }
  static Tensor db(Tensor dy, Tensor a, Tensor b) {
    return dy * greater(a, b);
  }
};

struct BitwiseAnd {
  using integer = void;
  using integer_only = void;
  static auto value(auto a, auto b) { return a & b; }
};

struct SquaredDifference {
  using integer = void;
  static auto value(auto a, auto b) { return (a - b) * (a - b); }
  static Tensor da(Tensor dy, Tensor a, Tensor b) {
    return dy * ((a - b) * 2);
  }
  static Tensor db(Tensor dy, Tensor a, Tensor b) {
    return dy * ((b - a) * 2);
  }
};

struct Atan2 {
  using keeps_type = void;
  using scalar = void;
  static float value(float a, float b) { return std::atan2(a, b); }
  static Tensor da(Tensor dy, Tensor a, Tensor b) {
    return dy * (b / (square(a) + square(b)));
  }
  static Tensor db(Tensor dy, Tensor a, Tensor b) {
    return -(dy * (a / (square(a) + square(b))));
  }
};

struct Prelu {
  static auto value(auto x, auto alpha) {
    using B = decltype(x);
    return xsimd::select(x < B(0.f), x * alpha, x);
  }
  static Tensor da(Tensor dy, Tensor x, Tensor alpha) {
    return where(greater(x, scalar(0)), dy, dy * alpha);
  }
  static Tensor db(Tensor dy, Tensor x, Tensor) {
    return dy * minimum(x, scalar(0));
  }
};

constexpr Op kAddN{
    .name = "addN",
    .kernel =
        [](const Run& run) {
          const Tensor& y = run.out[0];
          auto with = [&]<class T>(T) {
            using B = kernels::Batch<T>;
            T* out = y.mutable_data<T>();
            std::copy_n(run.in[0].data<T>(), y.size(), out);
            for (const Tensor& x : run.in.subspan(1)) {
              const T* in = x.data<T>();
              for (std::size_t i = 0; i < y.size(); i += B::size) {
                (B::load_aligned(out + i) + B::load_aligned(in + i))
                    .store_aligned(out + i);
              }
            }
          };
          y.dtype() == DType::float32 ? with(float{}) : with(int32_t{});
        },
    .vjp =
        [](Vjp& v) {
          for (int i = 0; i < v.inputs(); ++i) {
            if (v.needs(i)) v.give(i, v.dy());
          }
        },
};

bool is_float(const Tensor& a, const Tensor& b) {
  return promote(a.dtype(), b.dtype()) == DType::float32;
}

}  // namespace

Tensor add(Tensor a, Tensor b) { return binary<Add>("add", a, b); }
Tensor sub(Tensor a, Tensor b) { return binary<Sub>("sub", a, b); }
Tensor mul(Tensor a, Tensor b) { return binary<Mul>("mul", a, b); }
Tensor div(Tensor a, Tensor b) {
  return is_float(a, b) ? binary<Div>("div", a, b)
                        : binary<IntDiv>("div", a, b);
}
Tensor div_no_nan(Tensor a, Tensor b) {
  return is_float(a, b) ? binary<DivNoNan>("divNoNan", a, b)
                        : binary<IntDiv>("divNoNan", a, b);
}
Tensor floor_div(Tensor a, Tensor b) {
  Tensor y = binary<FloorDiv>("floorDiv", a, b);
  return y.dtype() == DType::int32 ? y : cast(y, DType::int32);
}
Tensor mod(Tensor a, Tensor b) { return binary<Mod>("mod", a, b); }
Tensor pow(Tensor a, Tensor b) {
  return is_float(a, b) ? binary<Pow>("pow", a, b)
                        : binary<IntPow>("pow", a, b);
}
Tensor maximum(Tensor a, Tensor b) { return binary<Maximum>("maximum", a, b); }
Tensor minimum(Tensor a, Tensor b) { return binary<Minimum>("minimum", a, b); }
Tensor bitwise_and(Tensor a, Tensor b) {
  require_dtype("bitwiseAnd", "x", a, DType::int32);
  require_dtype("bitwiseAnd", "y", b, DType::int32);
  return binary<BitwiseAnd>("bitwiseAnd", a, b);
}
Tensor squared_difference(Tensor a, Tensor b) {
  return binary<SquaredDifference>("squaredDifference", a, b);
}
Tensor atan2(Tensor a, Tensor b) { return binary<Atan2>("atan2", a, b); }
Tensor prelu(Tensor x, Tensor alpha) {
  return binary<Prelu>("prelu", x, alpha);
}

Tensor add_n(Tensors tensors) {
  if (tensors.empty()) {
    fail(Code::argument,
         "Must pass at least one tensor to tf.addN(), but got 0");
  }
  const Shape& shape = tensors[0].shape();
  DType dtype = tensors[0].dtype();
  for (Tensor& t : tensors) {
    if (t.dtype() != dtype) {
      fail(Code::dtype,
           "All tensors passed to tf.addN() must have the same dtype, got ",
           dtype, " and ", t.dtype());
    }
    if (t.shape() != shape) {
      fail(Code::shape,
           "All tensors passed to tf.addN() must have the same shape, got ",
           shape, " and ", t.shape());
    }
  }
  if (tensors.size() == 1) return clone(tensors[0]);
  if (dtype == DType::bool_) {
    for (Tensor& t : tensors) t = cast(t, DType::int32);
    dtype = DType::int32;
  }
  return emit(kAddN, std::span<const Tensor>(tensors), {shape, dtype});
}

}  // namespace tidemark::ops
