#pragma once
// A session: the root of a tree of scopes, with a rule for who frees what
// nobody refers to any more, a budget, and counters.

#include <cstddef>
#include <cstdint>

namespace tidemark::runtime {

/// Who frees tensors that JavaScript has lost. The order is part of the
/// JavaScript contract.
enum class Strategy : uint8_t { in_background, on_safe_points, on_close };

struct Session {
  bool open = false;
  Strategy strategy = Strategy::in_background;
  int name = 0;
  uint32_t scope = 0;  ///< its root scope
  std::size_t live = 0, bytes = 0;
  /// Bytes only a collection can free: owned by the root, lost or not.
  std::size_t collectable = 0;
  std::size_t soft = SIZE_MAX;     ///< what `collectable` should stay below
  std::size_t trigger = SIZE_MAX;  ///< from here on there is pressure

  /// Three quarters of the budget: where the trigger is to begin with.
  std::size_t three_quarters() const { return soft - soft / 4; }
};

}  // namespace tidemark::runtime
