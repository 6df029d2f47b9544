#include "core/runtime/handles.h"

namespace tidemark::runtime {

Runtime::Runtime() : slots_(1), names_{"root"}, scopes_(1) {}

const Runtime::Slot* Runtime::find(Handle handle) const {
  // NaN (an undefined argument) fails both comparisons.
  if (!(handle >= 1 && handle < 0x1p52)) return nullptr;
  auto bits = static_cast<uint64_t>(handle);
  auto slot = static_cast<uint32_t>(bits & (kSlots - 1));
  if (slot == 0 || slot >= slots_.size()) return nullptr;
  const Slot& s = slots_[slot];
  return s.generation == bits >> 24 && s.tensor ? &s : nullptr;
}

Handle Runtime::handle_of(uint32_t slot) const {
  return static_cast<double>(uint64_t{slots_[slot].generation} << 24 | slot);
}

uint32_t Runtime::take(Tensor tensor) {
  uint32_t slot = first_free_;
  if (slot != kNone) {
    first_free_ = slots_[slot].next;
    if (first_free_ == kNone) last_free_ = kNone;
    slots_[slot].next = kNone;
  } else {
    if (slots_.size() == kSlots) {
      fail(Code::memory, "out of handles: ", kSlots - 1,
           " tensors are alive at once");
    }
    slot = static_cast<uint32_t>(slots_.size());
    slots_.emplace_back();
  }
  ++live_;
  bytes_ += tensor.bytes();
  slots_[slot].tensor = std::move(tensor);
  return slot;
}

void Runtime::free(uint32_t slot) {
  Slot& s = slots_[slot];
  unlink(slot);
  --live_;
  bytes_ -= s.tensor.bytes();
  s.tensor = {};
  s.variable = s.result = false;
  if (++s.generation == kGenerations) return;  // retired
  if (last_free_ == kNone) {
    first_free_ = slot;
  } else {
    slots_[last_free_].next = slot;
  }
  last_free_ = slot;
}

void Runtime::link(uint32_t slot, ScopeId scope) {
  Slot& s = slots_[slot];
  s.scope = scope;
  s.previous = kNone;
  s.next = scopes_[scope].first;
  if (s.next != kNone) slots_[s.next].previous = slot;
  scopes_[scope].first = slot;
}

void Runtime::unlink(uint32_t slot) {
  Slot& s = slots_[slot];
  if (s.scope == kNoScope) return;
  if (s.next != kNone) slots_[s.next].previous = s.previous;
  if (s.previous != kNone) {
    slots_[s.previous].next = s.next;
  } else {
    scopes_[s.scope].first = s.next;
  }
  s.scope = kNoScope;
  s.previous = s.next = kNone;
}

Handle Runtime::expose(Tensor tensor) {
  uint32_t slot = take(std::move(tensor));
  link(slot, current_);
  return handle_of(slot);
}

Handle Runtime::expose_variable(Tensor tensor) {
  uint32_t slot = take(std::move(tensor));
  slots_[slot].variable = true;
  return handle_of(slot);
}

const Tensor& Runtime::resolve(Handle handle) const {
  const Slot* slot = find(handle);
  if (slot == nullptr) fail(Code::disposed, "Tensor is disposed.");
  return slot->tensor;
}

bool Runtime::dispose(Handle handle) {
  Slot* slot = find(handle);
  if (slot == nullptr) return false;
  free(static_cast<uint32_t>(slot - slots_.data()));
  return true;
}

void Runtime::keep(Handle handle) {
  Slot* slot = find(handle);
  if (slot == nullptr) fail(Code::disposed, "Tensor is disposed.");
  unlink(static_cast<uint32_t>(slot - slots_.data()));
}

void Runtime::assign(Handle variable, Tensor value) {
  Slot* slot = find(variable);
  if (slot == nullptr) fail(Code::disposed, "Tensor is disposed.");
  if (!slot->variable) {
    fail(Code::argument, "assign: the target is not a variable");
  }
  if (slot->tensor.dtype() != value.dtype()) {
    fail(Code::dtype, "assign: dtype of the new value (", value.dtype(),
         ") and previous value (", slot->tensor.dtype(), ") must match");
  }
  if (slot->tensor.shape() != value.shape()) {
    fail(Code::shape, "assign: shape of the new value (", value.shape(),
         ") and previous value (", slot->tensor.shape(), ") must match");
  }
  // A new identity: the tape must not take the variable for the value.
  slot->tensor = value.identical();
}

int Runtime::name(std::string text) {
  names_.push_back(std::move(text));
  return static_cast<int>(names_.size() - 1);
}

ScopeId Runtime::open(int name) {
  scopes_.push_back({name, current_, kNone});
  current_ = static_cast<ScopeId>(scopes_.size() - 1);
  return current_;
}

void Runtime::close_innermost() {
  ScopeId parent = scopes_.back().parent;
  uint32_t results = kNone;
  for (uint32_t slot = scopes_.back().first; slot != kNone;) {
    uint32_t next = slots_[slot].next;
    if (slots_[slot].result) {
      unlink(slot);
      slots_[slot].next = results;
      results = slot;
    } else {
      free(slot);
    }
    slot = next;
  }
  scopes_.pop_back();
  current_ = parent;
  while (results != kNone) {
    uint32_t next = slots_[results].next;
    link(results, parent);
    results = next;
  }
}

void Runtime::close(ScopeId scope, const std::vector<Handle>& results) {
  if (scope == 0 || scope >= scopes_.size()) {
    fail(Code::state, "endScope: no scope is open");
  }
  // A close that fails returns nothing: nobody would get the results.
  for (Handle h : results) {
    if (Slot* s = find(h)) s->result = scope == current_;
  }
  bool in_order = scope == current_;
  const std::string& inner = names_[scopes_[current_].name];
  while (current_ >= scope) close_innermost();
  for (Handle h : results) {
    if (Slot* s = find(h)) s->result = false;
  }
  if (!in_order) {
    fail(Code::state, "endScope: closed out of order, scope '", inner,
         "' was still open inside; it has been closed too");
  }
}

void Runtime::reset() {
  for (uint32_t slot = 1; slot < slots_.size(); ++slot) {
    if (slots_[slot].tensor) free(slot);
  }
  scopes_.resize(1);
  current_ = 0;
}

Runtime& runtime() {
  static Runtime* instance = new Runtime;  // outlives every static
  return *instance;
}

}  // namespace tidemark::runtime
