#include "core/runtime/handles.h"

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
    EXPECT_THROW(rt.resolve(h), Error) << h;
  }
}

TEST(Scopes, FreeWhatIsNotReturnedOrKept) {
  Runtime rt;
  Handle outside = rt.expose(one());
  ScopeId scope = rt.open(rt.name("tidy"));
  Handle temporary = rt.expose(one());
  Handle result = rt.expose(one());
  Handle kept = rt.expose(one());
  rt.keep(kept);
  Handle variable = rt.expose_variable(one());
  rt.close(scope, {result, outside});
  EXPECT_FALSE(rt.alive(temporary));
  EXPECT_TRUE(rt.alive(result));
  EXPECT_TRUE(rt.alive(kept));
  EXPECT_TRUE(rt.alive(variable));
  EXPECT_TRUE(rt.alive(outside));
  EXPECT_EQ(rt.live(), 4u);
}

TEST(Scopes, HandResultsToTheParent) {
  Runtime rt;
  ScopeId outer = rt.open(rt.name("outer"));
  Handle early = rt.expose(one());
  ScopeId inner = rt.open(rt.name("inner"));
  Handle result = rt.expose(one());
  // Returning an outer scope's tensor does not move it.
  rt.close(inner, {result, early});
  EXPECT_TRUE(rt.alive(result));
  rt.close(outer, {});
  EXPECT_FALSE(rt.alive(result));
  EXPECT_FALSE(rt.alive(early));
  EXPECT_EQ(rt.live(), 0u);
}

TEST(Scopes, ClosedOutOfOrderAreClosedAndNamed) {
  Runtime rt;
  ScopeId outer = rt.open(rt.name("outer"));
  rt.open(rt.name("forgotten"));
  Handle inside = rt.expose(one());
  Handle result = rt.expose(one());
  try {
    rt.close(outer, {result});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::state);
    EXPECT_NE(std::string(e.what()).find("forgotten"), std::string::npos);
  }
  EXPECT_FALSE(rt.alive(inside));
  EXPECT_FALSE(rt.alive(result));
  EXPECT_EQ(rt.current(), 0u);
  EXPECT_THROW(rt.close(outer, {}), Error);
  EXPECT_THROW(rt.close(0, {}), Error);
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
  rt.expose(rt.resolve(a).identical());
  EXPECT_EQ(rt.live(), 2u);
  EXPECT_EQ(rt.bytes(), 24u);
  rt.reset();
  EXPECT_EQ(rt.live(), 0u);
  EXPECT_EQ(rt.bytes(), 0u);
  EXPECT_FALSE(rt.alive(a));
}

}  // namespace
}  // namespace tidemark::runtime
