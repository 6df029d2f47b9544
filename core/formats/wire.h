#pragma once
// The protobuf wire format: keys, varints, and a walk over a message's fields.

#include "core/formats/bytes.h"

namespace tidemark::formats {

enum class WireType : uint8_t {
  varint = 0,
  fixed64 = 1,
  bytes = 2,
  fixed32 = 5,
};

/// Appends a number as groups of seven bits, low ones first.
void put_varint(Bytes& out, uint64_t value);
/// Takes a varint off the front of `in`; false when there is none.
bool take_varint(View& in, uint64_t& value);

/// Appends what starts a field.
void put_key(Bytes& out, int field, WireType type);
/// Appends a whole field; nothing is left out, defaults neither.
void put_varint_field(Bytes& out, int field, uint64_t value);
void put_bytes_field(Bytes& out, int field, View bytes);

/// Walks over the fields of a message in their order.
///
///   for (Fields f(message); f.next();) if (f.number == 1) use(f.bytes);
class Fields {
 public:
  explicit Fields(View message) : rest_(message) {}
  /// False at the end; fails with code argument where the bytes are no message.
  bool next();

  int number = 0;
  WireType type = WireType::varint;
  uint64_t value = 0;  ///< of a varint or fixed field
  View bytes;          ///< of a field of bytes

 private:
  View rest_;
};

}  // namespace tidemark::formats
