#include "core/formats/record.h"

#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

std::vector<Bytes> payloads(View file, const Records& records) {
  std::vector<Bytes> out;
  for (const Span& s : records.payloads) {
    out.emplace_back(file.substr(s.offset, s.length));
  }
  return out;
}

TEST(Record, TheGoldenFileIsReadAndWrittenAgain) {
  for (const char* name : {kEvents, kTensorFlowEvents}) {
    Bytes file = golden(name), again;
    Records records = read_records(file);
    EXPECT_GE(records.payloads.size(), 10u);
    EXPECT_EQ(records.rest, Rest::none);
    EXPECT_EQ(records.next, file.size());
    EXPECT_TRUE(records.damaged.empty());
    for (const Bytes& p : payloads(file, records)) put_record(p, again);
    EXPECT_EQ(again, file);
  }
}

TEST(Record, EveryLength) {
  Bytes file;
  std::vector<Bytes> all;
  for (std::size_t n : {0, 1, 7, 8, 9, 127, 128, 5000}) {
    all.emplace_back(n, static_cast<char>(n));
    put_record(all.back(), file);
  }
  EXPECT_EQ(payloads(file, read_records(file)), all);
}

TEST(Record, ATruncatedTailIsNotYetWritten) {
  Bytes file = golden(kEvents);
  Records whole = read_records(file);
  for (std::size_t n = 0; n < file.size(); ++n) {
    Records part = read_records(View(file).substr(0, n));
    std::size_t fit = 0, end = 0;
    for (const Span& s : whole.payloads) {
      if (s.offset + s.length + 4 > n) break;
      ++fit;
      end = s.offset + s.length + 4;
    }
    ASSERT_EQ(part.payloads.size(), fit) << n;
    ASSERT_EQ(part.next, end);
    ASSERT_EQ(part.rest, end == n ? Rest::none : Rest::truncated);
    ASSERT_TRUE(part.damaged.empty());
  }
}

TEST(Record, ADamagedPayloadCostsOneRecord) {
  Bytes file = golden(kEvents);
  Records whole = read_records(file);
  Bytes bad = file;
  bad[whole.payloads[3].offset] ^= 1;
  Records records = read_records(bad);
  EXPECT_EQ(records.payloads.size(), whole.payloads.size() - 1);
  ASSERT_EQ(records.damaged.size(), 1u);
  EXPECT_EQ(records.damaged[0].offset, whole.payloads[3].offset - 12);
  EXPECT_EQ(records.damaged[0].length, whole.payloads[3].length + 16);
  EXPECT_EQ(records.rest, Rest::none);
}

TEST(Record, ADamagedLengthCostsOneRecord) {
  Bytes file = golden(kEvents);
  Records whole = read_records(file);
  for (std::size_t i = 0; i < 12; ++i) {
    Bytes bad = file;
    bad[whole.payloads[2].offset - 12 + i] ^= 0x40;
    Records records = read_records(bad);
    EXPECT_EQ(records.payloads.size(), whole.payloads.size() - 1);
    ASSERT_EQ(records.damaged.size(), 1u);
    EXPECT_EQ(records.damaged[0].length, whole.payloads[2].length + 16);
    EXPECT_EQ(records.next, file.size());
  }
}

TEST(Record, LostAndStrangeBytesAreSkipped) {
  Bytes first, second;
  put_record("first", first);
  put_record("second", second);
  Bytes file = first + "strange bytes, more than a header" + second;
  Records records = read_records(file);
  EXPECT_EQ(payloads(file, records), (std::vector<Bytes>{"first", "second"}));
  ASSERT_EQ(records.damaged.size(), 1u);
  EXPECT_EQ(records.damaged[0].length, 33u);

  file = first.substr(3) + second;
  EXPECT_EQ(payloads(file, read_records(file)), std::vector<Bytes>{"second"});

  records = read_records(Bytes(64, 'x'));
  EXPECT_EQ(records.rest, Rest::damaged);
  EXPECT_EQ(records.next, 0u);
}

TEST(Record, AHugeLengthIsNotBelieved) {
  Bytes file;
  put<uint64_t>(file, UINT64_MAX);
  // Even with the right checksum.
  Bytes record;
  put_record("", record);
  EXPECT_EQ(read_records(file + record).payloads.size(), 1u);
}

}  // namespace
}  // namespace tidemark::formats
