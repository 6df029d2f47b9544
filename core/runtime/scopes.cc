#include "core/runtime/scopes.h"

#include "core/base/error.h"

namespace tidemark::runtime {

uint32_t Scopes::take() {
  if (!free_.empty()) {
    uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }
  if (scopes_.size() == kIndices) {
    fail(Code::memory, "startScope: ", kIndices, " scopes are open at once");
  }
  scopes_.emplace_back();
  // So that closing never allocates.
  free_.reserve(scopes_.capacity());
  return size() - 1;
}

void Scopes::attach(uint32_t index, uint32_t parent) {
  Scope& s = scopes_[index];
  Scope& p = scopes_[parent];
  s.parent = parent;
  s.previous = kNoScope;
  s.next = p.first_child;
  if (s.next != kNoScope) scopes_[s.next].previous = index;
  p.first_child = index;
}

void Scopes::detach(uint32_t index) {
  Scope& s = scopes_[index];
  if (s.parent == kNoScope) return;
  if (s.next != kNoScope) scopes_[s.next].previous = s.previous;
  if (s.previous != kNoScope) {
    scopes_[s.previous].next = s.next;
  } else {
    scopes_[s.parent].first_child = s.next;
  }
  s.parent = s.previous = s.next = kNoScope;
}

uint32_t Scopes::open(uint32_t parent, int name) {
  uint32_t index = take();
  Scope& s = scopes_[index];
  s.open = true;
  s.name = name;
  s.session = scopes_[parent].session;
  attach(index, parent);
  return index;
}

uint32_t Scopes::open_root(uint32_t session, int name) {
  uint32_t index = take();
  Scope& s = scopes_[index];
  s.open = true;
  s.name = name;
  s.session = session;
  return index;
}

void Scopes::close(uint32_t index) {
  detach(index);
  Scope& s = scopes_[index];
  s.open = false;
  if (++s.generation != kGenerations) free_.push_back(index);
}

void Scopes::orphan(uint32_t index) {
  uint32_t parent = scopes_[index].parent;
  while (scopes_[index].first_child != kNoScope) {
    uint32_t child = scopes_[index].first_child;
    detach(child);
    attach(child, parent);
  }
}

uint32_t Scopes::find(ScopeId id) const {
  uint32_t index, generation;
  if (!untag(id, index, generation) || index >= scopes_.size()) {
    return kNoScope;
  }
  const Scope& s = scopes_[index];
  return s.open && s.generation == generation ? index : kNoScope;
}

std::vector<uint32_t> Scopes::below(uint32_t index) const {
  std::vector<uint32_t> out{index};
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (uint32_t c = scopes_[out[i]].first_child; c != kNoScope;
         c = scopes_[c].next) {
      out.push_back(c);
    }
  }
  return out;
}

bool Scopes::within(uint32_t index, uint32_t ancestor) const {
  while (index != kNoScope && index != ancestor) index = scopes_[index].parent;
  return index == ancestor;
}

}  // namespace tidemark::runtime
