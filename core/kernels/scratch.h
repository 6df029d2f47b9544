#pragma once
// Working memory that kernels reuse between calls. It holds packed panels and
// the like, never results, so it stays small and is not part of a tensor's
// accounting.

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// Who uses a buffer; two users that are active together need two slots.
enum class Scratch { kPanelA, kPanelB, kVector, kRows, kCount };

/// At least `bytes` bytes of this thread, 64-byte aligned and padded by 64;
/// contents are unspecified and last until the slot's next use.
void* scratch(Scratch slot, std::size_t bytes);

/// scratch() for `count` values of type T.
template <class T>
T* scratch_of(Scratch slot, Index count) {
  return static_cast<T*>(
      scratch(slot, static_cast<std::size_t>(count) * sizeof(T)));
}

/// Bytes that this thread's buffers hold now.
std::size_t scratch_bytes();

}  // namespace tidemark::kernels
