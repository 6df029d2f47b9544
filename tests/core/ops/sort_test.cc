#include "core/ops/sort.h"

#include "core/ops/count.h"
#include "core/ops/operators.h"
#include "tests/core/support/moves.h"

namespace tidemark {
namespace {

using namespace testing;

TEST(Topk, SortsEveryRow) {
  NoLeak guard;
  for (int n : {1, 2, 7, 64, 65}) {
    Tensor x = ramp({3, n});
    std::vector<double> in = values(x);
    for (int k : {0, 1, n}) {
      Tensors y = ops::topk(x, k);
      EXPECT_EQ(y[0].shape(), (Shape{3, k}));
      std::vector<double> got = values(y[0]), at = values(y[1]);
      for (int r = 0; r < 3; ++r) {
        std::vector<double> row(in.begin() + r * n, in.begin() + r * n + n);
        std::sort(row.begin(), row.end(), std::greater<>());
        for (int i = 0; i < k; ++i) {
          EXPECT_EQ(got[r * k + i], row[i]);
          EXPECT_EQ(in[r * n + static_cast<int>(at[r * k + i])], row[i]);
        }
      }
    }
  }
}

TEST(Topk, PutsLowerIndicesAndNanFirst) {
  Tensors y = ops::topk(tensor_of<float>({5}, {2, NAN, 3, NAN, 3}), 5);
  expect_close(y[0], {NAN, NAN, 3, 3, 2});
  expect_close(y[1], {1, 3, 2, 4, 0});
  Tensors big = ops::topk(tensor_of<int32_t>({3}, {16777216, 16777217, 5}), 2);
  expect_close(big[0], {16777217, 16777216}, 0);
  Tensors flags = ops::topk(tensor_of<uint8_t>({3}, {0, 1, 1}), 2);
  EXPECT_EQ(flags[0].dtype(), DType::bool_);
  expect_close(flags[1], {1, 2});
}

TEST(Topk, RefusesBadK) {
  Tensor x = ramp({2, 3});
  EXPECT_EQ(code_of([&] { ops::topk(x, -1); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::topk(x, 4); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::topk(scalar(1), 1); }), Code::shape);
}

TEST(Topk, Derivatives) {
  auto top = [](const Tensors& t) { return ops::topk(t[0], 2)[0]; };
  expect_derivative(top, {ramp({2, 4})}, 1e-3, 2e-2);
  expect_second_derivative(
      [&](const Tensors& t) {
        Tensor y = top(t);
        return y * y * y;
      },
      ramp({2, 4}), 1e-3);
}

TEST(Unique, FindsSlicesOfAnyAxis) {
  NoLeak guard;
  Tensors y = ops::unique(
      tensor_of<float>({7}, {NAN, 1, -0.f, NAN, 0, INFINITY, 1}), 0);
  expect_close(y[0], {NAN, 1, 0, INFINITY});
  expect_close(y[1], {0, 1, 2, 0, 2, 3, 1});
  Tensor x = tensor_of<int32_t>({2, 3}, {16777217, 5, 16777217,  //
                                         16777216, 5, 16777216});
  Tensors columns = ops::unique(x, -1);
  EXPECT_EQ(columns[0].shape(), (Shape{2, 2}));
  expect_close(columns[1], {0, 1, 0});
  Tensors rows = ops::unique(x, 0);
  EXPECT_EQ(rows[0].shape(), x.shape());
  EXPECT_EQ(ops::unique(Tensor(Shape{0, 2}, DType::bool_), 0)[0].shape(),
            (Shape{0, 2}));
}

TEST(SearchSorted, AgreesWithTheStandardLibrary) {
  Tensor sequence = tensor_of<float>({2, 5}, {-1, 0, 0, 2, 5, 0, 0, 0, 0, 0});
  Tensor wanted = tensor_of<float>({2, 3}, {0, -3, 9, 0, -3, 9});
  expect_close(ops::search_sorted(sequence, wanted, false), {1, 0, 5, 0, 0, 5});
  expect_close(ops::search_sorted(sequence, wanted, true), {3, 0, 5, 5, 0, 5});
  EXPECT_EQ(code_of([&] {
              ops::search_sorted(sequence, ramp({3, 3}), false);
            }),
            Code::shape);
  EXPECT_EQ(code_of([] { ops::search_sorted(scalar(1), scalar(1), false); }),
            Code::shape);
}

TEST(Setdiff, KeepsOrderAndDuplicates) {
  Tensors y = ops::setdiff1d(tensor_of<int32_t>({5}, {4, 16777217, 4, 1, 9}),
                             tensor_of<int32_t>({2}, {1, 16777216}));
  expect_close(y[0], {4, 16777217, 4, 9}, 0);
  expect_close(y[1], {0, 1, 2, 4});
  EXPECT_EQ(code_of([] { ops::setdiff1d(ramp({2}), scalar(1)); }), Code::shape);
}

TEST(Bincount, CountsAndWeighs) {
  Tensor x = tensor_of<int32_t>({4}, {1, 1, 7, 2});
  Tensor none(Shape{0}, DType::float32);
  expect_close(ops::bincount(x, none, 3), {0, 2, 1});
  Tensor y = ops::bincount(x, tensor_of<int32_t>({4}, {3, 4, 5, 16777217}), 3);
  EXPECT_EQ(y.dtype(), DType::int32);
  expect_close(y, {0, 7, 16777217}, 0);
  Tensor rows = tensor_of<int32_t>({2, 2}, {1, 1, 0, 7});
  expect_close(ops::dense_bincount(rows, none, 2, false), {0, 2, 1, 0});
  expect_close(ops::dense_bincount(rows, none, 2, true), {0, 1, 1, 0});
  EXPECT_EQ(code_of([&] { ops::bincount(x, none, -1); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::bincount(none, none, 1); }), Code::dtype);
  EXPECT_EQ(code_of([&] { ops::bincount(x, ramp({2}), 1); }), Code::shape);
  EXPECT_EQ(code_of([&] {
              ops::bincount(tensor_of<int32_t>({1}, {-1}), none, 1);
            }),
            Code::argument);
}

TEST(BooleanMask, KeepsSlices) {
  Tensor x = numbered({2, 3}, DType::int32);
  Tensor mask = tensor_of<uint8_t>({3}, {1, 0, 1});
  expect_close(ops::boolean_mask(x, mask, 1),
               {2147483647, 2147483645, 2147483644, 2147483642}, 0);
  Tensor both = tensor_of<uint8_t>({2, 3}, {0, 0, 1, 1, 0, 0});
  expect_close(ops::boolean_mask(x, both, 0), {2147483645, 2147483644}, 0);
  EXPECT_EQ(code_of([&] { ops::boolean_mask(x, mask, 0); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::boolean_mask(x, both, 1); }), Code::shape);
  expect_derivative(
      [&](const Tensors& t) { return ops::boolean_mask(t[0], mask, 1); },
      {ramp({2, 3})});
}

}  // namespace
}  // namespace tidemark
