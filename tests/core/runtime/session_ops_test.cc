#include <gtest/gtest.h>

#include "core/runtime/runtime.h"

namespace tidemark::runtime {
namespace {

Tensor one() { return scalar(1); }
using List = std::vector<Handle>;

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "none";
}

TEST(Sessions, FreeAllThatIsLeftWhenClosed) {
  Runtime rt;
  ScopeId s = rt.open_session(rt.name("s"), Strategy::on_close);
  ScopeId before = rt.enter(s);
  Handle plain = rt.expose(one()), kept = rt.expose(one());
  rt.keep(kept);
  Handle variable = rt.expose_variable(one());
  ScopeId scope = rt.open(rt.name("scope"));
  Handle inner = rt.expose(one());
  rt.keep(inner);
  Handle tidied = rt.expose(one());
  rt.leave(scope, List{});
  EXPECT_FALSE(rt.alive(tidied));
  rt.exit(s, before);
  Handle outside = rt.expose(one());
  EXPECT_EQ(rt.session(s).live, 4u);
  rt.close_session(s);
  for (Handle h : {plain, kept, variable, inner}) {
    EXPECT_FALSE(rt.alive(h));
    EXPECT_TRUE(rt.closed(h));
  }
  EXPECT_FALSE(rt.closed(tidied));
  EXPECT_EQ(message_of([&] { rt.resolve(plain); }),
            "Tensor is disposed. Eager session has been closed.");
  EXPECT_EQ(message_of([&] { rt.resolve(tidied); }), "Tensor is disposed.");
  rt.close_session(s);  // again
  EXPECT_TRUE(rt.alive(outside));
  EXPECT_EQ(rt.live(), 1u);
  rt.check();
}

TEST(Sessions, RefuseWorkAfterTheyAreClosed) {
  Runtime rt;
  ScopeId s = rt.open_session(rt.name("s"), Strategy::in_background);
  ScopeId before = rt.enter(s);
  rt.close_session(s);
  EXPECT_EQ(rt.current(), -1);
  const char* closed = "Eager session has been closed";
  EXPECT_EQ(message_of([&] { rt.expose(one()); }), closed);
  EXPECT_EQ(message_of([&] { rt.expose_variable(one()); }), closed);
  EXPECT_EQ(message_of([&] { rt.open(0); }), closed);
  EXPECT_EQ(message_of([&] { rt.set_budget(s, 1, 1); }), closed);
  EXPECT_EQ(message_of([&] { rt.adopt(s, List{}); }), closed);
  rt.exit(s, before);
  EXPECT_EQ(rt.current(), 0);
  EXPECT_THROW(rt.enter(s), Error);
  EXPECT_EQ(message_of([&] { rt.close_session(0); }),
            "Default eager session cannot be closed");
}

TEST(Sessions, CloseScopesThatAreStillOpen) {
  Runtime rt;
  ScopeId s = rt.open_session(rt.name("s"), Strategy::in_background);
  ScopeId a = rt.open_under(s, rt.name("a"));
  ScopeId before = rt.enter(a);
  rt.open(rt.name("b"));
  Handle x = rt.expose(one());
  rt.close_session(s);
  EXPECT_EQ(rt.current(), -1);
  EXPECT_FALSE(rt.alive(x));
  EXPECT_FALSE(rt.is_open(a));
  rt.leave(a, List{x});  // what unwinds afterwards is no further error
  rt.exit(a, before);
  EXPECT_EQ(rt.current(), 0);
}

TEST(Sessions, NestAndInterleave) {
  Runtime rt;
  ScopeId a = rt.open_session(rt.name("a"), Strategy::in_background);
  ScopeId b = rt.open_session(rt.name("b"), Strategy::in_background);
  ScopeId outside = rt.enter(a);
  Handle x = rt.expose(one());
  ScopeId in_a = rt.enter(b);
  Handle y = rt.expose(rt.resolve(x).identical());
  rt.close_session(a);
  EXPECT_FALSE(rt.alive(x));
  EXPECT_TRUE(rt.alive(y));
  rt.open_session(0, Strategy::in_background);  // in the place of a
  rt.exit(b, in_a, a);
  EXPECT_EQ(rt.current(), -1);  // a is closed
  rt.exit(a, outside);
  EXPECT_EQ(rt.current(), 0);
  rt.close_session(b);
  EXPECT_EQ(rt.live(), 0u);
  rt.check();
}

TEST(Sessions, AdoptFromAnyScope) {
  Runtime rt;
  ScopeId a = rt.open_session(rt.name("a"), Strategy::in_background);
  ScopeId b = rt.open_session(rt.name("b"), Strategy::on_close);
  ScopeId before = rt.enter(a);
  ScopeId scope = rt.open(rt.name("scope"));
  Handle x = rt.expose(one()), y = rt.expose(one());
  rt.keep(y);
  rt.adopt(b, List{x, y});
  rt.leave(scope, List{});
  rt.exit(a, before);
  rt.close_session(a);
  EXPECT_TRUE(rt.alive(x));
  EXPECT_TRUE(rt.alive(y));
  EXPECT_EQ(rt.session(b).live, 2u);
  EXPECT_EQ(rt.session(b).bytes, 8u);
  EXPECT_THROW(rt.adopt(b, List{x, 77}), Error);
  rt.adopt(0, List{x});
  rt.close_session(b);
  EXPECT_TRUE(rt.alive(x));
  EXPECT_FALSE(rt.alive(y));
  rt.check();
}

TEST(Sessions, AreChargedForWhatIsMadeInThem) {
  Runtime rt;
  std::size_t outside = memory::charged(0);
  ScopeId s = rt.open_session(rt.name("s"), Strategy::in_background);
  ScopeId before = rt.enter(s);
  Handle x = rt.expose(Tensor({1024}, DType::float32));
  std::size_t bytes = rt.resolve(x).storage().capacity();
  rt.exit(s, before);
  EXPECT_EQ(memory::charged(0), outside);
  EXPECT_EQ(memory::charged(1), bytes);
  rt.adopt(0, List{x});
  EXPECT_EQ(memory::charged(0), outside + bytes);
  EXPECT_EQ(memory::charged(1), 0u);
  rt.dispose(x);
  EXPECT_EQ(memory::charged(0), outside);
}

TEST(Sessions, ReuseTheAccountOfAClosedOneOnceItIsEmpty) {
  Runtime rt;
  ScopeId a = rt.open_session(rt.name("a"), Strategy::in_background);
  ScopeId before = rt.enter(a);
  Tensor held({64}, DType::float32);  // as a tape would
  rt.exit(a, before);
  rt.close_session(a);
  ScopeId b = rt.open_session(rt.name("b"), Strategy::in_background);
  // A block may be larger than what was asked for.
  EXPECT_EQ(memory::charged(1), held.storage().capacity());
  EXPECT_EQ(memory::charged(2), 0u);
  rt.enter(b);
  Handle x = rt.expose(Tensor({64}, DType::float32));
  EXPECT_EQ(memory::charged(2), rt.resolve(x).storage().capacity());
  rt.close_session(b);
  held = {};
  EXPECT_EQ(memory::charged(1), 0u);
  EXPECT_EQ(rt.sessions(), std::vector<ScopeId>{0});
}

}  // namespace
}  // namespace tidemark::runtime
