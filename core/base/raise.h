#pragma once
// The end of every error, apart from its text: where there are no exceptions,
// something else takes its place (wasm/formats/module.cc).

#include "core/base/error.h"

namespace tidemark {

/// Throws an Error.
[[noreturn, gnu::cold]] void raise(Code code, std::string message);

}  // namespace tidemark
