#pragma once
// How values cross. Every parameter is one double: a number, a handle, or the
// place of a list in the argument block. So a function's Embind signature is
// its arity, and nothing is allocated on the way.
//
//   int, double, bool, enums   the number itself
//   Tensor                     its handle; or -(i + 1) when block[i] holds a
//                              dtype and block[i + 1] a value: a scalar that
//                              needs no handle
//   std::optional<Tensor>      the same, and 0 for "not given"
//   Ints, Shape, Doubles,      i, where block[i] is the length and the items
//   Tensors                    follow

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/runtime/runtime.h"
#include "core/tensor/tensor.h"

namespace tidemark::wire {

using Doubles = std::vector<double>;

/// Where lists start; `describe` answers in the doubles before.
inline constexpr std::size_t kHeader = 16;

/// Grows the argument block to `n` doubles and returns it.
double* reserve_block(std::size_t n);
/// The argument block: JavaScript writes lists here, C++ answers here (lists of
/// handles from kHeader on).
double* block();

/// Called after the last call through a pointer in a try. WebKit's
/// interpreter, up to 2.50 at least, lets an exception pass a try when such a
/// call is the very last instruction in there (WebKit bug 299629).
void body_returned();

/// Where a text or an object lies, as JavaScript takes it.
inline double address(const void* p) {
  return static_cast<double>(reinterpret_cast<uintptr_t>(p));
}

/// The tensor meant by a handle or by a scalar in the block.
Tensor read_tensor(double value);
/// An exact int, or an argument error.
int read_int(double value);

template <class T>
struct Wire;

template <>
struct Wire<double> {
  static double read(double v) { return v; }
};
template <>
struct Wire<int> {
  static int read(double v) { return read_int(v); }
};
template <>
struct Wire<bool> {
  static bool read(double v) { return v != 0; }
};
template <class E>
  requires std::is_enum_v<E>
struct Wire<E> {
  static E read(double v) { return static_cast<E>(read_int(v)); }
};
template <>
struct Wire<Tensor> {
  static Tensor read(double v) { return read_tensor(v); }
};
template <>
struct Wire<std::optional<Tensor>> {
  static std::optional<Tensor> read(double v) {
    if (v == 0) return std::nullopt;
    return read_tensor(v);
  }
};
template <>
struct Wire<Doubles> {
  static Doubles read(double v);
};
template <>
struct Wire<Ints> {
  static Ints read(double v);
};
template <>
struct Wire<Shape> {
  static Shape read(double v) { return Shape(Wire<Ints>::read(v)); }
};
template <>
struct Wire<Tensors> {
  static Tensors read(double v);
};
template <>
struct Wire<std::string> {
  static std::string read(double v);  ///< its UTF-8 bytes, as a list
};

}  // namespace tidemark::wire
