#include "core/tensor/tensor.h"

#include <cstdint>

namespace tidemark {
namespace {
uint64_t next_id = 1;
}

Tensor::Tensor(const Shape& shape, DType dtype) {
  std::size_t size = shape.size();
  // Half of the address space at the most: byte counts never wrap.
  if (size > PTRDIFF_MAX / size_of(dtype)) {
    fail(Code::memory, "out of memory: a ", dtype, " tensor of shape ", shape,
         " does not fit in the address space");
  }
  memory::Storage storage = memory::Storage::allocate(size * size_of(dtype));
  impl_ = new Impl{1, dtype, shape, size, next_id++, std::move(storage)};
}

Tensor Tensor::reshaped(const Shape& shape) const {
  Tensor out;
  out.impl_ = new Impl{1, dtype(), shape, size(), next_id++, storage()};
  return out;
}

void Tensor::destroy(Impl* impl) { delete impl; }

Tensor scalar(double value, DType dtype) {
  Tensor t(Shape{}, dtype);
  switch (dtype) {
    case DType::float32:
      *t.mutable_data<float>() = static_cast<float>(value);
      break;
    case DType::int32:
      *t.mutable_data<int32_t>() = to_int32(value);
      break;
    case DType::bool_:
      *t.mutable_data<uint8_t>() = value != 0;
      break;
  }
  return t;
}

}  // namespace tidemark
