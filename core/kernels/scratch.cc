#include "core/kernels/scratch.h"

#include <array>
#include <new>

namespace tidemark::kernels {
namespace {

constexpr std::align_val_t kAlignment{64};

class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  void* reserve(std::size_t bytes) {
    const std::size_t wanted = (bytes + 127) / 64 * 64;
    if (wanted > size_) {
      release();
      data_ = ::operator new(wanted, kAlignment);
      size_ = wanted;
    }
    return data_;
  }

  std::size_t size() const { return size_; }

 private:
  void release() {
    if (data_ != nullptr) ::operator delete(data_, kAlignment);
    data_ = nullptr;
    size_ = 0;
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

thread_local std::array<Buffer, static_cast<int>(Scratch::kCount)> buffers;

}  // namespace

void* scratch(Scratch slot, std::size_t bytes) {
  return buffers[static_cast<std::size_t>(slot)].reserve(bytes);
}

std::size_t scratch_bytes() {
  std::size_t total = 0;
  for (const Buffer& buffer : buffers) total += buffer.size();
  return total;
}

}  // namespace tidemark::kernels
