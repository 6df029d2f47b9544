// Random programs against a tiny model of who must be alive.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "core/runtime/runtime.h"

namespace tidemark::runtime {
namespace {

// What a tensor is to the model: who owns it and what will free it.
struct Life {
  ScopeId owner;
  const void* block;
  std::size_t capacity;
  bool variable = false;
  bool kept = false;
  bool claimed = false;
  bool lost = false;    // JavaScript let go of it
  bool queued = false;  // and its finalizer has run
};

struct Place {
  ScopeId parent;  // -1 for roots
  ScopeId root;
};

class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    places_[0] = {-1, 0};
    strategy_[0] = Strategy::in_background;
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      step();
      compare();
      if (::testing::Test::HasFatalFailure()) return;
    }
    // Whatever happened, closing everything leaves nothing.
    rt_.reset();
    lives_.clear();
    places_ = {{0, {-1, 0}}};
    rt_.check();
    ASSERT_EQ(rt_.live(), 0u);
  }

 private:
  int below(int n) { return static_cast<int>(random_() % n); }
  template <class Map>
  auto pick(const Map& map) {
    return *std::next(map.begin(), below(static_cast<int>(map.size())));
  }
  bool dead() const { return current_ == -1; }
  bool collects(ScopeId scope) const {
    return places_.at(scope).parent == -1 &&
           strategy_.at(scope) != Strategy::on_close;
  }
  bool within(ScopeId scope, ScopeId ancestor) const {
    while (scope != -1 && scope != ancestor) scope = places_.at(scope).parent;
    return scope == ancestor;
  }
  /// True when `f` fails as the model says it must.
  template <class F>
  void expect(bool failure, F&& f) {
    bool failed = false;
    try {
      f();
    } catch (const Error&) {
      failed = true;
    }
    ASSERT_EQ(failed, failure);
  }

  void make(bool variable) {
    Tensor t = !lives_.empty() && below(4) == 0
                   ? rt_.resolve(pick(lives_).first).identical()
                   : Tensor({1 + below(300)}, DType::float32);
    Life life{.owner = current_, .block = t.storage().id(),
              .capacity = t.storage().capacity(), .variable = variable};
    Handle h = 0;
    expect(dead(), [&] {
      h = variable ? rt_.expose_variable(t) : rt_.expose(t);
    });
    if (dead()) return;
    if (variable) life.owner = places_.at(current_).root;
    lives_[h] = life;
  }

  std::vector<Handle> some() {
    std::vector<Handle> out;
    for (auto& [h, life] : lives_) {
      if (below(3) == 0) out.push_back(h);
    }
    if (!gone_.empty()) out.push_back(pick(gone_));
    return out;
  }

  void forget(Handle h) {
    gone_.insert(h);
    lives_.erase(h);
  }

  // The model's close: everything owned at or below goes, results move up.
  void close_in_model(ScopeId scope, const std::vector<Handle>& results) {
    ScopeId parent = places_.at(scope).parent;
    std::set<Handle> saved(results.begin(), results.end());
    for (auto it = lives_.begin(); it != lives_.end();) {
      auto& [h, life] = *it++;
      if (!within(life.owner, scope)) continue;
      if (parent != -1 && saved.contains(h)) {
        life.owner = parent;
      } else {
        forget(h);
      }
    }
    std::vector<ScopeId> tree;
    for (auto& [id, place] : places_) {
      if (within(id, scope)) tree.push_back(id);
    }
    for (ScopeId id : tree) {
      closed_.insert(id);
      places_.erase(id);
    }
  }

  void close(bool entered) {
    ScopeId scope = entered ? current_ : pick(places_).first;
    if (scope == -1) return;
    std::vector<Handle> results = some();
    if (places_.at(scope).parent == -1) {
      return expect(true, [&] { rt_.leave(scope, results); });
    }
    bool adopt = !entered && below(2) == 0;
    bool children = false;
    for (auto& [id, place] : places_) {
      if (place.parent != scope) continue;
      children = true;
    }
    ScopeId parent = places_.at(scope).parent;
    bool inside = !dead() && within(current_, scope);
    if (adopt) {
      for (auto& [id, place] : places_) {
        if (place.parent == scope) place.parent = parent;
      }
      inside = current_ == scope;
    }
    expect(children && !adopt, [&] {
      if (entered) {
        rt_.leave(scope, results);
      } else {
        rt_.close(scope, results, adopt ? Orphans::adopt : Orphans::refuse);
      }
    });
    // Who gets an error gets no results.
    close_in_model(scope, children && !adopt ? std::vector<Handle>() : results);
    if (inside) current_ = parent;
  }

  void enter() {
    if (!closed_.empty() && below(8) == 0) {
      return expect(true, [&] { rt_.enter(pick(closed_)); });
    }
    ScopeId scope = pick(places_).first;
    entered_.push_back(
        {scope, current_, current_ == -1 ? -1 : rt_.session_of(current_)});
    ASSERT_EQ(rt_.enter(scope), current_);
    current_ = scope;
  }

  void exit() {
    if (entered_.empty()) return;
    auto [scope, before, session] = entered_.back();
    entered_.pop_back();
    expect(!dead() && current_ != scope, [&] {
      rt_.exit(scope, before, session);
    });
    if (before == -1 || places_.contains(before)) {
      current_ = before;
    } else {
      // A closed scope's session takes over, if it is open.
      current_ = places_.contains(session) ? session : -1;
      ASSERT_EQ(rt_.current(), current_);
    }
  }

  void session_close() {
    ScopeId root = pick(strategy_).first;
    if (root == 0) {
      return expect(true, [&] { rt_.close_session(root); });
    }
    bool inside = !dead() && within(current_, root);
    rt_.close_session(root);
    rt_.close_session(root);
    std::vector<Handle> freed;
    for (auto& [h, life] : lives_) {
      if (within(life.owner, root)) freed.push_back(h);
    }
    close_in_model(root, {});
    for (Handle h : freed) ASSERT_TRUE(rt_.closed(h));
    strategy_.erase(root);
    if (inside) current_ = -1;
  }

  // Lost handles whose finalizer runs now.
  void collect() {
    for (auto& [h, life] : lives_) {
      if (!life.lost || life.queued || below(2) == 0) continue;
      ScopeId root = places_.at(life.owner).root;
      bool background = rt_.finalize(h);
      ASSERT_EQ(background, life.claimed &&
                                strategy_.at(root) == Strategy::in_background);
      if (!life.claimed || !collects(life.owner)) continue;
      life.queued = true;
      (background ? background_ : waiting_).push_back(h);
    }
    for (Handle h : gone_) ASSERT_FALSE(rt_.finalize(h));
  }

  void drain(bool all) {
    std::size_t most = below(6);
    rt_.drain(most, all);
    for (auto* queue : {&background_, all ? &waiting_ : nullptr}) {
      if (queue == nullptr) continue;
      for (; most > 0 && !queue->empty(); --most) {
        Handle h = queue->front();
        queue->erase(queue->begin());
        if (lives_.contains(h)) forget(h);
      }
    }
  }

  void step() {
    switch (below(20)) {
      case 0: case 1: case 2: case 3: case 4:
        return make(false);
      case 5:
        return make(true);
      case 6: {
        if (dead()) return expect(true, [&] { rt_.open(0); });
        ScopeId parent = current_;
        current_ = rt_.open(0);
        places_[current_] = {parent, places_.at(parent).root};
        return;
      }
      case 7: {
        ScopeId parent = pick(places_).first;
        places_[rt_.open_under(parent, 0)] = {parent, places_.at(parent).root};
        return;
      }
      case 8:
        return close(true);
      case 9:
        return close(false);
      case 10:
        return enter();
      case 11:
        return exit();
      case 12: {
        if (lives_.empty()) return;
        Handle h = pick(lives_).first;
        rt_.keep(h);
        Life& life = lives_[h];
        life.kept = true;
        life.owner = places_.at(life.owner).root;
        return;
      }
      case 13: {
        if (lives_.empty()) return;
        Handle h = pick(lives_).first;
        ASSERT_TRUE(rt_.dispose(h));
        ASSERT_FALSE(rt_.dispose(h));
        return forget(h);
      }
      case 14: {
        // JavaScript registers what escaped, and loses some of it.
        for (auto& [h, life] : lives_) {
          double claim[] = {h};
          rt_.claim(claim);
          ASSERT_EQ(claim[0] == 1, !life.claimed && collects(life.owner));
          life.claimed |= claim[0] == 1;
          life.lost |= below(3) == 0;
        }
        return;
      }
      case 15:
        return collect();
      case 16:
        return drain(below(2) == 0);
      case 17: {
        if (strategy_.size() > 4) return session_close();
        auto strategy = static_cast<Strategy>(below(3));
        ScopeId root = rt_.open_session(0, strategy);
        places_[root] = {-1, root};
        strategy_[root] = strategy;
        return;
      }
      case 18:
        return below(3) == 0 ? session_close() : void();
      default: {
        ScopeId root = pick(strategy_).first;
        if (lives_.empty()) return;
        Handle h = pick(lives_).first;
        rt_.adopt(root, std::vector<Handle>{h});
        lives_[h].owner = root;
        return;
      }
    }
  }

  void compare() {
    ASSERT_EQ(rt_.current(), current_);
    ASSERT_EQ(rt_.live(), lives_.size());
    std::map<const void*, std::size_t> blocks;
    for (auto& [h, life] : lives_) {
      ASSERT_TRUE(rt_.alive(h));
      ASSERT_EQ(rt_.kept(h), life.kept);
      if (collects(life.owner) && !life.variable && !life.queued) {
        blocks[life.block] = life.capacity;
      }
    }
    for (Handle h : gone_) ASSERT_FALSE(rt_.alive(h));
    std::size_t bytes = 0, counted = 0;
    for (auto& [block, capacity] : blocks) bytes += capacity;
    for (ScopeId root : rt_.sessions()) counted += rt_.session(root).collectable;
    // What a closed session's blocks count for is not listed.
    ASSERT_LE(counted, bytes);
    if (closed_.empty()) {
      ASSERT_EQ(counted, bytes);
    }
    ASSERT_EQ(rt_.sessions().size(), strategy_.size());
    rt_.check();
  }
  std::mt19937 random_;
  Runtime rt_;
  ScopeId current_ = 0;
  std::map<Handle, Life> lives_;
  std::set<Handle> gone_;
  std::map<ScopeId, Place> places_;
  std::set<ScopeId> closed_;
  std::map<ScopeId, Strategy> strategy_;
  struct Entered {
    ScopeId scope, before, session;
  };
  std::vector<Entered> entered_;
  std::vector<Handle> background_, waiting_;
};

TEST(RandomPrograms, FreeExactlyWhatTheModelFrees) {
  // TIDEMARK_SEED=17 runs one program again.
  const char* given = std::getenv("TIDEMARK_SEED");
  unsigned first = given != nullptr ? std::atoi(given) : 1;
  unsigned last = given != nullptr ? first : 10000;
  for (unsigned seed = first; seed <= last; ++seed) {
    std::size_t buffers = memory::statistics().buffers;
    {
      Program program(seed);
      program.run(80);
    }
    ASSERT_EQ(memory::statistics().buffers, buffers) << "seed " << seed;
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
  }
  memory::check();
}

}  // namespace
}  // namespace tidemark::runtime
