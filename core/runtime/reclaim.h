#pragma once
// The reclaim queue: handles that finalizers have named, waiting for a safe
// point. Names are all that is kept, so one that has been freed meanwhile does
// no harm.

#include <cstddef>
#include <vector>

#include "core/runtime/handles.h"

namespace tidemark::runtime {

/// First in, first out.
class ReclaimQueue {
 public:
  void push(Handle handle) { waiting_.push_back(handle); }
  /// Takes the oldest; there must be one.
  Handle pop() {
    Handle handle = waiting_[head_++];
    // What is used up goes when it is half of the list, so that popping is
    // constant on average and the list does not grow for ever.
    if (head_ * 2 >= waiting_.size()) {
      waiting_.erase(waiting_.begin(),
                     waiting_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
    return handle;
  }
  std::size_t size() const { return waiting_.size() - head_; }
  void clear() {
    waiting_.clear();
    head_ = 0;
  }

 private:
  std::vector<Handle> waiting_;
  std::size_t head_ = 0;
};

}  // namespace tidemark::runtime
