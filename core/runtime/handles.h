#pragma once
// Handles: what JavaScript holds of a tensor. A handle is one number made of a
// slot and the slot's generation, so freeing twice is harmless and use after
// free is always noticed.
//
// Invariants: slot 0 is never valid; a slot is live (holds a tensor and belongs
// to one scope or to none) or free; freeing raises the generation; free slots
// are reused oldest first; a slot whose generations are used up is retired.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace tidemark::runtime {

/// slot + generation * 2^24, exact in a double; 0 is no handle.
using Handle = double;

/// A scope of the tree; 0 is the root, which is never closed.
using ScopeId = uint32_t;

class Runtime {
 public:
  Runtime();

  /// Makes `tensor` visible to JavaScript, owned by the current scope.
  Handle expose(Tensor tensor);
  /// The same for a variable: no scope owns it, and it can be assigned.
  Handle expose_variable(Tensor tensor);
  /// The tensor behind a handle. Fails with code disposed when it is gone.
  const Tensor& resolve(Handle handle) const;
  bool alive(Handle handle) const { return find(handle) != nullptr; }
  /// Frees the handle; false when it was gone already.
  bool dispose(Handle handle);
  /// Takes the handle out of its scope: only dispose frees it from now on.
  void keep(Handle handle);
  /// Swaps a variable's tensor. Shape and dtype must match.
  void assign(Handle variable, Tensor value);

  /// A number for a scope's name, so that opening one passes no string.
  int name(std::string text);
  /// Opens a scope under the current one and enters it.
  ScopeId open(int name);
  /// Closes the current scope, which must be `scope`: frees its tensors but
  /// for `results`, which move to the parent. When inner scopes are still
  /// open they are closed too and a state error names the innermost.
  void close(ScopeId scope, const std::vector<Handle>& results);
  ScopeId current() const { return current_; }

  std::size_t live() const { return live_; }
  /// Bytes of all live tensors, each counted whole even where storage is
  /// shared, as TensorFlow.js counts.
  std::size_t bytes() const { return bytes_; }

  /// Frees every tensor and closes every scope.
  void reset();

 private:
  static constexpr uint32_t kNone = 0;
  static constexpr uint32_t kSlots = 1u << 24;
  static constexpr uint32_t kGenerations = 1u << 28;
  static constexpr uint32_t kNoScope = 0xffffffff;

  struct Slot {
    Tensor tensor;
    uint32_t generation = 1;
    uint32_t scope = kNoScope;
    uint32_t previous = kNone, next = kNone;  // in the scope, or free list
    bool variable = false;
    bool result = false;  // survives the close in progress
  };
  struct Scope {
    int name = 0;
    ScopeId parent = 0;
    uint32_t first = kNone;
  };

  const Slot* find(Handle handle) const;
  Slot* find(Handle handle) {
    return const_cast<Slot*>(std::as_const(*this).find(handle));
  }
  uint32_t take(Tensor tensor);
  void free(uint32_t slot);
  void link(uint32_t slot, ScopeId scope);
  void unlink(uint32_t slot);
  Handle handle_of(uint32_t slot) const;
  void close_innermost();

  std::vector<Slot> slots_;
  std::vector<std::string> names_;
  std::vector<Scope> scopes_;  // a stack: scope id = index
  ScopeId current_ = 0;
  uint32_t first_free_ = kNone, last_free_ = kNone;
  std::size_t live_ = 0, bytes_ = 0;
};

/// The runtime of this module.
Runtime& runtime();

}  // namespace tidemark::runtime
