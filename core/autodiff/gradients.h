#pragma once
// The backward pass, as an iterator: JavaScript is always the outermost frame,
// so a gradient written in JavaScript suspends the pass instead of being
// called from it.

#include <unordered_map>
#include <unordered_set>

#include "core/autodiff/tape.h"

namespace tidemark {

class Backward {
 public:
  /// Starts from y with the given dL/dy (null: ones). Fails when dy's shape
  /// is not y's.
  Backward(tape::Level level, Tensor y, Tensors xs, Tensor dy);

  /// Goes on until all is done (returns 0) or a custom gradient is met
  /// (returns its id; `custom_dy` is its argument, `answer` its result).
  int step();
  const Tensor& custom_dy() const { return custom_dy_; }
  void answer(const Tensors& gradients);

  /// Gradients in the order of xs; null where y does not depend on x.
  Tensors results() const;

 private:
  void accumulate(uint64_t id, const Tensor& gradient, const Spec& spec,
                  const char* op);

  tape::Level level_;
  Tensors xs_;
  std::size_t position_;
  std::unordered_map<uint64_t, Tensor> gradients_;
  std::unordered_set<uint64_t> masks_;  ///< bool tensors among xs
  Tensor custom_dy_;
};

/// Gradients of y = f() with respect to xs, for native callers and tests.
template <class F>
Tensors gradients(F&& f, const Tensors& xs, Tensor dy = {}) {
  tape::open(xs);
  Tensor y;
  try {
    y = f();
  } catch (...) {
    tape::close();
    throw;
  }
  tape::Level level = tape::close();
  Backward pass(std::move(level), y, xs, dy);
  while (pass.step() != 0) {
    fail(Code::internal, "gradients: a custom gradient needs JavaScript");
  }
  return pass.results();
}

}  // namespace tidemark
