#include "core/autodiff/tape.h"

#include <cstring>

namespace tidemark::tape {
namespace {

std::vector<Level> levels;
int paused = 0;

bool watches_any(const Level& level, std::span<const Tensor> in) {
  for (const Tensor& t : in) {
    if (t && level.watches(t.id())) return true;
  }
  return false;
}

void describe(std::span<const Tensor> tensors, std::vector<uint64_t>& ids,
              std::vector<Spec>& specs) {
  ids.reserve(tensors.size());
  specs.reserve(tensors.size());
  for (const Tensor& t : tensors) {
    ids.push_back(t ? t.id() : 0);
    specs.push_back(t ? Spec{t.shape(), t.dtype()} : Spec{});
  }
}

Tensors kept(std::span<const Tensor> tensors, uint32_t mask) {
  Tensors out;
  if (mask == 0) return out;
  out.resize(tensors.size());
  for (std::size_t i = 0; i < tensors.size() && i < 32; ++i) {
    if (mask >> i & 1) out[i] = tensors[i];
  }
  return out;
}

// Levels that watch an input get the node and from then on watch the outputs.
void add_to_levels(std::shared_ptr<const Node> node,
                   std::span<const Tensor> in) {
  for (Level& level : levels) {
    if (!watches_any(level, in)) continue;
    for (uint64_t id : node->out_ids) level.watch(id);
    level.add(node);
  }
}

}  // namespace

void open(std::span<const Tensor> xs) {
  Level level;
  for (const Tensor& x : xs) level.watch(x.id());
  levels.push_back(std::move(level));  // last: what fails before opens nothing
}

Level close() {
  if (levels.empty()) fail(Code::state, "gradients: no tape is open");
  Level level = std::move(levels.back());
  levels.pop_back();
  return level;
}

int depth() { return static_cast<int>(levels.size()); }

void reset() {
  levels.clear();
  paused = 0;
}

void pause() { ++paused; }
void resume() {
  if (paused > 0) --paused;
}

bool recording() { return !levels.empty() && paused == 0; }

bool watched(std::span<const Tensor> in) {
  if (!recording()) return false;
  for (const Level& level : levels) {
    if (watches_any(level, in)) return true;
  }
  return false;
}

void record(const Op& op, std::span<const Tensor> in,
            std::span<const Tensor> out, Attrs attrs) {
  if (!watched(in)) return;
  auto node = std::make_shared<Node>();
  node->op = &op;
  if (attrs.size > 0) {
    node->attrs.resize(attrs.size);
    std::memcpy(node->attrs.data(), attrs.data, attrs.size);
  }
  describe(in, node->in_ids, node->in_specs);
  describe(out, node->out_ids, node->out_specs);
  node->kept_in = kept(in, op.keep_inputs);
  node->kept_out = kept(out, op.keep_outputs);
  add_to_levels(std::move(node), in);
}

bool record_custom(int id, std::span<const Tensor> in, const Tensor& out) {
  if (!watched(in)) return false;
  auto node = std::make_shared<Node>();
  node->custom = id;
  describe(in, node->in_ids, node->in_specs);
  describe({&out, 1}, node->out_ids, node->out_specs);
  add_to_levels(std::move(node), in);
  return true;
}

}  // namespace tidemark::tape
