#include "core/runtime/counter.h"

#include <limits>

#include "core/base/error.h"

namespace tidemark::runtime {

uint64_t Counters::create() {
  uint64_t id = next_;
  values_.emplace(id, 0);
  ++next_;
  return id;
}

int64_t& Counters::find(uint64_t id) {
  auto found = values_.find(id);
  if (found == values_.end()) {
    fail(Code::disposed, "counter: it is disposed");
  }
  return found->second;
}

int64_t Counters::value(uint64_t id) const {
  return const_cast<Counters*>(this)->find(id);
}

void Counters::assign(uint64_t id, int64_t value) {
  int64_t& counter = find(id);
  if (value < 0) {
    fail(Code::argument, "counter: ", static_cast<long long>(value),
         " is negative");
  }
  counter = value;
}

void Counters::increment(uint64_t id) {
  int64_t& counter = find(id);
  if (counter == std::numeric_limits<int64_t>::max()) {
    fail(Code::argument, "counter: ", static_cast<long long>(counter),
         " + 1 does not fit into 64 bits");
  }
  ++counter;
}

Counters& counters() {
  static Counters* instance = new Counters;  // outlives every static
  return *instance;
}

}  // namespace tidemark::runtime
