#pragma once
// The one sort of the formats. The library's, made anew for each type, would
// be a tenth of them.

#include <vector>

#include "core/formats/bytes.h"

namespace tidemark::formats {

/// The indices of keys in ascending order of their bytes; equal ones keep their
/// order.
std::vector<uint32_t> ascending(const std::vector<View>& keys);

}  // namespace tidemark::formats
