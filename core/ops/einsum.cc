#include "core/ops/einsum.h"

#include <algorithm>

#include "core/ops/linalg.h"
#include "core/ops/reduce.h"
#include "core/ops/shape_ops.h"
#include "core/ops/transpose.h"

namespace tidemark::ops {
namespace {

/// A tensor whose dimensions have names.
struct Labelled {
  Tensor x;
  Ints labels;

  bool has(int label) const {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  }
  int axis(int label) const {
    return static_cast<int>(std::find(labels.begin(), labels.end(), label) -
                            labels.begin());
  }
  int size(int label) const { return x.shape()[axis(label)]; }

  /// Sums over the labels that `unused` holds for.
  template <class F>
  Labelled summed(F unused) const {
    Ints axes, rest;
    for (std::size_t d = 0; d < labels.size(); ++d) {
      if (unused(labels[d])) {
        axes.push_back(static_cast<int>(d));
      } else {
        rest.push_back(labels[d]);
      }
    }
    return axes.empty() ? *this : Labelled{sum(x, axes), rest};
  }

  /// The same with its dimensions in another order.
  Labelled ordered(const Ints& order) const {
    if (order == labels) return *this;
    Ints perm;
    for (int label : order) perm.push_back(axis(label));
    return {transpose(x, perm), order};
  }

  /// The sizes of the given labels.
  Ints sizes(const Ints& of) const {
    Ints out;
    for (int label : of) out.push_back(size(label));
    return out;
  }
};

Ints joined(Ints a, const Ints& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

int product(const Ints& sizes) {
  int n = 1;
  for (int s : sizes) n *= s;
  return n;
}

void check(const Labelled& t, const Labelled& first) {
  if (t.x.rank() != static_cast<int>(t.labels.size())) {
    fail(Code::shape, "einsum: a tensor shaped ", t.x.shape(), " has ",
         t.labels.size(), " labels");
  }
  for (int d = 0; d < t.x.rank(); ++d) {
    if (!first.has(t.labels[d])) continue;
    int want = first.size(t.labels[d]);
    if (t.x.shape()[d] != want) {
      fail(Code::shape, "einsum: Expected dimension ", want, " at axis ", d,
           " of input shaped ", t.x.shape(), ", but got dimension ",
           t.x.shape()[d]);
    }
  }
}

// Two operands are one batched matrix product: [shared and kept, own, shared
// and summed] times [shared and kept, shared and summed, own].
Labelled contracted(const Labelled& a, const Labelled& b, const Ints& out) {
  auto kept = [&](int label) {
    return std::find(out.begin(), out.end(), label) != out.end();
  };
  Ints batch, summed, own_a, own_b;
  for (int label : a.labels) {
    (!b.has(label) ? own_a : kept(label) ? batch : summed).push_back(label);
  }
  for (int label : b.labels) {
    if (!a.has(label)) own_b.push_back(label);
  }
  Labelled left = a.ordered(joined(joined(batch, own_a), summed));
  Labelled right = b.ordered(joined(joined(batch, summed), own_b));
  int count = product(a.sizes(batch)), rows = product(a.sizes(own_a));
  int inner = product(a.sizes(summed)), columns = product(b.sizes(own_b));
  Tensor y = mat_mul(reshape(left.x, Shape{count, rows, inner}),
                     reshape(right.x, Shape{count, inner, columns}));
  Ints sizes = joined(joined(a.sizes(batch), a.sizes(own_a)), b.sizes(own_b));
  return {reshape(y, Shape(sizes)), joined(joined(batch, own_a), own_b)};
}

}  // namespace

Tensor einsum(Tensors xs, Ints labels_a, Ints labels_b, Ints out) {
  if (xs.empty() || xs.size() > 2) {
    fail(Code::argument, "einsum: expected 1 or 2 tensors, got ", xs.size());
  }
  Labelled a{xs[0], labels_a};
  check(a, a);
  auto kept = [&](int label) {
    return std::find(out.begin(), out.end(), label) != out.end();
  };
  if (xs.size() == 1) {
    return a.summed([&](int l) { return !kept(l); }).ordered(out).x;
  }
  Labelled b{xs[1], labels_b};
  check(b, a);
  // What only one operand has and the result has not is summed first.
  Labelled left = a.summed([&](int l) { return !kept(l) && !b.has(l); });
  Labelled right = b.summed([&](int l) { return !kept(l) && !a.has(l); });
  return contracted(left, right, out).ordered(out).x;
}

}  // namespace tidemark::ops
