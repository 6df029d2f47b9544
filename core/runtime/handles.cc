#include "core/runtime/handles.h"

namespace tidemark::runtime {

Slot* Handles::find(Handle handle) {
  uint32_t index, generation;
  if (!untag(handle, index, generation)) return nullptr;
  if (index >= slots_.size()) return nullptr;
  Slot& s = slots_[index];
  return s.generation == generation && s.tensor ? &s : nullptr;
}

bool Handles::closed(Handle handle) const {
  uint32_t index, generation;
  return untag(handle, index, generation) && index < slots_.size() &&
         generation != 0 && slots_[index].closed == generation;
}

uint32_t Handles::take(Tensor tensor) {
  uint32_t index = first_free_;
  if (index != kNone) {
    first_free_ = slots_[index].next;
    if (first_free_ == kNone) last_free_ = kNone;
    slots_[index].next = kNone;
  } else {
    if (slots_.size() == kIndices) {
      fail(Code::memory, "out of handles: ", kIndices - 1,
           " tensors are alive at once");
    }
    index = size();
    slots_.emplace_back();
  }
  slots_[index].tensor = std::move(tensor);
  return index;
}

void Handles::release(uint32_t index) {
  Slot& s = slots_[index];
  s.tensor = {};
  s.variable = s.kept = s.result = false;
  s.registered = s.queued = s.counted = false;
  s.previous = s.next = kNone;
  if (++s.generation == kGenerations) return;  // retired
  if (last_free_ == kNone) {
    first_free_ = index;
  } else {
    slots_[last_free_].next = index;
  }
  last_free_ = index;
}

}  // namespace tidemark::runtime
