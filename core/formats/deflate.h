#pragma once
// A small zlib writer: repeats are found through one table of places, codes
// are the fixed ones. For the little images of summaries.

#include "core/formats/bytes.h"

namespace tidemark::formats {

/// The bytes as a zlib stream.
Bytes deflate(View bytes);

}  // namespace tidemark::formats
