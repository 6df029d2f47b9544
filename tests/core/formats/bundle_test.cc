#include "core/formats/bundle.h"

#include <map>

#include "core/formats/crc32c.h"
#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

uint32_t crc_of(View bytes) { return masked(crc32c(bytes)); }

View part(View data, const BundleEntry& e) {
  return data.substr(static_cast<std::size_t>(e.offset),
                     static_cast<std::size_t>(e.size));
}

TEST(Bundle, TheGoldenCheckpoint) {
  Bytes data = golden("model.ckpt-7.data-00000-of-00001");
  Bundle bundle = read_index(golden("model.ckpt-7.index"));
  EXPECT_EQ(bundle.shards, 1);
  EXPECT_FALSE(bundle.big_endian);
  ASSERT_EQ(bundle.entries.size(), 4u);
  const BundleEntry& kernel = bundle.entries[1];
  EXPECT_EQ(kernel.name, "dense/kernel");
  EXPECT_EQ(kernel.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(get<float>(part(data, kernel), 20), 6.0f);
  EXPECT_EQ(get<int64_t>(part(data, bundle.entries[2])), 7);
  for (const BundleEntry& e : bundle.entries) {
    if (e.dtype != 7) {
      EXPECT_EQ(crc_of(part(data, e)), e.crc) << e.name;
    }
  }
  const BundleEntry& vocab = bundle.entries[3];
  EXPECT_EQ(unpack_strings(part(data, vocab), 2, vocab.crc),
            (std::vector<View>{"hi", "é"}));
}

/// The same checkpoint from its tensors, in another order.
TEST(Bundle, TheGoldenCheckpointIsWrittenAgain) {
  Bytes data;
  std::vector<BundleEntry> entries;
  auto add = [&](const char* name, int dtype, std::vector<int64_t> shape,
                 const Bytes& bytes, uint32_t crc) {
    entries.insert(entries.begin(),
                   {name, dtype, shape, 0, int64_t(data.size()),
                    int64_t(bytes.size()), crc});
    data += bytes;
  };
  Bytes bias, kernel, step;
  for (float v : {0.5f, -0.5f, 0.0f}) put(bias, v);
  for (float v : {1, 2, 3, 4, 5, 6}) put(kernel, v);
  put(step, int64_t{7});
  StringData vocab = pack_strings(std::vector<View>{"hi", "é"});
  add("dense/bias", 1, {3}, bias, crc_of(bias));
  add("dense/kernel", 1, {2, 3}, kernel, crc_of(kernel));
  add("global_step", 9, {}, step, crc_of(step));
  add("vocab", 7, {2}, vocab.bytes, vocab.crc);
  EXPECT_EQ(data, golden("model.ckpt-7.data-00000-of-00001"));
  EXPECT_EQ(write_index(entries), golden("model.ckpt-7.index"));
}

TEST(Bundle, ManyVariablesInSmallBlocks) {
  std::vector<BundleEntry> entries;
  Bytes data;
  for (int i = 0; i < 3000; ++i) {
    char name[16];
    std::snprintf(name, sizeof name, "v%05d/w", i);
    Bytes bytes;
    put(bytes, static_cast<float>(i));
    entries.push_back({name, 1, {1}, 0, 4 * i, 4, crc_of(bytes)});
    data += bytes;
  }
  EXPECT_EQ(data, golden("big.ckpt-0.data-00000-of-00001"));
  EXPECT_EQ(write_index(entries, 4096), golden("big.ckpt-0.index"));
  EXPECT_EQ(read_index(golden("big.ckpt-0.index")).entries.size(), 3000u);
}

TEST(Bundle, EveryTypeThatTensorFlowWrites) {
  Bytes index = golden("tensorflow/types.ckpt.index");
  Bytes data = golden("tensorflow/types.ckpt.data-00000-of-00001");
  Bundle bundle = read_index(index);
  EXPECT_EQ(bundle.entries.size(), 21u);
  std::map<Bytes, std::size_t> strings = {{"string", 4}, {"no_strings", 0}};
  std::vector<Bytes> texts;
  for (const BundleEntry& e : bundle.entries) {
    View bytes = part(data, e);
    ASSERT_EQ(bytes.size(), std::size_t(e.size));
    if (e.dtype != 7) {
      EXPECT_EQ(crc_of(bytes), e.crc) << e.name;
      continue;
    }
    for (View s : unpack_strings(bytes, strings.at(e.name), e.crc)) {
      texts.emplace_back(s);
    }
    StringData again = pack_strings(
        unpack_strings(bytes, strings.at(e.name), e.crc));
    EXPECT_EQ(again.bytes, bytes);
    EXPECT_EQ(again.crc, e.crc);
  }
  EXPECT_EQ(texts, (std::vector<Bytes>{"", Bytes("é\0", 3), Bytes(200, 'x'),
                                       "hi"}));
  EXPECT_EQ(write_index(bundle.entries), index);
}

TEST(Bundle, PartsOfASlicedTensorAreKnownAsSuch) {
  Bundle bundle = read_index(golden("tensorflow/parts.ckpt.index"));
  ASSERT_EQ(bundle.entries.size(), 4u);
  int sliced = 0;
  for (const BundleEntry& e : bundle.entries) {
    if (!e.sliced) continue;
    ++sliced;
    EXPECT_EQ(e.name, "w");
    EXPECT_EQ(e.shape, (std::vector<int64_t>{4, 2}));
  }
  EXPECT_EQ(sliced, 1);
  EXPECT_EQ(bundle.entries[0].name[0], '\0');
}

TEST(Bundle, ImpossibleEntriesAreRefused) {
  auto error = [](const BundleEntry& e) {
    return error_of([&] { write_index({e}); });
  };
  EXPECT_EQ(error({"", 1, {}, 0, 0, 4}),
            "checkpoint: a tensor needs a name instead of ''");
  EXPECT_EQ(error({"w", 1, {2}, 0, 0, 4}),
            "checkpoint: the size does not fit the shape of 'w'");
  EXPECT_EQ(error({"w", 1, {-2}, 0, 0, 4}),
            "checkpoint: impossible shape of 'w'");
  EXPECT_EQ(error({"w", 1, {INT64_MAX, 4}, 0, 0, 4}),
            "checkpoint: impossible shape of 'w'");
  EXPECT_EQ(error({"w", 99, {}, 0, 0, 4}),
            "checkpoint: unknown data type of 'w'");
  EXPECT_EQ(error({"w", 1, {}, 0, -4, 4}),
            "checkpoint: impossible offset or size of 'w'");
  EXPECT_EQ(error({"w", 1, {}, 1, 0, 4}),
            "checkpoint: impossible shard of 'w'");
  BundleEntry e{"w", 1, {}, 0, 0, 4};
  EXPECT_EQ(error_of([&] { write_index({e, e}); }),
            "checkpoint: there are two of 'w'");
  // No elements, whatever the other dimensions say.
  write_index({{"w", 1, {0, INT64_MAX}, 0, 0, 0}});
}

TEST(Bundle, OnlyABundleIsRead) {
  auto error = [](View key, View value) {
    TableBuilder table;
    table.add(key, value);
    Bytes file = table.take();
    return error_of([&] { read_index(file); });
  };
  EXPECT_EQ(error("key", "value"), "checkpoint index: it has no header: a "
                                   "table, but of something else");
  EXPECT_EQ(error("", ""), "checkpoint index: its header is damaged");
  EXPECT_EQ(error("", "\x08\x01\x1a\x02\x10\x02"),
            "checkpoint index: written for readers of version 2, this one has "
            "version 1");
  EXPECT_EQ(error_of([] { read_index(TableBuilder().take()); }),
            "checkpoint index: it is empty");
}

TEST(Bundle, DamagedStringsAreFound) {
  StringData packed =
      pack_strings(std::vector<View>{"hi", "", Bytes(300, 'y')});
  EXPECT_EQ(unpack_strings(packed.bytes, 3, packed.crc).size(), 3u);
  auto code = [&](View bytes, std::size_t n, uint32_t crc) {
    return code_of([&] { unpack_strings(bytes, n, crc); });
  };
  for (std::size_t n = 0; n < packed.bytes.size(); ++n) {
    EXPECT_EQ(code(View(packed.bytes).substr(0, n), 3, packed.crc),
              Code::argument);
    Bytes bad = packed.bytes;
    bad[n] ^= 4;
    EXPECT_EQ(code(bad, 3, packed.crc), Code::argument);
  }
  EXPECT_EQ(code(packed.bytes, 2, packed.crc), Code::argument);
  EXPECT_EQ(code(packed.bytes, SIZE_MAX, packed.crc), Code::argument);
  EXPECT_EQ(code(packed.bytes, 3, packed.crc + 1), Code::argument);
}

}  // namespace
}  // namespace tidemark::formats
