#pragma once
// Sorted tables of keys and values as LevelDB has them and TensorFlow writes
// them: blocks of entries that share prefixes, an index of the blocks, a
// footer; a checksum behind every block; nothing compressed.

#include <functional>
#include <vector>

#include "core/formats/bytes.h"

namespace tidemark::formats {

/// The block size TensorFlow writes checkpoints with.
inline constexpr std::size_t kBlockSize = 262144;

/// Builds a block: keys ascend, and all but every `restart`-th leave out what
/// they share with the key before.
class BlockBuilder {
 public:
  explicit BlockBuilder(int restart) : restart_(restart) {}
  void add(View key, View value);
  bool empty() const { return bytes_.empty(); }
  /// Bytes that `take` would give.
  std::size_t size() const { return bytes_.size() + 4 * restarts_.size() + 4; }
  /// The block; the next one starts anew.
  Bytes take();

 private:
  int restart_, since_ = 0;
  Bytes bytes_, last_;
  std::vector<uint32_t> restarts_{0};
};

/// Builds a table from entries in ascending order of their keys.
class TableBuilder {
 public:
  explicit TableBuilder(std::size_t block_size = kBlockSize)
      : block_size_(block_size) {}
  /// Fails with code argument when the key does not come after the last one.
  void add(View key, View value);
  /// The whole file.
  Bytes take();

 private:
  void flush();
  /// Appends a block with its trailer; returns where it is, as indexes say it.
  Bytes store(const Bytes& block);

  std::size_t block_size_;
  bool any_ = false;
  Bytes out_, last_, pending_;
  BlockBuilder data_{16}, index_{1};
};

/// Calls `entry` for every key and value of a table, ascending. Fails with code
/// argument when anything about the file is not as it must be, and with code
/// unsupported when a block is compressed.
void read_table(View file, const std::function<void(View, View)>& entry);

}  // namespace tidemark::formats
