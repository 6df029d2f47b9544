#include "core/autodiff/gradients.h"

#include "core/ops/binary.h"
#include "core/ops/operators.h"
#include "core/ops/unary.h"
#include "tests/core/support/check.h"

namespace tidemark::testing {
namespace {

TEST(Gradients, SumWhereAnInputIsUsedTwice) {
  Tensor x = tensor_of<float>({2}, {3, -1});
  Tensors g = gradients([&] { return x * x + x; }, {x});
  expect_close(g[0], {7, -1});
}

TEST(Gradients, AreOfAnyOrder) {
  Tensor x = scalar(2);
  auto cube = [&] { return x * x * x; };
  auto first = [&] { return gradients(cube, {x})[0]; };
  auto second = [&] { return gradients(first, {x})[0]; };
  auto third = [&] { return gradients(second, {x})[0]; };
  expect_close(first(), {12});
  expect_close(second(), {12});
  expect_close(third(), {6});
}

TEST(Gradients, AreNullWhereNothingDepends) {
  Tensor x = scalar(2), y = scalar(3);
  Tensors g = gradients([&] { return y * 2; }, {x, y});
  EXPECT_FALSE(g[0]);
  expect_close(g[1], {2});
}

TEST(Gradients, CheckDy) {
  Tensor x = scalar(2);
  EXPECT_THROW(gradients([&] { return x * x; }, {x}, Tensor({2}, DType::float32)),
               Error);
  EXPECT_EQ(tape::depth(), 0);
}

TEST(Gradients, LeaveNothingBehindWhenFThrows) {
  NoLeak no_leak;
  Tensor x = scalar(2);
  EXPECT_THROW(gradients(
                   [&]() -> Tensor {
                     Tensor y = x * x;
                     return y + Tensor({2, 2}, DType::float32) +
                            Tensor({3}, DType::float32);
                   },
                   {x}),
               Error);
  EXPECT_EQ(tape::depth(), 0);
}

TEST(Gradients, SurviveEveryFailingAllocation) {
  Tensor x = ramp({300});
  auto program = [&] {
    return gradients([&] { return ops::exp(x * x) * (x - 1); }, {x});
  };
  for (uint64_t n = 1;; ++n) {
    ASSERT_LT(n, 1000u);
    NoLeak no_leak;
    memory::fail_allocation(n);
    bool failed = false;
    try {
      program();
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Code::memory);
      failed = true;
    }
    memory::fail_allocation(0);
    EXPECT_EQ(tape::depth(), 0);
    if (!failed) break;
  }
}

TEST(Tape, KeepsOnlyWhatDerivativesRead) {
  Tensor x = scalar(2);
  tape::open({&x, 1});
  std::size_t before = memory::statistics().buffers;
  // neg keeps nothing: its result dies with the last holder.
  ops::neg(x);
  EXPECT_EQ(memory::statistics().buffers, before);
  ops::exp(x);  // kept for the derivative
  EXPECT_EQ(memory::statistics().buffers, before + 1);
  tape::close();
  EXPECT_EQ(memory::statistics().buffers, before);
}

TEST(Tape, RecordsOnlyWhatDependsOnItsInputs) {
  Tensor x = scalar(2), other = scalar(3);
  tape::open({&x, 1});
  other * other;
  x * other;
  tape::pause();
  x * x;
  tape::resume();
  EXPECT_EQ(tape::close().nodes().size(), 1u);
}

}  // namespace
}  // namespace tidemark::testing
