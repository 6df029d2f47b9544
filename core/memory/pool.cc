#include "core/memory/pool.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/error.h"
#include "core/memory/heap.h"

namespace tidemark::memory {
namespace {

// Up to this size freed blocks are kept by class; the classes are the heap's
// bins, rounded up, so at most a fifth of a block is slack.
constexpr std::size_t kSmall = std::size_t{64} << 10;
constexpr int kClasses = 4 * 10 + 1;

int class_of(std::size_t bytes) {
  int bin = bin_of(bytes);
  return bytes == 0 ? 1 : bin;
}

// The smallest size at or above `bytes` that starts a bin.
std::size_t class_size(std::size_t bytes) {
  std::size_t units = bytes / 64;
  if (units <= 4) return bytes;
  std::size_t step = std::size_t{1} << (std::bit_width(units) - 3);
  return ((units + step - 1) & ~(step - 1)) * 64;
}

class Pool {
 public:
  Block* take(std::size_t bytes) {
    if (fail_in_ > 0 && --fail_in_ == 0) refuse(bytes);
    std::size_t size = padded(bytes);
    Block* block = size <= kSmall ? take_small(class_size(size))
                                  : take_large(size);
    if (block == nullptr) refuse(bytes);
    block->state = Block::State::used;
    block->refs = 1;
    figures_.buffers += 1;
    figures_.bytes += block->capacity;
    figures_.peak = std::max(figures_.peak, figures_.bytes);
    // Pads can be read and written up to the next 64 bytes, slack cannot.
    unpoison(block->payload(), size);
    return block;
  }

  void give(Block* block) {
    figures_.buffers -= 1;
    figures_.bytes -= block->capacity;
    if (block->capacity > kSmall + 192 || small_ > cache_limit_) {
      heap_.give(block);
      if (heap_.free_bytes() > cache_limit_) heap_.trim(cache_limit_);
      return;
    }
    poison(block->payload(), block->capacity);
    block->state = Block::State::cached;
    // The class it can serve whole: the one at or below its capacity.
    Block*& head = classes_[class_of(std::min(block->capacity, kSmall))];
    block->next = head;
    head = block;
    small_ += block->capacity;
  }

  std::size_t trim() {
    flush();
    return heap_.trim(0);
  }

  Statistics figures() const {
    Statistics out = figures_;
    out.cached = small_ + heap_.free_bytes();
    out.reserved = heap_.reserved();
    out.largest_free = heap_.largest_free();
    return out;
  }
  void reset_peak() { figures_.peak = figures_.bytes; }
  std::size_t set_cache_limit(std::size_t bytes) {
    std::swap(bytes, cache_limit_);
    return bytes;
  }
  void fail_allocation(uint64_t n) { fail_in_ = n; }
  void check() const { heap_.check(); }

 private:
  [[noreturn]] void refuse(std::size_t bytes) {
    fail(Code::memory, "out of memory: asked for ", bytes, " bytes with ",
         figures_.bytes, " bytes in ", figures_.buffers,
         " buffers in use and ", small_ + heap_.free_bytes(),
         " bytes free, the largest block ", heap_.largest_free());
  }

  Block* take_small(std::size_t size) {
    Block*& head = classes_[class_of(size)];
    if (head == nullptr) return take_large(size);
    Block* block = head;
    head = block->next;
    small_ -= block->capacity;
    return block;
  }

  Block* take_large(std::size_t size) {
    Block* block = heap_.take(size);
    if (block == nullptr && small_ > 0) {
      flush();
      block = heap_.take(size);
    }
    return block;
  }

  // Hands the kept small blocks to the heap, where they join.
  void flush() {
    for (Block*& head : classes_) {
      while (head != nullptr) {
        Block* block = head;
        head = block->next;
        heap_.give(block);
      }
    }
    small_ = 0;
  }

  Heap heap_;
  std::array<Block*, kClasses> classes_{};
  std::size_t small_ = 0;  // bytes in the classes
  std::size_t cache_limit_ = std::size_t{256} << 20;
  Statistics figures_;
  uint64_t fail_in_ = 0;
};

// Never destroyed: tensors in other statics may outlive it at exit.
Pool& pool() {
  static Pool* instance = new Pool;
  return *instance;
}

}  // namespace

Storage Storage::allocate(std::size_t bytes) {
  Storage s;
  s.block_ = pool().take(bytes);
  return s;
}

void Storage::release(Block* block) { pool().give(block); }

Statistics statistics() { return pool().figures(); }
void reset_peak() { pool().reset_peak(); }
std::size_t set_cache_limit(std::size_t n) { return pool().set_cache_limit(n); }
std::size_t trim() { return pool().trim(); }
void fail_allocation(uint64_t n) { pool().fail_allocation(n); }
void check() { pool().check(); }

}  // namespace tidemark::memory
