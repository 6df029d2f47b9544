#include "core/ops/transpose.h"

#include <numeric>

#include "core/ops/operators.h"
#include "core/ops/shape_ops.h"
#include "tests/core/support/moves.h"

namespace tidemark {
namespace {

using namespace testing;

TEST(Transpose, AgreesWithItsDefinitionForEveryPermutation) {
  NoLeak guard;
  for (DType dtype : kDTypes) {
    for (Shape shape : {Shape{}, Shape{7}, Shape{3, 35}, Shape{2, 3, 5},
                        Shape{2, 1, 3, 4}, Shape{2, 0, 3}}) {
      Tensor x = numbered(shape, dtype);
      Ints perm(shape.rank());
      std::iota(perm.begin(), perm.end(), 0);
      do {
        Ints dims;
        for (int p : perm) dims.push_back(shape[p]);
        expect_moved(ops::transpose(x, perm), Shape(dims), x, [&](Ints at) {
          Ints from(at.size());
          for (std::size_t i = 0; i < at.size(); ++i) from[perm[i]] = at[i];
          return from;
        });
      } while (std::next_permutation(perm.begin(), perm.end()));
    }
    Tensor six = numbered({1, 2, 3, 2, 1, 4}, dtype);
    expect_moved(ops::transpose(six, {}), {4, 1, 2, 3, 2, 1}, six,
                 [](Ints at) { return Ints(at.rbegin(), at.rend()); });
  }
}

TEST(Transpose, RefusesBadPermutations) {
  Tensor x = numbered({2, 3}, DType::float32);
  EXPECT_EQ(code_of([&] { ops::transpose(x, {0}); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::transpose(x, {0, 2}); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::transpose(x, {0, 0}); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::transpose(x, {0, -1}); }), Code::argument);
}

TEST(DepthToSpace, MovesChannels) {
  for (DType dtype : kDTypes) {
    Tensor last = numbered({2, 3, 2, 8}, dtype);
    expect_moved(ops::depth_to_space(last, 2, false), {2, 6, 4, 2}, last,
                 [](Ints at) {
                   int offset = at[1] % 2 * 2 + at[2] % 2;
                   return Ints{at[0], at[1] / 2, at[2] / 2,
                               offset * 2 + at[3]};
                 });
    Tensor first = numbered({2, 8, 3, 2}, dtype);
    expect_moved(ops::depth_to_space(first, 2, true), {2, 2, 6, 4}, first,
                 [](Ints at) {
                   int offset = at[2] % 2 * 2 + at[3] % 2;
                   return Ints{at[0], offset * 2 + at[1], at[2] / 2,
                               at[3] / 2};
                 });
  }
  Tensor x = numbered({1, 1, 1, 6}, DType::float32);
  EXPECT_EQ(code_of([&] { ops::depth_to_space(x, 2, false); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::depth_to_space(x, 1, false); }),
            Code::argument);
  EXPECT_EQ(code_of([&] { ops::depth_to_space(scalar(1), 2, false); }),
            Code::shape);
}

TEST(SpaceToBatch, CutsBlocksAndPutsThemBack) {
  NoLeak guard;
  for (DType dtype : kDTypes) {
    Tensor x = numbered({2, 5, 4, 3, 2}, dtype);
    // Padded to [2, 6, 6, 3, 2]; blocks of 2 x 3 x 1.
    Tensor y = ops::space_to_batch_nd(x, {2, 3, 1}, {1, 0, 0, 2, 0, 0});
    expect_moved(y, {12, 3, 2, 3, 2}, x, [](Ints at) {
      int block = at[0] / 2;
      Ints from{at[0] % 2, at[1] * 2 + block / 3 - 1, at[2] * 3 + block % 3,
                at[3], at[4]};
      return from[1] >= 0 && from[2] < 4 ? from : Ints{-1};
    });
    Tensor back = ops::batch_to_space_nd(y, {2, 3, 1}, {1, 0, 0, 2, 0, 0});
    EXPECT_EQ(back.shape(), x.shape());
    EXPECT_EQ(values(back), values(x));
  }
  Tensor x = numbered({2, 3, 1}, DType::float32);
  EXPECT_EQ(code_of([&] { ops::space_to_batch_nd(x, {2}, {0, 0}); }),
            Code::shape);
  EXPECT_EQ(code_of([&] { ops::space_to_batch_nd(x, {0}, {0, 0}); }),
            Code::argument);
  EXPECT_EQ(code_of([&] { ops::space_to_batch_nd(x, {3}, {}); }),
            Code::argument);
  EXPECT_EQ(code_of([&] { ops::batch_to_space_nd(x, {3}, {0, 0}); }),
            Code::shape);
  EXPECT_EQ(code_of([&] { ops::batch_to_space_nd(x, {2}, {4, 3}); }),
            Code::argument);
}

TEST(Transpose, Derivatives) {
  Tensor x = ramp({2, 2, 4});
  auto check = [&](const Function& f) {
    expect_derivative(f, {x});
    expect_second_derivative(
        [&](const Tensors& t) {
          Tensor y = f(t);
          return y * y * y;
        },
        x);
  };
  check([](const Tensors& t) { return ops::transpose(t[0], {2, 0, 1}); });
  check([](const Tensors& t) {
    return ops::depth_to_space(ops::expand_dims(t[0], 0), 2, false);
  });
  check([](const Tensors& t) {
    return ops::space_to_batch_nd(t[0], {3}, {1, 0});
  });
  check([](const Tensors& t) {
    return ops::batch_to_space_nd(t[0], {2}, {1, 0});
  });
}

}  // namespace
}  // namespace tidemark
