#include "core/ops/gather.h"

#include "core/ops/operators.h"
#include "tests/core/support/moves.h"

namespace tidemark {
namespace {

using namespace testing;

TEST(Gather, PicksSlicesAlongAnyAxis) {
  NoLeak guard;
  Tensor indices = tensor_of<int32_t>({2, 2}, {1, 0, 1, 1});
  for (DType dtype : kDTypes) {
    Tensor x = numbered({2, 3, 2, 5}, dtype);
    auto at_indices = [&](int i, int j) {
      return indices.data<int32_t>()[2 * i + j];
    };
    expect_moved(ops::gather(x, indices, 0, 0), {2, 2, 3, 2, 5}, x,
                 [&](Ints at) {
                   return Ints{at_indices(at[0], at[1]), at[2], at[3], at[4]};
                 });
    expect_moved(ops::gather(x, indices, -2, 0), {2, 3, 2, 2, 5}, x,
                 [&](Ints at) {
                   return Ints{at[0], at[1], at_indices(at[2], at[3]), at[4]};
                 });
    // The batch dimension of both goes together.
    expect_moved(ops::gather(x, indices, 2, 1), {2, 3, 2, 5}, x,
                 [&](Ints at) {
                   return Ints{at[0], at[1], at_indices(at[0], at[2]), at[3]};
                 });
    expect_moved(ops::gather(x, tensor_of<int32_t>({}, {2}), 1, 0), {2, 2, 5},
                 x, [&](Ints at) { return Ints{at[0], 2, at[1], at[2]}; });
  }
  EXPECT_EQ(ops::gather(numbered({0, 3}, DType::bool_),
                        Tensor(Shape{0}, DType::int32), 0, 0)
                .shape(),
            (Shape{0, 3}));
}

TEST(Gather, RefusesBadIndices) {
  Tensor x = numbered({2, 3}, DType::float32);
  auto pick = [&](Tensor indices, int axis = 0, int batch = 0) {
    return code_of([&] { ops::gather(x, indices, axis, batch); });
  };
  EXPECT_EQ(pick(tensor_of<int32_t>({1}, {2})), Code::argument);
  EXPECT_EQ(pick(tensor_of<int32_t>({1}, {-1})), Code::argument);
  EXPECT_EQ(pick(tensor_of<float>({1}, {1})), Code::dtype);
  EXPECT_EQ(pick(tensor_of<int32_t>({1}, {1}), 2), Code::argument);
  EXPECT_EQ(pick(tensor_of<int32_t>({1}, {1}), 1, 2), Code::argument);
  EXPECT_EQ(pick(tensor_of<int32_t>({1}, {1}), 0, 1), Code::argument);
  EXPECT_EQ(pick(tensor_of<int32_t>({1}, {1}), 1, 1), Code::shape);
}

TEST(UnsortedSegmentSum, SumsAndDropsWhatIsOutside) {
  Tensor x = tensor_of<int32_t>({5}, {2147483647, 1, 2, 4, 8});
  Tensor ids = tensor_of<int32_t>({5}, {0, 0, -1, 2, 3});
  // int32 wraps.
  expect_close(ops::unsorted_segment_sum(x, ids, 3), {-2147483648.0, 0, 4}, 0);
  Tensor rows = tensor_of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  expect_close(ops::unsorted_segment_sum(
                   rows, tensor_of<int32_t>({3}, {1, 0, 1}), 2),
               {3, 4, 6, 8});
  EXPECT_EQ(code_of([&] { ops::unsorted_segment_sum(rows, ids, 2); }),
            Code::shape);
  EXPECT_EQ(code_of([&] { ops::unsorted_segment_sum(x, ids, -2); }),
            Code::argument);
}

TEST(GatherNd, PicksByVectors) {
  NoLeak guard;
  Tensor indices = tensor_of<int32_t>({3, 2}, {1, 2, 0, 0, 1, 2});
  for (DType dtype : kDTypes) {
    Tensor x = numbered({2, 3, 4}, dtype);
    expect_moved(ops::gather_nd(x, indices), {3, 4}, x, [&](Ints at) {
      const int32_t* v = indices.data<int32_t>() + 2 * at[0];
      return Ints{v[0], v[1], at[1]};
    });
    // Vectors without entries name the whole.
    expect_moved(ops::gather_nd(x, Tensor(Shape{2, 0}, DType::int32)),
                 {2, 2, 3, 4}, x,
                 [](Ints at) { return Ints{at[1], at[2], at[3]}; });
  }
  Tensor x = numbered({2, 3}, DType::float32);
  auto pick = [&](Tensor t) { return code_of([&] { ops::gather_nd(x, t); }); };
  EXPECT_EQ(pick(tensor_of<int32_t>({1, 2}, {1, 3})), Code::argument);
  EXPECT_EQ(pick(tensor_of<int32_t>({1, 2}, {-1, 0})), Code::argument);
  EXPECT_EQ(pick(tensor_of<int32_t>({1, 3}, {0, 0, 0})), Code::shape);
  EXPECT_EQ(pick(tensor_of<int32_t>({}, {0})), Code::shape);
  EXPECT_EQ(pick(tensor_of<float>({1}, {0})), Code::dtype);
}

TEST(ScatterNd, AddsDuplicates) {
  Tensor indices = tensor_of<int32_t>({3, 1}, {2, 0, 2});
  expect_close(ops::scatter_nd(indices, tensor_of<float>({3}, {1, 2, 4}), {4}),
               {2, 0, 5, 0});
  expect_close(ops::scatter_nd(tensor_of<int32_t>({3}, {2, 0, 2}),
                               tensor_of<float>({3}, {1, 2, 4}), {4}),
               {2, 0, 5, 0});
  expect_close(ops::scatter_nd(
                   indices, tensor_of<int32_t>({3}, {16777217, 5, 16777216}),
                   {3}),
               {5, 0, 33554433}, 0);
  expect_close(
      ops::scatter_nd(indices, tensor_of<uint8_t>({3}, {1, 0, 1}), {3}),
      {0, 0, 1});
  EXPECT_EQ(code_of([&] {
              ops::scatter_nd(indices, numbered({3}, DType::float32), {2});
            }),
            Code::argument);
  EXPECT_EQ(code_of([&] {
              ops::scatter_nd(indices, numbered({2}, DType::float32), {3});
            }),
            Code::shape);
  EXPECT_EQ(code_of([&] {
              ops::scatter_nd(tensor_of<int32_t>({}, {1}), scalar(1), {3});
            }),
            Code::shape);
}

TEST(TensorScatterUpdate, Replaces) {
  Tensor x = numbered({3, 2}, DType::int32);
  Tensor y = ops::tensor_scatter_update(
      x, tensor_of<int32_t>({2, 1}, {1, 1}),
      tensor_of<int32_t>({2, 2}, {1, 2, 3, 4}));
  expect_close(y, {2147483647, 2147483646, 3, 4, 2147483643, 2147483642}, 0);
  EXPECT_EQ(code_of([&] {
              ops::tensor_scatter_update(x, tensor_of<int32_t>({1, 1}, {0}),
                                         tensor_of<float>({1, 2}, {0, 0}));
            }),
            Code::dtype);
}

TEST(SparseToDense, FillsAndSets) {
  expect_close(
      ops::sparse_to_dense(tensor_of<int32_t>({2, 2}, {0, 1, 1, 0}),
                           tensor_of<float>({2}, {5, 6}), {2, 2}, scalar(-1)),
      {-1, 5, 6, -1});
  expect_close(ops::sparse_to_dense(tensor_of<int32_t>({}, {1}), scalar(4),
                                    {3}, scalar(0)),
               {0, 4, 0});
  EXPECT_EQ(code_of([] {
              ops::sparse_to_dense(tensor_of<int32_t>({2}, {1, 2}), scalar(4),
                                   {3, 3}, scalar(0));
            }),
            Code::shape);
}

TEST(Gather, Derivatives) {
  Tensor x = ramp({2, 3, 2});
  Tensor few = tensor_of<int32_t>({2, 2}, {1, 0, 1, 1});
  Tensor vectors = tensor_of<int32_t>({3, 2}, {1, 2, 0, 0, 1, 2});
  auto check = [&](const Tensor& at, const Function& f) {
    expect_derivative(f, {at});
    expect_second_derivative(
        [&](const Tensors& t) {
          Tensor y = f(t);
          return y * y * y;
        },
        at);
  };
  check(x, [&](const Tensors& t) { return ops::gather(t[0], few, 1, 0); });
  check(x, [&](const Tensors& t) { return ops::gather(t[0], few, 1, 1); });
  check(x, [&](const Tensors& t) { return ops::gather_nd(t[0], vectors); });
  check(x, [&](const Tensors& t) {
    return ops::gather_nd(t[0], tensor_of<int32_t>({2}, {1, 2}));
  });
  check(x, [&](const Tensors& t) {
    return ops::unsorted_segment_sum(t[0], tensor_of<int32_t>({2}, {1, -1}),
                                     2);
  });
  check(ramp({3, 2}), [&](const Tensors& t) {
    return ops::scatter_nd(vectors, t[0], {2, 3, 2});
  });
  Tensor distinct = tensor_of<int32_t>({2, 2}, {1, 2, 0, 0});
  check(x, [&](const Tensors& t) {
    return ops::tensor_scatter_update(t[0], distinct, ramp({2, 2}));
  });
  check(ramp({2, 2}), [&](const Tensors& t) {
    return ops::tensor_scatter_update(x, distinct, t[0]);
  });
}

}  // namespace
}  // namespace tidemark
