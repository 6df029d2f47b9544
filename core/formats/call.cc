#include "core/formats/call.h"

#include "core/base/error.h"
#include "core/formats/bundle.h"
#include "core/formats/crc32c.h"
#include "core/formats/histogram.h"
#include "core/formats/image.h"
#include "core/formats/message.h"
#include "core/formats/record.h"
#include "core/formats/text.h"

namespace tidemark::formats {
namespace {

// DataTypes of numbers that summaries take.
constexpr int kFloat = 1, kDouble = 2, kInt32 = 3, kUint8 = 4, kBool = 10;

class Arguments {
 public:
  explicit Arguments(View packed) : rest_(packed) {}
  Value value() { return take_value(rest_); }
  View data() { return value().data("argument"); }
  int64_t integer() { return value().integer("argument"); }
  int small() { return static_cast<int>(integer()); }

 private:
  View rest_;
};

Value field_of(const Value& object, View name) {
  for (View items = object.bytes; !items.empty();) {
    View key = take_value(items).bytes;
    Value value = take_value(items);
    if (key == name) return value;
  }
  return {};
}

void pack_spans(Packer& out, const char* name, const std::vector<Span>& spans) {
  out.key(name);
  out.open(Kind::list);
  for (const Span& s : spans) {
    out.integer(static_cast<int64_t>(s.offset));
    out.integer(static_cast<int64_t>(s.length));
  }
  out.close();
}

void pack_records(const Records& records, Packer& out) {
  out.open(Kind::object);
  pack_spans(out, "payloads", records.payloads);
  pack_spans(out, "damaged", records.damaged);
  out.key("next");
  out.integer(static_cast<int64_t>(records.next));
  out.key("rest");
  out.integer(static_cast<int64_t>(records.rest));
  out.close();
}

Bytes histogram(Arguments& in) {
  View tag = in.data();
  int dtype = in.small();
  View values = in.data();
  Histogram h;
  auto add = [&]<class T>(T) {
    for (std::size_t i = 0; i + sizeof(T) <= values.size(); i += sizeof(T)) {
      h.add(static_cast<double>(get<T>(values, i)), tag);
    }
  };
  switch (dtype) {
    case kFloat: add(float{}); break;
    case kDouble: add(double{}); break;
    case kInt32: add(int32_t{}); break;
    case kUint8:
    case kBool: add(uint8_t{}); break;
    default: fail(Code::dtype, "histogram: no numbers of type ", dtype);
  }
  return h.encode();
}

Bytes image(Arguments& in) {
  ImageSize size{};
  size.height = in.small();
  size.width = in.small();
  size.channels = in.small();
  int dtype = in.small();
  View pixels = in.data();
  View bad_color = in.data();
  if (dtype == kUint8) return png(size, pixels);
  std::vector<float> values(pixels.size() / sizeof(float));
  std::memcpy(values.data(), pixels.data(), values.size() * sizeof(float));
  return png(size, normalized(size, values, bad_color));
}

Bytes index_of(Arguments& in) {
  std::vector<BundleEntry> entries;
  View items = in.value().items("entries");
  while (!items.empty()) {
    Value v = take_value(items);
    BundleEntry e;
    e.name = field_of(v, "name").data("name");
    e.dtype = static_cast<int>(field_of(v, "dtype").integer("dtype"));
    View shape = field_of(v, "shape").items("shape");
    while (!shape.empty()) {
      e.shape.push_back(take_value(shape).integer("shape"));
    }
    e.offset = field_of(v, "offset").integer("offset");
    e.size = field_of(v, "size").integer("size");
    e.crc = static_cast<uint32_t>(field_of(v, "crc").integer("crc"));
    entries.push_back(std::move(e));
  }
  int64_t block_size = in.integer();
  if (block_size < 1) {
    fail(Code::argument, "checkpoint: block size ", block_size);
  }
  return write_index(entries, static_cast<std::size_t>(block_size));
}

void pack_bundle(const Bundle& bundle, Packer& out) {
  auto number = [&](const char* key, int64_t value) {
    out.key(key);
    out.integer(value);
  };
  out.open(Kind::object);
  number("shards", bundle.shards);
  out.key("bigEndian");
  out.boolean(bundle.big_endian);
  out.key("entries");
  out.open(Kind::list);
  for (const BundleEntry& e : bundle.entries) {
    // Parts of a sliced tensor are filed under keys that start with a zero.
    if (e.name[0] == '\0') continue;
    out.open(Kind::object);
    out.key("name");
    out.text(e.name);
    number("dtype", e.dtype);
    out.key("shape");
    out.open(Kind::list);
    for (int64_t d : e.shape) out.integer(d);
    out.close();
    number("shard", e.shard);
    number("offset", e.offset);
    number("size", e.size);
    number("crc", e.crc);
    out.key("sliced");
    out.boolean(e.sliced);
    out.close();
  }
  out.close();
  out.close();
}

void strings(Arguments& in, Packer& out) {
  std::vector<View> views;
  View items = in.value().items("strings");
  while (!items.empty()) views.push_back(take_value(items).data("string"));
  StringData packed = pack_strings(views);
  out.open(Kind::object);
  out.key("bytes");
  out.bytes(packed.bytes);
  out.key("crc");
  out.integer(packed.crc);
  out.close();
}

void strings_in(Arguments& in, Packer& out) {
  View bytes = in.data();
  auto n = static_cast<std::size_t>(in.integer());
  auto crc = static_cast<uint32_t>(in.integer());
  out.open(Kind::list);
  for (View s : unpack_strings(bytes, n, crc)) out.bytes(s);
  out.close();
}

}  // namespace

Bytes call(Call which, View arguments) {
  Arguments in(arguments);
  Packer out;
  switch (which) {
    case Call::encode: {
      const Message& message = message_named(in.data());
      out.bytes(encode(message, in.value()));
      break;
    }
    case Call::decode: {
      const Message& message = message_named(in.data());
      decode(message, in.data(), out);
      break;
    }
    case Call::print_text: {
      const Message& message = message_named(in.data());
      out.text(print_text(message, in.data()));
      break;
    }
    case Call::parse_text: {
      const Message& message = message_named(in.data());
      out.bytes(parse_text(message, in.data()));
      break;
    }
    case Call::crc32c: {
      View bytes = in.data();
      out.integer(crc32c(bytes, static_cast<uint32_t>(in.integer())));
      break;
    }
    case Call::put_record: {
      Bytes record;
      put_record(in.data(), record);
      out.bytes(record);
      break;
    }
    case Call::read_records: pack_records(read_records(in.data()), out); break;
    case Call::histogram: out.bytes(histogram(in)); break;
    case Call::image: out.bytes(image(in)); break;
    case Call::write_index: out.bytes(index_of(in)); break;
    case Call::read_index: pack_bundle(read_index(in.data()), out); break;
    case Call::pack_strings: strings(in, out); break;
    case Call::unpack_strings: strings_in(in, out); break;
    default: fail(Code::internal, "formats: no function ", int(which));
  }
  return out.take();
}

}  // namespace tidemark::formats
