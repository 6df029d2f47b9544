#include "core/autodiff/gradients.h"

#include "core/ops/binary.h"
#include "core/ops/creation.h"

namespace tidemark {

Backward::Backward(tape::Level level, Tensor y, Tensors xs, Tensor dy)
    : level_(std::move(level)),
      xs_(std::move(xs)),
      position_(level_.nodes().size()) {
  if (!dy) dy = ops::fill(y.shape(), 1, DType::float32);
  if (dy.shape() != y.shape()) {
    fail(Code::shape, "gradients: The shape of dy passed must match the shape "
         "returned by f(x): dy is ", dy.shape(), ", f(x) is ", y.shape());
  }
  if (dy.dtype() != DType::float32) {
    fail(Code::dtype, "gradients: dy must be float32, not ", dy.dtype());
  }
  gradients_[y.id()] = dy;
  for (const Tensor& x : xs_) {
    if (x.dtype() == DType::bool_) masks_.insert(x.id());
  }
  if (masks_.empty()) return;
  // A clone of a mask is that mask.
  for (const auto& node : level_.nodes()) {
    if (node->op != nullptr && node->op->kernel == nullptr &&
        masks_.contains(node->in_ids[0])) {
      masks_.insert(node->out_ids[0]);
    }
  }
}

void Backward::accumulate(uint64_t id, const Tensor& gradient,
                          const Spec& spec, const char* op) {
  if (gradient.dtype() != DType::float32) {
    fail(Code::dtype, "gradients: Error in gradient for op ", op,
         ". The gradient of an input must have 'float32' dtype, but has '",
         gradient.dtype(), "'");
  }
  if (gradient.shape() != spec.shape) {
    fail(Code::shape, "gradients: Error in gradient for op ", op,
         ". The gradient of an input has shape '", gradient.shape(),
         "', which does not match the shape of the input '", spec.shape, "'");
  }
  Tensor& sum = gradients_[id];
  sum = sum ? ops::add(sum, gradient) : gradient;
}

int Backward::step() {
  while (position_ > 0) {
    const Node& node = *level_.nodes()[--position_];
    std::vector<Tensor> dys(node.out_ids.size());
    bool reached = false;
    for (std::size_t i = 0; i < dys.size(); ++i) {
      auto it = gradients_.find(node.out_ids[i]);
      if (it == gradients_.end()) continue;
      dys[i] = std::move(it->second);
      gradients_.erase(it);
      reached = true;
    }
    if (!reached) continue;
    if (node.op == nullptr) {
      custom_dy_ = dys[0];
      return node.custom;
    }
    std::vector<bool> needs(node.in_ids.size());
    bool any = false;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      // Masks end the path, unless it is their own gradient that is wanted.
      needs[i] = level_.watches(node.in_ids[i]) &&
                 (node.in_specs[i].dtype != DType::bool_ ||
                  node.op->kernel == nullptr || masks_.contains(node.in_ids[i]));
      any = any || needs[i];
    }
    if (!any) continue;
    if (node.op->vjp == nullptr) {
      fail(Code::unsupported, "gradients: Cannot compute gradient: gradient "
           "function not found for ", node.op->name, ".");
    }
    Vjp vjp(node, std::move(dys), std::move(needs));
    node.op->vjp(vjp);
    for (int i = 0; i < vjp.inputs(); ++i) {
      if (vjp.needs(i) && vjp.gradients()[i]) {
        accumulate(node.in_ids[i], vjp.gradients()[i], node.in_specs[i],
                   node.op->name);
      }
    }
  }
  return 0;
}

void Backward::answer(const Tensors& gradients) {
  const Node& node = *level_.nodes()[position_];
  custom_dy_ = {};
  if (gradients.size() != node.in_ids.size()) {
    fail(Code::argument, "customGrad: the gradient function returned ",
         gradients.size(), " gradients for ", node.in_ids.size(), " inputs");
  }
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (gradients[i] && level_.watches(node.in_ids[i])) {
      accumulate(node.in_ids[i], gradients[i], node.in_specs[i], "customGrad");
    }
  }
}

Tensors Backward::results() const {
  Tensors out;
  for (const Tensor& x : xs_) {
    auto it = gradients_.find(x.id());
    out.push_back(it == gradients_.end() ? Tensor() : it->second);
  }
  return out;
}

}  // namespace tidemark
