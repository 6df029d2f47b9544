// The runtime's sessions.

#include "core/runtime/runtime.h"

namespace tidemark::runtime {

uint32_t Runtime::of(ScopeId root) const {
  uint32_t scope = scopes_.find(root);
  if (scope == kNoScope) fail(Code::closed, "Eager session has been closed");
  return scopes_[scope].session;
}

ScopeId Runtime::open_session(int name, Strategy strategy) {
  // A closed session's place is taken again once none of its blocks is left:
  // gradients in progress may hold some.
  uint32_t at = 1;
  while (at < sessions_.size() &&
         (sessions_[at].open || sessions_[at].collectable != 0 ||
          memory::charged(at) != 0)) {
    ++at;
  }
  if (at == sessions_.size()) sessions_.emplace_back();
  memory::set_limit(at, SIZE_MAX);
  uint32_t root = scopes_.open_root(at, name);
  sessions_[at] = {
      .open = true, .strategy = strategy, .name = name, .scope = root};
  return scopes_.id(root);
}

void Runtime::close_session(ScopeId id) {
  uint32_t root = scopes_.find(id);
  if (root == kNoScope) return;
  if (root == 0) {
    fail(Code::state, "Default eager session cannot be closed");
  }
  std::vector<uint32_t> tree = scopes_.below(root);
  if (current_ != kNoScope && scopes_.within(current_, root)) {
    current_ = kNoScope;
  }
  for (std::size_t i = tree.size(); i-- > 0;) {
    for (uint32_t s = scopes_[tree[i]].first; s != kNone;
         s = handles_[s].next) {
      handles_[s].closed = handles_[s].generation;
    }
    free_scope(tree[i], kNoScope);
  }
  sessions_[scopes_[root].session].open = false;
}

ScopeId Runtime::session_of(ScopeId scope) const {
  return scopes_.id(root_of(find_scope(scope, "session")));
}

void Runtime::adopt(ScopeId id, std::span<const Handle> handles) {
  uint32_t session = of(id);
  uint32_t root = sessions_[session].scope;
  for (Handle h : handles) slot_of(h);  // all or none
  for (Handle h : handles) {
    Slot& slot = slot_of(h);
    if (slot.scope == root) continue;
    uint32_t index = handles_.index(&slot);
    unlink(index);
    // While handles of the old session are counted on the block, it stays
    // charged there.
    if (slot.tensor.storage().marks() == 0) {
      slot.tensor.storage().charge(session);
    }
    link(index, root);
  }
}

void Runtime::set_default(int name, Strategy strategy) {
  // What the root owns is counted by the new rule.
  for (uint32_t i = scopes_[0].first; i != kNone; i = handles_[i].next) {
    uncount(handles_[i]);
  }
  sessions_[0].name = scopes_[0].name = name;
  sessions_[0].strategy = strategy;
  for (uint32_t i = scopes_[0].first; i != kNone; i = handles_[i].next) {
    count(handles_[i]);
  }
}

std::vector<ScopeId> Runtime::sessions() const {
  std::vector<ScopeId> out;
  for (const Session& s : sessions_) {
    if (s.open) out.push_back(scopes_.id(s.scope));
  }
  return out;
}

}  // namespace tidemark::runtime
