#include "core/formats/histogram.h"

#include <cfloat>
#include <cmath>
#include <limits>

#include "core/formats/wire.h"
#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

struct Read {
  double numbers[5];
  std::vector<double> limits, counts;
};

Read read(View bytes) {
  Read out{};
  for (Fields f(bytes); f.next();) {
    if (f.number <= 5) {
      out.numbers[f.number - 1] = std::bit_cast<double>(f.value);
      continue;
    }
    auto& list = f.number == 6 ? out.limits : out.counts;
    for (std::size_t i = 0; i < f.bytes.size(); i += 8) {
      list.push_back(get<double>(f.bytes, i));
    }
  }
  return out;
}

Read histogram(const std::vector<double>& values) {
  Histogram h;
  for (double v : values) h.add(v, "h");
  return read(h.encode());
}

TEST(Histogram, TensorFlowsLimits) {
  auto limits = bucket_limits();
  ASSERT_EQ(limits.size(), 1551u);
  EXPECT_EQ(limits[775], 0);
  EXPECT_EQ(limits[776], 1e-12);
  EXPECT_EQ(limits[777], 1e-12 * 1.1);
  EXPECT_EQ(limits[1550], DBL_MAX);
  for (std::size_t i = 0; i < 1551; ++i) {
    EXPECT_EQ(limits[i], -limits[1550 - i]);
    if (i > 0) {
      EXPECT_LT(limits[i - 1], limits[i]);
    }
  }
}

TEST(Histogram, TheExampleOfTheFormat) {
  Read h = histogram({0, 1, 2});
  EXPECT_EQ(h.limits,
            (std::vector<double>{0, 1e-12, 0.917246389039776,
                                 1.0089710279437536, 1.9661990955585713,
                                 2.1628190051144287, DBL_MAX}));
  EXPECT_EQ(h.counts, (std::vector<double>{0, 1, 0, 1, 0, 1, 0}));
  const double expected[] = {0, 2, 3, 3, 5};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(h.numbers[i], expected[i]);
}

TEST(Histogram, Empty) {
  Read h = histogram({});
  EXPECT_EQ(h.limits, std::vector<double>{DBL_MAX});
  EXPECT_EQ(h.counts, std::vector<double>{0});
  EXPECT_EQ(h.numbers[0], DBL_MAX);
  EXPECT_EQ(h.numbers[1], -DBL_MAX);
}

TEST(Histogram, EachValueIsInItsBucket) {
  for (double v : {-1e300, -DBL_MAX, -1e20, -1.0, -1e-12, -1e-13, 0.0, 1e-13,
                   1e-12, 3.0, 1e19, 1e20, 1e300, DBL_MAX}) {
    Read h = histogram({v, v});
    for (std::size_t i = 0; i < h.counts.size(); ++i) {
      if (h.counts[i] == 0) continue;
      EXPECT_EQ(h.counts[i], 2);
      // The largest number has no limit above it.
      if (v < DBL_MAX) {
        EXPECT_LT(v, h.limits[i]);
      }
      if (i > 0) {
        EXPECT_GE(v, h.limits[i - 1]);
      }
    }
  }
}

TEST(Histogram, NotFiniteIsRefusedAsTensorFlowDoes) {
  EXPECT_EQ(error_of([] { histogram({1, std::nan("")}); }),
            "Nan in summary histogram for: h");
  EXPECT_EQ(error_of([] {
              histogram({-std::numeric_limits<double>::infinity()});
            }),
            "Infinity in summary histogram for: h");
}

}  // namespace
}  // namespace tidemark::formats
