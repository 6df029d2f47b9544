#include "core/ops/concat.h"

#include "core/ops/operators.h"
#include "core/ops/shape_ops.h"
#include "tests/core/support/moves.h"

namespace tidemark {
namespace {

using namespace testing;

TEST(Concat, JoinsAlongAnyAxis) {
  NoLeak guard;
  for (DType dtype : kDTypes) {
    for (int axis = 0; axis < 3; ++axis) {
      Shape shape{2, 3, 5};
      Tensor whole = numbered(shape, dtype);
      // Taking apart and joining again gives the tensor back.
      Tensors parts = ops::split(whole, {1, 0, -1}, 0, axis);
      EXPECT_EQ(parts[1].size(), 0u);
      EXPECT_EQ(parts[2].shape()[axis], shape[axis] - 1);
      EXPECT_EQ(values(ops::concat(parts, axis - 3)), values(whole));
      expect_moved(parts[2], parts[2].shape(), whole, [&](Ints at) {
        at[axis] += 1;
        return at;
      });
      Tensors slices = ops::unstack(whole, axis);
      ASSERT_EQ(static_cast<int>(slices.size()), shape[axis]);
      EXPECT_EQ(slices[0].shape(), shape.removed(axis));
      EXPECT_EQ(values(ops::stack(slices, axis)), values(whole));
    }
  }
}

TEST(Concat, MeetsInTheWidestType) {
  Tensor y = ops::concat({tensor_of<uint8_t>({1}, {1}),
                          tensor_of<int32_t>({1}, {-3}),
                          tensor_of<float>({1}, {0.5f})},
                         0);
  EXPECT_EQ(y.dtype(), DType::float32);
  expect_close(y, {1, -3, 0.5});
}

TEST(Concat, TakesTenThousandInputs) {
  NoLeak guard;
  Tensors many;
  for (int i = 0; i < 10000; ++i) many.push_back(scalar(i));
  Tensor y = ops::stack(many, 0);
  EXPECT_EQ(y.shape(), (Shape{10000}));
  EXPECT_EQ(y.data<float>()[9999], 9999);
  Tensors back = ops::unstack(y, 0);
  EXPECT_EQ(back.size(), 10000u);
  EXPECT_EQ(back[5000].data<float>()[0], 5000);
  Tensors grads = gradients([&] { return ops::stack(many, 0); }, many,
                            ramp({10000}));
  EXPECT_EQ(grads[77].rank(), 0);
}

TEST(Concat, RefusesWhatDoesNotFit) {
  Tensor a = numbered({2, 3}, DType::float32);
  Tensor b = numbered({2, 4}, DType::float32);
  EXPECT_EQ(code_of([&] { ops::concat({}, 0); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::concat({a, b}, 0); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::concat({a, b}, 1); }), Code::none);
  EXPECT_EQ(code_of([&] { ops::concat({a, b}, 2); }), Code::argument);
  EXPECT_EQ(code_of([&] {
              ops::concat({a, numbered({3}, DType::float32)}, 0);
            }),
            Code::shape);
  EXPECT_EQ(code_of([&] { ops::concat({numbered({1, 0, 2}, DType::float32),
                                       numbered({1, 3, 4}, DType::float32)},
                                      1); }),
            Code::shape);
  EXPECT_EQ(code_of([&] { ops::stack({a, b}, 0); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::stack({a}, 3); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::stack({a, numbered({2, 3}, DType::int32)}, 0); }),
            Code::dtype);
  EXPECT_EQ(code_of([&] { ops::split(a, {}, 2, 1); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::split(a, {-1, -1}, 0, 1); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::split(a, {1, 1}, 0, 1); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::split(a, {4, -1}, 0, 1); }), Code::shape);
  EXPECT_EQ(code_of([&] { ops::unstack(a, 2); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::unstack(scalar(1), 0); }), Code::argument);
}

TEST(Tile, RepeatsAlongEveryAxis) {
  NoLeak guard;
  for (DType dtype : kDTypes) {
    Tensor x = numbered({2, 1, 3, 1, 2, 5}, dtype);
    expect_moved(ops::tile(x, {2, 3, 1, 2, 1, 2}), {4, 3, 3, 2, 2, 10}, x,
                 [](Ints at) {
                   return Ints{at[0] % 2, 0, at[2], 0, at[4], at[5] % 5};
                 });
  }
  EXPECT_EQ(ops::tile(numbered({2, 3}, DType::bool_), {0, 2}).shape(),
            (Shape{0, 6}));
  EXPECT_EQ(ops::tile(numbered({0, 3}, DType::bool_), {4, 2}).shape(),
            (Shape{0, 6}));
  expect_close(ops::tile(scalar(3), {}), {3});
  Tensor x = numbered({2}, DType::float32);
  EXPECT_EQ(code_of([&] { ops::tile(x, {1, 2}); }), Code::argument);
  EXPECT_EQ(code_of([&] { ops::tile(x, {-1}); }), Code::argument);
}

TEST(Concat, Derivatives) {
  Tensor a = ramp({2, 3}), b = ramp({2, 3}, -1, 1);
  auto check = [&](const Function& f) {
    expect_derivative(f, {a, b});
    expect_second_derivative(
        [&](const Tensors& t) {
          Tensor y = f({t[0], b});
          return y * y * y;
        },
        a);
  };
  check([](const Tensors& t) { return ops::concat({t[0], t[1], t[0]}, 1); });
  check([](const Tensors& t) { return ops::stack({t[1], t[0], t[0]}, 1); });
  check([](const Tensors& t) { return ops::tile(t[0], {2, 3}) +
                                      ops::tile(t[1], {2, 3}); });
  // Only some outputs are used: the others count as zero.
  check([](const Tensors& t) {
    return ops::split(t[0] * t[1], {1, 2}, 0, 1)[1];
  });
  check([](const Tensors& t) {
    Tensors rows = ops::unstack(t[0] * t[1], 1);
    return rows[0] * rows[2];
  });
}

}  // namespace
}  // namespace tidemark
