#include "core/formats/crc32c.h"

#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

uint32_t one_by_one(View bytes) {
  uint32_t c = ~0u;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    c ^= byte_at(bytes, i);
    for (int bit = 0; bit < 8; ++bit) {
      c = (c >> 1) ^ (c & 1 ? 0x82f63b78u : 0);
    }
  }
  return ~c;
}

TEST(Crc32c, KnownSums) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(Bytes(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(masked(crc32c("\x1a\x11"
                          "CRC test, one two")),
            0x5794d08au);
}

TEST(Crc32c, AnyLengthAtAnyPlaceInAnyPieces) {
  Random random(1);
  Bytes bytes;
  for (int i = 0; i < 100; ++i) bytes += static_cast<char>(random.below(256));
  for (std::size_t at = 0; at < 9; ++at) {
    for (std::size_t n = 0; n <= 67; ++n) {
      View part = View(bytes).substr(at, n);
      uint32_t expected = one_by_one(part);
      ASSERT_EQ(crc32c(part), expected) << at << " " << n;
      for (std::size_t cut = 0; cut <= n; cut += 5) {
        ASSERT_EQ(crc32c(part.substr(cut), crc32c(part.substr(0, cut))),
                  expected);
      }
    }
  }
}

TEST(Crc32c, MaskIsUndone) {
  for (uint32_t crc : {0u, 1u, 0xffffffffu, 0x12345678u}) {
    EXPECT_EQ(unmasked(masked(crc)), crc);
    EXPECT_NE(masked(crc), crc);
  }
}

}  // namespace
}  // namespace tidemark::formats
