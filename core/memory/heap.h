#pragma once
// Best fit with coalescing over arenas from the system. Arenas grow
// geometrically and go back to the system when all of one is free and more
// than enough is.
//
// Invariants: blocks tile an arena from its start to its fence; no two free
// neighbours; every free block is in the bin of its size, and a bin's bit is
// set exactly when the bin is not empty.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory/block.h"

namespace tidemark::memory {

/// Bins: four per power of two, from 64 bytes on.
inline constexpr int kBins = 4 * 30;

/// The bin whose blocks have at least the size of all smaller bins.
int bin_of(std::size_t bytes);

class Heap {
 public:
  /// A used block of at least `bytes`, or null when the system refuses.
  Block* take(std::size_t bytes);
  /// Takes a block back and joins it with free neighbours.
  void give(Block* block);
  /// Returns wholly free arenas to the system until at most `keep` bytes are
  /// free; gives the bytes returned.
  std::size_t trim(std::size_t keep);

  std::size_t reserved() const { return reserved_; }
  std::size_t free_bytes() const { return free_; }
  std::size_t largest_free() const;
  /// Test hook: fails with code internal when an invariant does not hold.
  void check() const;

 private:
  struct Arena {
    Block* first;
    std::size_t bytes;
  };

  Block* find(std::size_t bytes) const;
  Block* grow(std::size_t bytes);
  void insert(Block* block);
  void remove(Block* block);

  std::array<Block*, kBins> bins_{};
  std::array<uint64_t, 2> filled_{};
  std::vector<Arena> arenas_;
  std::size_t reserved_ = 0, free_ = 0;
};

}  // namespace tidemark::memory
