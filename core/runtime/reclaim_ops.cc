// The runtime's reclaim queue and budgets.

#include <algorithm>

#include "core/runtime/runtime.h"

namespace tidemark::runtime {
namespace {

// Scopes an out-of-memory error lists.
constexpr std::size_t kListed = 3;
// Bytes from which JavaScript looks after a tensor itself.
constexpr std::size_t kLarge = 1 << 16;

}  // namespace

std::size_t Runtime::claim(std::span<double> handles) {
  std::size_t claimed = 0;
  for (double& h : handles) {
    Slot* slot = handles_.find(h);
    bool wanted =
        slot != nullptr && !slot->registered && collects(slot->scope);
    if (wanted) slot->registered = true;
    claimed += wanted;
    h = !wanted ? 0 : slot->tensor.bytes() < kLarge ? 1 : 2;
  }
  return claimed;
}

bool Runtime::finalize(Handle handle) noexcept {
  Slot* slot = handles_.find(handle);
  if (slot == nullptr || !slot->registered || slot->queued) return false;
  // It may have been adopted by a session that frees nothing early.
  if (!collects(slot->scope)) return false;
  bool background = sessions_[scopes_[slot->scope].session].strategy ==
                    Strategy::in_background;
  collected_bytes_ += uncount(*slot);
  slot->queued = true;
  ++named_;
  try {
    (background ? background_ : waiting_).push(handle);
    pending_any_ = true;
  } catch (const std::bad_alloc&) {
    free(handles_.index(slot));
    ++reclaimed_;
    return false;
  }
  return background;
}

void Runtime::take_back(ReclaimQueue& queue, std::size_t& most) {
  for (; most > 0 && queue.size() > 0; --most) {
    if (dispose(queue.pop())) ++reclaimed_;
  }
}

std::size_t Runtime::drain(std::size_t most, bool all) {
  take_back(background_, most);
  if (all) take_back(waiting_, most);
  pending_any_ = in_queues() > 0;
  return all ? in_queues() : background_.size();
}

void Runtime::set_budget(ScopeId root, std::size_t soft, std::size_t hard) {
  uint32_t at = of(root);
  sessions_[at].soft = soft;
  sessions_[at].trigger = sessions_[at].three_quarters();
  memory::set_limit(at, hard);
}

void Runtime::set_trigger(ScopeId root, std::size_t bytes) {
  sessions_[of(root)].trigger = bytes;
}

ScopeId Runtime::pressed() const {
  for (const Session& s : sessions_) {
    if (s.open && s.collectable > s.trigger) return scopes_.id(s.scope);
  }
  return -1;
}

Count Runtime::count_of(uint32_t scope) const {
  Count out;
  for (uint32_t i = scopes_[scope].first; i != kNone; i = handles_[i].next) {
    ++out.tensors;
    out.bytes += handles_[i].tensor.bytes();
  }
  return out;
}

std::string Runtime::account() const {
  std::string out;
  for (uint32_t at = 0; at < sessions_.size(); ++at) {
    const Session& session = sessions_[at];
    if (!session.open) continue;
    const std::string& name = names_[static_cast<std::size_t>(session.name)];
    out += "; session '" + name + "' has " + text(session.live) +
           " tensors and " + text(memory::charged(at)) + " bytes";
    std::vector<std::pair<std::size_t, uint32_t>> largest;
    for (uint32_t scope : scopes_.below(session.scope)) {
      if (!root(scope)) largest.push_back({count_of(scope).bytes, scope});
    }
    std::stable_sort(largest.begin(), largest.end(),
                     [](auto& a, auto& b) { return a.first > b.first; });
    if (largest.size() > kListed) largest.resize(kListed);
    for (auto [bytes, scope] : largest) {
      out += ", scope '" + label(scope) + "' " +
             text(count_of(scope).tensors) + " tensors and " + text(bytes) +
             " bytes";
    }
  }
  return out + "; " + text(pending()) + " finalizers are pending";
}

}  // namespace tidemark::runtime
