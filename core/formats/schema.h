#pragma once
// TensorFlow's messages as tables: what the encoder, the decoder and the text
// form need to know. tests/golden/tf_min.proto says the same to protoc.

#include <cstdint>
#include <span>

#include "core/formats/bytes.h"

namespace tidemark::formats {

enum class Type : uint8_t {
  real64,
  real32,
  integer,  ///< of any width: negative ones take ten bytes
  boolean,
  dtype,  ///< TensorFlow's DataType; DT_FLOAT in text
  fixed32,
  string,
  bytes,
  message,
  map,  ///< from strings to messages
};

enum class Rule : uint8_t {
  plain,     ///< left out when it is the default
  always,    ///< written when given: members of a oneof and the like
  repeated,  ///< numbers packed
};

struct Message;

struct Field {
  uint8_t number;
  Type type;
  Rule rule;
  const char* name;
  const Message* message = nullptr;  ///< of messages and of a map's values
};

/// Fields in the order in which they are written.
struct Message {
  const char* name;
  std::span<const Field> fields;

  /// The index of the field of that name or number, or -1.
  int find(View field) const;
  int find(int number) const;
};

/// Most fields that a message of the tables has.
inline constexpr int kMostFields = 12;

/// The message of that name; fails with code argument when there is none.
const Message& message_named(View name);

/// TensorFlow's name of a DataType, "DT_FLOAT"; null when it has none.
const char* dtype_name(int64_t dtype);
/// The DataType of that name, or -1.
int dtype_named(View name);

// DataTypes, as TensorFlow numbers them.
inline constexpr int kDtString = 7;
/// Bytes of an element; 0 when they differ or the type is unknown.
int dtype_size(int64_t dtype);

}  // namespace tidemark::formats
