#include "core/formats/order.h"

#include <algorithm>

#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

TEST(Order, AsTheStableSortOfTheLibrary) {
  Random random(10);
  for (std::size_t n = 0; n < 70; ++n) {
    std::vector<Bytes> owned(n);
    for (Bytes& key : owned) {
      key.assign(random.below(3), static_cast<char>(random.below(3) * 127));
    }
    std::vector<View> keys(owned.begin(), owned.end());
    std::vector<uint32_t> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = uint32_t(i);
    std::stable_sort(
        expected.begin(), expected.end(),
        [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    ASSERT_EQ(ascending(keys), expected);
  }
}

}  // namespace
}  // namespace tidemark::formats
