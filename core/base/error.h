#pragma once
// The one way an op refuses its input: a code that programs can test and a
// sentence that a person can act on.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace tidemark {

/// What went wrong, in one word. The order is part of the JavaScript contract.
enum class Code : uint8_t {
  none,
  shape,
  dtype,
  argument,
  disposed,
  memory,
  unsupported,
  callback,
  closed,
  state,
  internal,
};

/// An error with its code; the message names the op, the fault, the values.
class Error : public std::exception {
 public:
  Error(Code code, std::string message)
      : code_(code), message_(std::move(message)) {}
  Code code() const { return code_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  Code code_;
  std::string message_;
};

/// Text of one value, as messages show it; shape.h and dtype.h add theirs.
inline std::string text(std::string_view s) { return std::string(s); }
inline std::string text(const char* s) { return s; }
inline std::string text(bool b) { return b ? "true" : "false"; }
inline std::string text(int v) { return std::to_string(v); }
inline std::string text(long v) { return std::to_string(v); }
inline std::string text(long long v) { return std::to_string(v); }
inline std::string text(unsigned v) { return std::to_string(v); }
inline std::string text(unsigned long v) { return std::to_string(v); }
/// Reads like the number a JavaScript user wrote: 0.5, 4000000000, NaN.
std::string text(double v);
/// "[1,2]".
std::string text(const std::vector<int>& v);

/// A piece of a message: a value and how to show it. Messages are put together
/// in one place out of these, because a template for every list of argument
/// types would be a fifth of the whole program.
class Part {
 public:
  template <class T>
  Part(const T& value)
      : value_(&value), show_([](const void* v) {
          return text(*static_cast<const T*>(v));
        }) {}
  Part(const char* value)
      : value_(value),
        show_([](const void* v) { return text(static_cast<const char*>(v)); }) {
  }
  std::string shown() const { return show_(value_); }

 private:
  const void* value_;
  std::string (*show_)(const void*);
};

/// Throws an Error whose message is the parts in a row.
[[noreturn, gnu::cold]] void fail_with(Code code, const Part* parts,
                                       std::size_t count);

/// The same, written as a list: fail(Code::shape, "conv2d: rank ", 3).
template <class... Values>
[[noreturn, gnu::always_inline]] inline void fail(Code code,
                                                  const Values&... values) {
  const Part parts[] = {Part(values)...};
  fail_with(code, parts, sizeof...(values));
}

}  // namespace tidemark
