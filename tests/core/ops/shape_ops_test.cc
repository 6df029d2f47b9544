#include "core/ops/shape_ops.h"

#include "core/ops/operators.h"
#include "tests/core/support/moves.h"

namespace tidemark {
namespace {

using namespace testing;

TEST(Reshape, SharesValuesAndInfersOneDimension) {
  NoLeak guard;
  Tensor x = numbered({2, 6}, DType::int32);
  Tensor y = ops::reshape(x, Ints{3, -1});
  EXPECT_EQ(y.shape(), (Shape{3, 4}));
  EXPECT_EQ(y.raw(), x.raw());
  EXPECT_NE(y.id(), x.id());
  EXPECT_EQ(code_of([&] { ops::reshape(x, Ints{5, -1}); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::reshape(x, Ints{-1, -1}); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::reshape(x, Ints{0, -1}); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::reshape(x, Ints{-2, 6}); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::reshape(x, Ints{13}); }), Code::shape);
}

TEST(ExpandDims, CountsFromBothEnds) {
  Tensor x = numbered({2, 3}, DType::bool_);
  EXPECT_EQ(ops::expand_dims(x, 0).shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(ops::expand_dims(x, 2).shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(ops::expand_dims(x, -1).shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(ops::expand_dims(x, -3).shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(code_of([&] { ops::expand_dims(x, 3); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::expand_dims(x, -4); }), Code::argument);
}

TEST(Squeeze, DropsOnesOnly) {
  Tensor x = numbered({1, 2, 1, 3}, DType::float32);
  EXPECT_EQ(ops::squeeze(x, {}).shape(), (Shape{2, 3}));
  EXPECT_EQ(ops::squeeze(x, {0}).shape(), (Shape{2, 1, 3}));
  EXPECT_EQ(ops::squeeze(x, {-2, 0}).shape(), (Shape{2, 3}));
  EXPECT_EQ(ops::squeeze(scalar(1), {}).shape(), (Shape{}));
  EXPECT_EQ(code_of([&] { ops::squeeze(x, {1}); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::squeeze(x, {4}); }), Code::argument);
}

TEST(BroadcastTo, RepeatsByNumPysRule) {
  NoLeak guard;
  for (DType dtype : kDTypes) {
    Tensor x = numbered({3, 1, 5}, dtype);
    expect_moved(ops::broadcast_to(x, {2, 3, 4, 5}), {2, 3, 4, 5}, x,
                 [](Ints at) { return Ints{at[1], 0, at[3]}; });
    Tensor last = numbered({3, 1}, dtype);
    expect_moved(ops::broadcast_to(last, {3, 9}), {3, 9}, last,
                 [](Ints at) { return Ints{at[0], 0}; });
  }
  Tensor x = numbered({3}, DType::float32);
  EXPECT_EQ(ops::broadcast_to(x, {0, 3}).shape(), (Shape{0, 3}));
  EXPECT_EQ(code_of([&] { ops::broadcast_to(x, {4}); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::broadcast_to(x, {3, 1}); }), Code::shape);
}

TEST(ShapeOps, Derivatives) {
  Tensor x = ramp({2, 1, 3});
  auto check = [&](const Function& f) {
    expect_derivative(f, {x});
    expect_second_derivative(
        [&](const Tensors& t) {
          Tensor y = f(t);
          return y * y * y;
        },
        x);
  };
  check([](const Tensors& t) { return ops::reshape(t[0], Ints{-1, 2}); });
  check([](const Tensors& t) { return ops::squeeze(t[0], {}); });
  check([](const Tensors& t) { return ops::expand_dims(t[0], -1); });
  check([](const Tensors& t) {
    return ops::broadcast_to(t[0], Shape{2, 2, 2, 3});
  });
}

}  // namespace
}  // namespace tidemark
