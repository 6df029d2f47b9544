#include "core/base/raise.h"

namespace tidemark {

void raise(Code code, std::string message) {
  throw Error(code, std::move(message));
}

}  // namespace tidemark
