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
  impl_ = create(dtype, shape, size, std::move(storage));
}

Tensor Tensor::reshaped(const Shape& shape) const {
  Tensor out;
  out.impl_ = create(dtype(), shape, size(), storage());
  return out;
}

// Implementation objects come and go with every op, so freed ones wait in a
// list. Under AddressSanitizer they do not: it must see a use after free.
#if defined(__SANITIZE_ADDRESS__)
Tensor::Impl* Tensor::create(DType dtype, const Shape& shape, std::size_t size,
                             memory::Storage storage) {
  return new Impl{1, dtype, shape, size, next_id++, std::move(storage)};
}

void Tensor::release(Impl* impl) {
  if (--impl->refs > 0) return;
  delete impl; }
#else
namespace {
void* free_impls = nullptr;
}

Tensor::Impl* Tensor::create(DType dtype, const Shape& shape, std::size_t size,
                             memory::Storage storage) {
  auto* impl = static_cast<Impl*>(free_impls);
  if (impl == nullptr) {
    return new Impl{1, dtype, shape, size, next_id++, std::move(storage)};
  }
  free_impls = impl->next_free;
  impl->refs = 1;
  impl->dtype = dtype;
  impl->shape = shape;
  impl->size = size;
  impl->id = next_id++;
  impl->storage = std::move(storage);
  return impl;
}

void Tensor::release(Impl* impl) {
  if (--impl->refs > 0) return;
  impl->storage = {};
  impl->next_free = static_cast<Impl*>(free_impls);
  free_impls = impl;
}
#endif

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
