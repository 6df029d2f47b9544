#pragma once
// The tensor pool. Blocks are 64-byte aligned and their capacity is a multiple
// of 64, so kernels run whole SIMD batches without a scalar tail. Freed blocks
// are kept by size class and given out again before the heap is asked.
//
// Invariants: every block starts with a Header of 64 bytes; a block is either
// in use (refs > 0) or in the free list of its class; one thread owns the pool.

#include <cstddef>
#include <cstdint>

namespace tidemark::memory {

/// Figures of the pool, in bytes unless the name says otherwise.
struct Statistics {
  std::size_t buffers = 0;  ///< blocks in use
  std::size_t bytes = 0;    ///< capacity of the blocks in use
  std::size_t peak = 0;     ///< highest `bytes` since the last reset_peak
  std::size_t cached = 0;   ///< capacity of the free blocks kept for reuse
};

/// A ref-counted block of memory; contents are unspecified when it is new.
class Storage {
 public:
  Storage() = default;
  /// A block of at least `bytes`; fails with code memory when there is none.
  static Storage allocate(std::size_t bytes);

  Storage(const Storage& o) : block_(o.block_) { retain(); }
  Storage(Storage&& o) noexcept : block_(o.block_) { o.block_ = nullptr; }
  Storage& operator=(Storage o) noexcept {
    Header* t = block_;
    block_ = o.block_;
    o.block_ = t;
    return *this;
  }
  ~Storage() {
    if (block_ != nullptr && --block_->refs == 0) release(block_);
  }

  void* data() const { return block_ + 1; }
  std::size_t capacity() const { return block_->capacity; }
  /// How many owners share the block.
  uint32_t use_count() const { return block_->refs; }
  /// Identifies the block among those in use.
  const void* id() const { return block_; }

 private:
  struct alignas(64) Header {
    uint32_t refs;
    uint32_t size_class;
    std::size_t capacity;
    Header* next_free;
  };
  friend class Pool;
  static void release(Header* block);
  void retain() const {
    if (block_ != nullptr) ++block_->refs;
  }

  Header* block_ = nullptr;
};

/// Figures as of now.
const Statistics& statistics();
/// Makes the peak what is in use now.
void reset_peak();
/// Gives every cached block back to the heap; returns the bytes given.
std::size_t trim();
/// Test hook: the n-th allocation from now on fails (0 turns it off).
void fail_allocation(uint64_t n);

}  // namespace tidemark::memory
