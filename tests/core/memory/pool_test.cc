#include "core/memory/pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "core/base/error.h"

namespace tidemark::memory {
namespace {

TEST(Pool, GivesAlignedPaddedBlocks) {
  for (std::size_t bytes : {0, 1, 63, 64, 65, 257, 4096, 65535, 65536, 65537,
                            1000000}) {
    Storage s = Storage::allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(s.data()) % 64, 0u);
    EXPECT_GE(s.capacity(), padded(bytes));
    EXPECT_LE(s.capacity(), padded(bytes) + padded(bytes) / 4 + 256);
    std::memset(s.data(), 1, padded(bytes));
  }
  check();
}

TEST(Pool, ReusesAFreedBlock) {
  const void* first;
  {
    Storage s = Storage::allocate(1000);
    first = s.id();
  }
  EXPECT_EQ(Storage::allocate(1000).id(), first);
}

TEST(Pool, CountsWhatIsInUse) {
  Statistics before = statistics();
  {
    Storage a = Storage::allocate(1 << 20);
    Storage b = a;
    EXPECT_EQ(a.use_count(), 2u);
    EXPECT_EQ(statistics().buffers, before.buffers + 1);
    EXPECT_GE(statistics().bytes, before.bytes + (1 << 20));
  }
  EXPECT_EQ(statistics().buffers, before.buffers);
  EXPECT_EQ(statistics().bytes, before.bytes);
  EXPECT_GE(statistics().peak, before.bytes + (1 << 20));
  reset_peak();
  EXPECT_EQ(statistics().peak, statistics().bytes);
}

TEST(Pool, JoinsFreeNeighbours) {
  trim();
  std::vector<Storage> blocks;
  for (int i = 0; i < 64; ++i) blocks.push_back(Storage::allocate(100000));
  std::size_t reserved = statistics().reserved;
  blocks.clear();
  check();
  // What 64 blocks had, one block can have.
  Storage big = Storage::allocate(2000000);
  EXPECT_EQ(statistics().reserved, reserved);
  check();
}

TEST(Pool, SurvivesRandomUse) {
  std::mt19937 random(7);
  std::vector<std::pair<Storage, unsigned char>> live;
  for (int step = 0; step < 20000; ++step) {
    if (live.size() < 200 && random() % 3 != 0) {
      std::size_t bytes = std::size_t{1} << (random() % 19);
      bytes += random() % bytes;
      Storage s = Storage::allocate(bytes);
      auto mark = static_cast<unsigned char>(random());
      std::memset(s.data(), mark, bytes);
      live.emplace_back(std::move(s), mark);
    } else if (!live.empty()) {
      std::size_t i = random() % live.size();
      auto* p = static_cast<unsigned char*>(live[i].first.data());
      ASSERT_EQ(p[0], live[i].second);
      std::swap(live[i], live.back());
      live.pop_back();
    }
    if (step % 1000 == 0) check();
  }
  live.clear();
  trim();
  check();
}

TEST(Pool, GivesFreeMemoryBack) {
  std::size_t before = set_cache_limit(1 << 20);
  {
    std::vector<Storage> blocks;
    for (int i = 0; i < 32; ++i) blocks.push_back(Storage::allocate(1 << 20));
  }
  EXPECT_LE(statistics().cached, std::size_t{24} << 20);
  set_cache_limit(before);
  trim();
  EXPECT_LE(statistics().reserved,
            statistics().bytes + statistics().cached + (4 << 20));
  check();
}

TEST(Pool, RefusesWithTheFigures) {
  fail_allocation(1);
  try {
    Storage::allocate(123456);
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::memory);
    EXPECT_NE(std::string(e.what()).find("123456"), std::string::npos);
  }
  EXPECT_NO_THROW(Storage::allocate(123456));
}

}  // namespace
}  // namespace tidemark::memory
