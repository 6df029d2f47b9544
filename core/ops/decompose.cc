#include "core/ops/decompose.h"

#include <algorithm>
#include <array>

#include "core/kernels/qr.h"
#include "core/ops/concat.h"
#include "core/ops/creation.h"
#include "core/ops/emit.h"
#include "core/ops/linalg.h"
#include "core/ops/numeric.h"
#include "core/ops/operators.h"
#include "core/ops/reduce.h"
#include "core/ops/slice.h"
#include "core/ops/transpose.h"

namespace tidemark::ops {
namespace {

using kernels::Index;

// Calls each(i) for every matrix of x.
template <class Each>
void for_each_matrix(const Tensor& x, Each each) {
  auto n = static_cast<Index>(x.shape().size(0, x.rank() - 2));
  for (Index i = 0; i < n; ++i) each(i);
}

Index matrix_size(const Tensor& x) {
  return static_cast<Index>(x.shape().back(0)) * x.shape().back(1);
}

struct Band {
  int lower, upper;

  void tell(const Run&, Teller& to) const {
    to.integer("num_lower", lower);
    to.integer("num_upper", upper);
  }
};

constexpr Op kBandPart{
    .name = "bandPart",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          if (x.size() == 0) return;
          const Band& band = run.attr<Band>();
          auto bytes = static_cast<Index>(size_of(x.dtype()));
          auto* in = static_cast<const char*>(x.raw());
          auto* out = static_cast<char*>(run.out[0].mutable_raw());
          for_each_matrix(x, [&](Index i) {
            Index at = i * matrix_size(x) * bytes;
            kernels::band_part(x.shape().back(1), x.shape().back(0), band.lower,
                               band.upper, bytes, in + at, out + at);
          });
        },
    .vjp =
        [](Vjp& v) {
          const Band& band = v.attr<Band>();
          v.give(0, band_part(v.dy(), band.lower, band.upper));
        },
    .tell = tell<Band>,
};

// The last two dimensions swapped.
Tensor flip(const Tensor& x) {
  Ints perm(x.rank());
  for (int d = 0; d < x.rank(); ++d) perm[d] = d;
  std::swap(perm[x.rank() - 1], perm[x.rank() - 2]);
  return transpose(x, perm);
}

// Columns [from, from + size) of each matrix.
Tensor columns(const Tensor& x, int from, int size) {
  Ints begin(x.rank(), 0), sizes(x.rank(), -1);
  begin.back() = from;
  sizes.back() = size;
  return slice(x, begin, sizes);
}

Tensor solve_upper(const Tensor& u, const Tensor& b, bool transposed);

// y = U^-1 b: db = U^-T dy, dU = -db y^T. y = U^-T b: db = U^-1 dy,
// dU = -y db^T. Of dU only the upper triangle, which alone is read.
constexpr Op kSolveUpper{
    .name = "solveUpper",
    .kernel =
        [](const Run& run) {
          const Tensor& u = run.in[0];
          const Tensor& b = run.in[1];
          for_each_matrix(u, [&](Index i) {
            kernels::solve_upper(
                u.shape().back(), b.shape().back(), run.attr<bool>(),
                u.data<float>() + i * matrix_size(u),
                b.data<float>() + i * matrix_size(b),
                run.out[0].mutable_data<float>() + i * matrix_size(b));
          });
        },
    .vjp =
        [](Vjp& v) {
          bool transposed = v.attr<bool>();
          Tensor db = solve_upper(v.in(0), v.dy(), !transposed);
          if (v.needs(0)) {
            Tensor du = transposed ? mat_mul(v.out(), db, false, true)
                                   : mat_mul(db, v.out(), false, true);
            v.give(0, band_part(-du, 0, -1));
          }
          v.give(1, db);
        },
    .keep_inputs = 1,
    .keep_outputs = 1,
    .tell = [](const Run& run, Teller& to) {
          to.flag("transposed", run.attr<bool>());
        },
};

Tensor solve_upper(const Tensor& u, const Tensor& b, bool transposed) {
  return emit(kSolveUpper, {u, b}, {b.shape(), b.dtype()}, transposed);
}

// a + b, where null is nothing.
Tensor plus(const Tensor& a, const Tensor& b) {
  return a && b ? a + b : a ? a : b;
}

// For x = q r with r square, M = q^T dq, S = M - M^T + r dr^T - dr r^T and L
// the lower triangle of S: dx = q dr + (dq + q (L - M)) r^-T.
Tensor qr_gradient(const Tensor& q, const Tensor& r, const Tensor& dq,
                   const Tensor& dr) {
  auto skew = [](const Tensor& x) { return x - flip(x); };
  Tensor m = dq ? mat_mul(q, dq, true, false) : Tensor();
  Tensor s = plus(m ? skew(m) : m,
                  dr ? skew(mat_mul(r, dr, false, true)) : Tensor());
  Tensor inner = band_part(s, -1, 0);
  if (m) inner = inner - m;
  Tensor right = plus(mat_mul(q, inner), dq);
  Tensor dx = flip(solve_upper(r, flip(right), false));
  return dr ? dx + mat_mul(q, dr) : dx;
}

// A wide x = [a b] has r = [u w] with a = q u and b = q w: the square case with
// what comes to q through b, and db = q dw.
void qr_vjp(Vjp& v) {
  const Tensor& q = v.out(0);
  const Tensor& r = v.out(1);
  Tensor dq = v.dy(0), dr = v.dy(1);
  int m = q.shape().back(1), n = r.shape().back(0);
  if (q.shape().back(0) > n) {
    fail(Code::unsupported, "qr: with fullMatrices a tall matrix ",
         v.in_spec(0).shape, " has no gradient");
  }
  if (v.in_spec(0).shape.size() == 0) {
    v.give(0, fill(v.in_spec(0).shape, 0, DType::float32));
    return;
  }
  if (n <= m) {
    v.give(0, qr_gradient(q, r, dq, dr));
    return;
  }
  Tensor dw = dr ? columns(dr, m, n - m) : Tensor();
  Tensor w = columns(r, m, n - m);
  Tensor through = dw ? mat_mul(mat_mul(q, w), dw, false, true) : Tensor();
  Tensor da = qr_gradient(q, columns(r, 0, m), plus(dq, through),
                          dr ? columns(dr, 0, m) : Tensor());
  Tensor db = dw ? mat_mul(q, dw) : zeros_like(w);
  v.give(0, concat({da, db}, -1));
}

constexpr Op kQr{
    .name = "qr",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          const Tensor& q = run.out[0];
          const Tensor& r = run.out[1];
          for_each_matrix(x, [&](Index i) {
            kernels::qr(x.shape().back(1), x.shape().back(0), q.shape().back(),
                        x.data<float>() + i * matrix_size(x),
                        q.mutable_data<float>() + i * matrix_size(q),
                        r.mutable_data<float>() + i * matrix_size(r));
          });
        },
    .vjp = qr_vjp,
    .keep_outputs = 3,
};

}  // namespace

Tensor band_part(Tensor x, int lower, int upper) {
  if (x.rank() < 2) {
    fail(Code::shape, "bandPart(): Rank must be at least 2, got ", x.rank(),
         ".");
  }
  if (lower > x.shape().back(1)) {
    fail(Code::argument, "bandPart(): numLower (", lower, ") must not be "
         "greater than the number of rows (", x.shape().back(1), ").");
  }
  if (upper > x.shape().back(0)) {
    fail(Code::argument, "bandPart(): numUpper (", upper, ") must not be "
         "greater than the number of columns (", x.shape().back(0), ").");
  }
  return emit(kBandPart, {x}, {x.shape(), x.dtype()}, Band{lower, upper});
}

Tensors qr(Tensor x, bool full_matrices) {
  if (x.rank() < 2) {
    fail(Code::shape, "qr() requires input tensor to have a rank >= 2, but got "
         "rank ", x.rank());
  }
  x = as_float(x);
  int m = x.shape().back(1), n = x.shape().back(0);
  int k = full_matrices ? m : std::min(m, n);
  Shape batch = x.shape().sub(0, x.rank() - 2);
  std::array<Spec, 2> outs{Spec{batch.joined({m, k}), DType::float32},
                           Spec{batch.joined({k, n}), DType::float32}};
  return emit_list(kQr, std::span<const Tensor>(&x, 1), outs);
}

Tensors gram_schmidt(Tensors xs) {
  if (xs.size() == 1 && xs[0].rank() == 2 && xs[0].shape()[0] > 0) {
    return {stack(gram_schmidt(unstack(xs[0], 0)), 0)};
  }
  if (xs.empty() || xs[0].rank() == 2) {
    fail(Code::argument, "Gram-Schmidt process: input must not be null, "
         "undefined, or empty");
  }
  for (const Tensor& x : xs) {
    if (x.rank() != 1) {
      fail(Code::shape, "Gram-Schmidt: expected vectors or one matrix, but got "
           "a tensor of shape ", x.shape());
    }
    if (x.shape() != xs[0].shape()) {
      fail(Code::shape, "Gram-Schmidt: Non-unique lengths found in the input "
           "vectors: (", x.size(), " vs. ", xs[0].size(), ")");
    }
  }
  if (xs.size() > xs[0].size()) {
    fail(Code::shape, "Gram-Schmidt: Number of vectors (", xs.size(),
         ") exceeds number of dimensions (", xs[0].size(), ").");
  }
  Tensors out;
  for (Tensor x : xs) {
    x = as_float(x);
    for (const Tensor& unit : out) x = x - sum(x * unit, {}) * unit;
    out.push_back(x / sqrt(sum(square(x), {})));
  }
  return out;
}

}  // namespace tidemark::ops
