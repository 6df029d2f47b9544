#include "core/ops/emit.h"

#include "core/autodiff/tape.h"

namespace tidemark {
namespace {

Listener* current_listener = nullptr;

void run(const Op& op, std::span<const Tensor> in, std::span<const Tensor> out,
         Attrs attrs) {
  Run call{in, out, attrs.data};
  if (current_listener != nullptr) current_listener->starts(op);
  if (op.kernel != nullptr) op.kernel(call);
  announce(op, in, out, attrs);
}

}  // namespace

Tensor emit(const Op& op, std::span<const Tensor> in, const Spec& spec,
            Attrs attrs) {
  Tensor out =
      op.kernel != nullptr ? Tensor(spec) : in[0].reshaped(spec.shape);
  run(op, in, {&out, 1}, attrs);
  return out;
}

Tensors emit_list(const Op& op, std::span<const Tensor> in,
                  std::span<const Spec> specs, Attrs attrs) {
  Tensors out;
  out.reserve(specs.size());
  for (const Spec& spec : specs) out.emplace_back(spec);
  run(op, in, out, attrs);
  return out;
}

void announce(const Op& op, std::span<const Tensor> in,
              std::span<const Tensor> out, Attrs attrs) {
  if (tape::recording()) tape::record(op, in, out, attrs);
  if (current_listener != nullptr) {
    current_listener->ran(op, Run{in, out, attrs.data});
  }
}

Listener* listen(Listener* listener) {
  std::swap(listener, current_listener);
  return listener;
}

}  // namespace tidemark
