#pragma once
// Plain values (null, numbers, text, bytes, lists, objects) packed into bytes:
// how arguments and answers of the byte functions cross to JavaScript.
//
//   null 0 | false 1 | true 2 | number 3 f64 | integer 4 i64
//   text 5, bytes 6     u32 length, the bytes
//   list 7, object 8    u32 bytes of the items, u32 count, the items;
//                       an object's items are a text and a value in turn

#include <cstddef>
#include <vector>

#include "core/formats/bytes.h"

namespace tidemark::formats {

enum class Kind : uint8_t {
  null,
  false_,
  true_,
  number,
  integer,
  text,
  bytes,
  list,
  object,
};

/// One value of a packed text; it must outlive the value.
struct Value {
  Kind kind = Kind::null;
  uint32_t count = 0;  ///< items of a list or an object
  double real = 0;     ///< of a number
  int64_t whole = 0;   ///< of an integer
  View bytes;          ///< text, bytes, or the packed items

  bool is_null() const { return kind == Kind::null; }
  // What it is as one type of C++; else an argument error that names `what`.
  double number(View what) const;
  int64_t integer(View what) const;
  bool boolean(View what) const;
  /// The bytes of a text or of bytes.
  View data(View what) const;
  /// The items of a list.
  View items(View what) const;
};

/// Takes a value off the front of `in`.
Value take_value(View& in);

/// Packs values one after the other.
class Packer {
 public:
  void null() { start(Kind::null); }
  void boolean(bool v) { start(v ? Kind::true_ : Kind::false_); }
  void number(double v);
  void integer(int64_t v);
  void text(View v) { data(Kind::text, v); }
  void bytes(View v) { data(Kind::bytes, v); }
  /// The name of the value that comes next, inside an object.
  void key(View v);
  /// Starts a list or an object; what follows is in it until `close`.
  void open(Kind kind);
  void close();
  Bytes take() { return std::move(out_); }

 private:
  void start(Kind kind);
  void data(Kind kind, View v);

  Bytes out_;
  std::vector<std::size_t> open_;  // where the lists in the making start
};

}  // namespace tidemark::formats
