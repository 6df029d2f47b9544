// Counters of 64 bits. Their values cross as two numbers: the upper half with
// its sign and the lower half.

#include "core/runtime/counter.h"
#include "wasm/bind.h"

namespace tidemark {
namespace {

using runtime::counters;
using wire::bind;

constexpr double kHalf = 0x1p32;

uint64_t id_of(double id) { return static_cast<uint64_t>(id); }

double counter_open() { return static_cast<double>(counters().create()); }
/// Leaves the halves at the block's start.
void counter_read(double id) {
  int64_t value = counters().value(id_of(id));
  double* out = wire::block();
  out[0] = static_cast<double>(value >> 32);
  out[1] = static_cast<double>(value & 0xffffffff);
}
void counter_assign(double id, double high, double low) {
  if (!(high >= -kHalf / 2 && high < kHalf / 2 && low >= 0 && low < kHalf)) {
    fail(Code::argument, "counter: the value does not fit into 64 bits");
  }
  counters().assign(id_of(id), static_cast<int64_t>(high) * (int64_t{1} << 32) +
                                   static_cast<int64_t>(low));
}
void counter_increment(double id) { counters().increment(id_of(id)); }
double counter_close(double id) { return counters().dispose(id_of(id)); }
double counter_count() { return static_cast<double>(counters().live()); }

}  // namespace

EMSCRIPTEN_BINDINGS(counter) {
  bind<counter_open>("counterOpen()");
  bind<counter_read>("counterRead(id)");
  bind<counter_assign>("counterAssign(id,high,low)");
  bind<counter_increment>("counterIncrement(id)");
  // These bypass the guard: finalizers call them.
  emscripten::function("counterClose(id)", &counter_close);
  emscripten::function("counterCount", &counter_count);
}

}  // namespace tidemark
