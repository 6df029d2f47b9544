#pragma once
// The tree of scopes. A scope has a parent, and a list of the slots it owns;
// scopes without a parent are the roots of sessions. Which one is current is
// the runtime's business: entering is separate from opening, so that scopes
// of interleaved async functions stay apart.

#include <cstdint>
#include <vector>

#include "core/runtime/tag.h"

namespace tidemark::runtime {

/// The tag of a scope; 0 is the root of the default session.
using ScopeId = double;

/// No scope.
inline constexpr uint32_t kNoScope = 0xffffffff;

struct Scope {
  uint32_t generation = 0;
  bool open = false;
  int name = 0;
  uint32_t session = 0;
  uint32_t parent = kNoScope;
  uint32_t first = 0;  ///< first slot it owns, 0 for none
  uint32_t first_child = kNoScope;
  uint32_t previous = kNoScope, next = kNoScope;  ///< siblings
};

class Scopes {
 public:
  /// Opens a scope under `parent`, in its session.
  uint32_t open(uint32_t parent, int name);
  /// Opens the root of a session.
  uint32_t open_root(uint32_t session, int name);
  /// Closes a scope that has no children and owns nothing.
  void close(uint32_t index);
  /// Gives the children of `index` to its parent.
  void orphan(uint32_t index);

  /// The open scope an id names, or kNoScope.
  uint32_t find(ScopeId id) const;
  ScopeId id(uint32_t index) const {
    return tag(index, scopes_[index].generation);
  }
  /// `index` and all scopes below it, parents first.
  std::vector<uint32_t> below(uint32_t index) const;
  /// True when `index` is `ancestor` or below it.
  bool within(uint32_t index, uint32_t ancestor) const;

  Scope& operator[](uint32_t index) { return scopes_[index]; }
  const Scope& operator[](uint32_t index) const { return scopes_[index]; }
  uint32_t size() const { return static_cast<uint32_t>(scopes_.size()); }

 private:
  uint32_t take();
  void attach(uint32_t index, uint32_t parent);
  void detach(uint32_t index);

  std::vector<Scope> scopes_;
  std::vector<uint32_t> free_;
};

}  // namespace tidemark::runtime
