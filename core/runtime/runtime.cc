#include "core/runtime/runtime.h"

namespace tidemark::runtime {

Runtime::Runtime() : sessions_(1), names_{"default"} {
  scopes_.open_root(0, 0);
  sessions_[0].open = true;
}

Runtime::~Runtime() { memory::charge_to(0); }

Slot& Runtime::slot_of(Handle handle) {
  Slot* slot = handles_.find(handle);
  if (slot == nullptr) resolve(handle);  // fails
  return *slot;
}

// ---- ownership --------------------------------------------------------------

void Runtime::link(uint32_t index, uint32_t scope) {
  Slot& s = handles_[index];
  Scope& owner = scopes_[scope];
  s.scope = scope;
  s.previous = kNone;
  s.next = owner.first;
  if (s.next != kNone) handles_[s.next].previous = index;
  owner.first = index;
  Session& session = sessions_[owner.session];
  ++session.live;
  session.bytes += s.tensor.bytes();
  count(s);
}

void Runtime::unlink(uint32_t index) {
  Slot& s = handles_[index];
  Scope& owner = scopes_[s.scope];
  uncount(s);
  if (s.next != kNone) handles_[s.next].previous = s.previous;
  if (s.previous != kNone) {
    handles_[s.previous].next = s.next;
  } else {
    owner.first = s.next;
  }
  s.previous = s.next = kNone;
  Session& session = sessions_[owner.session];
  --session.live;
  session.bytes -= s.tensor.bytes();
}

// A block counts once however many handles share it, for the session it is
// charged to.
void Runtime::count(Slot& s) {
  if (s.variable || s.queued || !collects(s.scope)) return;
  s.counted = true;
  const memory::Storage& storage = s.tensor.storage();
  if (storage.marks()++ == 0) {
    sessions_[storage.account()].collectable += storage.capacity();
  }
}

// Returns the bytes that count no more.
std::size_t Runtime::uncount(Slot& s) {
  if (!s.counted) return 0;
  s.counted = false;
  const memory::Storage& storage = s.tensor.storage();
  if (--storage.marks() > 0) return 0;
  Session& session = sessions_[storage.account()];
  session.collectable -= storage.capacity();
  // What a failed rescue could not free is gone: the old rule holds again.
  if (session.collectable < session.three_quarters()) {
    session.trigger = session.three_quarters();
  }
  return storage.capacity();
}

void Runtime::move(uint32_t index, uint32_t scope) {
  unlink(index);
  link(index, scope);
}

void Runtime::free(uint32_t index) {
  unlink(index);
  named_ -= handles_[index].queued;
  --live_;
  bytes_ -= handles_[index].tensor.bytes();
  handles_.release(index);
}

// ---- handles ----------------------------------------------------------------

Handle Runtime::expose(Tensor tensor) {
  uint32_t scope = current_or_fail("");
  std::size_t bytes = tensor.bytes();
  uint32_t index = handles_.take(std::move(tensor));
  ++live_;
  bytes_ += bytes;
  link(index, scope);
  return handles_.handle(index);
}

void Runtime::expose(std::span<const Tensor> tensors, double* out) {
  std::size_t done = 0;
  try {
    for (; done < tensors.size(); ++done) {
      out[done] = tensors[done] ? expose(tensors[done]) : 0;
    }
  } catch (...) {
    while (done-- > 0) dispose(out[done]);
    throw;
  }
}

Handle Runtime::expose_variable(Tensor tensor) {
  uint32_t scope = root_of(current_or_fail(""));
  std::size_t bytes = tensor.bytes();
  uint32_t index = handles_.take(std::move(tensor));
  handles_[index].variable = true;
  ++live_;
  bytes_ += bytes;
  link(index, scope);
  return handles_.handle(index);
}

const Tensor& Runtime::resolve(Handle handle) const {
  const Slot* slot = handles_.find(handle);
  if (slot == nullptr) {
    missing_ = handle;
    fail(Code::disposed, "Tensor is disposed.",
         closed(handle) ? " Eager session has been closed." : "");
  }
  return slot->tensor;
}

bool Runtime::kept(Handle handle) const {
  const Slot* slot = handles_.find(handle);
  return slot != nullptr && slot->kept;
}

bool Runtime::dispose(Handle handle) {
  Slot* slot = handles_.find(handle);
  if (slot == nullptr) return false;
  free(handles_.index(slot));
  return true;
}

void Runtime::keep(Handle handle) {
  Slot& slot = slot_of(handle);
  slot.kept = true;
  uint32_t session = root_of(slot.scope);
  if (slot.scope != session) move(handles_.index(&slot), session);
}

void Runtime::assign(Handle variable, Tensor value) {
  Slot& slot = slot_of(variable);
  if (!slot.variable) {
    fail(Code::argument, "assign: the target is not a variable");
  }
  if (slot.tensor.dtype() != value.dtype()) {
    fail(Code::dtype, "assign: dtype of the new value (", value.dtype(),
         ") and previous value (", slot.tensor.dtype(), ") must match");
  }
  if (slot.tensor.shape() != value.shape()) {
    fail(Code::shape, "assign: shape of the new value (", value.shape(),
         ") and previous value (", slot.tensor.shape(), ") must match");
  }
  // A new identity: the tape must not take the variable for the value.
  slot.tensor = value.identical();
}

// ---- all of it --------------------------------------------------------------

std::vector<Handle> Runtime::all() const {
  std::vector<Handle> out;
  out.reserve(live_);
  for (uint32_t i = 1; i < handles_.size(); ++i) {
    if (handles_[i].tensor) out.push_back(handles_.handle(i));
  }
  return out;
}

void Runtime::reset() {
  for (ScopeId root : sessions()) {
    if (root != 0) close_session(root);
  }
  for (uint32_t i : scopes_.below(0)) {
    while (scopes_[i].first != kNone) free(scopes_[i].first);
  }
  std::vector<uint32_t> open = scopes_.below(0);
  while (open.size() > 1) {
    scopes_.close(open.back());
    open.pop_back();
  }
  background_.clear();
  waiting_.clear();
  pending_any_ = false;
  set_current(0);
}

void Runtime::check() const {
  std::size_t live = 0, bytes = 0;
  for (uint32_t scope = 0; scope < scopes_.size(); ++scope) {
    if (!scopes_[scope].open && scopes_[scope].first != kNone) {
      fail(Code::internal, "runtime: a closed scope owns a tensor");
    }
    uint32_t before = kNone;
    for (uint32_t i = scopes_[scope].first; i != kNone;
         i = handles_[i].next) {
      const Slot& s = handles_[i];
      if (!s.tensor || s.scope != scope || s.previous != before) {
        fail(Code::internal, "runtime: slot ", i, " is out of order");
      }
      bool counted = !s.variable && !s.queued && collects(scope);
      if (s.counted != counted || s.result) {
        fail(Code::internal, "runtime: slot ", i, " has a wrong flag");
      }
      ++live;
      bytes += s.tensor.bytes();
      before = i;
    }
  }
  std::size_t in_sessions = 0;
  for (const Session& session : sessions_) in_sessions += session.live;
  if (live != live_ || bytes != bytes_ || in_sessions != live_) {
    fail(Code::internal, "runtime: ", live_, " tensors of ", bytes_,
         " bytes, found ", live, " of ", bytes);
  }
}

Runtime& runtime() {
  static Runtime* instance = [] {
    memory::on_shortage({[] { runtime().drain(SIZE_MAX, true); },
                         [] { return runtime().account(); }});
    return new Runtime;  // outlives every static
  }();
  return *instance;
}

}  // namespace tidemark::runtime
