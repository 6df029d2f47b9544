// Ops tell their attributes to whoever listens.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/ops/concat.h"
#include "core/ops/conv.h"
#include "core/ops/emit.h"
#include "core/ops/linalg.h"
#include "core/ops/operators.h"
#include "core/ops/optimizer.h"
#include "core/ops/reduce.h"
#include "core/ops/slice.h"
#include "core/ops/unary.h"

namespace tidemark {
namespace {

class Told : public Teller {
 public:
  std::string all;
  void number(const char* name, double v) override { add(name, text(v)); }
  void integer(const char* name, int64_t v) override {
    add(name, std::to_string(v));
  }
  void flag(const char* name, bool v) override { add(name, v ? "yes" : "no"); }
  void text(const char* name, const char* v) override { add(name, v); }
  void list(const char* name, std::span<const int> values) override {
    std::string out;
    for (int64_t v : values) out += (out.empty() ? "" : ",") + std::to_string(v);
    add(name, "[" + out + "]");
  }

 private:
  static std::string text(double v) { return tidemark::text(v); }
  void add(const std::string& name, const std::string& value) {
    all += (all.empty() ? "" : " ") + name + "=" + value;
  }
};

class Notes : public Listener {
 public:
  Notes() : before_(listen(this)) {}
  ~Notes() override { listen(before_); }
  void ran(const Op& op, const Run& run) override {
    Told told;
    if (op.tell != nullptr) op.tell(run, told);
    ops.push_back(std::string(op.name) + ": " + told.all);
  }
  std::vector<std::string> ops;

 private:
  Listener* before_;
};

Tensor zeros(const Shape& shape) {
  Tensor t(shape, DType::float32);
  std::fill_n(t.mutable_data<float>(), t.size(), 0.0f);
  return t;
}

using Lines = std::vector<std::string>;

TEST(Tell, NamesWhatShapesDoNotSay) {
  Notes notes;
  Tensor x = zeros({2, 3});
  ops::mat_mul(x, x, false, true);
  ops::sum(x, {1}, false);
  ops::slice(x, {0, 1}, {2, 2});
  ops::concat({x, x}, 1);
  ops::clip_by_value(x, -1, 0.5);
  ops::exp(x);
  EXPECT_EQ(notes.ops,
            (Lines{"matMul: transpose_a=no transpose_b=yes", "sum: axes=[1]",
                   "slice: begin=[0,1] step=[1,1]",
                   "concat: axis=1 stacked=no", "clipByValue: min=-1 max=0.5",
                   "exp: "}));
}

TEST(Tell, NamesTheSettingsOfOptimizers) {
  Notes notes;
  Tensor v = zeros({3});
  ops::sgd_update(v, v, 0.5);
  EXPECT_EQ(notes.ops, (Lines{"sgdUpdate: learning_rate=0.5"}));
}

TEST(Tell, NobodyIsToldWhenNobodyListens) {
  Tensor x = zeros({2, 3});
  Notes* notes = new Notes;
  ops::exp(x);
  EXPECT_EQ(notes->ops.size(), 1u);
  delete notes;
  ops::exp(x);
}

}  // namespace
}  // namespace tidemark
