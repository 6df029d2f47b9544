#pragma once
// A block of tensor memory: 64 bytes of header, then the payload. What the
// header's fields mean depends on who has the block: its users (refs), a free
// list (next, previous), or nobody but its neighbours (left, capacity).

#include <cstddef>
#include <cstdint>

namespace tidemark::memory {

struct alignas(64) Block {
  enum class State : uint32_t { used, cached, free, fence };

  // Comes first so that writing past the payload before hits it; poisoned
  // under AddressSanitizer.
  std::byte redzone[16];
  uint32_t refs;
  State state;
  std::size_t capacity;  ///< payload bytes, a multiple of 64
  Block* left;           ///< the neighbour before, null at an arena's start
  Block* next;           ///< in a list of free or cached blocks
  Block* previous;       ///< in a list of free blocks

  void* payload() { return this + 1; }
  /// The neighbour after; a fence at an arena's end.
  Block* right() {
    return reinterpret_cast<Block*>(static_cast<std::byte*>(payload()) +
                                    capacity);
  }
};
static_assert(sizeof(Block) == 64);

/// Bytes as a payload: a multiple of 64, at least 64.
constexpr std::size_t padded(std::size_t bytes) {
  return bytes <= 64 ? 64 : (bytes + 63) & ~std::size_t{63};
}

/// Under AddressSanitizer memory nobody owns must not be touched; elsewhere
/// these do nothing.
void poison(void* p, std::size_t n);
void unpoison(void* p, std::size_t n);

}  // namespace tidemark::memory
