#include "core/kernels/transpose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/core/support/buffer.h"

namespace tidemark::kernels {
namespace {

using testing::Buffer;

template <class T>
void check(const std::vector<Index>& shape, const std::vector<Index>& perm) {
  SCOPED_TRACE(::testing::PrintToString(shape) +
               ::testing::PrintToString(perm));
  Index size = 1;
  for (Index s : shape) size *= s;
  Buffer<T> in(size), out(size, T{7});
  for (Index i = 0; i < size; ++i) in[i] = static_cast<T>(i * 7 + 1);
  transpose(sizeof(T), shape, perm, in.data(), out.data());
  for (Index i = 0; i < size; ++i) {
    // The position of result i, and from it that of its source.
    std::vector<Index> at(shape.size());
    Index rest = i;
    for (std::size_t a = shape.size(); a-- > 0;) {
      const auto axis = static_cast<std::size_t>(perm[a]);
      at[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    Index from = 0;
    for (std::size_t a = 0; a < shape.size(); ++a) {
      from = from * shape[a] + at[a];
    }
    ASSERT_EQ(out[i], in[from]) << i;
  }
}

void check_both(const std::vector<Index>& shape,
                const std::vector<Index>& perm) {
  check<std::int32_t>(shape, perm);
  check<std::uint8_t>(shape, perm);
}

TEST(Transpose, TurnsMatricesOfOddSizes) {
  for (Index rows = 0; rows <= 67; ++rows) {
    for (Index columns : {0, 1, 3, 4, 31, 32, 33, 66}) {
      check_both({rows, columns}, {1, 0});
    }
  }
}

TEST(Transpose, PermutesEveryOrderOfAxes) {
  for (const std::vector<Index>& shape :
       {std::vector<Index>{}, {5}, {3, 4, 5}, {2, 3, 5, 18}, {1, 6, 1, 7},
        {2, 3, 2, 3, 5}, {3, 0, 2, 4}, {2, 3, 1, 2, 3, 4}}) {
    std::vector<Index> perm(shape.size());
    std::iota(perm.begin(), perm.end(), 0);
    do {
      check_both(shape, perm);
    } while (std::next_permutation(perm.begin(), perm.end()));
  }
}

TEST(Transpose, TakesEightAxes) {
  check_both({2, 3, 2, 2, 3, 2, 2, 3}, {7, 0, 6, 1, 5, 2, 4, 3});
  check_both({2, 3, 2, 2, 3, 2, 2, 3}, {4, 5, 6, 7, 0, 1, 2, 3});
}

}  // namespace
}  // namespace tidemark::kernels
