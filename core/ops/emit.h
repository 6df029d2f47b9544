#pragma once
// The one funnel. Every op of every family passes through here, so whoever
// wants to see all ops (tape, graph recording, profiler, NaN check) listens
// here and nowhere else.

#include <initializer_list>
#include <span>

#include "core/autodiff/op.h"

namespace tidemark {

/// Runs `op` on `in` and returns its one output, of the promised shape and
/// type. A null tensor among the inputs means "not given".
Tensor emit(const Op& op, std::span<const Tensor> in, const Spec& out,
            Attrs attrs = {});

inline Tensor emit(const Op& op, std::initializer_list<Tensor> in,
                   const Spec& out, Attrs attrs = {}) {
  return emit(op, std::span<const Tensor>(in.begin(), in.size()), out, attrs);
}

/// The same for ops with several outputs.
Tensors emit_list(const Op& op, std::span<const Tensor> in,
                  std::span<const Spec> out, Attrs attrs = {});

/// For an op whose output shapes depend on its data (unique, where): the
/// caller has computed the outputs; they are announced to the listeners.
void announce(const Op& op, std::span<const Tensor> in,
              std::span<const Tensor> out, Attrs attrs = {});

/// Sees each call. Install with `listen`.
class Listener {
 public:
  virtual ~Listener() = default;
  /// The outputs exist, the kernel has not run. Not called for an op that is
  /// only announced.
  virtual void starts(const Op&) {}
  /// The kernel ran. An Error thrown here is the op's.
  virtual void ran(const Op& op, const Run& run) = 0;
};

/// Makes `listener` the one that hears of every op (null: nobody does);
/// returns the one before.
Listener* listen(Listener* listener);

}  // namespace tidemark
