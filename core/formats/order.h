#pragma once
// Files of checkpoints and messages are sorted by names; one sort does for all
// of them, because each std::sort of another type is a few kB.

#include <span>
#include <vector>

#include "core/formats/bytes.h"

namespace tidemark::formats {

/// Indices of the keys, ascending by their bytes; equal ones stay in order.
std::vector<std::size_t> order_of(std::span<const View> keys);

}  // namespace tidemark::formats
