#include "core/formats/order.h"

#include <algorithm>

#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

TEST(Order, AsAStableSort) {
  test::Random random(7);
  for (std::size_t n = 0; n < 70; ++n) {
    std::vector<Bytes> texts;
    for (std::size_t i = 0; i < n; ++i) {
      // Few letters, so that many are equal; some are above 127.
      texts.emplace_back(random.below(3), char(0x7e + random.below(4)));
    }
    std::vector<View> keys(texts.begin(), texts.end());
    std::vector<std::size_t> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = i;
    std::stable_sort(
        expected.begin(), expected.end(),
        [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    EXPECT_EQ(order_of(keys), expected);
  }
}

}  // namespace
}  // namespace tidemark::formats
