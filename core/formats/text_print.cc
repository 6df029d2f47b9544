#include "core/formats/decimal.h"
#include "core/formats/message.h"
#include "core/formats/text.h"

namespace tidemark::formats {
namespace {

void put_number(const Field& f, uint64_t value, Bytes& out) {
  const char* name = nullptr;
  switch (f.type) {
    case Type::real64: out += decimal(real_of(f.type, value)); return;
    case Type::real32:
      out += decimal(static_cast<float>(real_of(f.type, value)));
      return;
    case Type::boolean: out += value != 0 ? "true" : "false"; return;
    case Type::dtype:
      name = dtype_name(static_cast<int64_t>(value));
      if (name != nullptr) {
        out += name;
        return;
      }
      [[fallthrough]];
    default: out += std::to_string(static_cast<int64_t>(value));
  }
}

class Printer {
 public:
  Bytes out;

  void fields(const Message& message, View bytes) {
    for (const Field& f : message.fields) {
      if (f.type == Type::map) {
        for (const Entry& e : entries_of(f, bytes)) entry(f, e);
        continue;
      }
      for (Each each(f, bytes); each.next();) {
        if (f.type == Type::message) {
          open(f.name);
          fields(*f.message, each.bytes);
          close();
          continue;
        }
        start(f.name);
        out += ": ";
        if (f.type == Type::string || f.type == Type::bytes) {
          put_quoted(each.bytes, out);
        } else {
          put_number(f, each.value, out);
        }
        out += '\n';
      }
    }
  }

 private:
  void start(const char* name) {
    out.append(2 * depth_, ' ');
    out += name;
  }
  void open(const char* name) {
    start(name);
    out += " {\n";
    ++depth_;
  }
  void close() {
    --depth_;
    start("}\n");
  }
  void entry(const Field& f, const Entry& e) {
    open(f.name);
    start("key: ");
    put_quoted(e.key, out);
    out += '\n';
    open("value");
    fields(*f.message, e.value);
    close();
    close();
  }

  std::size_t depth_ = 0;
};

}  // namespace

void put_quoted(View text, Bytes& out) {
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    uint8_t c = byte_at(text, i);
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '"': out += "\\\""; break;
      case '\'': out += "\\'"; break;
      case '\\': out += "\\\\"; break;
      default:
        if (c >= 0x20 && c < 0x7f) {
          out += static_cast<char>(c);
        } else {
          const char octal[] = {'\\', static_cast<char>('0' + (c >> 6)),
                                static_cast<char>('0' + (c >> 3 & 7)),
                                static_cast<char>('0' + (c & 7))};
          out.append(octal, 4);
        }
    }
  }
  out += '"';
}

Bytes print_text(const Message& message, View bytes) {
  Printer printer;
  printer.fields(message, bytes);
  return std::move(printer.out);
}

}  // namespace tidemark::formats
