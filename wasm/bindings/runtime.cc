// What JavaScript needs besides ops: handles, gradients, the argument block and
// the last error. Scopes and memory are in memory.cc.

#include <memory>
#include <new>
#include <string>

#include "core/autodiff/gradients.h"
#include "core/autodiff/tape.h"
#include "wasm/bind.h"

namespace tidemark {
namespace {

using runtime::Runtime;
using wire::address;
using wire::bind;
using wire::Doubles;

Runtime& rt() { return runtime::runtime(); }

// ---- argument block and errors; these bypass the guard ----
double block_address() { return address(wire::block()); }
/// Where the block is after growing to `n` doubles; 0 when it cannot.
double reserve(double n) {
  try {
    return address(wire::reserve_block(static_cast<std::size_t>(n)));
  } catch (const std::bad_alloc&) {
    return 0;
  }
}
double error_code() { return static_cast<double>(wire::last_code()); }
double error_message() { return address(wire::last_message()); }

// ---- handles ----
Tensor empty(Shape shape, DType dtype) { return Tensor(shape, dtype); }
Tensor make_scalar(double value, DType dtype) { return scalar(value, dtype); }
double data_address(Tensor x) { return address(x.raw()); }
/// Writes dtype, then the dimensions, at the block's start; returns the rank.
double describe(Tensor x) {
  double* out = wire::block();
  out[0] = static_cast<double>(x.dtype());
  for (int i = 0; i < x.rank(); ++i) out[1 + i] = x.shape()[i];
  return x.rank();
}
/// The same for a handle that is freed at once; -1 when it was gone already.
double describe_and_dispose(double handle) {
  if (!rt().alive(handle)) return -1;
  double rank = describe(rt().resolve(handle));
  rt().dispose(handle);
  return rank;
}
double alive(double handle) { return rt().alive(handle); }
double dispose(double handle) { return rt().dispose(handle); }
Tensor alias(Tensor x) { return x; }
void keep(double handle) { rt().keep(handle); }

// ---- variables ----
double variable(Tensor initial) {
  return rt().expose_variable(initial.identical());
}
void assign(double handle, Tensor value) { rt().assign(handle, value); }

// ---- gradients ----
// Backward passes in progress, innermost last: gradient functions written in
// JavaScript may start passes of their own.
std::vector<std::unique_ptr<Backward>> passes;

Backward& pass() {
  if (passes.empty()) fail(Code::state, "gradients: no backward pass is open");
  return *passes.back();
}
void tape_open(Tensors xs) { tape::open(xs); }
void tape_drop() { tape::close(); }
double tape_depth() { return tape::depth(); }
void tape_pause() { tape::pause(); }
void tape_resume() { tape::resume(); }
double custom_record(int id, Tensors in, Tensor out) {
  return tape::record_custom(id, in, out);
}
void backward_open(Tensor y, Tensors xs, std::optional<Tensor> dy) {
  passes.push_back(std::make_unique<Backward>(tape::close(), y, xs,
                                              dy.value_or(Tensor())));
}
double backward_step() { return pass().step(); }
Tensor backward_dy() { return pass().custom_dy(); }
void backward_answer(Tensors gradients) { pass().answer(gradients); }
Tensors backward_close() {
  Tensors out = pass().results();
  passes.pop_back();
  return out;
}
void backward_drop() {
  if (!passes.empty()) passes.pop_back();
}

void reset() {
  passes.clear();
  tape::reset();
  rt().reset();
}

}  // namespace

EMSCRIPTEN_BINDINGS(runtime) {
  emscripten::function("blockAddress", &block_address);
  emscripten::function("reserve(doubles)", &reserve);
  emscripten::function("errorCode", &error_code);
  emscripten::function("errorMessage", &error_message);

  bind<empty>("empty(shape,dtype)");
  bind<make_scalar>("scalar(value,dtype)");
  bind<data_address>("dataAddress(x)");
  bind<describe>("describe(x)");
  emscripten::function("alive(handle)", &alive);
  emscripten::function("dispose(handle)", &dispose);
  emscripten::function("describeAndDispose(handle)", &describe_and_dispose);
  bind<keep>("keep(handle)");
  bind<alias>("alias(x)");

  bind<variable>("variable(initial)");
  bind<assign>("assign(variable,value)");

  bind<tape_open>("tapeOpen(xs)");
  bind<tape_drop>("tapeDrop()");
  emscripten::function("tapeDepth", &tape_depth);
  bind<tape_pause>("tapePause()");
  bind<tape_resume>("tapeResume()");
  bind<custom_record>("customRecord(id,inputs,output)");
  bind<backward_open>("backwardOpen(y,xs,dy)");
  bind<backward_step>("backwardStep()");
  bind<backward_dy>("backwardDy()");
  bind<backward_answer>("backwardAnswer(gradients)");
  bind<backward_close>("backwardClose()");
  bind<backward_drop>("backwardDrop()");
  bind<reset>("reset()");
}

}  // namespace tidemark
