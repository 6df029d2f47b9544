#include "core/ops/sort.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/ops/cast.h"
#include "core/ops/emit.h"
#include "core/ops/gather.h"
#include "core/ops/transpose.h"

namespace tidemark::ops {
namespace {

// A total order even with NaN, which comes first.
template <class T>
bool comes_before(T a, T b) {
  if (a != a || b != b) return a != a && b == b;
  return a > b;
}

constexpr Op kTopk{
    .name = "topk",
    .kernel =
        [](const Run& run) {
          const Tensor& x = run.in[0];
          auto n = static_cast<std::size_t>(x.shape().back());
          auto k = static_cast<std::size_t>(run.out[0].shape().back());
          if (run.out[0].size() == 0) return;
          int32_t* indices = run.out[1].mutable_data<int32_t>();
          std::vector<int32_t> order(n);
          dispatch(x.dtype(), [&](auto type) {
            using T = decltype(type);
            const T* row = x.data<T>();
            T* values = run.out[0].mutable_data<T>();
            for (std::size_t r = x.size() / n; r-- > 0; row += n) {
              std::iota(order.begin(), order.end(), 0);
              std::partial_sort(order.begin(), order.begin() + k, order.end(),
                                [row](int32_t a, int32_t b) {
                                  if (comes_before(row[a], row[b])) return true;
                                  if (comes_before(row[b], row[a])) return false;
                                  return a < b;
                                });
              for (std::size_t i = 0; i < k; ++i) {
                *indices++ = order[i];
                *values++ = row[order[i]];
              }
            }
          });
        },
    .vjp =
        [](Vjp& v) {
          if (v.dy(0)) {
            v.give(0, scatter_last(v.dy(0), v.out(1), v.in_spec(0).shape));
          }
        },
    .keep_outputs = 2,
};

constexpr Op kUnique{
    .name = "unique", .kernel = nullptr, .data_dependent = true};
constexpr Op kSetdiff{
    .name = "setdiff1d", .kernel = nullptr, .data_dependent = true};

constexpr Op kSearchSorted{
    .name = "searchSorted",
    .kernel =
        [](const Run& run) {
          const Tensor& sequence = run.in[0];
          const Tensor& values = run.in[1];
          std::size_t n = static_cast<std::size_t>(sequence.shape().back());
          std::size_t m = static_cast<std::size_t>(values.shape().back());
          int32_t* out = run.out[0].mutable_data<int32_t>();
          bool right = run.attr<bool>();
          dispatch(sequence.dtype(), [&](auto type) {
            using T = decltype(type);
            const T* row = sequence.data<T>();
            const T* value = values.data<T>();
            for (std::size_t i = 0; i < values.size(); ++i) {
              if (i > 0 && i % m == 0) row += n;
              out[i] = static_cast<int32_t>(
                  (right ? std::upper_bound(row, row + n, value[i])
                         : std::lower_bound(row, row + n, value[i])) -
                  row);
            }
          });
        },
    .tell = [](const Run& run, Teller& to) {
          to.flag("right", run.attr<bool>());
        },
};

// Elements as bytes that are equal exactly when the elements are.
std::vector<char> comparable(const Tensor& x) {
  std::vector<char> bytes(x.bytes());
  if (x.dtype() != DType::float32) {
    if (!bytes.empty()) std::memcpy(bytes.data(), x.raw(), bytes.size());
    return bytes;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    float v = x.data<float>()[i];
    if (v != v) v = std::numeric_limits<float>::quiet_NaN();
    if (v == 0) v = 0;
    std::memcpy(bytes.data() + i * sizeof v, &v, sizeof v);
  }
  return bytes;
}

Tensor ints(const std::vector<int32_t>& values) {
  Tensor t(Shape{static_cast<int>(values.size())}, DType::int32);
  std::copy(values.begin(), values.end(), t.mutable_data<int32_t>());
  return t;
}

}  // namespace

Tensors topk(Tensor x, int k) {
  if (x.rank() == 0) {
    fail(Code::shape,
         "topk: topk() expects the input to be of rank 1 or higher");
  }
  if (k < 0) {
    fail(Code::argument, "topk: 'k' passed to topk() must be >= 0 but got ", k);
  }
  if (k > x.shape().back()) {
    fail(Code::argument, "topk: 'k' passed to topk() must be <= the last "
         "dimension (", x.shape().back(), ") but got ", k);
  }
  Shape shape = x.shape();
  shape[x.rank() - 1] = k;
  Spec specs[] = {{shape, x.dtype()}, {shape, DType::int32}};
  return emit_list(kTopk, {&x, 1}, specs);
}

Tensors unique(Tensor x, int axis) {
  axis = normalize_axis("unique", axis, x.rank());
  // With the axis in front a slice is one run of bytes.
  Ints perm{axis};
  for (int d = 0; d < x.rank(); ++d) {
    if (d != axis) perm.push_back(d);
  }
  int n = x.shape()[axis];
  std::vector<char> bytes = comparable(transpose(x, perm));
  std::size_t run = n > 0 ? bytes.size() / static_cast<std::size_t>(n) : 0;
  std::unordered_map<std::string_view, int32_t> seen;
  std::vector<int32_t> firsts, like;
  for (int i = 0; i < n; ++i) {
    std::string_view slice(bytes.data() + static_cast<std::size_t>(i) * run,
                           run);
    auto [it, is_new] =
        seen.emplace(slice, static_cast<int32_t>(firsts.size()));
    if (is_new) firsts.push_back(i);
    like.push_back(it->second);
  }
  Tensors out{gather(x, ints(firsts), axis, 0), ints(like)};
  announce(kUnique, {&x, 1}, out);
  return out;
}

Tensor search_sorted(Tensor sequence, Tensor values, bool right) {
  const char* op = "searchSorted";
  if (sequence.rank() < 1 || values.rank() != sequence.rank() ||
      sequence.shape().removed(sequence.rank() - 1) !=
          values.shape().removed(values.rank() - 1)) {
    fail(Code::shape, op, ": the sequence ", sequence.shape(),
         " and the values ", values.shape(),
         " must have rank 1 or higher and agree in all but the last dimension");
  }
  DType dtype = promote(sequence.dtype(), values.dtype());
  return emit(kSearchSorted, {cast(sequence, dtype), cast(values, dtype)},
              {values.shape(), DType::int32}, right);
}

Tensors setdiff1d(Tensor x, Tensor y) {
  if (x.rank() != 1 || y.rank() != 1) {
    fail(Code::shape, "setdiff1d: x and y must have rank 1, but have shapes ",
         x.shape(), " and ", y.shape());
  }
  if (x.dtype() != y.dtype()) {
    fail(Code::dtype, "setdiff1d: x and y should have the same dtype, but got "
         "x (", x.dtype(), ") and y (", y.dtype(), ").");
  }
  std::vector<char> of_x = comparable(x), of_y = comparable(y);
  std::size_t width = size_of(x.dtype());
  std::unordered_set<std::string_view> present;
  for (std::size_t i = 0; i < of_y.size(); i += width) {
    present.emplace(of_y.data() + i, width);
  }
  std::vector<int32_t> kept;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!present.contains({of_x.data() + i * width, width})) {
      kept.push_back(static_cast<int32_t>(i));
    }
  }
  Tensor indices = ints(kept);
  Tensors out{gather(x, indices, 0, 0), indices};
  Tensor in[] = {x, y};
  announce(kSetdiff, in, out);
  return out;
}

}  // namespace tidemark::ops
