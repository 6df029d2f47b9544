#include "core/runtime/runtime.h"

#include <gtest/gtest.h>

#include <limits>

namespace tidemark::runtime {
namespace {

Tensor one() { return scalar(1); }

TEST(Handles, AreFreedOnceAndNeverConfused) {
  Runtime rt;
  Handle a = rt.expose(one());
  EXPECT_TRUE(rt.alive(a));
  EXPECT_TRUE(rt.dispose(a));
  EXPECT_FALSE(rt.dispose(a));
  EXPECT_THROW(rt.resolve(a), Error);
  // The slot comes back under another generation.
  Handle b = rt.expose(one());
  EXPECT_NE(a, b);
  EXPECT_FALSE(rt.alive(a));
  EXPECT_FALSE(rt.dispose(a));
  EXPECT_TRUE(rt.alive(b));
}

TEST(Handles, RefuseWhatWasNeverOne) {
  Runtime rt;
  for (double h : {0.0, -1.0, 1.0, 1e300, 0x1p24 + 77, 0x1p60,
                   std::numeric_limits<double>::quiet_NaN(),
                   std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(rt.alive(h)) << h;
    EXPECT_FALSE(rt.closed(h)) << h;
    EXPECT_FALSE(rt.kept(h)) << h;
    EXPECT_FALSE(rt.finalize(h)) << h;
    EXPECT_THROW(rt.resolve(h), Error) << h;
  }
}

TEST(Handles, AreExposedAllOrNone) {
  Runtime rt;
  Tensor tensors[] = {one(), Tensor(), one()};
  double out[3];
  rt.expose(tensors, out);
  EXPECT_TRUE(rt.alive(out[0]));
  EXPECT_EQ(out[1], 0);
  EXPECT_TRUE(rt.alive(out[2]));
  ScopeId session = rt.open_session(rt.name("a"), Strategy::on_close);
  rt.enter(session);
  rt.close_session(session);
  EXPECT_THROW(rt.expose(tensors, out), Error);
  EXPECT_EQ(rt.live(), 2u);
}

TEST(Variables, AreAssignedOnlyTheirKind) {
  Runtime rt;
  Handle v = rt.expose_variable(one());
  Handle t = rt.expose(one());
  rt.assign(v, scalar(5));
  EXPECT_EQ(rt.resolve(v).data<float>()[0], 5);
  EXPECT_THROW(rt.assign(v, Tensor({2}, DType::float32)), Error);
  EXPECT_THROW(rt.assign(v, scalar(1, DType::int32)), Error);
  EXPECT_THROW(rt.assign(t, one()), Error);
}

TEST(Counters, FollowWhatIsAlive) {
  Runtime rt;
  Handle a = rt.expose(Tensor({3}, DType::float32));
  Handle b = rt.expose(rt.resolve(a).identical());
  EXPECT_EQ(rt.live(), 2u);
  EXPECT_EQ(rt.bytes(), 24u);
  EXPECT_EQ(rt.all(), (std::vector<Handle>{a, b}));
  rt.reset();
  EXPECT_EQ(rt.live(), 0u);
  EXPECT_EQ(rt.bytes(), 0u);
  EXPECT_FALSE(rt.alive(a));
  rt.check();
}

}  // namespace
}  // namespace tidemark::runtime
