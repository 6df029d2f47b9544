#include <gtest/gtest.h>

#include "core/runtime/runtime.h"

namespace tidemark::runtime {
namespace {

Tensor one() { return scalar(1); }
using List = std::vector<Handle>;

bool claimed(Runtime& rt, Handle handle) {
  double h[] = {handle};
  rt.claim(h);
  return h[0] == 1;
}

TEST(Finalizers, AreForTensorsThatEscapedEveryScope) {
  Runtime rt;
  Handle top = rt.expose(one());
  EXPECT_TRUE(claimed(rt, top));
  EXPECT_FALSE(claimed(rt, top));  // once
  ScopeId scope = rt.open(rt.name("scope"));
  EXPECT_FALSE(rt.collecting());
  Handle inner = rt.expose(one()), kept = rt.expose(one());
  EXPECT_FALSE(claimed(rt, inner));
  rt.keep(kept);
  EXPECT_TRUE(claimed(rt, kept));
  rt.leave(scope, List{inner});
  EXPECT_TRUE(rt.collecting());
  EXPECT_TRUE(claimed(rt, inner));
  EXPECT_TRUE(claimed(rt, rt.expose_variable(one())));
  rt.dispose(top);
  EXPECT_FALSE(claimed(rt, top));
  ScopeId s = rt.open_session(rt.name("s"), Strategy::on_close);
  rt.enter(s);
  EXPECT_FALSE(rt.collecting());
  EXPECT_FALSE(claimed(rt, rt.expose(one())));
}

TEST(Finalizers, KnowLargeTensors) {
  Runtime rt;
  double h[] = {rt.expose(Tensor(Shape{1 << 14}, DType::float32)),
                rt.expose(Tensor(Shape{(1 << 14) - 1}, DType::float32)), 0};
  EXPECT_EQ(rt.claim(h), 2u);
  EXPECT_EQ(h[0], 2);
  EXPECT_EQ(h[1], 1);
  EXPECT_EQ(h[2], 0);
}

TEST(Finalizers, OnlyQueue) {
  Runtime rt;
  Handle a = rt.expose(one()), b = rt.expose(one()), c = rt.expose(one());
  EXPECT_FALSE(rt.finalize(a));  // nobody registered it
  for (Handle h : {a, b, c}) claimed(rt, h);
  EXPECT_TRUE(rt.finalize(a));
  EXPECT_FALSE(rt.finalize(a));
  EXPECT_TRUE(rt.finalize(b));
  EXPECT_TRUE(rt.finalize(c));
  EXPECT_TRUE(rt.alive(a));
  EXPECT_EQ(rt.pending(), 3u);
  EXPECT_TRUE(rt.pending_any());
  EXPECT_EQ(rt.drain(2, false), 1u);
  EXPECT_FALSE(rt.alive(a));
  EXPECT_FALSE(rt.alive(b));
  EXPECT_TRUE(rt.alive(c));
  EXPECT_EQ(rt.drain(256, true), 0u);
  EXPECT_FALSE(rt.pending_any());
  EXPECT_EQ(rt.reclaimed(), 3u);
  EXPECT_EQ(rt.live(), 0u);
  rt.check();
}

TEST(Finalizers, ThatComeLateDoNoHarm) {
  Runtime rt;
  Handle a = rt.expose(one());
  claimed(rt, a);
  rt.finalize(a);
  rt.dispose(a);
  Handle b = rt.expose(one());  // in the same slot
  EXPECT_FALSE(rt.finalize(a));
  rt.drain(256, true);
  EXPECT_TRUE(rt.alive(b));
  EXPECT_EQ(rt.reclaimed(), 0u);
}

TEST(Finalizers, OfSafePointSessionsWaitForOne) {
  Runtime rt;
  ScopeId s = rt.open_session(rt.name("s"), Strategy::on_safe_points);
  rt.enter(s);
  Handle x = rt.expose(one());
  EXPECT_TRUE(claimed(rt, x));
  EXPECT_FALSE(rt.finalize(x));  // no background task wanted
  EXPECT_EQ(rt.drain(256, false), 0u);
  EXPECT_TRUE(rt.alive(x));
  EXPECT_EQ(rt.pending(), 1u);
  rt.drain(256, true);
  EXPECT_FALSE(rt.alive(x));
}

TEST(Collectable, BytesAreCountedOncePerBlock) {
  Runtime rt;
  auto bytes = [&] { return rt.session(0).collectable; };
  Handle a = rt.expose(Tensor({1024}, DType::float32));
  EXPECT_EQ(bytes(), 4096u);
  Handle b = rt.expose(rt.resolve(a).identical());
  EXPECT_EQ(bytes(), 4096u);
  rt.dispose(a);
  EXPECT_EQ(bytes(), 4096u);
  claimed(rt, b);
  rt.finalize(b);  // waits for a drain, not for a collection
  EXPECT_EQ(bytes(), 0u);
  EXPECT_EQ(rt.collected_bytes(), 4096u);
  rt.drain(1, true);
  rt.expose_variable(Tensor({1024}, DType::float32));
  ScopeId scope = rt.open(rt.name("scope"));
  Handle inner = rt.expose(Tensor({1024}, DType::float32));
  EXPECT_EQ(bytes(), 0u);
  rt.leave(scope, List{inner});
  EXPECT_EQ(bytes(), 4096u);
  ScopeId s = rt.open_session(rt.name("s"), Strategy::on_close);
  rt.adopt(s, List{inner});
  EXPECT_EQ(bytes(), 0u);
  EXPECT_EQ(rt.session(s).collectable, 0u);
  rt.adopt(0, List{inner});
  EXPECT_EQ(bytes(), 4096u);
  rt.set_default(0, Strategy::on_close);
  EXPECT_EQ(bytes(), 0u);
  rt.set_default(0, Strategy::on_safe_points);
  EXPECT_EQ(bytes(), 4096u);
  rt.check();
}

TEST(Collectable, PressureStartsAtThreeQuartersOfTheSoftBudget) {
  Runtime rt;
  EXPECT_EQ(rt.pressed(), -1);
  rt.set_budget(0, 8192, SIZE_MAX);
  Handle a = rt.expose(Tensor({1024}, DType::float32));
  rt.expose(Tensor({512}, DType::float32));
  EXPECT_EQ(rt.pressed(), -1);
  rt.expose(Tensor({16}, DType::float32));
  EXPECT_EQ(rt.pressed(), 0);
  rt.set_trigger(0, 9000);
  EXPECT_EQ(rt.pressed(), -1);
  rt.set_trigger(0, 5000);
  rt.dispose(a);
  EXPECT_EQ(rt.pressed(), -1);
}

// The module's own runtime: the pool asks it for memory.
TEST(HardBudget, DrainsBeforeItRefuses) {
  Runtime& rt = runtime();
  rt.reset();
  rt.set_budget(0, SIZE_MAX, memory::charged(0) + 10000);
  Handle a = rt.expose(Tensor({1024}, DType::float32));
  Handle b = rt.expose(Tensor({1024}, DType::float32));
  claimed(rt, a);
  rt.finalize(a);
  Handle c = rt.expose(Tensor({1024}, DType::float32));
  EXPECT_FALSE(rt.alive(a));
  EXPECT_TRUE(rt.alive(b));
  ScopeId scope = rt.open(rt.name("loop"));
  Handle d = rt.expose(scalar(1));
  std::string message;
  try {
    Tensor({1024}, DType::float32);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Code::memory);
    message = e.what();
  }
  for (const char* part :
       {"asked for 4096 bytes", "the budget being", "the largest block",
        "session 'default' has 3 tensors", "scope 'loop' 1 tensors and 4 bytes",
        "0 finalizers are pending"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  rt.leave(scope, List{});
  EXPECT_FALSE(rt.alive(d));
  rt.dispose(c);
  Tensor({1024}, DType::float32);  // fits again
  rt.set_budget(0, SIZE_MAX, SIZE_MAX);
  rt.reset();
}

TEST(HardBudget, IsPerSession) {
  Runtime& rt = runtime();
  ScopeId s = rt.open_session(rt.name("small"), Strategy::in_background);
  rt.set_budget(s, SIZE_MAX, 4096);
  ScopeId before = rt.enter(s);
  EXPECT_THROW(Tensor({1025}, DType::float32), Error);
  Handle x = rt.expose(Tensor({1024}, DType::float32));
  EXPECT_THROW(Tensor({1}, DType::float32), Error);
  rt.exit(s, before);
  Tensor({4096}, DType::float32);
  rt.adopt(0, List{x});
  before = rt.enter(s);
  Tensor({1024}, DType::float32);
  rt.exit(s, before);
  rt.close_session(s);
  rt.reset();
}

}  // namespace
}  // namespace tidemark::runtime
