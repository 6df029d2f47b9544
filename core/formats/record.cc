#include "core/formats/record.h"

#include "core/formats/crc32c.h"

namespace tidemark::formats {
namespace {

enum class State : uint8_t { whole, truncated, bad_length, bad_payload };

struct Found {
  State state;
  std::size_t length;  // of the payload, unless the length itself is bad
};

Found look(View bytes) {
  if (bytes.size() < kRecordHeader) return {State::truncated, 0};
  if (get<uint32_t>(bytes, 8) != masked(crc32c(bytes.substr(0, 8)))) {
    return {State::bad_length, 0};
  }
  auto length = get<uint64_t>(bytes);
  if (bytes.size() < kRecordFrame || length > bytes.size() - kRecordFrame) {
    return {State::truncated, 0};
  }
  auto n = static_cast<std::size_t>(length);
  bool good = get<uint32_t>(bytes, kRecordHeader + n) ==
              masked(crc32c(bytes.substr(kRecordHeader, n)));
  return {good ? State::whole : State::bad_payload, n};
}

}  // namespace

void put_record(View payload, Bytes& out) {
  Bytes length;
  put<uint64_t>(length, payload.size());
  out += length;
  put(out, masked(crc32c(length)));
  out += payload;
  put(out, masked(crc32c(payload)));
}

Records read_records(View bytes) {
  Records out;
  while (out.next < bytes.size()) {
    auto [state, length] = look(bytes.substr(out.next));
    if (state == State::truncated) {
      out.rest = Rest::truncated;
      break;
    }
    if (state == State::bad_length) {
      std::size_t at = out.next + 1;
      while (at < bytes.size() &&
             look(bytes.substr(at)).state != State::whole) {
        ++at;
      }
      if (at == bytes.size()) {
        out.rest = Rest::damaged;
        break;
      }
      out.damaged.push_back({out.next, at - out.next});
      out.next = at;
      continue;
    }
    if (state == State::whole) {
      out.payloads.push_back({out.next + kRecordHeader, length});
    } else {
      out.damaged.push_back({out.next, length + kRecordFrame});
    }
    out.next += length + kRecordFrame;
  }
  return out;
}

}  // namespace tidemark::formats
