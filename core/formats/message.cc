#include "core/formats/message.h"

#include <array>
#include <limits>

#include "core/base/error.h"
#include "core/formats/order.h"

namespace tidemark::formats {
namespace {

bool is_message(Type type) { return type == Type::message; }
bool is_data(Type type) {
  return type == Type::string || type == Type::bytes || is_message(type);
}

WireType wire_type(Type type) {
  switch (type) {
    case Type::real64: return WireType::fixed64;
    case Type::real32:
    case Type::fixed32: return WireType::fixed32;
    case Type::integer:
    case Type::boolean:
    case Type::dtype: return WireType::varint;
    default: return WireType::bytes;
  }
}

/// A number as the bits that the wire has.
uint64_t bits_of(const Field& f, const Value& v) {
  switch (f.type) {
    case Type::real64: return std::bit_cast<uint64_t>(v.number(f.name));
    case Type::real32:
      return std::bit_cast<uint32_t>(static_cast<float>(v.number(f.name)));
    case Type::boolean: return v.boolean(f.name);
    case Type::dtype:
      if (v.kind == Kind::text) {
        int dtype = dtype_named(v.bytes);
        if (dtype < 0) {
          fail(Code::argument, f.name, ": there is no data type '", v.bytes,
               "'");
        }
        return static_cast<uint64_t>(dtype);
      }
      [[fallthrough]];
    default: return static_cast<uint64_t>(v.integer(f.name));
  }
}

void put_bits(Type type, uint64_t bits, Bytes& out) {
  switch (wire_type(type)) {
    case WireType::varint: put_varint(out, bits); break;
    case WireType::fixed64: put(out, bits); break;
    default: put(out, static_cast<uint32_t>(bits));
  }
}

void put_one(const Field& f, const Value& v, Bytes& out) {
  if (is_message(f.type)) {
    put_bytes_field(out, f.number, encode(*f.message, v));
  } else if (is_data(f.type)) {
    View data = v.data(f.name);
    if (data.empty() && f.rule == Rule::plain) return;
    put_bytes_field(out, f.number, data);
  } else {
    uint64_t bits = bits_of(f, v);
    if (bits == 0 && f.rule == Rule::plain) return;
    put_key(out, f.number, wire_type(f.type));
    put_bits(f.type, bits, out);
  }
}

void put_repeated(const Field& f, const Value& v, Bytes& out) {
  if (is_data(f.type)) {
    View items = v.items(f.name);
    while (!items.empty()) put_one(f, take_value(items), out);
    return;
  }
  Bytes packed;
  if (v.kind == Kind::bytes) {
    packed = v.bytes;  // already as the wire has them
  } else {
    View items = v.items(f.name);
    while (!items.empty()) {
      put_bits(f.type, bits_of(f, take_value(items)), packed);
    }
  }
  if (!packed.empty()) put_bytes_field(out, f.number, packed);
}

void put_map(const Field& f, const Value& v, Bytes& out) {
  if (v.kind != Kind::object) {
    fail(Code::argument, f.name, ": expected an object");
  }
  std::vector<View> keys;
  std::vector<Value> values;
  for (View items = v.bytes; !items.empty();) {
    keys.push_back(take_value(items).bytes);
    values.push_back(take_value(items));
  }
  for (std::size_t i : order_of(keys)) {
    Bytes entry;
    put_bytes_field(entry, 1, keys[i]);
    put_bytes_field(entry, 2, encode(*f.message, values[i]));
    put_bytes_field(out, f.number, entry);
  }
}

void pack_one(const Field& f, uint64_t value, View bytes, Packer& out) {
  switch (f.type) {
    case Type::message: return decode(*f.message, bytes, out);
    case Type::string: return out.text(bytes);
    case Type::bytes: return out.bytes(bytes);
    case Type::boolean: return out.boolean(value != 0);
    case Type::real64:
    case Type::real32: return out.number(real_of(f.type, value));
    default: return out.integer(static_cast<int64_t>(value));
  }
}

}  // namespace

Bytes encode(const Message& message, const Value& value) {
  if (value.kind == Kind::bytes) return Bytes(value.bytes);
  if (value.kind != Kind::object) {
    fail(Code::argument, message.name, ": expected an object");
  }
  std::array<Value, kMostFields> given{};
  for (View items = value.bytes; !items.empty();) {
    View key = take_value(items).bytes;
    int i = message.find(key);
    if (i < 0) {
      fail(Code::argument, message.name, ": there is no field '", key, "'");
    }
    given[static_cast<std::size_t>(i)] = take_value(items);
  }
  Bytes out;
  for (std::size_t i = 0; i < message.fields.size(); ++i) {
    const Field& f = message.fields[i];
    if (given[i].is_null()) continue;
    if (f.type == Type::map) {
      put_map(f, given[i], out);
    } else if (f.rule == Rule::repeated) {
      put_repeated(f, given[i], out);
    } else {
      put_one(f, given[i], out);
    }
  }
  return out;
}

void decode(const Message& message, View bytes, Packer& out) {
  out.open(Kind::object);
  for (const Field& f : message.fields) {
    if (f.type == Type::map) {
      std::vector<Entry> entries = entries_of(f, bytes);
      if (entries.empty()) continue;
      out.key(f.name);
      out.open(Kind::object);
      for (const Entry& e : entries) {
        out.key(e.key);
        decode(*f.message, e.value, out);
      }
      out.close();
      continue;
    }
    Each each(f, bytes);
    bool found = each.next();
    if (!found) continue;
    out.key(f.name);
    if (f.rule == Rule::repeated) {
      out.open(Kind::list);
      for (; found; found = each.next()) {
        pack_one(f, each.value, each.bytes, out);
      }
      out.close();
    } else {
      // Of a field that is there twice the last counts.
      uint64_t value = 0;
      View data;
      for (; found; found = each.next()) value = each.value, data = each.bytes;
      pack_one(f, value, data, out);
    }
  }
  out.close();
}

double real_of(Type type, uint64_t bits) {
  return type == Type::real64
             ? std::bit_cast<double>(bits)
             : std::bit_cast<float>(static_cast<uint32_t>(bits));
}

bool Each::take() {
  bool good = true;
  switch (wire_type(field_.type)) {
    case WireType::varint: good = take_varint(packed_, value); break;
    case WireType::fixed64:
      good = packed_.size() >= 8;
      if (good) value = get<uint64_t>(packed_), packed_.remove_prefix(8);
      break;
    default:
      good = packed_.size() >= 4;
      if (good) value = get<uint32_t>(packed_), packed_.remove_prefix(4);
  }
  if (!good) {
    fail(Code::argument, "protobuf: the packed field '", field_.name,
         "' is cut off");
  }
  return true;
}

bool Each::next() {
  if (!packed_.empty()) return take();
  WireType type = wire_type(field_.type);
  while (fields_.next()) {
    if (fields_.number != field_.number) continue;
    if (fields_.type == type) {
      value = fields_.value;
      bytes = fields_.bytes;
      return true;
    }
    // Numbers may be packed or not, whatever the writer has chosen.
    if (field_.rule == Rule::repeated && fields_.type == WireType::bytes &&
        !fields_.bytes.empty()) {
      packed_ = fields_.bytes;
      return take();
    }
  }
  return false;
}

std::vector<Entry> entries_of(const Field& field, View message) {
  std::vector<View> keys, values;
  for (Each each(field, message); each.next();) {
    View key, value;
    for (Fields f(each.bytes); f.next();) {
      if (f.number == 1) key = f.bytes;
      if (f.number == 2) value = f.bytes;
    }
    keys.push_back(key);
    values.push_back(value);
  }
  std::vector<Entry> out;
  for (std::size_t i : order_of(keys)) {
    if (!out.empty() && out.back().key == keys[i]) out.pop_back();
    out.push_back({keys[i], values[i]});
  }
  return out;
}

}  // namespace tidemark::formats
