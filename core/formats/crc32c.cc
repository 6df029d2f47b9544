#include "core/formats/crc32c.h"

#include <array>

namespace tidemark::formats {
namespace {

// Reflected polynomial of Castagnoli.
constexpr uint32_t kPolynomial = 0x82f63b78u;

// Table k advances a byte by k more bytes, so eight look-ups take eight bytes.
// Made at the first use: as a constant it would be 8 kB of the program.
using Tables = std::array<std::array<uint32_t, 256>, 8>;

Tables make_tables() {
  Tables t;
  for (uint32_t n = 0; n < 256; ++n) {
    uint32_t c = n;
    for (int bit = 0; bit < 8; ++bit) {
      c = (c >> 1) ^ (c & 1 ? kPolynomial : 0);
    }
    t[0][n] = c;
  }
  for (uint32_t n = 0; n < 256; ++n) {
    for (int k = 1; k < 8; ++k) {
      t[k][n] = (t[k - 1][n] >> 8) ^ t[0][t[k - 1][n] & 255];
    }
  }
  return t;
}

}  // namespace

uint32_t crc32c(View bytes, uint32_t before) {
  static const Tables t = make_tables();
  uint32_t c = ~before;
  const char* p = bytes.data();
  std::size_t n = bytes.size();
  for (; n >= 8; n -= 8, p += 8) {
    uint32_t low, high;
    std::memcpy(&low, p, 4);
    std::memcpy(&high, p + 4, 4);
    low ^= c;
    c = t[7][low & 255] ^ t[6][low >> 8 & 255] ^ t[5][low >> 16 & 255] ^
        t[4][low >> 24] ^ t[3][high & 255] ^ t[2][high >> 8 & 255] ^
        t[1][high >> 16 & 255] ^ t[0][high >> 24];
  }
  for (; n > 0; --n, ++p) {
    c = (c >> 8) ^ t[0][(c ^ static_cast<uint8_t>(*p)) & 255];
  }
  return ~c;
}

}  // namespace tidemark::formats
