#pragma once
// The tensor pool. Payloads are 64-byte aligned and their capacity is a
// multiple of 64, so kernels run whole SIMD batches without a scalar tail.
// Small blocks are kept by size class when freed and given out again at once;
// large ones go to the heap, which joins free neighbours.
//
// One thread owns the pool.

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/memory/block.h"

namespace tidemark::memory {

/// Figures of the pool, in bytes unless the name says otherwise.
struct Statistics {
  std::size_t buffers = 0;       ///< blocks in use
  std::size_t bytes = 0;         ///< capacity of the blocks in use
  std::size_t peak = 0;          ///< highest `bytes` since reset_peak
  std::size_t cached = 0;        ///< free and kept for reuse
  std::size_t reserved = 0;      ///< taken from the system
  std::size_t largest_free = 0;  ///< largest block that needs no growth
};

/// Whom blocks are charged to. Account 0 always exists; the others are what
/// `charge_to` has been told.
using Account = uint32_t;

/// A ref-counted block of memory; contents are unspecified when it is new.
class [[clang::trivial_abi]] Storage {
 public:
  Storage() = default;
  /// A block of at least `bytes`; fails with code memory when there is none.
  static Storage allocate(std::size_t bytes);

  Storage(const Storage& o) : block_(o.block_) { retain(); }
  Storage(Storage&& o) noexcept : block_(o.block_) { o.block_ = nullptr; }
  Storage& operator=(Storage o) noexcept {
    Block* t = block_;
    block_ = o.block_;
    o.block_ = t;
    return *this;
  }
  ~Storage() {
    if (block_ != nullptr && --block_->refs == 0) release(block_);
  }

  void* data() const { return block_->payload(); }
  std::size_t capacity() const { return block_->capacity; }
  /// How many owners share the block.
  uint32_t use_count() const { return block_->refs; }
  /// Identifies the block among those in use.
  const void* id() const { return block_; }
  Account account() const { return block_->account; }
  /// Moves the block's bytes to another account.
  void charge(Account account) const;
  /// A number the runtime keeps per block; 0 when the block is new.
  uint32_t& marks() const { return block_->marks; }

 private:
  static void release(Block* block);
  void retain() const {
    if (block_ != nullptr) ++block_->refs;
  }

  Block* block_ = nullptr;
};

/// Figures as of now.
Statistics statistics();
/// New blocks are charged to `account` from now on; returns the one before.
Account charge_to(Account account);
/// Bytes in use that are charged to `account`.
std::size_t charged(Account account);
/// What the account may have in use; SIZE_MAX for no limit.
void set_limit(Account account, std::size_t bytes);

/// What to do when memory is short. `reclaim` frees what can be freed, after
/// which the allocation is tried once more; `explain` ends the error's text.
struct Shortage {
  void (*reclaim)() = nullptr;
  std::string (*explain)() = nullptr;
};
/// Sets that; returns what was set before.
Shortage on_shortage(Shortage shortage);

/// Makes the peak what is in use now.
void reset_peak();
/// Free memory above this goes back to the system; returns the limit before.
std::size_t set_cache_limit(std::size_t bytes);
/// Gives all free memory that can go back to the system; returns the bytes.
std::size_t trim();
/// Test hook: the n-th allocation from now on fails (0 turns it off).
void fail_allocation(uint64_t n);
/// Test hook: fails with code internal when an invariant does not hold.
void check();

}  // namespace tidemark::memory
