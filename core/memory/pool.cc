#include "core/memory/pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "core/base/error.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace tidemark::memory {
namespace {

// Four classes per power of two from 64 bytes on: at most a fifth is slack.
constexpr int kClasses = 4 * 27;
// Free blocks beyond this go back to the heap: a working set is reused, the
// remains of one big phase are not hoarded.
constexpr std::size_t kCacheLimit = std::size_t{256} << 20;

// Under AddressSanitizer free blocks and slack must not be touched; elsewhere
// these do nothing.
void poison([[maybe_unused]] void* p, [[maybe_unused]] std::size_t n) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(p, n);
#endif
}
void unpoison([[maybe_unused]] void* p, [[maybe_unused]] std::size_t n) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(p, n);
#endif
}

int class_of(std::size_t bytes) {
  std::size_t units = (bytes + 63) / 64;
  if (units <= 4) return static_cast<int>(std::max<std::size_t>(units, 1)) - 1;
  int log2 = std::bit_width(units - 1) - 1;  // units in (2^log2, 2^(log2+1)]
  std::size_t quarter = (units - 1) >> (log2 - 2);  // 4..7
  return 4 * (log2 - 1) + static_cast<int>(quarter) - 4;
}

std::size_t capacity_of(int size_class) {
  if (size_class < 4) return std::size_t(size_class + 1) * 64;
  int log2 = size_class / 4 + 1;
  std::size_t quarter = size_class % 4 + 5;
  return (quarter << (log2 - 2)) * 64;
}

}  // namespace

class Pool {
 public:
  using Header = Storage::Header;

  Header* take(std::size_t bytes) {
    if (fail_in_ > 0 && --fail_in_ == 0) refuse(bytes);
    int c = class_of(bytes);
    if (c >= kClasses) refuse(bytes);
    Header* block = free_[c];
    if (block != nullptr) {
      free_[c] = block->next_free;
      figures.cached -= block->capacity;
    } else {
      block = from_heap(c, bytes);
    }
    block->refs = 1;
    figures.buffers += 1;
    figures.bytes += block->capacity;
    figures.peak = std::max(figures.peak, figures.bytes);
    // Pads are readable and writable up to the next 64 bytes, slack is not.
    unpoison(block + 1, std::max<std::size_t>((bytes + 63) / 64, 1) * 64);
    return block;
  }

  void give(Header* block) {
    figures.buffers -= 1;
    figures.bytes -= block->capacity;
    if (figures.cached + block->capacity > kCacheLimit) {
      to_heap(block);
      return;
    }
    poison(block + 1, block->capacity);
    block->next_free = free_[block->size_class];
    free_[block->size_class] = block;
    figures.cached += block->capacity;
  }

  std::size_t trim() {
    std::size_t given = figures.cached;
    for (Header*& head : free_) {
      while (head != nullptr) {
        Header* block = head;
        head = block->next_free;
        to_heap(block);
      }
    }
    figures.cached = 0;
    return given;
  }

  Statistics figures;
  uint64_t fail_in_ = 0;

 private:
  [[noreturn]] void refuse(std::size_t bytes) {
    fail(Code::memory, "out of memory: asked for ", bytes, " bytes with ",
         figures.bytes, " bytes in ", figures.buffers, " buffers in use and ",
         figures.cached, " bytes cached");
  }

  Header* from_heap(int size_class, std::size_t bytes) {
    std::size_t capacity = capacity_of(size_class);
    void* p = std::aligned_alloc(64, sizeof(Header) + capacity);
    if (p == nullptr) {
      trim();
      p = std::aligned_alloc(64, sizeof(Header) + capacity);
    }
    if (p == nullptr) refuse(bytes);
    auto* block = static_cast<Header*>(p);
    block->size_class = static_cast<uint32_t>(size_class);
    block->capacity = capacity;
    poison(block + 1, capacity);
    return block;
  }

  void to_heap(Header* block) {
    unpoison(block + 1, block->capacity);
    std::free(block);
  }

  std::array<Header*, kClasses> free_{};
};

namespace {
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

void Storage::release(Header* block) { pool().give(block); }

const Statistics& statistics() { return pool().figures; }
void reset_peak() { pool().figures.peak = pool().figures.bytes; }
std::size_t trim() { return pool().trim(); }
void fail_allocation(uint64_t n) { pool().fail_in_ = n; }

}  // namespace tidemark::memory
