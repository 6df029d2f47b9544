// What tf.profile, debug mode and recorded graphs see: a listener notes every
// op while JavaScript wants it to, and gives its notes as JSON. Off the op path.

#include <emscripten/emscripten.h>

#include <cmath>
#include <string>
#include <unordered_set>
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

template <class List, class Show>
std::string json(const List& list, Show&& show) {
  std::string out = "[";
  for (const auto& x : list) {
    if (out.size() > 1) out += ',';
    out += show(x);
  }
  return out + "]";
}

/// JSON has no NaN and no Infinity: they are texts.
std::string json(double v) {
  return std::isfinite(v) ? text(v) : '"' + text(v) + '"';
}

/// The bytes of a tensor: exact, whatever they mean.
std::string bytes_of(const Tensor& t) {
  std::span bytes(static_cast<const uint8_t*>(t.raw()), t.bytes());
  return json(bytes, [](uint8_t v) { return text(int{v}); });
}

std::string ids(std::span<const Tensor> tensors) {
  return json(tensors, [](const Tensor& t) {
    return std::to_string(t ? t.id() : 0);
  });
}

std::string dtypes(std::span<const Tensor> tensors) {
  return json(tensors, [](const Tensor& t) {
    return text(t ? static_cast<int>(t.dtype()) : -1);
  });
}

/// Attributes as the fields of an object. Integers are {"i": 1}, so that they
/// can be told from numbers.
class JsonTeller : public Teller {
 public:
  std::string fields;

  void number(const char* name, double value) override {
    add(name, json(value));
  }
  void integer(const char* name, int64_t value) override {
    add(name, "{\"i\":" + tidemark::text(value) + "}");
  }
  void flag(const char* name, bool value) override {
    add(name, value ? "true" : "false");
  }
  void text(const char* name, const char* value) override {
    add(name, '"' + std::string(value) + '"');
  }
  void list(const char* name, std::span<const int64_t> values) override {
    add(name, json(values, [](int64_t v) { return tidemark::text(v); }));
  }

 private:
  void add(const char* name, const std::string& value) {
    if (!fields.empty()) fields += ',';
    fields += '"' + std::string(name) + "\":" + value;
  }
};

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
    if (graph_) note_graph(op, run);
    if (check_) notes_ += ",\"fault\":\"" + std::string(fault_in(run.out)) + '"';
    notes_ += '}';
  }

  void check(bool on) { check_ = on; }
  /// From now on notes tell the identities of tensors, and attributes.
  void graph(bool on) {
    if (on && !graph_) first_ = Tensor(Shape{}, DType::float32).id();
    if (!on) known_.clear();
    graph_ = on;
  }
  const std::string& take() {
    taken_ = "[" + std::exchange(notes_, {}) + "]";
    return taken_;
  }

 private:
  // Values of small tensors that no op made and that are younger than the
  // recording: they are constants of the program.
  static constexpr std::size_t kConstant = 1024;

  void note_graph(const Op& op, const Run& run) {
    std::string constants;
    for (const Tensor& t : run.in) {
      if (!t || !known_.insert(t.id()).second) continue;
      if (t.id() < first_ || t.size() > kConstant) continue;
      if (!constants.empty()) constants += ',';
      constants += '"' + std::to_string(t.id()) + "\":" + bytes_of(t);
    }
    for (const Tensor& t : run.out) known_.insert(t.id());
    JsonTeller teller;
    if (op.tell != nullptr) op.tell(run, teller);
    notes_ += ",\"inputs\":" + ids(run.in) +
              ",\"outputs\":" + ids(run.out) +
              ",\"inputDtypes\":" + dtypes(run.in) +
              ",\"outputDtypes\":" + dtypes(run.out) +
              ",\"attrs\":{" + teller.fields + "},\"constants\":{" +
              constants + '}';
  }

  std::string notes_, taken_;
  // Tensors that were met already.
  std::unordered_set<uint64_t> known_;
  uint64_t first_ = 0;
  bool graph_ = false;
  double started_ = 0;
  bool check_ = false;
};

Recorder recorder;

// 0: off; else the sum of 1: notes every op, 2: looks for NaN in the results,
// 4: tells what a graph needs to know.
void profile(int mode) {
  recorder.check((mode & 2) != 0);
  recorder.graph((mode & 4) != 0);
  listen(mode == 0 ? nullptr : &recorder);
}
/// Where the notes so far are, as JSON.
double profile_take() { return wire::address(recorder.take().c_str()); }
/// The identity of a tensor, as notes tell it.
double identity(Tensor x) { return static_cast<double>(x.id()); }

}  // namespace

EMSCRIPTEN_BINDINGS(profile) {
  wire::bind<profile>("profile(mode)");
  wire::bind<profile_take>("profileTake()");
  wire::bind<identity>("identity(x)");
}

}  // namespace tidemark
