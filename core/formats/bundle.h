#pragma once
// TensorBundle V2, TensorFlow's checkpoints: a file of tensors' bytes, one
// after the other, and an index that says where each tensor is. The bytes of
// tensors are never in one buffer here: a writer takes their checksum piece by
// piece and makes the index at the end.

#include <span>
#include <vector>

#include "core/formats/table.h"

namespace tidemark::formats {

/// Where a tensor is, and what it must be.
struct BundleEntry {
  Bytes name;
  int dtype = 0;               ///< TensorFlow's DataType
  std::vector<int64_t> shape;  ///< [] for a scalar
  int shard = 0;
  int64_t offset = 0, size = 0;  ///< bytes in the data file
  uint32_t crc = 0;              ///< of the bytes, masked
  bool sliced = false;           ///< its parts are entries of their own
};

struct Bundle {
  int shards = 1;
  bool big_endian = false;
  std::vector<BundleEntry> entries;  ///< by name
};

/// The index file. Entries may come in any order; fails with code argument for
/// names that are there twice or empty, and impossible entries.
Bytes write_index(const std::vector<BundleEntry>& entries,
                  std::size_t block_size = kBlockSize);

/// What an index file says, after checking all of it. Fails with code argument
/// when it is damaged.
Bundle read_index(View file);

/// Elements of a shape; fails with code argument when it has none.
int64_t elements_of(const BundleEntry& entry);

/// A string tensor as the data file has it.
struct StringData {
  Bytes bytes;
  uint32_t crc;  ///< masked, as its entry has it
};
StringData pack_strings(std::span<const View> strings);

/// The n strings in such bytes. Fails with code argument when the bytes are
/// not what the checksum was taken of.
std::vector<View> unpack_strings(View bytes, std::size_t n, uint32_t crc);

}  // namespace tidemark::formats
