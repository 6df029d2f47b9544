#include "core/formats/deflate.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace tidemark::formats {
namespace {

constexpr std::size_t kWindow = 32768, kShortest = 3, kLongest = 258;

class BitWriter {
 public:
  explicit BitWriter(Bytes& out) : out_(out) {}

  void bits(uint32_t value, int n) {
    held_ |= uint64_t{value} << count_;
    count_ += n;
    for (; count_ >= 8; count_ -= 8, held_ >>= 8) {
      out_ += static_cast<char>(held_);
    }
  }
  /// Codes go out with their first bit first.
  void code(uint32_t value, int n) {
    for (int i = n; i-- > 0;) bits(value >> i & 1, 1);
  }
  void end() {
    if (count_ > 0) bits(0, 8 - count_);
  }

 private:
  Bytes& out_;
  uint64_t held_ = 0;
  int count_ = 0;
};

/// A literal or length in the fixed code.
void put_symbol(BitWriter& w, uint32_t s) {
  if (s < 144) {
    w.code(0x30 + s, 8);
  } else if (s < 256) {
    w.code(0x190 + s - 144, 9);
  } else if (s < 280) {
    w.code(s - 256, 7);
  } else {
    w.code(0xc0 + s - 280, 8);
  }
}

/// A repeat of what stands `distance` bytes before. Codes of lengths come in
/// groups of four that share their number of extra bits, those of distances in
/// groups of two.
void put_repeat(BitWriter& w, std::size_t length, std::size_t distance) {
  auto l = static_cast<uint32_t>(length - kShortest);
  if (length == kLongest) {
    put_symbol(w, 285);
  } else {
    int extra = std::max(int(std::bit_width(l)) - 3, 0);
    put_symbol(w, 257 + 4 * static_cast<uint32_t>(extra) + (l >> extra));
    w.bits(l & ((1u << extra) - 1), extra);
  }
  auto d = static_cast<uint32_t>(distance - 1);
  int extra = std::max(int(std::bit_width(d)) - 2, 0);
  w.code(2 * static_cast<uint32_t>(extra) + (d >> extra), 5);
  w.bits(d & ((1u << extra) - 1), extra);
}

uint32_t adler32(View bytes) {
  uint32_t a = 1, b = 0;
  for (char c : bytes) {
    a = (a + static_cast<uint8_t>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

}  // namespace

Bytes deflate(View in) {
  Bytes out("\x78\x01", 2);
  BitWriter w(out);
  w.bits(1 | 1 << 1, 3);  // the last block, with fixed codes
  // Where three bytes of that hash were last, plus one.
  std::vector<uint32_t> seen(4096);
  for (std::size_t i = 0; i < in.size();) {
    std::size_t length = 0, distance = 0;
    if (i + kShortest <= in.size()) {
      uint32_t three = byte_at(in, i) | byte_at(in, i + 1) << 8 |
                       byte_at(in, i + 2) << 16;
      uint32_t& place = seen[three * 2654435761u >> 20];
      std::size_t most = std::min(in.size() - i, kLongest);
      if (place > 0 && i - (place - 1) <= kWindow) {
        std::size_t from = place - 1;
        while (length < most && in[from + length] == in[i + length]) ++length;
        distance = i - from;
      }
      place = static_cast<uint32_t>(i + 1);
    }
    if (length >= kShortest) {
      put_repeat(w, length, distance);
      i += length;
    } else {
      put_symbol(w, byte_at(in, i++));
    }
  }
  put_symbol(w, 256);
  w.end();
  uint32_t sum = adler32(in);
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += static_cast<char>(sum >> shift);
  }
  return out;
}

}  // namespace tidemark::formats
