#pragma once
// The runtime: who owns each tensor that JavaScript can see, and until when.
//
// Invariants: a live slot is owned by exactly one open scope; variables and
// kept tensors are owned by the root of a session; the current scope is open,
// or there is none because its session was closed; session i is account i of
// the tensor pool while it is open.

#include <span>
#include <string>
#include <vector>

#include "core/runtime/handles.h"
#include "core/runtime/reclaim.h"
#include "core/runtime/scopes.h"
#include "core/runtime/session.h"

namespace tidemark::runtime {

/// How `close` treats scopes that are still open inside.
enum class Orphans : uint8_t { refuse, adopt };

/// What is owned by one scope or session.
struct Count {
  std::size_t tensors = 0, bytes = 0;
};

class Runtime {
 public:
  Runtime();
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // ---- handles (runtime.cc) ----

  /// Makes `tensor` visible to JavaScript, owned by the current scope.
  Handle expose(Tensor tensor);
  /// The same for several; null tensors get 0. When one fails, none is left.
  void expose(std::span<const Tensor> tensors, double* out);
  /// The same for a variable: its session owns it, and it can be assigned.
  Handle expose_variable(Tensor tensor);
  /// The tensor behind a handle. Fails with code disposed when it is gone.
  const Tensor& resolve(Handle handle) const;
  bool alive(Handle handle) const { return handles_.find(handle) != nullptr; }
  /// True when the handle is gone because its session was closed.
  bool closed(Handle handle) const { return handles_.closed(handle); }
  bool kept(Handle handle) const;
  /// The handle that `resolve` refused last.
  Handle missing() const { return missing_; }
  /// Frees the handle; false when it was gone already.
  bool dispose(Handle handle);
  /// Takes the handle out of its scope: only dispose, and closing the
  /// session, free it from now on.
  void keep(Handle handle);
  /// Swaps a variable's tensor. Shape and dtype must match.
  void assign(Handle variable, Tensor value);

  // ---- scopes (scope_ops.cc) ----

  /// A number for a scope's name, so that opening one passes no string.
  int name(std::string text);
  const std::string& name_of(ScopeId scope) const;
  /// Opens a scope under the current one and enters it.
  ScopeId open(int name);
  /// Opens a scope under `parent` without entering it.
  ScopeId open_under(ScopeId parent, int name);
  /// Makes `scope` current; returns the one before for `exit`.
  ScopeId enter(ScopeId scope);
  /// Makes `before` current again, or the root of its session when it has been
  /// closed meanwhile. `scope` must be current, else a state error names both;
  /// `before` is current in either case.
  void exit(ScopeId scope, ScopeId before, ScopeId session = 0);
  /// Closes a scope: frees its tensors but for `results`, which move to the
  /// parent. Scopes still open inside move to the parent too, or are closed,
  /// nothing is left and a state error names them (`open_inside` has their
  /// ids).
  void close(ScopeId scope, std::span<const Handle> results,
             Orphans orphans = Orphans::refuse);
  /// Closes a scope that was entered when it was opened: as above, and its
  /// parent becomes current; a state error says when another one was.
  void leave(ScopeId scope, std::span<const Handle> results);
  /// Moves those of `handles` that `scope` owns to its parent.
  void give(ScopeId scope, std::span<const Handle> handles);
  /// The current scope; -1 when its session was closed.
  ScopeId current() const {
    return current_ == kNoScope ? -1 : scopes_.id(current_);
  }
  bool is_open(ScopeId scope) const {
    return scopes_.find(scope) != kNoScope;
  }
  /// True when tensors made now are owned by a session whose lost tensors are
  /// collected: JavaScript registers them.
  bool collecting() const {
    return current_ != kNoScope && collects(current_);
  }
  const std::vector<ScopeId>& open_inside() const { return open_inside_; }
  /// Handles owned by a scope or by a scope below it.
  std::vector<Handle> owned(ScopeId scope) const;

  // ---- sessions (session_ops.cc) ----

  /// Opens a session and returns its root scope, which names it.
  ScopeId open_session(int name, Strategy strategy);
  /// Frees all that is left in a session, kept tensors and variables too, and
  /// closes its scopes. Nothing happens when it is closed already.
  void close_session(ScopeId root);
  /// The root of the session of a scope.
  ScopeId session_of(ScopeId scope) const;
  /// Moves handles of any scope and session to a session's root.
  void adopt(ScopeId root, std::span<const Handle> handles);
  /// Sets the strategy of the default session.
  void set_default(int name, Strategy strategy);
  const Session& session(ScopeId root) const { return sessions_[of(root)]; }
  /// Roots of the open sessions, the default one first.
  std::vector<ScopeId> sessions() const;

  // ---- reclaim and budget (reclaim_ops.cc) ----

  /// Tells which handles a finalizer should be registered for: 1 for those
  /// that live, are owned by a session that collects and have none; 2 where
  /// the tensor is large. Returns how many those are.
  std::size_t claim(std::span<double> handles);
  /// What a finalizer says: JavaScript has lost the handle. Only remembers it.
  /// True when it may be freed in the background.
  bool finalize(Handle handle) noexcept;
  /// Finalized handles waiting to be freed.
  std::size_t pending() const { return named_; }
  bool pending_any() const { return pending_any_; }
  /// Frees up to `most` waiting handles; with `all` also those that only safe
  /// points may free. Returns how many of the kind are left.
  std::size_t drain(std::size_t most, bool all);
  /// Handles freed because they were finalized.
  std::size_t reclaimed() const { return reclaimed_; }
  /// Collectable bytes that finalizers have named so far.
  std::size_t collected_bytes() const { return collected_bytes_; }
  /// Bytes that collectable tensors of a session should stay below, and bytes
  /// it may have in use at most.
  void set_budget(ScopeId root, std::size_t soft, std::size_t hard);
  /// From how many collectable bytes on there is pressure.
  void set_trigger(ScopeId root, std::size_t bytes);
  /// The root of a session that is above its trigger; -1 for none.
  ScopeId pressed() const;
  /// What to add to an out-of-memory error: who has the memory.
  std::string account() const;

  // ---- all of it ----

  std::size_t live() const { return live_; }
  /// Bytes of all live tensors, each counted whole even where storage is
  /// shared, as TensorFlow.js counts.
  std::size_t bytes() const { return bytes_; }
  std::vector<Handle> all() const;
  /// Frees every tensor and closes every scope and session but the default.
  void reset();
  /// Test hook: fails with code internal when an invariant does not hold.
  void check() const;

 private:
  bool root(uint32_t scope) const {
    return scopes_[scope].parent == kNoScope;
  }
  bool collects(uint32_t scope) const {
    return root(scope) &&
           sessions_[scopes_[scope].session].strategy != Strategy::on_close;
  }
  uint32_t current_or_fail(const char* op) const;
  uint32_t find_scope(ScopeId scope, const char* op) const;
  uint32_t of(ScopeId root) const;
  uint32_t root_of(uint32_t scope) const {
    return sessions_[scopes_[scope].session].scope;
  }
  const std::string& label(uint32_t scope) const {
    return names_[static_cast<std::size_t>(scopes_[scope].name)];
  }
  Slot& slot_of(Handle handle);
  void free(uint32_t slot);
  void link(uint32_t slot, uint32_t scope);
  void unlink(uint32_t slot);
  void count(Slot& slot);
  std::size_t uncount(Slot& slot);
  void move(uint32_t slot, uint32_t scope);
  void free_scope(uint32_t scope, uint32_t heir);
  void close_tree(uint32_t scope, std::span<const Handle> results,
                  Orphans orphans);
  void set_current(uint32_t scope);
  std::size_t in_queues() const {
    return background_.size() + waiting_.size();
  }
  void take_back(ReclaimQueue& queue, std::size_t& most);
  Count count_of(uint32_t scope) const;

  Handles handles_;
  Scopes scopes_;
  std::vector<Session> sessions_;
  std::vector<std::string> names_;
  std::vector<ScopeId> open_inside_;
  ReclaimQueue background_, waiting_;
  uint32_t current_ = 0;
  bool pending_any_ = false;
  mutable Handle missing_ = 0;
  std::size_t named_ = 0;  // slots with `queued`
  std::size_t live_ = 0, bytes_ = 0, reclaimed_ = 0, collected_bytes_ = 0;
};

/// The runtime of this module.
Runtime& runtime();

}  // namespace tidemark::runtime
