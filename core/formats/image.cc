#include "core/formats/image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/formats/deflate.h"

namespace tidemark::formats {
namespace {

// The checksum of PNG and zip, which is not that of TensorFlow's files.
uint32_t crc32(View bytes) {
  uint32_t c = ~0u;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    c ^= byte_at(bytes, i);
    for (int bit = 0; bit < 8; ++bit) {
      c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
    }
  }
  return ~c;
}

void put_big_endian(Bytes& out, uint32_t v) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += static_cast<char>(v >> shift);
  }
}

void put_chunk(Bytes& out, View type, View data) {
  put_big_endian(out, static_cast<uint32_t>(data.size()));
  Bytes body(type);
  body += data;
  out += body;
  put_big_endian(out, crc32(body));
}

/// Appends a row as differences to the pixel on the left or the row above or
/// as it is, whichever has the smaller numbers.
void put_row(View row, View above, std::size_t channels, Bytes& out) {
  std::array<Bytes, 3> tries;
  std::array<int, 3> sums{};
  for (std::size_t filter = 0; filter < 3; ++filter) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      char guess = filter == 2   ? above[i]
                   : filter == 0 ? '\0'
                   : i < channels ? '\0'
                                  : row[i - channels];
      auto d = static_cast<int8_t>(byte_at(row, i) -
                                   static_cast<uint8_t>(guess));
      tries[filter] += static_cast<char>(d);
      sums[filter] += std::abs(int{d});
    }
  }
  auto best = std::min_element(sums.begin(), sums.end()) - sums.begin();
  out += static_cast<char>(best);
  out += tries[static_cast<std::size_t>(best)];
}

}  // namespace

Bytes png(ImageSize size, View pixels) {
  auto [height, width, channels] = size;
  // Any larger and the sums of a row or the lengths of chunks overflow.
  bool good = height > 0 && width > 0 && height <= 65536 && width <= 65536 &&
              (channels == 1 || channels == 3 || channels == 4) &&
              pixels.size() == size.values();
  if (!good) {
    fail(Code::argument, "image: ", pixels.size(), " bytes are no image of [",
         height, ",", width, ",", channels, "]");
  }
  Bytes head, rows, out("\x89PNG\r\n\x1a\n");
  put_big_endian(head, static_cast<uint32_t>(width));
  put_big_endian(head, static_cast<uint32_t>(height));
  char color = channels == 1 ? 0 : channels == 3 ? 2 : 6;
  head.append({8, color, 0, 0, 0});
  std::size_t length = static_cast<std::size_t>(width) *
                       static_cast<std::size_t>(channels);
  Bytes above(length, '\0');
  for (std::size_t at = 0; at < pixels.size(); at += length) {
    View row = pixels.substr(at, length);
    put_row(row, above, static_cast<std::size_t>(channels), rows);
    above = row;
  }
  put_chunk(out, "IHDR", head);
  put_chunk(out, "IDAT", deflate(rows));
  put_chunk(out, "IEND", "");
  return out;
}

Bytes normalized(ImageSize size, std::span<const float> pixels,
                 View bad_color) {
  auto channels = static_cast<std::size_t>(size.channels);
  if (size.channels <= 0 || pixels.size() != size.values() ||
      bad_color.size() < channels) {
    fail(Code::argument, "image: ", pixels.size(), " values are no image of [",
         size.height, ",", size.width, ",", size.channels, "]");
  }
  auto finite = [&](std::size_t at) {
    return std::all_of(&pixels[at], &pixels[at] + channels,
                       [](float v) { return std::isfinite(v); });
  };
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (std::size_t at = 0; at < pixels.size(); at += channels) {
    if (!finite(at)) continue;
    for (std::size_t c = 0; c < channels; ++c) {
      low = std::min(low, pixels[at + c]);
      high = std::max(high, pixels[at + c]);
    }
  }
  constexpr float kZero = 1e-6f;
  bool negative = low < 0;
  float largest = negative ? std::max(std::abs(low), std::abs(high)) : high;
  float scale = largest < kZero ? 0 : (negative ? 127.0f : 255.0f) / largest;
  float offset = negative ? 128.0f : 0.0f;
  Bytes out;
  out.reserve(pixels.size());
  for (std::size_t at = 0; at < pixels.size(); at += channels) {
    if (!finite(at)) {
      out += bad_color.substr(0, channels);
      continue;
    }
    for (std::size_t c = 0; c < channels; ++c) {
      float v = pixels[at + c] * scale + offset;
      out += static_cast<char>(
          static_cast<uint8_t>(std::clamp(v, 0.0f, 255.0f)));
    }
  }
  return out;
}

}  // namespace tidemark::formats
