// Scopes, sessions, finalizers, budgets and figures: who owns what JavaScript
// can see, and how much that is.

#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include "wasm/bind.h"

namespace tidemark {
namespace {

using runtime::Handle;
using runtime::Orphans;
using runtime::Runtime;
using runtime::ScopeId;
using runtime::Strategy;
using wire::bind;

Runtime& rt() { return runtime::runtime(); }

double number(std::size_t n) { return static_cast<double>(n); }

std::size_t bytes_of(double n) {
  // Infinity means "no limit", as anything beyond the address space does.
  return n < 0x1p63 && n < static_cast<double>(SIZE_MAX)
             ? static_cast<std::size_t>(n)
             : SIZE_MAX;
}

/// The list at a place of the argument block, where it lies.
std::span<double> list_at(double place) {
  double* at = wire::block() + static_cast<std::size_t>(place);
  return {at + 1, static_cast<std::size_t>(at[0])};
}

/// Answers with a list: its length here, its items in the block; -1 when there
/// is no room for them.
template <class List>
double answer(List list) {
  try {
    std::vector<double> items = list();
    double* out = wire::reserve_block(wire::kHeader + items.size());
    std::copy(items.begin(), items.end(), out + wire::kHeader);
    return number(items.size());
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

// ---- scopes ----
double scope_name(std::string name) { return rt().name(std::move(name)); }
/// Where the name of an open scope is.
double scope_label(double scope) {
  return wire::address(rt().is_open(scope) ? rt().name_of(scope).c_str() : "");
}
double scope_open(double name) { return rt().open(static_cast<int>(name)); }
double scope_open_under(double parent, double name) {
  return rt().open_under(parent, static_cast<int>(name));
}
double scope_current() { return rt().current(); }
double scope_is_open(double scope) { return rt().is_open(scope); }
// Those that change the current scope answer 1 when tensors made from now on
// are to be registered with a finalizer.
double scope_enter(double scope) { return rt().enter(scope); }
double scope_exit(double scope, double before, double session) {
  rt().exit(scope, before, session);
  return rt().collecting();
}
double scope_leave(double scope, double results) {
  rt().leave(scope, list_at(results));
  return rt().collecting();
}
double scope_close(double scope, double results, bool adopt) {
  rt().close(scope, list_at(results),
             adopt ? Orphans::adopt : Orphans::refuse);
  return rt().collecting();
}
void scope_give(double scope, double handles) {
  rt().give(scope, list_at(handles));
}
double scope_open_inside() {
  return answer([] { return rt().open_inside(); });
}
double scope_owned(double scope) {
  if (!rt().is_open(scope)) return 0;
  return answer([&] { return rt().owned(scope); });
}
double collecting() { return rt().collecting(); }

// ---- sessions ----
double session_open(double name, Strategy strategy) {
  return rt().open_session(static_cast<int>(name), strategy);
}
void session_default(double name, Strategy strategy) {
  rt().set_default(static_cast<int>(name), strategy);
}
double session_close(double root) {
  rt().close_session(root);
  return rt().collecting();
}
/// -1 when the scope is closed.
double session_of(double scope) {
  return rt().is_open(scope) ? rt().session_of(scope) : -1;
}
void session_adopt(double root, double handles) {
  rt().adopt(root, list_at(handles));
}
double session_budget(double root, double soft, double hard) {
  rt().set_budget(root, bytes_of(soft), bytes_of(hard));
  return 1;
}
double session_trigger(double root, double bytes) {
  rt().set_trigger(root, bytes_of(bytes));
  return 1;
}
// Looking is no safe point, so these bypass the guard: 0 for a closed session.
double session_tensors(double root) {
  return rt().is_open(root) ? number(rt().session(root).live) : 0;
}
double session_bytes(double root) {
  return rt().is_open(root) ? number(rt().session(root).bytes) : 0;
}
double session_collectable(double root) {
  return rt().is_open(root) ? number(rt().session(root).collectable) : 0;
}
double session_strategy(double root) {
  return rt().is_open(root) ? static_cast<double>(rt().session(root).strategy)
                            : 0;
}
double sessions() {
  return answer([] { return rt().sessions(); });
}
double session_pressed() { return rt().pressed(); }

// ---- finalizers; these bypass the guard ----
double claim(double handles) {
  return number(rt().claim(list_at(handles)));
}
double finalize(double handle) { return rt().finalize(handle); }
double drain(double most, double all) {
  return number(rt().drain(bytes_of(most), all != 0));
}
double pending() { return number(rt().pending()); }
double collected_bytes() { return number(rt().collected_bytes()); }
double reclaimed() { return number(rt().reclaimed()); }

// ---- figures ----
double num_tensors() { return number(rt().live()); }
double num_bytes() { return number(rt().bytes()); }
double num_buffers() { return number(memory::statistics().buffers); }
double pool_bytes() { return number(memory::statistics().bytes); }
double peak_bytes() { return number(memory::statistics().peak); }
double cached_bytes() { return number(memory::statistics().cached); }
double largest_free() { return number(memory::statistics().largest_free); }
double kept(double handle) { return rt().kept(handle); }
double missing() { return rt().missing(); }
double closed(double handle) { return rt().closed(handle); }
double live_handles() {
  return answer([] { return rt().all(); });
}
void reset_peak() { memory::reset_peak(); }
double trim() { return number(memory::trim()); }

}  // namespace

EMSCRIPTEN_BINDINGS(memory) {
  bind<scope_name>("scopeName(name)");
  emscripten::function("scopeLabel(scope)", &scope_label);
  bind<scope_open>("scopeOpen(name)");
  bind<scope_open_under>("scopeOpenUnder(parent,name)");
  emscripten::function("scopeCurrent", &scope_current);
  emscripten::function("scopeIsOpen(scope)", &scope_is_open);
  bind<scope_enter>("scopeEnter(scope)");
  bind<scope_exit>("scopeExit(scope,before,session)");
  bind<scope_leave>("scopeLeave(scope,results)");
  bind<scope_close>("scopeClose(scope,results,adopt)");
  bind<scope_give>("scopeGive(scope,handles)");
  emscripten::function("scopeOpenInside", &scope_open_inside);
  emscripten::function("scopeOwned(scope)", &scope_owned);
  emscripten::function("collecting", &collecting);

  bind<session_open>("sessionOpen(name,strategy)");
  bind<session_default>("sessionDefault(name,strategy)");
  bind<session_close>("sessionClose(root)");
  emscripten::function("sessionOf(scope)", &session_of);
  bind<session_adopt>("sessionAdopt(root,handles)");
  bind<session_budget>("sessionBudget(root,soft,hard)");
  bind<session_trigger>("sessionTrigger(root,bytes)");
  emscripten::function("sessionTensors(root)", &session_tensors);
  emscripten::function("sessionBytes(root)", &session_bytes);
  emscripten::function("sessionCollectable(root)", &session_collectable);
  emscripten::function("sessionStrategy(root)", &session_strategy);
  emscripten::function("sessions", &sessions);
  emscripten::function("sessionPressed", &session_pressed);

  emscripten::function("claim(handles)", &claim);
  emscripten::function("finalize(handle)", &finalize);
  emscripten::function("drain(most,all)", &drain);
  emscripten::function("pending", &pending);
  emscripten::function("reclaimed", &reclaimed);
  emscripten::function("collectedBytes", &collected_bytes);

  emscripten::function("numTensors", &num_tensors);
  emscripten::function("numBytes", &num_bytes);
  emscripten::function("numBuffers", &num_buffers);
  emscripten::function("poolBytes", &pool_bytes);
  emscripten::function("peakBytes", &peak_bytes);
  emscripten::function("cachedBytes", &cached_bytes);
  emscripten::function("largestFree", &largest_free);
  emscripten::function("kept(handle)", &kept);
  emscripten::function("closed(handle)", &closed);
  emscripten::function("missing", &missing);
  emscripten::function("liveHandles", &live_handles);
  bind<reset_peak>("resetPeak()");
  bind<trim>("trim()");
}

}  // namespace tidemark
