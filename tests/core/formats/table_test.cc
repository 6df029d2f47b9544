#include "core/formats/table.h"

#include "core/formats/crc32c.h"
#include "core/formats/wire.h"
#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

using Pairs = std::vector<std::pair<Bytes, Bytes>>;

Pairs pairs_of(View file) {
  Pairs out;
  read_table(file, [&](View k, View v) { out.emplace_back(k, v); });
  return out;
}

Bytes table_of(const Pairs& pairs, std::size_t block_size = kBlockSize) {
  TableBuilder table(block_size);
  for (const auto& [k, v] : pairs) table.add(k, v);
  return table.take();
}

TEST(Table, GoldenFilesAreReadAndWrittenAgain) {
  for (const char* name : {"model.ckpt-7.index", "tensorflow/types.ckpt.index",
                           "tensorflow/parts.ckpt.index",
                           "tensorflow/model.ckpt-5.index"}) {
    EXPECT_EQ(table_of(pairs_of(golden(name))), golden(name)) << name;
  }
  Pairs big = pairs_of(golden("big.ckpt-0.index"));
  EXPECT_EQ(big.size(), 3001u);
  EXPECT_EQ(table_of(big, 4096), golden("big.ckpt-0.index"));
}

TEST(Table, AnyEntriesInAnyBlockSize) {
  Random random(5);
  for (std::size_t block_size : {1, 20, 100, 4096}) {
    for (int round = 0; round < 20; ++round) {
      Pairs pairs;
      Bytes key;
      for (int i = 0; i < round * 5; ++i) {
        // Ascending, with long shared prefixes, 0xff and zero bytes.
        if (random.below(3) == 0 && !key.empty() && byte_at(key, 0) < 255) {
          ++key[random.below(2) == 0 ? 0 : key.size() - 1];
        }
        key += static_cast<char>(random.below(4) * 85);
        if (!pairs.empty() && key <= pairs.back().first) continue;
        Bytes v(random.below(60), static_cast<char>(i));
        pairs.emplace_back(key, v);
      }
      ASSERT_EQ(pairs_of(table_of(pairs, block_size)), pairs);
    }
  }
}

TEST(Table, Empty) {
  EXPECT_TRUE(pairs_of(table_of({})).empty());
  EXPECT_EQ(table_of({}).size(), 2 * 13 + 48u);
}

TEST(Table, KeysMustAscend) {
  TableBuilder table;
  table.add("b", "");
  EXPECT_EQ(error_of([&] { table.add("b", ""); }),
            "checkpoint index: 'b' comes after 'b', but keys must ascend");
  EXPECT_EQ(code_of([&] { table.add("a", ""); }), Code::argument);
}

TEST(Table, AFlippedBitIsFound) {
  Bytes file = golden("model.ckpt-7.index");
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      Bytes bad = file;
      bad[i] = static_cast<char>(bad[i] ^ 1 << bit);
      Pairs pairs;
      Code code = code_of([&] { pairs = pairs_of(bad); });
      // Only the padding of the footer is read by nobody.
      if (code == Code::none) {
        EXPECT_EQ(pairs, pairs_of(file));
        EXPECT_GT(i, file.size() - 48);
      } else {
        EXPECT_EQ(code, Code::argument);
      }
    }
  }
}

TEST(Table, AMessageForEachKindOfDamage) {
  Bytes file = golden("model.ckpt-7.index");
  auto error = [](const Bytes& f) { return error_of([&] { pairs_of(f); }); };
  EXPECT_EQ(error("short"),
            "checkpoint index: 5 bytes are too few for a file");
  EXPECT_NE(error(file + "x").find("does not end as an index ends"),
            std::string::npos);
  Bytes bad = file;
  bad[3] ^= 1;
  EXPECT_EQ(error(bad), "checkpoint index: the file is damaged: the checksum "
                        "of the block at 0 is wrong");
}

TEST(Table, ACompressedBlockIsUnsupported) {
  // The first block of an empty table is the unused one.
  Bytes file = table_of({});
  file[8] = 1;
  uint32_t crc = masked(crc32c(View(file).substr(0, 9)));
  std::memcpy(&file[9], &crc, 4);
  EXPECT_EQ(code_of([&] { pairs_of(file); }), Code::unsupported);
}

}  // namespace
}  // namespace tidemark::formats
