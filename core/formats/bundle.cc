#include "core/formats/bundle.h"

#include "core/base/error.h"
#include "core/formats/crc32c.h"
#include "core/formats/order.h"
#include "core/formats/schema.h"
#include "core/formats/wire.h"

namespace tidemark::formats {
namespace {

constexpr int kVersion = 1;

[[noreturn]] void wrong(const BundleEntry& e, const char* what) {
  fail(Code::argument, "checkpoint: ", what, " of '", e.name, "'");
}

void put_number(Bytes& out, int field, int64_t value) {
  if (value != 0) put_varint_field(out, field, static_cast<uint64_t>(value));
}

void check(const BundleEntry& e, int shards) {
  if (e.offset < 0 || e.size < 0 || e.size > INT64_MAX - e.offset) {
    wrong(e, "impossible offset or size");
  }
  if (e.shard < 0 || e.shard >= shards) wrong(e, "impossible shard");
  if (e.dtype < 1) wrong(e, "impossible data type");
  int64_t n = elements_of(e);
  if (e.sliced) return;
  int64_t width = dtype_size(e.dtype);
  bool good = true;
  if (width > 0) {
    good = n <= INT64_MAX / width && e.size == n * width;
  } else if (e.dtype == kDtString) {
    // A byte for the length of each string at least, and a checksum.
    good = e.size >= 4 && e.size - 4 >= n;
  }
  if (!good) wrong(e, "the size does not fit the shape");
}

Bytes encode_entry(const BundleEntry& e) {
  Bytes shape, out;
  for (int64_t d : e.shape) {
    Bytes dim;
    put_number(dim, 1, d);
    put_bytes_field(shape, 2, dim);
  }
  put_number(out, 1, e.dtype);
  put_bytes_field(out, 2, shape);
  put_number(out, 3, e.shard);
  put_number(out, 4, e.offset);
  put_number(out, 5, e.size);
  put_key(out, 6, WireType::fixed32);
  put(out, e.crc);
  return out;
}

void decode_shape(View bytes, BundleEntry& out) {
  for (Fields f(bytes); f.next();) {
    if (f.number == 3 && f.value != 0) wrong(out, "unknown rank");
    if (f.number != 2) continue;
    int64_t size = 0;
    for (Fields d(f.bytes); d.next();) {
      if (d.number == 1) size = static_cast<int64_t>(d.value);
    }
    out.shape.push_back(size);
  }
}

/// A number that must fit into an int, or -1.
int small(uint64_t value) {
  return value < 0x7fffffff ? static_cast<int>(value) : -1;
}

BundleEntry decode_entry(View name, View bytes) {
  BundleEntry out;
  out.name = name;
  for (Fields f(bytes); f.next();) {
    switch (f.number) {
      case 1: out.dtype = small(f.value); break;
      case 2: decode_shape(f.bytes, out); break;
      case 3: out.shard = small(f.value); break;
      case 4: out.offset = static_cast<int64_t>(f.value); break;
      case 5: out.size = static_cast<int64_t>(f.value); break;
      case 6: out.crc = static_cast<uint32_t>(f.value); break;
      case 7: out.sliced = true; break;
      default: break;
    }
  }
  return out;
}

void decode_header(View bytes, Bundle& out) {
  out.shards = 0;
  int producer = 0, min_consumer = 0;
  for (Fields f(bytes); f.next();) {
    if (f.number == 1) out.shards = small(f.value);
    if (f.number == 2) out.big_endian = f.value == 1;
    if (f.number != 3) continue;
    for (Fields v(f.bytes); v.next();) {
      if (v.number == 1) producer = small(v.value);
      if (v.number == 2) min_consumer = small(v.value);
    }
  }
  if (out.shards < 1 || producer < 0 || min_consumer < 0) {
    fail(Code::argument, "checkpoint index: its header is damaged");
  }
  if (min_consumer > kVersion) {
    fail(Code::unsupported, "checkpoint index: written for readers of version ",
         min_consumer, ", this one has version ", kVersion);
  }
}

}  // namespace

int64_t elements_of(const BundleEntry& e) {
  int64_t n = 1;
  for (int64_t d : e.shape) {
    if (d < 0 || (d > 0 && n > INT64_MAX / d)) wrong(e, "impossible shape");
    n *= d;
  }
  return n;
}

Bytes write_index(const std::vector<BundleEntry>& entries,
                  std::size_t block_size) {
  std::vector<View> names;
  for (const BundleEntry& e : entries) names.push_back(e.name);
  Bytes version, header;
  put_varint_field(version, 1, kVersion);
  put_varint_field(header, 1, 1);
  put_bytes_field(header, 3, version);
  TableBuilder table(block_size);
  table.add("", header);
  const BundleEntry* last = nullptr;
  for (std::size_t i : order_of(names)) {
    const BundleEntry& e = entries[i];
    if (e.name.empty()) wrong(e, "a tensor needs a name instead");
    if (last != nullptr && last->name == e.name) wrong(e, "there are two");
    if (dtype_name(e.dtype) == nullptr) wrong(e, "unknown data type");
    check(e, 1);
    table.add(e.name, encode_entry(e));
    last = &e;
  }
  return table.take();
}

Bundle read_index(View file) {
  Bundle out;
  bool header = false;
  read_table(file, [&](View key, View value) {
    if (!header) {
      if (!key.empty()) {
        fail(Code::argument, "checkpoint index: it has no header: a table, but "
             "of something else");
      }
      decode_header(value, out);
      header = true;
      return;
    }
    out.entries.push_back(decode_entry(key, value));
    check(out.entries.back(), out.shards);
  });
  if (!header) fail(Code::argument, "checkpoint index: it is empty");
  return out;
}

// ---- string tensors: lengths, a checksum of them, all characters ----

namespace {

/// The checksum of lengths goes over numbers of four bytes, of eight where a
/// length needs them; that of the tensor continues it.
uint32_t crc_of_length(uint64_t length, uint32_t before) {
  Bytes raw;
  if (length > UINT32_MAX) {
    put(raw, length);
  } else {
    put(raw, static_cast<uint32_t>(length));
  }
  return crc32c(raw, before);
}

}  // namespace

StringData pack_strings(std::span<const View> strings) {
  StringData out{};
  uint32_t crc = 0;
  for (View s : strings) {
    put_varint(out.bytes, s.size());
    crc = crc_of_length(s.size(), crc);
  }
  Bytes stored;
  put(stored, masked(crc));
  crc = crc32c(stored, crc);
  out.bytes += stored;
  for (View s : strings) {
    out.bytes += s;
    crc = crc32c(s, crc);
  }
  out.crc = masked(crc);
  return out;
}

std::vector<View> unpack_strings(View bytes, std::size_t n, uint32_t stored) {
  std::vector<uint64_t> lengths;
  uint32_t crc = 0;
  uint64_t total = 0;
  bool good = n <= bytes.size();
  for (std::size_t i = 0; good && i < n; ++i) {
    uint64_t length;
    good = take_varint(bytes, length) && length <= bytes.size();
    if (!good) break;
    lengths.push_back(length);
    total += length;
    crc = crc_of_length(length, crc);
  }
  good = good && bytes.size() >= 4 && get<uint32_t>(bytes) == masked(crc) &&
         total == bytes.size() - 4 && masked(crc32c(bytes, crc)) == stored;
  if (!good) {
    fail(Code::argument,
         "checkpoint: the bytes of a string tensor are damaged");
  }
  bytes.remove_prefix(4);
  std::vector<View> out;
  for (uint64_t length : lengths) {
    out.push_back(bytes.substr(0, static_cast<std::size_t>(length)));
    bytes.remove_prefix(out.back().size());
  }
  return out;
}

}  // namespace tidemark::formats
