#pragma once
// Handles: what JavaScript holds of a tensor. A handle is one number made of a
// slot and the slot's generation, so freeing twice is harmless and use after
// free is always noticed.
//
// Invariants: slot 0 is never valid; a slot is live (holds a tensor) or free;
// freeing raises the generation; free slots are reused oldest first; a slot
// whose generations are used up is retired.

#include <cstdint>
#include <vector>

#include "core/runtime/tag.h"
#include "core/tensor/tensor.h"

namespace tidemark::runtime {

/// The tag of a slot; 0 is no handle.
using Handle = double;

/// No slot.
inline constexpr uint32_t kNone = 0;

struct Slot {
  Tensor tensor;
  uint32_t generation = 1;
  uint32_t closed = 0;  ///< the last generation freed by closing a session
  uint32_t scope = 0;   ///< index of the scope that owns it
  uint32_t previous = kNone, next = kNone;  ///< in that scope, or free list
  bool variable = false;
  bool kept = false;
  bool result = false;      ///< survives the close in progress
  bool registered = false;  ///< a finalizer will name it
  bool queued = false;      ///< a finalizer has named it
  bool counted = false;     ///< among the collectable bytes
};

/// The table of slots; whose they are is decided elsewhere.
class Handles {
 public:
  Handles() : slots_(1) {}

  /// The live slot a handle names, or null.
  Slot* find(Handle handle);
  const Slot* find(Handle handle) const {
    return const_cast<Handles*>(this)->find(handle);
  }
  /// True when the handle was freed because its session was closed.
  bool closed(Handle handle) const;
  /// Puts a tensor into a slot; fails with code memory when all are live.
  uint32_t take(Tensor tensor);
  /// Frees a live slot.
  void release(uint32_t index);

  Handle handle(uint32_t index) const {
    return tag(index, slots_[index].generation);
  }
  uint32_t index(const Slot* slot) const {
    return static_cast<uint32_t>(slot - slots_.data());
  }
  Slot& operator[](uint32_t index) { return slots_[index]; }
  const Slot& operator[](uint32_t index) const { return slots_[index]; }
  /// Slots that were ever live, and slot 0.
  uint32_t size() const { return static_cast<uint32_t>(slots_.size()); }

 private:
  std::vector<Slot> slots_;
  uint32_t first_free_ = kNone, last_free_ = kNone;
};

}  // namespace tidemark::runtime
