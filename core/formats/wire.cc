#include "core/formats/wire.h"

#include "core/base/error.h"

namespace tidemark::formats {

void put_varint(Bytes& out, uint64_t value) {
  for (; value >= 128; value >>= 7) out += static_cast<char>(value | 128);
  out += static_cast<char>(value);
}

bool take_varint(View& in, uint64_t& value) {
  value = 0;
  for (std::size_t i = 0; i < in.size() && i < 10; ++i) {
    value |= uint64_t{byte_at(in, i) & 127u} << (7 * i);
    if (byte_at(in, i) < 128) {
      in.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

void put_key(Bytes& out, int field, WireType type) {
  put_varint(out, static_cast<uint64_t>(field) << 3 |
                      static_cast<uint64_t>(type));
}

void put_varint_field(Bytes& out, int field, uint64_t value) {
  put_key(out, field, WireType::varint);
  put_varint(out, value);
}

void put_bytes_field(Bytes& out, int field, View bytes) {
  put_key(out, field, WireType::bytes);
  put_varint(out, bytes.size());
  out += bytes;
}

bool Fields::next() {
  if (rest_.empty()) return false;
  uint64_t key;
  bool good = take_varint(rest_, key) && key >> 3 > 0 && key >> 32 == 0;
  if (good) {
    number = static_cast<int>(key >> 3);
    type = static_cast<WireType>(key & 7);
    value = 0;
    bytes = {};
    std::size_t width = 0;
    switch (type) {
      case WireType::varint:
        good = take_varint(rest_, value);
        break;
      case WireType::bytes: {
        uint64_t length;
        good = take_varint(rest_, length) && length <= rest_.size();
        if (!good) break;
        bytes = rest_.substr(0, static_cast<std::size_t>(length));
        rest_.remove_prefix(bytes.size());
        break;
      }
      case WireType::fixed64: width = 8; break;
      case WireType::fixed32: width = 4; break;
      default: good = false;
    }
    if (width > 0) {
      good = width <= rest_.size();
      if (good) {
        std::memcpy(&value, rest_.data(), width);
        rest_.remove_prefix(width);
      }
    }
  }
  if (!good) {
    fail(Code::argument, "protobuf: the message is damaged or cut off, ",
         rest_.size(), " bytes before its end");
  }
  return true;
}

}  // namespace tidemark::formats
