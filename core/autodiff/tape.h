#pragma once
// The tape: one level per gradient call in progress. A level records the ops
// that depend on what it watches, and nothing else. Inner levels do not hide
// outer ones: an op is recorded on every level that watches one of its inputs,
// which is what makes second derivatives work.

#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/autodiff/op.h"

namespace tidemark::tape {

class Level {
 public:
  void watch(uint64_t id) { watched_.insert(id); }
  bool watches(uint64_t id) const { return watched_.contains(id); }
  void add(std::shared_ptr<const Node> node) {
    nodes_.push_back(std::move(node));
  }
  const std::vector<std::shared_ptr<const Node>>& nodes() const {
    return nodes_;
  }

 private:
  std::unordered_set<uint64_t> watched_;
  std::vector<std::shared_ptr<const Node>> nodes_;
};

/// Opens a level that watches `xs`.
void open(std::span<const Tensor> xs);
/// Takes the innermost level off the tape; fails with code state if none.
Level close();
/// Open levels.
int depth();
/// Forgets every level, as after a failure that unwound past `close`.
void reset();

/// While paused nothing is recorded: the forward pass of a custom gradient.
void pause();
void resume();

/// True when some level is open and recording is not paused.
bool recording();
/// True when a recording level watches one of `in`.
bool watched(std::span<const Tensor> in);
/// Records the call on each level that watches one of its inputs.
void record(const Op& op, std::span<const Tensor> in,
            std::span<const Tensor> out, Attrs attrs);
/// Records a call whose derivative is JavaScript's function number `id`;
/// false when no level watches its inputs.
bool record_custom(int id, std::span<const Tensor> in, const Tensor& out);

}  // namespace tidemark::tape
