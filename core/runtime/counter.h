#pragma once
// Counters: exact 64-bit numbers that JavaScript holds by an id, such as the
// global step of a graph. They belong to no scope: who made one frees it.

#include <cstdint>
#include <map>

namespace tidemark::runtime {

class Counters {
 public:
  /// A new counter at 0. Ids count from 1 and are never used again.
  uint64_t create();
  int64_t value(uint64_t id) const;
  /// Errors: negative.
  void assign(uint64_t id, int64_t value);
  /// Adds 1. Errors: the value is the largest there is; it stays.
  void increment(uint64_t id);
  /// False when it was gone already.
  bool dispose(uint64_t id) { return values_.erase(id) > 0; }
  std::size_t live() const { return values_.size(); }

 private:
  int64_t& find(uint64_t id);

  std::map<uint64_t, int64_t> values_;
  uint64_t next_ = 1;
};

/// The counters of the program.
Counters& counters();

}  // namespace tidemark::runtime
