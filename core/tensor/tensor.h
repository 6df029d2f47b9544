#pragma once
// Tensor: an immutable, contiguous, row-major value with shared storage.
//
// A Tensor is a counted pointer to an implementation object; that object is the
// tensor's identity for the tape. `reshaped` and `identical` make a new
// identity over the same storage. Only whoever made a tensor writes into it,
// and only before anyone else holds it.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/shape.h"
#include "core/memory/pool.h"

namespace tidemark {

/// What an op promises of an output before a kernel has run.
struct Spec {
  Shape shape;
  DType dtype = DType::float32;
};

// trivial_abi passes the pointer itself and lets who is called free it: calls
// need no temporaries and no clean-up code, which was a twentieth of the whole.
class [[clang::trivial_abi]] Tensor {
 public:
  /// No tensor at all; ops take it as "not given" where they say so.
  Tensor() = default;
  /// A new tensor with unspecified contents.
  Tensor(const Shape& shape, DType dtype);
  explicit Tensor(const Spec& spec) : Tensor(spec.shape, spec.dtype) {}

  Tensor(const Tensor& o) : impl_(o.impl_) { retain(); }
  Tensor(Tensor&& o) noexcept : impl_(o.impl_) { o.impl_ = nullptr; }
  Tensor& operator=(Tensor o) noexcept {
    std::swap(impl_, o.impl_);
    return *this;
  }
  ~Tensor() {
    if (impl_ != nullptr) release(impl_);
  }

  explicit operator bool() const { return impl_ != nullptr; }

  const Shape& shape() const { return impl_->shape; }
  DType dtype() const { return impl_->dtype; }
  int rank() const { return impl_->shape.rank(); }
  std::size_t size() const { return impl_->size; }
  std::size_t bytes() const { return impl_->size * size_of(impl_->dtype); }

  /// Elements; T must be the type of the dtype. 64-byte aligned, padded.
  template <class T>
  const T* data() const {
    return static_cast<const T*>(impl_->storage.data());
  }
  /// Elements for the maker to fill.
  template <class T>
  T* mutable_data() const {
    return static_cast<T*>(impl_->storage.data());
  }
  template <class T>
  std::span<const T> values() const {
    return {data<T>(), impl_->size};
  }
  const void* raw() const { return impl_->storage.data(); }
  void* mutable_raw() const { return impl_->storage.data(); }

  /// The same elements under another shape of equal size, a new identity.
  Tensor reshaped(const Shape& shape) const;
  /// The same elements, a new identity.
  Tensor identical() const { return reshaped(shape()); }

  /// Unique number of this identity, for the tape.
  uint64_t id() const { return impl_->id; }
  const memory::Storage& storage() const { return impl_->storage; }

 private:
  struct Impl {
    uint32_t refs = 1;
    DType dtype;
    Shape shape;
    std::size_t size;
    uint64_t id;
    memory::Storage storage;
    Impl* next_free = nullptr;
  };
  static Impl* create(DType dtype, const Shape& shape, std::size_t size,
                      memory::Storage storage);
  // Out of line: there are thousands of tensors to let go of in the code.
  static void release(Impl* impl);
  void retain() const {
    if (impl_ != nullptr) ++impl_->refs;
  }

  Impl* impl_ = nullptr;
};

/// Lists of tensors: operands of concat, outputs of split.
using Tensors = std::vector<Tensor>;

/// A scalar tensor of the given type; the value is converted as a cast would.
Tensor scalar(double value, DType dtype = DType::float32);

/// A tensor with copies of `values`; their number must be the shape's size.
template <class T>
Tensor tensor_of(const Shape& shape, std::initializer_list<T> values);

}  // namespace tidemark

#include "core/tensor/tensor_inl.h"
