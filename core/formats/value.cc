#include "core/formats/value.h"

#include <cmath>

#include "core/base/error.h"

namespace tidemark::formats {
namespace {

[[noreturn]] void expected(const char* kind, View what) {
  fail(Code::argument, what, ": expected ", kind);
}

[[noreturn]] void cut_off() {
  fail(Code::internal, "packed value: the bytes are damaged");
}

View take_bytes(View& in, std::size_t n) {
  if (n > in.size()) cut_off();
  View out = in.substr(0, n);
  in.remove_prefix(n);
  return out;
}

}  // namespace

double Value::number(View what) const {
  if (kind == Kind::integer) return static_cast<double>(whole);
  if (kind != Kind::number) expected("a number", what);
  return real;
}

int64_t Value::integer(View what) const {
  if (kind == Kind::integer) return whole;
  // Beyond 2^53 a number has lost what it was.
  if (kind != Kind::number || real != std::trunc(real) ||
      std::abs(real) > 0x1p53) {
    expected("an integer", what);
  }
  return static_cast<int64_t>(real);
}

bool Value::boolean(View what) const {
  if (kind != Kind::true_ && kind != Kind::false_) {
    expected("true or false", what);
  }
  return kind == Kind::true_;
}

View Value::data(View what) const {
  if (kind != Kind::text && kind != Kind::bytes) {
    expected("text or bytes", what);
  }
  return bytes;
}

View Value::items(View what) const {
  if (kind != Kind::list) expected("a list", what);
  return bytes;
}

Value take_value(View& in) {
  Value v;
  v.kind = static_cast<Kind>(take_bytes(in, 1)[0]);
  switch (v.kind) {
    case Kind::null:
    case Kind::false_:
    case Kind::true_:
      break;
    case Kind::number:
      v.real = get<double>(take_bytes(in, 8));
      break;
    case Kind::integer:
      v.whole = get<int64_t>(take_bytes(in, 8));
      break;
    case Kind::text:
    case Kind::bytes:
      v.bytes = take_bytes(in, get<uint32_t>(take_bytes(in, 4)));
      break;
    case Kind::list:
    case Kind::object: {
      View head = take_bytes(in, 8);
      v.count = get<uint32_t>(head, 4);
      v.bytes = take_bytes(in, get<uint32_t>(head));
      break;
    }
    default:
      cut_off();
  }
  return v;
}

void Packer::start(Kind kind) {
  if (!open_.empty()) {
    char* count = out_.data() + open_.back() + 5;
    uint32_t n;
    std::memcpy(&n, count, 4);
    ++n;
    std::memcpy(count, &n, 4);
  }
  out_ += static_cast<char>(kind);
}

void Packer::number(double v) {
  start(Kind::number);
  put(out_, v);
}

void Packer::integer(int64_t v) {
  start(Kind::integer);
  put(out_, v);
}

void Packer::data(Kind kind, View v) {
  start(kind);
  put(out_, static_cast<uint32_t>(v.size()));
  out_ += v;
}

void Packer::key(View v) {
  out_ += static_cast<char>(Kind::text);
  put(out_, static_cast<uint32_t>(v.size()));
  out_ += v;
}

void Packer::open(Kind kind) {
  start(kind);
  open_.push_back(out_.size() - 1);
  put<uint64_t>(out_, 0);
}

void Packer::close() {
  std::size_t at = open_.back();
  open_.pop_back();
  auto length = static_cast<uint32_t>(out_.size() - at - 9);
  std::memcpy(out_.data() + at + 1, &length, 4);
}

}  // namespace tidemark::formats
