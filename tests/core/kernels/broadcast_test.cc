#include "core/kernels/broadcast.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace tidemark::kernels {
namespace {

struct Sub {
  static auto value(auto a, auto b) { return a - b; }
};

// Index of the element of `s` that is broadcast to position `at` of `out`.
std::size_t source(const Shape& s, const Shape& out,
                   const std::vector<int>& at) {
  std::size_t index = 0;
  for (int i = 0; i < s.rank(); ++i) {
    int d = out.rank() - s.rank() + i;
    index = index * s[i] + (s[i] == 1 ? 0 : at[d]);
  }
  return index;
}

TEST(Broadcast, EqualsItsDefinition) {
  const std::pair<Shape, Shape> cases[] = {
      {{}, {}},          {{5}, {}},           {{}, {7}},
      {{3, 5}, {5}},     {{3, 5}, {3, 1}},    {{3, 1}, {1, 5}},
      {{2, 1, 4}, {3, 1}}, {{2, 3, 4}, {2, 1, 4}}, {{4, 1, 9}, {1, 6, 1}},
      {{0, 3}, {3}},     {{2, 0}, {1}},       {{67}, {67}},
      {{2, 2, 2, 2, 2, 2}, {2, 1, 2, 1, 2, 1}},
      {{1, 1, 1}, {2, 3, 17}},
  };
  for (const auto& [sa, sb] : cases) {
    Shape out = broadcast_shape("test", sa, sb);
    // Room for a whole batch past the end, as storage has.
    std::vector<float> a(sa.size() + 16), b(sb.size() + 16);
    std::vector<float> y(out.size() + 16, -1);
    std::iota(a.begin(), a.end(), 1.0f);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = 0.5f * float(i) * float(i);
    zip(Sub{}, plan_broadcast(out, {&sa, &sb}), a.data(), b.data(), y.data());
    std::vector<int> at(out.rank());
    for (std::size_t i = 0; i < out.size(); ++i) {
      EXPECT_EQ(y[i], a[source(sa, out, at)] - b[source(sb, out, at)])
          << text(sa) << " " << text(sb) << " at " << i;
      for (int d = out.rank() - 1; d >= 0; --d) {
        if (++at[d] < out[d]) break;
        at[d] = 0;
      }
    }
  }
}

TEST(Broadcast, MergesDimensionsThatKeepStep) {
  Shape full{2, 3, 4}, none{}, inner{4};
  EXPECT_EQ(plan_broadcast(full, {&full, &full}).rank, 0);
  EXPECT_EQ(plan_broadcast(full, {&full, &none}).rank, 0);
  EXPECT_EQ(plan_broadcast(full, {&full, &inner}).rank, 1);
}

}  // namespace
}  // namespace tidemark::kernels
