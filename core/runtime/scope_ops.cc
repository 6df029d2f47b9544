// The runtime's scopes: opening, entering, closing.

#include <algorithm>

#include "core/runtime/runtime.h"

namespace tidemark::runtime {
namespace {

std::string in_quotes(const std::string& name) { return "'" + name + "'"; }

}  // namespace

int Runtime::name(std::string text) {
  names_.push_back(std::move(text));
  return static_cast<int>(names_.size() - 1);
}

const std::string& Runtime::name_of(ScopeId scope) const {
  return label(find_scope(scope, "scope"));
}

uint32_t Runtime::current_or_fail(const char* op) const {
  if (current_ == kNoScope) {
    fail(Code::closed, op, "Eager session has been closed");
  }
  return current_;
}

uint32_t Runtime::find_scope(ScopeId scope, const char* op) const {
  uint32_t index = scopes_.find(scope);
  if (index == kNoScope) {
    fail(Code::closed, op, ": the scope has been closed");
  }
  return index;
}

void Runtime::set_current(uint32_t scope) {
  current_ = scope;
  if (scope != kNoScope) memory::charge_to(scopes_[scope].session);
}

ScopeId Runtime::open(int name) {
  uint32_t parent = current_or_fail("");
  // The same session: the account stays.
  current_ = scopes_.open(parent, name);
  return scopes_.id(current_);
}

ScopeId Runtime::open_under(ScopeId parent, int name) {
  return scopes_.id(scopes_.open(find_scope(parent, "scope"), name));
}

ScopeId Runtime::enter(ScopeId scope) {
  uint32_t index = find_scope(scope, "run");
  ScopeId before = current();
  set_current(index);
  return before;
}

void Runtime::exit(ScopeId scope, ScopeId before, ScopeId session) {
  bool in_order = current_ == kNoScope || current() == scope;
  std::string inner = in_order ? "" : label(current_);
  uint32_t to = scopes_.find(before);
  if (to == kNoScope) to = scopes_.find(session);
  set_current(to);
  if (!in_order && !is_open(scope)) {
    fail(Code::closed, "run: the scope was closed while its function ran");
  }
  if (!in_order) {
    fail(Code::state, "run: scope ", in_quotes(inner),
         " was opened inside and is still open");
  }
}

// Frees what the scope owns but for results, which go to `heir`, and the scope.
void Runtime::free_scope(uint32_t scope, uint32_t heir) {
  for (uint32_t i = scopes_[scope].first; i != kNone;) {
    uint32_t next = handles_[i].next;
    if (handles_[i].result) {
      move(i, heir);
    } else {
      free(i);
    }
    i = next;
  }
  scopes_.close(scope);
}

void Runtime::close_tree(uint32_t scope, std::span<const Handle> results,
                         Orphans orphans) {
  open_inside_.clear();
  uint32_t parent = scopes_[scope].parent;
  if (orphans == Orphans::adopt) scopes_.orphan(scope);
  std::vector<uint32_t> tree;
  if (scopes_[scope].first_child != kNoScope) {
    tree = scopes_.below(scope);
    for (std::size_t i = 1; i < tree.size(); ++i) {
      open_inside_.push_back(scopes_.id(tree[i]));
    }
    results = {};  // nobody gets them: the caller gets an error
  }
  for (Handle h : results) {
    if (Slot* s = handles_.find(h)) s->result = true;
  }
  for (std::size_t i = tree.size(); i-- > 1;) free_scope(tree[i], parent);
  free_scope(scope, parent);
  for (Handle h : results) {
    if (Slot* s = handles_.find(h)) s->result = false;
  }
}

void Runtime::close(ScopeId id, std::span<const Handle> results,
                    Orphans orphans) {
  uint32_t scope = find_scope(id, "endScope");
  if (root(scope)) fail(Code::state, "endScope: no scope is open");
  uint32_t parent = scopes_[scope].parent;
  std::string name, inner;
  if (orphans == Orphans::refuse) {
    for (uint32_t c = scopes_[scope].first_child; c != kNoScope;
         c = scopes_[c].next) {
      inner += (inner.empty() ? "" : ", ") + in_quotes(label(c));
    }
    if (!inner.empty()) name = label(scope);
  }
  bool inside = current_ != kNoScope && scopes_.within(current_, scope) &&
                (orphans == Orphans::refuse || current_ == scope);
  close_tree(scope, results, orphans);
  if (inside) current_ = parent;
  if (!inner.empty()) {
    fail(Code::state, "endScope: ", in_quotes(name), " was closed while ",
         inner, " inside was still open; it has been closed too");
  }
}

void Runtime::leave(ScopeId id, std::span<const Handle> results) {
  uint32_t scope = scopes_.find(id);
  if (scope == kNoScope && current_ == kNoScope) return;  // with its session
  if (scope == current_ && scopes_[scope].first_child == kNoScope &&
      !root(scope)) {
    // The way nearly all take.
    uint32_t parent = scopes_[scope].parent;
    close_tree(scope, results, Orphans::refuse);
    current_ = parent;
    return;
  }
  if (scope == kNoScope || root(scope)) {
    fail(Code::state, "endScope: no scope is open");
  }
  bool in_order =
      current_ == kNoScope || scopes_.within(current_, scope);
  std::string other = in_order ? "" : label(current_);
  std::string name = label(scope);
  set_current(scopes_[scope].parent);
  close(id, in_order ? results : std::span<const Handle>());
  if (!in_order) {
    fail(Code::state, "endScope: ", in_quotes(name),
         " was closed out of order, scope ", in_quotes(other),
         " was current");
  }
}

void Runtime::give(ScopeId id, std::span<const Handle> handles) {
  uint32_t scope = find_scope(id, "move");
  if (root(scope)) fail(Code::state, "move: a session has no parent");
  for (Handle h : handles) {
    Slot& slot = slot_of(h);
    if (slot.scope == scope) {
      move(handles_.index(&slot), scopes_[scope].parent);
    }
  }
}

std::vector<Handle> Runtime::owned(ScopeId id) const {
  std::vector<Handle> out;
  for (uint32_t scope : scopes_.below(find_scope(id, "scope"))) {
    for (uint32_t i = scopes_[scope].first; i != kNone;
         i = handles_[i].next) {
      out.push_back(handles_.handle(i));
    }
  }
  return out;
}

}  // namespace tidemark::runtime
