#include "core/memory/heap.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "core/base/error.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace tidemark::memory {
namespace {

// The first arena; later ones are about a quarter of all before them. Powers
// of two and a bound keep them alike: an arena that goes back to the system
// leaves room for others, and that memory never shrinks.
constexpr std::size_t kArena = std::size_t{4} << 20;
constexpr std::size_t kLargestArena = std::size_t{64} << 20;
// A remainder smaller than this stays with the block it would be cut from.
constexpr std::size_t kCut = sizeof(Block) + 192;
// How many blocks of a bin are compared for the best fit.
constexpr int kCompared = 16;

}  // namespace

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

int bin_of(std::size_t bytes) {
  std::size_t units = bytes / 64;
  if (units < 4) return static_cast<int>(units);
  int log2 = std::bit_width(units) - 1;
  auto quarter = static_cast<int>(units >> (log2 - 2)) - 4;
  return std::min(4 * (log2 - 1) + quarter, kBins - 1);
}

void Heap::insert(Block* block) {
  block->state = Block::State::free;
  int bin = bin_of(block->capacity);
  block->previous = nullptr;
  block->next = bins_[bin];
  if (block->next != nullptr) block->next->previous = block;
  bins_[bin] = block;
  filled_[bin / 64] |= uint64_t{1} << (bin % 64);
  free_ += block->capacity;
}

void Heap::remove(Block* block) {
  int bin = bin_of(block->capacity);
  if (block->next != nullptr) block->next->previous = block->previous;
  if (block->previous != nullptr) {
    block->previous->next = block->next;
  } else {
    bins_[bin] = block->next;
    if (block->next == nullptr) {
      filled_[bin / 64] &= ~(uint64_t{1} << (bin % 64));
    }
  }
  free_ -= block->capacity;
}

Block* Heap::find(std::size_t bytes) const {
  // Blocks of the request's own bin may be too small; the smallest that is
  // not wins. Any block of a later bin fits, and the first such bin is best.
  int bin = bin_of(bytes);
  Block* best = nullptr;
  int compared = 0;
  for (Block* b = bins_[bin]; b != nullptr && compared < kCompared;
       b = b->next, ++compared) {
    if (b->capacity >= bytes &&
        (best == nullptr || b->capacity < best->capacity)) {
      best = b;
    }
  }
  if (best != nullptr) return best;
  for (int next = bin + 1; next < kBins;) {
    uint64_t bits = filled_[next / 64] >> (next % 64);
    if (bits != 0) return bins_[next + std::countr_zero(bits)];
    next = (next / 64 + 1) * 64;
  }
  return nullptr;
}

Block* Heap::grow(std::size_t bytes) {
  std::size_t need = bytes + 2 * sizeof(Block);
  std::size_t size = std::clamp(std::bit_floor(reserved_ / 4), kArena,
                                kLargestArena);
  // Tensors of round sizes should fill it, headers and all.
  size = std::max(need, size + size / 1024);
  void* p = std::aligned_alloc(64, size);
  if (p == nullptr && size > need) p = std::aligned_alloc(64, size = need);
  if (p == nullptr) return nullptr;
  auto* first = static_cast<Block*>(p);
  first->capacity = size - 2 * sizeof(Block);
  first->left = nullptr;
  Block* fence = first->right();
  fence->state = Block::State::fence;
  fence->left = first;
  fence->capacity = 0;
  poison(first->redzone, sizeof first->redzone);
  poison(fence->redzone, sizeof fence->redzone);
  poison(first->payload(), first->capacity);
  arenas_.push_back({first, size});
  reserved_ += size;
  insert(first);
  return first;
}

Block* Heap::take(std::size_t bytes) {
  bytes = padded(bytes);
  Block* block = find(bytes);
  if (block == nullptr) block = grow(bytes);
  if (block == nullptr) return nullptr;
  remove(block);
  if (block->capacity >= bytes + kCut) {
    std::size_t rest = block->capacity - bytes - sizeof(Block);
    Block* right = block->right();
    block->capacity = bytes;
    Block* cut = block->right();
    unpoison(cut, sizeof(Block));
    cut->capacity = rest;
    cut->left = block;
    right->left = cut;
    poison(cut->redzone, sizeof cut->redzone);
    insert(cut);
  }
  block->state = Block::State::used;
  return block;
}

void Heap::give(Block* block) {
  Block* right = block->right();
  if (right->state == Block::State::free) {
    remove(right);
    block->capacity += sizeof(Block) + right->capacity;
    block->right()->left = block;
  }
  Block* left = block->left;
  if (left != nullptr && left->state == Block::State::free) {
    remove(left);
    left->capacity += sizeof(Block) + block->capacity;
    left->right()->left = left;
    block = left;
  }
  poison(block->payload(), block->capacity);
  insert(block);
}

std::size_t Heap::trim(std::size_t keep) {
  std::size_t given = 0;
  for (std::size_t i = arenas_.size(); i-- > 0 && free_ > keep;) {
    Block* first = arenas_[i].first;
    bool empty = first->state == Block::State::free &&
                 first->right()->state == Block::State::fence;
    if (!empty) continue;
    remove(first);
    given += arenas_[i].bytes;
    reserved_ -= arenas_[i].bytes;
    unpoison(first, arenas_[i].bytes);
    std::free(first);
    arenas_.erase(arenas_.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return given;
}

std::size_t Heap::largest_free() const {
  for (int bin = kBins - 1; bin >= 0; --bin) {
    std::size_t largest = 0;
    for (Block* b = bins_[bin]; b != nullptr; b = b->next) {
      largest = std::max(largest, b->capacity);
    }
    if (largest > 0) return largest;
  }
  return 0;
}

void Heap::check() const {
  std::size_t free = 0;
  for (const Arena& arena : arenas_) {
    Block* left = nullptr;
    for (Block* b = arena.first; b->state != Block::State::fence;
         b = b->right()) {
      bool two_free = left != nullptr && left->state == Block::State::free &&
                      b->state == Block::State::free;
      if (b->left != left || b->capacity % 64 != 0 || two_free) {
        fail(Code::internal, "heap: a block is out of order");
      }
      if (b->state == Block::State::free) free += b->capacity;
      left = b;
    }
  }
  std::size_t binned = 0;
  for (int bin = 0; bin < kBins; ++bin) {
    bool bit = filled_[bin / 64] >> (bin % 64) & 1;
    if (bit != (bins_[bin] != nullptr)) {
      fail(Code::internal, "heap: bin ", bin, " and its bit differ");
    }
    for (Block* b = bins_[bin]; b != nullptr; b = b->next) {
      binned += b->capacity;
    }
  }
  if (free != free_ || binned != free_) {
    fail(Code::internal, "heap: ", free_, " bytes free, found ", free, " and ",
         binned);
  }
}

}  // namespace tidemark::memory
