#pragma once
// What an op is, once and for all: a static descriptor. One call of it is its
// inputs, outputs and attributes; its derivative reads a Vjp and answers it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/tensor/tensor.h"

namespace tidemark {

/// The attributes of one call: the bytes of a trivially copyable struct.
struct Attrs {
  const void* data = nullptr;
  uint32_t size = 0;

  Attrs() = default;
  template <class A>
    requires(!std::is_same_v<A, Attrs>)
  Attrs(const A& attrs) : data(&attrs), size(sizeof(A)) {
    static_assert(std::is_trivially_copyable_v<A>);
  }
};

/// What a kernel sees: inputs, outputs to fill, attributes.
struct Run {
  std::span<const Tensor> in;
  std::span<const Tensor> out;
  const void* attrs;

  template <class A>
  const A& attr() const {
    return *static_cast<const A*>(attrs);
  }
};

/// Is told the attributes of a call by name, to show them.
class Teller {
 public:
  virtual ~Teller() = default;
  virtual void number(const char* name, double value) = 0;
  virtual void integer(const char* name, int64_t value) = 0;
  virtual void flag(const char* name, bool value) = 0;
  virtual void text(const char* name, const char* value) = 0;
  virtual void list(const char* name, std::span<const int> values) = 0;
};

/// The values that dimensions of `x` have, of an array with room for more.
inline std::span<const int> per_dimension(const int* values, const Tensor& x) {
  return {values, static_cast<std::size_t>(x.rank())};
}

/// Tells the attributes of a call that are a struct with
/// `void tell(const Run& run, Teller& to) const`.
template <class A>
void tell(const Run& run, Teller& to) {
  run.attr<A>().tell(run, to);
}

class Vjp;

/// Static descriptor of an op. Lives as long as the program.
struct Op {
  const char* name;
  /// Fills the outputs. Null: the output is input 0 under another shape.
  void (*kernel)(const Run&);
  /// Gives the gradients of the inputs. Null: the op has no derivative.
  void (*vjp)(Vjp&) = nullptr;
  /// Bit i: the derivative reads input i (or output i), so the tape keeps it.
  uint32_t keep_inputs = 0;
  uint32_t keep_outputs = 0;
  /// Output shapes depend on data: never replayed from a recorded graph.
  bool data_dependent = false;
  /// Names the attributes. Null: there are none that say more than the shapes.
  void (*tell)(const Run&, Teller&) = nullptr;
};

/// A recorded call. Inputs and outputs are known by identity; only what the
/// derivative reads is kept alive.
struct Node {
  const Op* op = nullptr;  ///< null for a gradient written in JavaScript
  int custom = 0;          ///< id of that gradient
  std::vector<std::byte> attrs;
  std::vector<uint64_t> in_ids, out_ids;
  std::vector<Spec> in_specs, out_specs;
  Tensors kept_in, kept_out;  ///< empty tensors where nothing is kept
};

/// The question put to a derivative: given dL/d(outputs), what is
/// dL/d(inputs)? Answers by `give`, for the inputs that `needs` names.
class Vjp {
 public:
  Vjp(const Node& node, std::vector<Tensor> dys, std::vector<bool> needs)
      : node_(node),
        dys_(std::move(dys)),
        needs_(std::move(needs)),
        gradients_(node.in_ids.size()) {}

  /// Gradient of output i; null when nothing depends on that output.
  const Tensor& dy(int i = 0) const { return dys_[i]; }
  const Tensor& in(int i) const { return node_.kept_in[i]; }
  const Tensor& out(int i = 0) const { return node_.kept_out[i]; }
  const Spec& in_spec(int i) const { return node_.in_specs[i]; }
  const Spec& out_spec(int i = 0) const { return node_.out_specs[i]; }
  int inputs() const { return static_cast<int>(node_.in_ids.size()); }
  int outputs() const { return static_cast<int>(node_.out_ids.size()); }
  bool needs(int i) const { return needs_[i]; }
  template <class A>
  const A& attr() const {
    return *reinterpret_cast<const A*>(node_.attrs.data());
  }
  /// Sets the gradient of input i; its shape must be that of the input.
  void give(int i, Tensor gradient) { gradients_[i] = std::move(gradient); }
  const Tensors& gradients() const { return gradients_; }

 private:
  const Node& node_;
  std::vector<Tensor> dys_;
  std::vector<bool> needs_;
  Tensors gradients_;
};

}  // namespace tidemark
