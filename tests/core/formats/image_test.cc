#include "core/formats/image.h"

#include <cmath>
#include <limits>

#include "core/formats/deflate.h"
#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

/// A plain reader of zlib streams with fixed codes.
Bytes inflate(View in) {
  std::size_t bit = 16;
  auto take = [&](int n) {
    uint32_t v = 0;
    for (int i = 0; i < n; ++i, ++bit) {
      v |= uint32_t(byte_at(in, bit / 8) >> bit % 8 & 1) << i;
    }
    return v;
  };
  auto code = [&](int n, uint32_t v) {
    while (n-- > 0) v = v << 1 | take(1);
    return v;
  };
  auto symbol = [&]() -> uint32_t {
    uint32_t v = code(7, 0);
    if (v < 24) return 256 + v;
    v = code(1, v);
    if (v >= 0x30 && v < 0xc0) return v - 0x30;
    if (v >= 0xc0 && v < 0xc8) return 280 + v - 0xc0;
    return 144 + code(1, v) - 0x190;
  };
  EXPECT_EQ((byte_at(in, 0) * 256 + byte_at(in, 1)) % 31, 0);
  EXPECT_EQ(take(3), 3u);
  Bytes out;
  constexpr int kLengths[] = {3,  4,  5,  6,  7,  8,  9,  10,  11,  13,
                              15, 17, 19, 23, 27, 31, 35, 43,  51,  59,
                              67, 83, 99, 115, 131, 163, 195, 227, 258};
  constexpr int kDistances[] = {
      1,   2,   3,   4,   5,   7,    9,    13,   17,   25,
      33,  49,  65,  97,  129, 193,  257,  385,  513,  769,
      1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  for (uint32_t s; (s = symbol()) != 256;) {
    if (s < 256) {
      out += static_cast<char>(s);
      continue;
    }
    s -= 257;
    int extra = s < 8 || s == 28 ? 0 : int(s / 4) - 1;
    uint32_t length = uint32_t(kLengths[s]) + take(extra);
    uint32_t d = code(5, 0);
    uint32_t distance =
        uint32_t(kDistances[d]) + take(d < 4 ? 0 : int(d / 2) - 1);
    EXPECT_LE(distance, out.size());
    if (distance > out.size()) return out;
    for (uint32_t i = 0; i < length; ++i) out += out[out.size() - distance];
  }
  EXPECT_EQ((bit + 7) / 8 + 4, in.size());
  return out;
}

TEST(Deflate, WhatGoesInComesOut) {
  Random random(6);
  for (std::size_t n : {0, 1, 2, 3, 4, 257, 258, 259, 1000, 40000, 100000}) {
    for (uint32_t kinds : {1u, 2u, 5u, 256u}) {
      Bytes bytes;
      for (std::size_t i = 0; i < n; ++i) {
        bytes += static_cast<char>(random.below(kinds) * 37);
      }
      ASSERT_EQ(inflate(deflate(bytes)), bytes) << n << " " << kinds;
    }
  }
  EXPECT_LT(deflate(Bytes(100000, 'x')).size(), 1000u);
  // A repeat at the window's edge, and one behind it.
  for (std::size_t gap : {32765, 32766, 40000}) {
    Bytes bytes = "abc";
    for (std::size_t i = 0; i < gap; ++i) {
      bytes += static_cast<char>(random.below(256));
    }
    bytes += "abc";
    ASSERT_EQ(inflate(deflate(bytes)), bytes);
  }
}

uint32_t big_endian(View bytes, std::size_t at) {
  return uint32_t(byte_at(bytes, at)) << 24 | byte_at(bytes, at + 1) << 16 |
         byte_at(bytes, at + 2) << 8 | byte_at(bytes, at + 3);
}

/// The pixels of a PNG file as this encoder makes them.
Bytes pixels_of(View file, ImageSize size) {
  EXPECT_EQ(file.substr(12, 4), "IHDR");
  EXPECT_EQ(big_endian(file, 16), uint32_t(size.width));
  EXPECT_EQ(big_endian(file, 20), uint32_t(size.height));
  EXPECT_EQ(file.substr(37, 4), "IDAT");
  Bytes rows = inflate(file.substr(41, big_endian(file, 33)));
  EXPECT_EQ(file.substr(file.size() - 12),
            View("\0\0\0\0IEND\xae\x42\x60\x82", 12));
  auto c = std::size_t(size.channels), length = std::size_t(size.width) * c;
  Bytes out;
  for (std::size_t y = 0; y < std::size_t(size.height); ++y) {
    char filter = rows[y * (length + 1)];
    for (std::size_t x = 0; x < length; ++x) {
      int v = byte_at(rows, y * (length + 1) + 1 + x);
      if (filter == 1 && x >= c) v += byte_at(out, out.size() - c);
      if (filter == 2 && y > 0) v += byte_at(out, out.size() - length);
      out += static_cast<char>(v);
    }
  }
  return out;
}

TEST(Image, PixelsSurvive) {
  Random random(7);
  for (int channels : {1, 3, 4}) {
    for (auto [h, w] : {std::pair{1, 1}, {3, 5}, {28, 28}, {1, 300}, {64, 2}}) {
      ImageSize size{h, w, channels};
      for (int kind = 0; kind < 3; ++kind) {
        Bytes pixels;
        for (std::size_t i = 0; i < size.values(); ++i) {
          pixels += static_cast<char>(kind == 0   ? random.below(256)
                                      : kind == 1 ? i
                                                  : 200);
        }
        ASSERT_EQ(pixels_of(png(size, pixels), size), pixels);
      }
    }
  }
}

TEST(Image, ImpossibleSizesAreRefused) {
  for (ImageSize size : {ImageSize{0, 1, 1}, {1, -1, 1}, {1, 1, 2}, {2, 2, 1},
                         {1 << 20, 1, 1}, {1 << 30, 1 << 30, 4}}) {
    EXPECT_EQ(code_of([&] { png(size, "x"); }), Code::argument);
  }
  EXPECT_EQ(error_of([] { png({2, 2, 3}, "abc"); }),
            "image: 3 bytes are no image of [2,2,3]");
}

TEST(Image, FloatsAreScaledAsInTensorFlow) {
  auto bytes = [](std::vector<float> values, int channels = 1) {
    ImageSize size{1, int(values.size()) / channels, channels};
    return normalized(size, values, View("\xff\x01\x02\x03", 4));
  };
  EXPECT_EQ(bytes({0, 1, 2}), Bytes("\0\x7f\xff", 3));
  EXPECT_EQ(bytes({-1, 0, 0.5f}), Bytes("\x01\x80\xbf", 3));
  EXPECT_EQ(bytes({0, 0}), Bytes(2, '\0'));
  EXPECT_EQ(bytes({1e-7f, 0}), Bytes(2, '\0'));
  EXPECT_EQ(bytes({-1e-7f, 0}), Bytes("\x80\x80"));
  float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(bytes({nan, 1, inf}), "\xff\xff\xff");
  EXPECT_EQ(bytes({nan}), "\xff");
  EXPECT_EQ(bytes({0, inf, 0, 2, 4, 1}, 3), "\xff\x01\x02\x7f\xff\x3f");
  EXPECT_EQ(code_of([] { normalized({1, 2, 1}, std::vector<float>{1}, "x"); }),
            Code::argument);
}

}  // namespace
}  // namespace tidemark::formats
