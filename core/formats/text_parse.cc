#include <cmath>

#include "core/base/error.h"
#include "core/formats/decimal.h"
#include "core/formats/text.h"
#include "core/formats/wire.h"

namespace tidemark::formats {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
         c == '+';
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

void put_utf8(uint32_t c, Bytes& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  out += static_cast<char>((0xf00 >> (more + 1) & 0xff) | c >> (6 * more));
  while (more-- > 0) out += static_cast<char>(0x80 | (c >> (6 * more) & 63));
}

class Parser {
 public:
  explicit Parser(View text) : rest_(text) {}

  /// Fields up to `end`; 0 is the end of the text.
  Bytes fields(const Message& message, char end) {
    Bytes out;
    while (true) {
      skip();
      if (rest_.empty() || peek() == end) {
        if (rest_.empty() != (end == 0)) wrong("the text is cut off");
        if (end != 0) rest_.remove_prefix(1);
        return out;
      }
      View name = word();
      int i = message.find(name);
      if (i < 0) wrong("there is no field '" + Bytes(name) + "'");
      const Field& f = message.fields[static_cast<std::size_t>(i)];
      bool colon = accept(':');
      bool nested = f.type == Type::message || f.type == Type::map;
      if (!colon && !nested) wrong("expected ':' after " + Bytes(name));
      if (f.rule == Rule::repeated && accept('[')) {
        while (!accept(']')) {
          one(f, out);
          if (!accept(',') && peek() != ']') wrong("expected ',' or ']'");
        }
      } else {
        one(f, out);
      }
      if (!accept(',')) accept(';');
    }
  }

 private:
  [[noreturn]] void wrong(View what) const {
    fail(Code::argument, "text form: line ", line_, ": ", what);
  }

  char peek() {
    skip();
    return rest_.empty() ? '\0' : rest_[0];
  }

  bool accept(char c) {
    skip();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// Passes over white space and comments.
  void skip() {
    while (!rest_.empty()) {
      char c = rest_[0];
      if (c == '#') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        continue;
      }
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' &&
          c != '\v') {
        return;
      }
      if (c == '\n') ++line_;
      rest_.remove_prefix(1);
    }
  }

  View word() {
    skip();
    std::size_t n = 0;
    while (n < rest_.size() && is_word(rest_[n])) ++n;
    if (n == 0) {
      wrong(rest_.empty() ? Bytes("the text is cut off")
                          : "'" + Bytes(rest_.substr(0, 1)) +
                                "' is not expected here");
    }
    View out = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return out;
  }

  /// One or more strings in quotes, next to each other.
  Bytes quoted() {
    Bytes out;
    char quote = peek();
    if (quote != '"' && quote != '\'') wrong("expected text in quotes");
    while (quote == '"' || quote == '\'') {
      rest_.remove_prefix(1);
      while (true) {
        if (rest_.empty() || rest_[0] == '\n') wrong("a quote is not closed");
        char c = rest_[0];
        rest_.remove_prefix(1);
        if (c == quote) break;
        if (c == '\\') {
          escape(out);
        } else {
          out += c;
        }
      }
      quote = peek();
    }
    return out;
  }

  /// Up to `most` digits of a base.
  uint32_t digits(int base, int most, int least) {
    uint32_t value = 0;
    int n = 0;
    for (; n < most && !rest_.empty() && digit(rest_[0]) < base; ++n) {
      value = value * static_cast<uint32_t>(base) +
              static_cast<uint32_t>(digit(rest_[0]));
      rest_.remove_prefix(1);
    }
    if (n < least) wrong("an escape is cut off");
    return value;
  }

  void escape(Bytes& out) {
    if (rest_.empty()) wrong("a quote is not closed");
    char c = rest_[0];
    if (digit(c) < 8) {
      out += static_cast<char>(digits(8, 3, 1));
      return;
    }
    rest_.remove_prefix(1);
    constexpr View kNames = "abfnrtv?'\"\\", kMean = "\a\b\f\n\r\t\v?'\"\\";
    if (std::size_t i = kNames.find(c); i != View::npos) {
      out += kMean[i];
    } else if (c == 'x' || c == 'X') {
      out += static_cast<char>(digits(16, 2, 1));
    } else if (c == 'u' || c == 'U') {
      uint32_t code = digits(16, c == 'u' ? 4 : 8, c == 'u' ? 4 : 8);
      if (code > 0x10ffff) wrong("there is no such character");
      put_utf8(code, out);
    } else {
      wrong("unknown escape");
    }
  }

  uint64_t whole(View word) {
    bool negative = word[0] == '-';
    View digits = word.substr(negative ? 1 : 0);
    uint64_t base = 10, value = 0;
    if (digits.size() > 1 && digits[0] == '0') {
      bool hex = digits[1] == 'x' || digits[1] == 'X';
      base = hex ? 16 : 8;
      digits.remove_prefix(hex ? 2 : 1);
    }
    bool good = !digits.empty();
    for (char c : digits) {
      auto d = static_cast<uint64_t>(digit(c));
      good = good && d < base && value <= (UINT64_MAX - d) / base;
      value = value * base + d;
    }
    if (!good) wrong("'" + Bytes(word) + "' is no whole number");
    return negative ? 0 - value : value;
  }

  uint64_t number(const Field& f) {
    View w = word();
    if (f.type == Type::real64 || f.type == Type::real32) {
      double value;
      Bytes plain;
      for (char c : w) plain += c >= 'A' && c <= 'Z' ? char(c + 32) : c;
      bool good = parse_decimal(plain, value);
      if (!good && plain.back() == 'f') {
        plain.pop_back();
        good = parse_decimal(plain, value);
      }
      if (!good) wrong("'" + Bytes(w) + "' is no number");
      if (f.type == Type::real64) return std::bit_cast<uint64_t>(value);
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    }
    if (f.type == Type::boolean) {
      if (w == "true" || w == "True" || w == "t" || w == "1") return 1;
      if (w == "false" || w == "False" || w == "f" || w == "0") return 0;
      wrong("'" + Bytes(w) + "' is neither true nor false");
    }
    if (f.type == Type::dtype) {
      if (int dtype = dtype_named(w); dtype >= 0) {
        return static_cast<uint64_t>(dtype);
      }
    }
    return whole(w);
  }

  void one(const Field& f, Bytes& out) {
    switch (f.type) {
      case Type::map:
      case Type::message: {
        bool angle = accept('<');
        if (!angle && !accept('{')) wrong("expected '{'");
        char end = angle ? '>' : '}';
        put_bytes_field(out, f.number,
                        f.type == Type::map ? entry(f, end)
                                            : fields(*f.message, end));
        return;
      }
      case Type::string:
      case Type::bytes: put_bytes_field(out, f.number, quoted()); return;
      case Type::real64:
        put_key(out, f.number, WireType::fixed64);
        put(out, number(f));
        return;
      case Type::real32:
      case Type::fixed32:
        put_key(out, f.number, WireType::fixed32);
        put(out, static_cast<uint32_t>(number(f)));
        return;
      default: put_varint_field(out, f.number, number(f));
    }
  }

  Bytes entry(const Field& f, char end) {
    const Field fields_of_entry[] = {
        {1, Type::string, Rule::always, "key"},
        {2, Type::message, Rule::always, "value", f.message},
    };
    const Message message = {"Entry", fields_of_entry};
    return fields(message, end);
  }

  View rest_;
  int line_ = 1;
};

}  // namespace

Bytes parse_text(const Message& message, View text) {
  return Parser(text).fields(message, '\0');
}

}  // namespace tidemark::formats
