#pragma once
// TFRecord framing, as event files have it: length (8 bytes), masked checksum
// of the length, payload, masked checksum of the payload; nothing around.

#include <vector>

#include "core/formats/bytes.h"

namespace tidemark::formats {

/// Bytes that a record has besides its payload.
inline constexpr std::size_t kRecordHeader = 12, kRecordFrame = 16;

/// Appends one record.
void put_record(View payload, Bytes& out);

/// A part of a file, in bytes.
struct Span {
  std::size_t offset, length;
};

/// Why reading stopped before the end of the bytes.
enum class Rest : uint8_t { none, truncated, damaged };

struct Records {
  std::vector<Span> payloads;
  std::vector<Span> damaged;  ///< skipped: what follows is whole again
  std::size_t next = 0;       ///< the first byte that was not used
  Rest rest = Rest::none;     ///< what is the matter with the bytes from there
};

/// The whole records in `bytes`. A record whose checksum is wrong is skipped;
/// where a length is wrong, the search for the next whole record goes on byte
/// by byte. Never fails.
Records read_records(View bytes);

}  // namespace tidemark::formats
