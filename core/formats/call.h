#pragma once
// All byte functions behind one: a number says which, packed values are its
// arguments and its answer. Every export of its own would cost more than most
// of these functions.

#include "core/formats/value.h"

namespace tidemark::formats {

/// The order is part of the JavaScript contract (js/src/io/formats.ts).
enum class Call : int {
  encode,          ///< (message, object) -> bytes
  decode,          ///< (message, bytes) -> object
  print_text,      ///< (message, bytes) -> text
  parse_text,      ///< (message, text) -> bytes
  crc32c,          ///< (bytes, before) -> number
  put_record,      ///< (bytes) -> bytes
  read_records,    ///< (bytes) -> {payloads, damaged, next, rest}; spans as
                   ///< offset, length, offset, length, ...
  histogram,       ///< (tag, dtype, bytes) -> bytes of a Histogram
  image,           ///< (height, width, channels, dtype, bytes, bad color)
                   ///<   -> PNG bytes
  write_index,     ///< (entries, block size) -> bytes
  read_index,      ///< (bytes) -> {shards, big_endian, entries}
  pack_strings,    ///< (texts) -> {bytes, crc}
  unpack_strings,  ///< (bytes, n, crc) -> list of bytes
};

/// Runs a byte function; fails with the errors of that function.
Bytes call(Call which, View arguments);

}  // namespace tidemark::formats
