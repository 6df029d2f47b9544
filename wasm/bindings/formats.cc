// File formats: two exports for all of them. JavaScript writes packed values
// (core/formats/value.h) where the first says and reads the answer where the
// second has put it.

#include <string>

#include "core/formats/call.h"
#include "wasm/bind.h"

namespace tidemark {
namespace {

formats::Bytes request, answer;

/// Makes room for the arguments and returns its address.
double formats_request(double bytes) {
  answer = {};
  request.resize(static_cast<std::size_t>(bytes));
  return static_cast<double>(reinterpret_cast<uintptr_t>(request.data()));
}

/// Runs a byte function on the arguments; returns the length of the answer,
/// whose address is at the block's start.
double formats_call(int which) {
  formats::Bytes arguments = std::exchange(request, {});
  answer = formats::call(static_cast<formats::Call>(which), arguments);
  wire::block()[0] =
      static_cast<double>(reinterpret_cast<uintptr_t>(answer.data()));
  return static_cast<double>(answer.size());
}

}  // namespace

EMSCRIPTEN_BINDINGS(formats) {
  wire::bind<formats_request>("formatsRequest(bytes)");
  wire::bind<formats_call>("formatsCall(which)");
}

}  // namespace tidemark
