// What tf.profile, debug mode and recorded graphs see: a listener notes every
// op while JavaScript wants it to, and gives its notes as JSON. Off the op path.

#include <emscripten/emscripten.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/ops/emit.h"
#include "core/runtime/handles.h"
#include "wasm/bind.h"

namespace tidemark {
namespace {

/// Appends JSON: values and names with the commas that they need. Out of line,
/// because speed is no matter here and size is.
class Json {
 public:
  std::string text;

  [[gnu::noinline]] void raw(const char* piece) {
    // Nothing but what opens and what ends a name comes before a first value.
    char last = text.empty() ? ',' : text.back();
    if (last != '[' && last != '{' && last != ',' && last != ':') text += ',';
    text += piece;
  }
  void open(const char* bracket) { raw(bracket); }
  void close(char bracket) { text += bracket; }
  [[gnu::noinline]] void string(const char* value) {
    raw("\"");
    text.append(value).append("\"");
  }
  void name(const char* value) {
    string(value);
    text += ':';
  }
  /// JSON has no NaN and no Infinity: they are texts.
  [[gnu::noinline]] void number(double v) {
    std::string digits = tidemark::text(v);
    if (std::isfinite(v)) {
      raw(digits.c_str());
    } else {
      string(digits.c_str());
    }
  }
  void number(const char* of, double v) {
    name(of);
    number(v);
  }
  template <class List, class Each>
  void list(const char* of, const List& values, Each&& each) {
    name(of);
    open("[");
    for (const auto& v : values) each(v);
    close(']');
  }
  void shapes(const char* of, std::span<const Tensor> tensors) {
    list(of, tensors, [&](const Tensor& t) {
      if (!t) return raw("null");
      open("[");
      for (int size : t.shape()) number(size);
      close(']');
    });
  }
};

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

/// Attributes as the fields of an object. Integers are {"i": 1}, so that they
/// can be told from numbers.
class JsonTeller : public Teller {
 public:
  explicit JsonTeller(Json& json) : json_(json) {}

  void number(const char* name, double value) override {
    json_.number(name, value);
  }
  void integer(const char* name, int64_t value) override {
    json_.name(name);
    json_.open("{");
    json_.number("i", static_cast<double>(value));
    json_.close('}');
  }
  void flag(const char* name, bool value) override {
    json_.name(name);
    json_.raw(value ? "true" : "false");
  }
  void text(const char* name, const char* value) override {
    json_.name(name);
    json_.string(value);
  }
  void list(const char* name, std::span<const int> values) override {
    json_.list(name, values, [&](int v) { json_.number(v); });
  }

 private:
  Json& json_;
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
    json_.open("{");
    json_.name("name");
    json_.string(op.name);
    json_.number("bytesAdded", count(bytes));
    // The outputs are not visible to JavaScript yet.
    json_.number("totalBytesSnapshot", count(rt.bytes() + bytes));
    json_.number("tensorsAdded", count(run.out.size()));
    json_.number("totalTensorsSnapshot", count(rt.live() + run.out.size()));
    json_.shapes("inputShapes", run.in);
    json_.shapes("outputShapes", run.out);
    json_.number("kernelTimeMs", ms);
    if (graph_) note_graph(op, run);
    if (check_) {
      json_.name("fault");
      json_.string(fault_in(run.out));
    }
    json_.close('}');
  }

  void check(bool on) { check_ = on; }
  /// From now on notes tell the identities of tensors, and attributes.
  void graph(bool on) {
    if (on && !graph_) first_ = Tensor(Shape{}, DType::float32).id();
    if (!on) known_.clear();
    graph_ = on;
  }
  const std::string& take() {
    taken_ = "[" + std::exchange(json_.text, {}) + "]";
    return taken_;
  }

 private:
  // Values of small tensors that no op made and that are younger than the
  // recording: they are constants of the program.
  static constexpr std::size_t kConstant = 1024;

  static double count(std::size_t n) { return static_cast<double>(n); }

  void ids(const char* of, std::span<const Tensor> tensors) {
    json_.list(of, tensors, [&](const Tensor& t) {
      json_.number(t ? static_cast<double>(t.id()) : 0);
    });
  }

  void dtypes(const char* of, std::span<const Tensor> tensors) {
    json_.list(of, tensors, [&](const Tensor& t) {
      json_.number(t ? static_cast<int>(t.dtype()) : -1);
    });
  }

  void note_graph(const Op& op, const Run& run) {
    json_.name("constants");
    json_.open("{");
    for (const Tensor& t : run.in) {
      if (!t || !known_.insert(t.id()).second) continue;
      if (t.id() < first_ || t.size() > kConstant) continue;
      // The bytes: exact, whatever they mean.
      std::span bytes(static_cast<const uint8_t*>(t.raw()), t.bytes());
      json_.list(std::to_string(t.id()).c_str(), bytes,
                 [&](uint8_t v) { json_.number(v); });
    }
    json_.close('}');
    for (const Tensor& t : run.out) known_.insert(t.id());
    ids("inputs", run.in);
    ids("outputs", run.out);
    dtypes("inputDtypes", run.in);
    dtypes("outputDtypes", run.out);
    json_.name("attrs");
    json_.open("{");
    JsonTeller teller(json_);
    if (op.tell != nullptr) op.tell(run, teller);
    json_.close('}');
  }

  Json json_;
  std::string taken_;
  // Tensors that were met already.
  std::set<uint64_t> known_;
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
