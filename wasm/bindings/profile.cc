// What tf.profile and debug mode see: a listener notes every op while
// JavaScript wants it to, and gives its notes as JSON. Off the op path.

#include <emscripten/emscripten.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/ops/emit.h"
#include "core/runtime/handles.h"
#include "wasm/bind.h"

namespace tidemark {
namespace {

std::string json(const Shape& shape) {
  return text(std::vector<int>(shape.begin(), shape.end()));
}

std::string json(std::span<const Tensor> tensors) {
  std::string out = "[";
  for (const Tensor& t : tensors) {
    if (out.size() > 1) out += ',';
    out += t ? json(t.shape()) : "null";
  }
  return out + "]";
}

/// "NaN" or "Infinity" when one is among the outputs, NaN first; else "".
const char* fault_in(std::span<const Tensor> tensors) {
  const char* fault = "";
  for (const Tensor& t : tensors) {
    if (t.dtype() != DType::float32) continue;
    for (float v : t.values<float>()) {
      if (std::isnan(v)) return "NaN";
      if (std::isinf(v)) fault = "Infinity";
    }
  }
  return fault;
}

class Recorder : public Listener {
 public:
  void starts(const Op&) override { started_ = emscripten_get_now(); }

  void ran(const Op& op, const Run& run) override {
    double ms = started_ > 0 ? emscripten_get_now() - started_ : 0;
    started_ = 0;
    std::size_t bytes = 0;
    for (const Tensor& t : run.out) bytes += t.bytes();
    runtime::Runtime& rt = runtime::runtime();
    // The outputs are not visible to JavaScript yet.
    notes_ += notes_.empty() ? "" : ",";
    notes_ += "{\"name\":\"" + std::string(op.name) +
              "\",\"bytesAdded\":" + text(bytes) +
              ",\"totalBytesSnapshot\":" + text(rt.bytes() + bytes) +
              ",\"tensorsAdded\":" + text(run.out.size()) +
              ",\"totalTensorsSnapshot\":" +
              text(rt.live() + run.out.size()) +
              ",\"inputShapes\":" + json(run.in) +
              ",\"outputShapes\":" + json(run.out) +
              ",\"kernelTimeMs\":" + text(ms);
    if (check_) notes_ += ",\"fault\":\"" + std::string(fault_in(run.out)) + '"';
    notes_ += '}';
  }

  void check(bool on) { check_ = on; }
  const std::string& take() {
    taken_ = "[" + std::exchange(notes_, {}) + "]";
    return taken_;
  }

 private:
  std::string notes_, taken_;
  double started_ = 0;
  bool check_ = false;
};

Recorder recorder;

// 0: off, 1: notes every op, 2: and looks for NaN in the results.
void profile(int mode) {
  recorder.check(mode == 2);
  listen(mode == 0 ? nullptr : &recorder);
}
/// Where the notes so far are, as JSON.
double profile_take() { return wire::address(recorder.take().c_str()); }

}  // namespace

EMSCRIPTEN_BINDINGS(profile) {
  wire::bind<profile>("profile(mode)");
  wire::bind<profile_take>("profileTake()");
}

}  // namespace tidemark
