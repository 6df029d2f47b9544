#pragma once
// Messages from and to plain values: an object whose keys are the fields'
// names, lists for repeated fields, objects for maps. Wherever a message is
// expected, bytes are taken for its encoding as it is.

#include "core/formats/schema.h"
#include "core/formats/value.h"
#include "core/formats/wire.h"

namespace tidemark::formats {

/// The encoding of an object: fields in the table's order, maps by key, what
/// is null or a default left out. Fails with code argument for unknown fields
/// and values of the wrong type.
Bytes encode(const Message& message, const Value& value);

/// Packs the object that a message's bytes mean: fields that are absent are
/// absent, those the tables don't know are passed over.
void decode(const Message& message, View bytes, Packer& out);

/// The double or float in a field, for the text form.
double real_of(Type type, uint64_t bits);

/// The fields of one number in a message, packed numbers one by one.
///
///   for (Each e(field, message); e.next();) use(e.value, e.bytes);
class Each {
 public:
  Each(const Field& field, View message) : field_(field), fields_(message) {}
  bool next();

  uint64_t value = 0;  ///< of a number
  View bytes;          ///< of text, bytes and messages

 private:
  bool take();

  const Field& field_;
  Fields fields_;
  View packed_;
};

/// The key and the message of a map's entry.
struct Entry {
  View key, value;
};
/// The entries of a map in a message, by key; of equal keys the last counts.
std::vector<Entry> entries_of(const Field& field, View message);

}  // namespace tidemark::formats
