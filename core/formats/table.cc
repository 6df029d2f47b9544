#include "core/formats/table.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/formats/crc32c.h"
#include "core/formats/wire.h"

namespace tidemark::formats {
namespace {

constexpr uint64_t kMagic = 0xdb4775248b80fb57u;
constexpr std::size_t kFooter = 48;
constexpr std::size_t kTrailer = 5;  // type of compression, checksum

/// The shortest key from `last` on that is still before `next`.
Bytes separator(View last, View next) {
  std::size_t n = std::min(last.size(), next.size()), i = 0;
  while (i < n && last[i] == next[i]) ++i;
  if (i < n && byte_at(last, i) < 255 &&
      byte_at(last, i) + 1 < byte_at(next, i)) {
    Bytes out(last.substr(0, i + 1));
    ++out[i];
    return out;
  }
  return Bytes(last);
}

/// The shortest key from `last` on.
Bytes successor(View last) {
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (byte_at(last, i) == 255) continue;
    Bytes out(last.substr(0, i + 1));
    ++out[i];
    return out;
  }
  return Bytes(last);
}

[[noreturn]] void damaged(const char* what) {
  fail(Code::argument, "checkpoint index: the file is damaged: ", what);
}

struct Handle {
  uint64_t offset, size;
};

Handle take_handle(View& in) {
  Handle h;
  if (!take_varint(in, h.offset) || !take_varint(in, h.size)) {
    damaged("the place of a block is cut off");
  }
  return h;
}

/// A block without its trailer.
View block_at(View file, Handle h) {
  // The last block ends before the footer at the latest.
  uint64_t room = file.size() - kFooter;
  if (h.offset > room || h.size > room - h.offset ||
      room - h.offset - h.size < kTrailer) {
    damaged("a block lies outside of it");
  }
  auto size = static_cast<std::size_t>(h.size);
  View all = file.substr(static_cast<std::size_t>(h.offset), size + kTrailer);
  if (get<uint32_t>(all, size + 1) != masked(crc32c(all.substr(0, size + 1)))) {
    fail(Code::argument, "checkpoint index: the file is damaged: the checksum "
         "of the block at ", static_cast<std::size_t>(h.offset), " is wrong");
  }
  if (all[size] != 0) {
    fail(Code::unsupported, "checkpoint index: the block at ",
         static_cast<std::size_t>(h.offset),
         " is compressed (type ", int{byte_at(all, size)},
         "), which cannot be read");
  }
  return all.substr(0, size);
}

/// The entries of a block in their order.
class BlockReader {
 public:
  explicit BlockReader(View block) {
    uint32_t restarts =
        block.size() < 4 ? 0 : get<uint32_t>(block, block.size() - 4);
    if (block.size() < 4 || restarts > (block.size() - 4) / 4) {
      damaged("a block has no end");
    }
    rest_ = block.substr(0, block.size() - 4 - 4 * std::size_t{restarts});
  }

  bool next() {
    if (rest_.empty()) return false;
    uint64_t shared, more, length;
    if (!take_varint(rest_, shared) || !take_varint(rest_, more) ||
        !take_varint(rest_, length) || shared > key.size() ||
        more > rest_.size() || length > rest_.size() - more) {
      damaged("an entry is cut off");
    }
    key.resize(static_cast<std::size_t>(shared));
    key += rest_.substr(0, static_cast<std::size_t>(more));
    rest_.remove_prefix(static_cast<std::size_t>(more));
    value = rest_.substr(0, static_cast<std::size_t>(length));
    rest_.remove_prefix(value.size());
    return true;
  }

  Bytes key;
  View value;

 private:
  View rest_;
};

}  // namespace

void BlockBuilder::add(View key, View value) {
  std::size_t shared = 0;
  if (since_ < restart_) {
    std::size_t n = std::min(last_.size(), key.size());
    while (shared < n && last_[shared] == key[shared]) ++shared;
  } else {
    restarts_.push_back(static_cast<uint32_t>(bytes_.size()));
    since_ = 0;
  }
  put_varint(bytes_, shared);
  put_varint(bytes_, key.size() - shared);
  put_varint(bytes_, value.size());
  bytes_ += key.substr(shared);
  bytes_ += value;
  last_ = key;
  ++since_;
}

Bytes BlockBuilder::take() {
  for (uint32_t at : restarts_) put(bytes_, at);
  put(bytes_, static_cast<uint32_t>(restarts_.size()));
  restarts_.resize(1);
  since_ = 0;
  last_.clear();
  return std::exchange(bytes_, {});
}

void TableBuilder::add(View key, View value) {
  if (any_) {
    if (key <= last_) {
      fail(Code::argument, "checkpoint index: '", key, "' comes after '",
           last_, "', but keys must ascend");
    }
    if (key.size() + value.size() >= 2 * block_size_) flush();
    if (!pending_.empty()) {
      index_.add(separator(last_, key), pending_);
      pending_.clear();
    }
  }
  any_ = true;
  last_ = key;
  data_.add(key, value);
  if (data_.size() >= block_size_) flush();
}

void TableBuilder::flush() {
  if (!data_.empty()) pending_ = store(data_.take());
}

Bytes TableBuilder::store(const Bytes& block) {
  Bytes handle;
  put_varint(handle, out_.size());
  put_varint(handle, block.size());
  out_ += block;
  out_ += '\0';
  put(out_, masked(crc32c(View("\0", 1), crc32c(block))));
  return handle;
}

Bytes TableBuilder::take() {
  flush();
  Bytes footer = store(BlockBuilder(1).take());  // the unused meta index
  if (!pending_.empty()) index_.add(successor(last_), pending_);
  footer += store(index_.take());
  footer.resize(kFooter - 8);
  put(footer, kMagic);
  return std::move(out_) + footer;
}

void read_table(View file, const std::function<void(View, View)>& entry) {
  if (file.size() < kFooter) {
    fail(Code::argument, "checkpoint index: ", file.size(),
         " bytes are too few for a file");
  }
  if (get<uint64_t>(file, file.size() - 8) != kMagic) {
    fail(Code::argument, "checkpoint index: the file does not end as an index "
         "ends: it is cut off, or another kind of file");
  }
  View footer = file.substr(file.size() - kFooter, kFooter - 8);
  block_at(file, take_handle(footer));  // the meta index: only its checksum
  BlockReader index(block_at(file, take_handle(footer)));
  Bytes last;
  bool any = false;
  while (index.next()) {
    View handle = index.value;
    BlockReader block(block_at(file, take_handle(handle)));
    while (block.next()) {
      if (any && block.key <= last) damaged("its keys do not ascend");
      any = true;
      last = block.key;
      entry(block.key, block.value);
    }
  }
}

}  // namespace tidemark::formats
