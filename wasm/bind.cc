#include "wasm/bind.h"

#include <limits>
#include <new>

namespace tidemark::wire {
namespace {

Code error_code = Code::none;
std::string error_message;

void record(Code code, const char* message) {
  error_code = code;
  try {
    error_message = message;
  } catch (const std::bad_alloc&) {
    error_message.clear();  // the code says what there is to say
  }
}

// Frees that many tensors JavaScript has lost before an op runs.
constexpr std::size_t kPerOp = 256;

// An exception that left through JavaScript would leave the wasm stack pointer
// where it was, so none does.
template <class Body>
double guarded(double on_error, Body&& body) {
  try {
    // The safe point: before the handles of this call are resolved.
    runtime::Runtime& rt = runtime::runtime();
    if (rt.pending_any()) rt.drain(kPerOp, true);
    double answer = body();
    body_returned();
    return answer;
  } catch (const Error& e) {
    record(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    record(Code::memory, "out of memory: the heap cannot grow");
  } catch (const std::exception& e) {
    record(Code::internal, e.what());
  }
  return on_error;
}

}  // namespace

double guard(Tensor (*body)(Arguments), Arguments arguments) {
  return guarded(0, [&] {
    return runtime::runtime().expose(body(arguments));
  });
}

double guard(Tensors (*body)(Arguments), Arguments arguments) {
  return guarded(-1, [&] {
    Tensors tensors = body(arguments);
    double* out = reserve_block(kHeader + tensors.size()) + kHeader;
    runtime::runtime().expose(tensors, out);
    return static_cast<double>(tensors.size());
  });
}

double guard(void (*body)(Arguments), Arguments arguments) {
  return guarded(0, [&] {
    body(arguments);
    return 1.0;
  });
}

double guard(double (*body)(Arguments), Arguments arguments) {
  return guarded(std::numeric_limits<double>::quiet_NaN(),
                 [&] { return body(arguments); });
}

Code last_code() { return std::exchange(error_code, Code::none); }
const char* last_message() { return error_message.c_str(); }

}  // namespace tidemark::wire
