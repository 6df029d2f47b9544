#pragma once

#include <algorithm>

namespace tidemark {

template <class T>
Tensor tensor_of(const Shape& shape, std::initializer_list<T> values) {
  Tensor t(shape, dtype_of<T>);
  if (values.size() != t.size()) {
    fail(Code::internal, "tensor_of: ", values.size(), " values for shape ",
         shape);
  }
  std::copy(values.begin(), values.end(), t.template mutable_data<T>());
  return t;
}

}  // namespace tidemark
