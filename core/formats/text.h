#pragma once
// Protobuf's text form: what graph.pbtxt and the file `checkpoint` are.

#include "core/formats/schema.h"

namespace tidemark::formats {

/// A message as protobuf's printer lays it out: one field a line, two spaces
/// a level, maps by key. Fields the tables don't know are passed over.
Bytes print_text(const Message& message, View bytes);

/// The encoding of a message in text form, in any layout that protobuf takes.
/// Fails with code argument, naming the line.
Bytes parse_text(const Message& message, View text);

/// Appends text in quotes, with escapes as C has them and all that is not
/// ASCII in octal.
void put_quoted(View text, Bytes& out);

}  // namespace tidemark::formats
