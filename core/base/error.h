#pragma once
// The one way an op refuses its input: a code that programs can test and a
// sentence that a person can act on.

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

/// Throws an Error made of `parts`. Out of line and noreturn, so that checks
/// on the fast path stay one compare and one branch.
template <class... Parts>
[[noreturn, gnu::noinline, gnu::cold]] void fail(Code code,
                                                 const Parts&... parts) {
  std::string message;
  ((message += text(parts)), ...);
  throw Error(code, std::move(message));
}

}  // namespace tidemark
