#pragma once
// Element types. A bool element is one byte, always 0 or 1.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "core/base/error.h"

namespace tidemark {

/// The order is part of the JavaScript contract and of type promotion.
enum class DType : uint8_t { bool_, int32, float32 };

/// Bytes of one element.
constexpr std::size_t size_of(DType dtype) {
  return dtype == DType::bool_ ? 1 : 4;
}

/// TensorFlow.js's name: "bool", "int32", "float32".
constexpr const char* name(DType dtype) {
  switch (dtype) {
    case DType::bool_: return "bool";
    case DType::int32: return "int32";
    case DType::float32: return "float32";
  }
  return "?";
}

inline std::string text(DType dtype) { return name(dtype); }

/// The wider of two types: bool < int32 < float32.
constexpr DType promote(DType a, DType b) { return a > b ? a : b; }

/// The C++ type that holds elements of a dtype, and back.
template <class T>
inline constexpr DType dtype_of = DType::float32;
template <>
inline constexpr DType dtype_of<int32_t> = DType::int32;
template <>
inline constexpr DType dtype_of<uint8_t> = DType::bool_;

/// A number as an int32: truncated towards zero, saturated at the limits of
/// the type, 0 for NaN.
template <class T>
constexpr int32_t to_int32(T value) {
  if constexpr (std::is_integral_v<T>) return static_cast<int32_t>(value);
  if (!(value == value)) return 0;
  if (value >= T(2147483648.0)) return 2147483647;
  if (value <= T(-2147483648.0)) return -2147483647 - 1;
  return static_cast<int32_t>(value);
}

/// Calls f with a value of the element type of `dtype` (only its type counts).
template <class F>
decltype(auto) dispatch(DType dtype, F&& f) {
  switch (dtype) {
    case DType::bool_: return f(uint8_t{});
    case DType::int32: return f(int32_t{});
    default: return f(float{});
  }
}

}  // namespace tidemark
