#include "core/ops/linalg.h"

#include <array>

#include "core/kernels/broadcast.h"
#include "core/kernels/gemm.h"
#include "core/ops/cast.h"
#include "core/ops/emit.h"
#include "core/ops/fused.h"
#include "core/ops/operators.h"
#include "core/ops/reduce.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

using kernels::Activation;
using kernels::Epilogue;
using kernels::Index;

struct Product {
  bool transpose_a, transpose_b;
  Activation activation = Activation::kLinear;
  float alpha = 0;

  void tell(const Run&, Teller& to) const {
    to.flag("transpose_a", transpose_a);
    to.flag("transpose_b", transpose_b);
    tell_activation(to, activation, alpha);
  }
};

// How the matrices of a batch lie: sizes, strides, and the batch dimensions.
struct Batches {
  Index m, n, k, lda, ldb;
  kernels::BroadcastPlan plan;
};

Batches batches(const Tensor& a, const Tensor& b, const Tensor& y,
                const Product& p) {
  Batches out;
  out.m = y.shape().back(1);
  out.n = y.shape().back(0);
  out.k = p.transpose_a ? a.shape().back(1) : a.shape().back(0);
  out.lda = a.shape().back(0);
  out.ldb = b.shape().back(0);
  Shape batch_a = a.shape().sub(0, a.rank() - 2);
  Shape batch_b = b.shape().sub(0, b.rank() - 2);
  out.plan = kernels::plan_broadcast(y.shape().sub(0, y.rank() - 2),
                                     {&batch_a, &batch_b});
  return out;
}

void mat_mul_kernel(const Run& run) {
  const Product& p = run.attr<Product>();
  const Tensor& a = run.in[0];
  const Tensor& b = run.in[1];
  const Tensor& y = run.out[0];
  Batches s = batches(a, b, y, p);
  if (y.size() == 0) return;
  auto each = [&](auto&& product) {
    kernels::for_each_row(s.plan, [&](std::size_t o, auto* at) {
      for (std::size_t i = 0; i < s.plan.row; ++i) {
        product((at[0] + (s.plan.moves[0] ? i : 0)) * (s.m * s.k),
                (at[1] + (s.plan.moves[1] ? i : 0)) * (s.k * s.n),
                (o + i) * (s.m * s.n));
      }
    });
  };
  if (y.dtype() == DType::int32) {
    each([&](Index i, Index j, Index o) {
      kernels::gemm(p.transpose_a, p.transpose_b, s.m, s.n, s.k,
                    a.data<int32_t>() + i, s.lda, b.data<int32_t>() + j, s.ldb,
                    y.mutable_data<int32_t>() + o, s.n);
    });
    return;
  }
  Epilogue epilogue{.activation = p.activation, .alpha = p.alpha};
  if (run.in.size() > 2 && run.in[2]) epilogue.bias = run.in[2].data<float>();
  each([&](Index i, Index j, Index o) {
    kernels::gemm(p.transpose_a, p.transpose_b, s.m, s.n, s.k,
                  a.data<float>() + i, s.lda, b.data<float>() + j, s.ldb,
                  y.mutable_data<float>() + o, s.n, epilogue);
  });
}

// y = op(a) op(b): d/d op(a) = dy op(b)^T and d/d op(b) = op(a)^T dy, written
// so that the result comes out as a and b are stored.
void give_factors(Vjp& v, const Tensor& dy, const Tensor& a, const Tensor& b,
                  const Product& p) {
  if (v.needs(0)) {
    Tensor da = p.transpose_a ? mat_mul(b, dy, p.transpose_b, true)
                              : mat_mul(dy, b, false, !p.transpose_b);
    v.give(0, sum_to(da, v.in_spec(0).shape));
  }
  if (v.needs(1)) {
    Tensor db = p.transpose_b ? mat_mul(dy, a, true, p.transpose_a)
                              : mat_mul(a, dy, !p.transpose_a, false);
    v.give(1, sum_to(db, v.in_spec(1).shape));
  }
}

constexpr Op kMatMul{
    .name = "matMul",
    .kernel = mat_mul_kernel,
    .vjp =
        [](Vjp& v) {
          give_factors(v, v.dy(), v.in(0), v.in(1), v.attr<Product>());
        },
    .keep_inputs = 3,
    .tell = tell<Product>,
};

constexpr Op kFusedMatMul{
    .name = "fused matMul",
    .kernel = mat_mul_kernel,
    .vjp =
        [](Vjp& v) {
          const Product& p = v.attr<Product>();
          Tensor dy =
              activation_gradient(v.dy(), v.out(), p.activation, p.alpha);
          give_factors(v, dy, v.in(0), v.in(1), p);
          if (v.inputs() > 2 && v.needs(2)) {
            v.give(2, sum_to(dy, v.in_spec(2).shape));
          }
        },
    .keep_inputs = 3,
    .keep_outputs = 1,
    .tell = tell<Product>,
};

std::array<Tensor, 2> alike(const Tensor& a, const Tensor& b) {
  DType type = promote(a.dtype(), b.dtype());
  if (type == DType::bool_) type = DType::int32;
  return {a.dtype() == type ? a : cast(a, type),
          b.dtype() == type ? b : cast(b, type)};
}

// Shape of the product, or a failure.
Shape product_shape(const char* op, const Shape& a, const Shape& b,
                    bool transpose_a, bool transpose_b) {
  if (a.rank() < 2 || b.rank() < 2) {
    fail(Code::shape, op, ": both factors must have rank 2 or more, but got "
         "shapes ", a, " and ", b);
  }
  int inner_a = transpose_a ? a.back(1) : a.back(0);
  int inner_b = transpose_b ? b.back(0) : b.back(1);
  if (inner_a != inner_b) {
    fail(Code::shape, op, ": inner shapes (", inner_a, ") and (", inner_b,
         ") of Tensors with shapes ", a, " and ", b, " and transposeA=",
         transpose_a, " and transposeB=", transpose_b, " must match.");
  }
  return broadcast_shape(op, a.sub(0, a.rank() - 2), b.sub(0, b.rank() - 2))
      .joined({transpose_a ? a.back(0) : a.back(1),
               transpose_b ? b.back(1) : b.back(0)});
}

// One matrix b for the whole batch: the batch is more rows of a.
bool is_one_product(const Tensor& a, const Tensor& b, bool transpose_a) {
  return a.rank() > 2 && b.rank() == 2 && !transpose_a;
}

Tensor rows(const Tensor& a) {
  int columns = a.shape().back();
  return reshape(a, Shape{static_cast<int>(a.shape().size(0, a.rank() - 1)),
                          columns});
}

}  // namespace

Tensor mat_mul(Tensor a, Tensor b, bool transpose_a, bool transpose_b) {
  Shape shape =
      product_shape("matMul", a.shape(), b.shape(), transpose_a, transpose_b);
  if (is_one_product(a, b, transpose_a)) {
    return reshape(mat_mul(rows(a), b, false, transpose_b), shape);
  }
  auto [x, y] = alike(a, b);
  return emit(kMatMul, {x, y}, {shape, x.dtype()},
              Product{transpose_a, transpose_b});
}

Tensor dot(Tensor a, Tensor b) {
  if (a.rank() < 1 || a.rank() > 2 || b.rank() < 1 || b.rank() > 2) {
    fail(Code::shape, "dot: inputs must all be rank 1 or 2, but got ranks ",
         a.rank(), " and ", b.rank(), ".");
  }
  int inner_a = a.shape().back();
  int inner_b = b.shape()[0];
  if (inner_a != inner_b) {
    fail(Code::shape, "dot: inner dimensions of inputs must match, but got ",
         inner_a, " and ", inner_b, ".");
  }
  Shape shape = a.shape().sub(0, a.rank() - 1).joined(
      b.shape().sub(1, b.rank()));
  Tensor left = a.rank() == 1 ? reshape(a, Shape{1, inner_a}) : a;
  Tensor right = b.rank() == 1 ? reshape(b, Shape{inner_b, 1}) : b;
  Tensor y = mat_mul(left, right);
  return y.shape() == shape ? y : reshape(y, shape);
}

Tensor outer_product(Tensor a, Tensor b) {
  if (a.rank() != 1 || b.rank() != 1) {
    fail(Code::shape, "outerProduct: inputs must be rank 1, but got ranks ",
         a.rank(), " and ", b.rank(), ".");
  }
  return mat_mul(reshape(a, Shape{a.shape()[0], 1}),
                 reshape(b, Shape{1, b.shape()[0]}));
}

Tensor fused_mat_mul(Tensor a, Tensor b, bool transpose_a, bool transpose_b,
                     std::optional<Tensor> bias, Activation activation,
                     std::optional<Tensor> prelu_weights, double alpha) {
  Shape shape = product_shape("fused matMul", a.shape(), b.shape(),
                              transpose_a, transpose_b);
  auto [x, y] = alike(a, b);
  // The kernel adds one value a column; other biases are added after it.
  bool row_bias = !bias || (bias->dtype() == DType::float32 &&
                            bias->rank() >= 1 && bias->rank() <= shape.rank() &&
                            bias->shape().back() == shape.back() &&
                            bias->shape().size(0, bias->rank() - 1) == 1);
  if (x.dtype() != DType::float32 || !row_bias || prelu_weights ||
      !has_gradient_from_result(activation, alpha)) {
    Tensor product = mat_mul(x, y, transpose_a, transpose_b);
    if (bias) product = product + *bias;
    if (product.shape() != shape) {
      fail(Code::shape, "fused matMul: bias ", bias->shape(), " does not "
           "broadcast to the product's shape ", shape);
    }
    return activated(product, activation, prelu_weights, alpha);
  }
  Tensor left = is_one_product(x, y, transpose_a) ? rows(x) : x;
  Shape inner = left.rank() == x.rank()
                    ? shape
                    : Shape{left.shape()[0], shape.back()};
  Tensor out = emit(kFusedMatMul, {left, y, bias.value_or(Tensor())},
                    {inner, DType::float32},
                    Product{transpose_a, transpose_b, activation,
                            static_cast<float>(alpha)});
  return inner == shape ? out : reshape(out, shape);
}

}  // namespace tidemark::ops
