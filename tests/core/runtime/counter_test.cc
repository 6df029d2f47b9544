#include "core/runtime/counter.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/error.h"

namespace tidemark::runtime {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

Code code_of(auto&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.code();
  }
  return Code::none;
}

TEST(Counters, CountExactlyBeyondWhatADoubleTells) {
  Counters all;
  uint64_t a = all.create(), b = all.create();
  EXPECT_EQ(all.value(a), 0);
  all.assign(a, (int64_t{1} << 53) + 1);
  all.increment(a);
  all.increment(b);
  EXPECT_EQ(all.value(a), (int64_t{1} << 53) + 2);
  EXPECT_EQ(all.value(b), 1);
}

TEST(Counters, RefuseToOverflowAndToBeNegative) {
  Counters all;
  uint64_t a = all.create();
  all.assign(a, kMost - 1);
  all.increment(a);
  EXPECT_EQ(code_of([&] { all.increment(a); }), Code::argument);
  EXPECT_EQ(all.value(a), kMost);
  EXPECT_EQ(code_of([&] { all.assign(a, -1); }), Code::argument);
  EXPECT_EQ(all.value(a), kMost);
}

TEST(Counters, AreGoneOnceDisposedAndTheirIdsNeverComeBack) {
  Counters all;
  uint64_t a = all.create();
  EXPECT_EQ(all.live(), 1u);
  EXPECT_TRUE(all.dispose(a));
  EXPECT_FALSE(all.dispose(a));
  uint64_t b = all.create();
  EXPECT_NE(a, b);
  EXPECT_EQ(code_of([&] { all.value(a); }), Code::disposed);
  EXPECT_EQ(code_of([&] { all.increment(a); }), Code::disposed);
  EXPECT_EQ(code_of([&] { all.assign(0, 1); }), Code::disposed);
  EXPECT_EQ(all.live(), 1u);
}

}  // namespace
}  // namespace tidemark::runtime
