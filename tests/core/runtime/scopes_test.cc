#include "core/runtime/scopes.h"

#include <gtest/gtest.h>

#include "core/runtime/runtime.h"

namespace tidemark::runtime {
namespace {

Tensor one() { return scalar(1); }
using List = std::vector<Handle>;

/// The text of the error that `f` throws, with its code before it.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return text(static_cast<int>(e.code())) + " " + e.what();
  }
  return "none";
}
std::string expected(Code code, const std::string& message) {
  return text(static_cast<int>(code)) + " " + message;
}

TEST(ScopeTree, NamesOutliveScopesWithoutConfusion) {
  Scopes scopes;
  uint32_t root = scopes.open_root(0, 0);
  uint32_t a = scopes.open(root, 1);
  ScopeId id = scopes.id(a);
  EXPECT_EQ(scopes.find(id), a);
  scopes.close(a);
  EXPECT_EQ(scopes.find(id), kNoScope);
  EXPECT_EQ(scopes.open(root, 1), a);
  EXPECT_EQ(scopes.find(id), kNoScope);
  EXPECT_NE(scopes.id(a), id);
  EXPECT_EQ(scopes.find(-1), kNoScope);
  EXPECT_EQ(scopes.find(77), kNoScope);
}

TEST(ScopeTree, KnowsWhatIsBelow) {
  Scopes scopes;
  uint32_t root = scopes.open_root(0, 0);
  uint32_t a = scopes.open(root, 1), b = scopes.open(root, 1);
  uint32_t aa = scopes.open(a, 1), ab = scopes.open(a, 1);
  EXPECT_EQ(scopes.below(a), (std::vector<uint32_t>{a, ab, aa}));
  EXPECT_TRUE(scopes.within(ab, root));
  EXPECT_FALSE(scopes.within(ab, b));
  scopes.orphan(a);
  EXPECT_EQ(scopes.below(a), std::vector<uint32_t>{a});
  EXPECT_EQ(scopes[aa].parent, root);
  scopes.close(a);
  EXPECT_EQ(scopes.below(root).size(), 4u);
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
  rt.leave(scope, List{result, outside});
  EXPECT_FALSE(rt.alive(temporary));
  EXPECT_TRUE(rt.alive(result));
  EXPECT_TRUE(rt.alive(kept));
  EXPECT_TRUE(rt.kept(kept));
  EXPECT_TRUE(rt.alive(variable));
  EXPECT_TRUE(rt.alive(outside));
  EXPECT_EQ(rt.live(), 4u);
  rt.check();
}

TEST(Scopes, HandResultsToTheParent) {
  Runtime rt;
  ScopeId outer = rt.open(rt.name("outer"));
  Handle early = rt.expose(one());
  ScopeId inner = rt.open(rt.name("inner"));
  Handle result = rt.expose(one());
  // Returning an outer scope's tensor does not move it.
  rt.leave(inner, List{result, early});
  EXPECT_TRUE(rt.alive(result));
  rt.leave(outer, List{});
  EXPECT_FALSE(rt.alive(result));
  EXPECT_FALSE(rt.alive(early));
  EXPECT_EQ(rt.live(), 0u);
}

TEST(Scopes, ClosedWithScopesInsideCloseThemAndSayWhich) {
  Runtime rt;
  ScopeId outer = rt.open(rt.name("outer"));
  ScopeId forgotten = rt.open(rt.name("forgotten"));
  Handle inside = rt.expose(one());
  Handle result = rt.expose(one());
  EXPECT_EQ(error_of([&] { rt.leave(outer, List{result}); }),
            expected(Code::state,
                     "endScope: 'outer' was closed while 'forgotten' inside "
                     "was still open; it has been closed too"));
  EXPECT_EQ(rt.open_inside(), std::vector<ScopeId>{forgotten});
  EXPECT_FALSE(rt.alive(inside));
  EXPECT_FALSE(rt.alive(result));
  EXPECT_EQ(rt.current(), 0);
  EXPECT_THROW(rt.leave(outer, List{}), Error);
  EXPECT_EQ(error_of([&] { rt.leave(0, List{}); }),
            expected(Code::state, "endScope: no scope is open"));
  EXPECT_EQ(error_of([&] { rt.enter(forgotten); }),
            expected(Code::closed, "run: the scope has been closed"));
  rt.check();
}

TEST(Scopes, GiveOpenScopesInsideToTheParentWhenAsked) {
  Runtime rt;
  ScopeId outer = rt.open_under(0, rt.name("outer"));
  ScopeId inner = rt.open_under(outer, rt.name("inner"));
  ScopeId before = rt.enter(inner);
  Handle x = rt.expose(one());
  rt.exit(inner, before);
  rt.close(outer, List{}, Orphans::adopt);
  EXPECT_TRUE(rt.alive(x));
  EXPECT_TRUE(rt.is_open(inner));
  rt.close(inner, List{x});
  EXPECT_TRUE(rt.alive(x));
  EXPECT_EQ(rt.live(), 1u);
  rt.check();
}

TEST(Scopes, OfInterleavedFunctionsStayApart) {
  Runtime rt;
  ScopeId a = rt.open_under(0, rt.name("a"));
  ScopeId b = rt.open_under(0, rt.name("b"));
  auto in = [&](ScopeId scope) {
    ScopeId before = rt.enter(scope);
    Handle h = rt.expose(one());
    rt.exit(scope, before);
    return h;
  };
  Handle a1 = in(a), b1 = in(b), a2 = in(a), b2 = in(b);
  rt.close(a, List{a2});
  EXPECT_FALSE(rt.alive(a1));
  EXPECT_TRUE(rt.alive(a2));
  EXPECT_TRUE(rt.alive(b1));
  rt.close(b, List{});
  EXPECT_FALSE(rt.alive(b2));
  EXPECT_EQ(rt.live(), 1u);
  EXPECT_EQ(rt.current(), 0);
}

TEST(Scopes, ClosedOutOfOrderNameTheOther) {
  Runtime rt;
  ScopeId tidy = rt.open(rt.name("tidy"));
  ScopeId other = rt.open_under(0, rt.name("other"));
  rt.enter(other);  // and never left
  Handle x = rt.expose(one());
  EXPECT_EQ(error_of([&] { rt.leave(tidy, List{}); }),
            expected(Code::state, "endScope: 'tidy' was closed out of order, "
                                  "scope 'other' was current"));
  EXPECT_EQ(rt.current(), 0);
  EXPECT_TRUE(rt.alive(x));
  rt.close(other, List{});
  EXPECT_EQ(rt.live(), 0u);
}

TEST(Scopes, LeftOpenInsideARunAreNamed) {
  Runtime rt;
  ScopeId a = rt.open_under(0, rt.name("a"));
  ScopeId before = rt.enter(a);
  rt.open(rt.name("forgotten"));
  EXPECT_EQ(error_of([&] { rt.exit(a, before); }),
            expected(Code::state, "run: scope 'forgotten' was opened inside "
                                  "and is still open"));
  EXPECT_EQ(rt.current(), 0);
}

TEST(Scopes, ClosedWhileAnotherRunsLeaveItsSessionCurrent) {
  Runtime rt;
  ScopeId outer = rt.open(rt.name("outer"));
  ScopeId other = rt.open_under(0, rt.name("other"));
  ScopeId before = rt.enter(other);
  rt.close(outer, List{});
  rt.exit(other, before);
  EXPECT_EQ(rt.current(), 0);
  rt.close(other, List{});
}

TEST(Scopes, GiveTensorsToTheirParentEarly) {
  Runtime rt;
  Handle outside = rt.expose(one());
  ScopeId outer = rt.open(rt.name("outer"));
  ScopeId inner = rt.open(rt.name("inner"));
  Handle x = rt.expose(one());
  rt.give(inner, List{x, outside});
  rt.leave(inner, List{});
  EXPECT_TRUE(rt.alive(x));
  rt.leave(outer, List{});
  EXPECT_FALSE(rt.alive(x));
  EXPECT_TRUE(rt.alive(outside));
  EXPECT_THROW(rt.give(0, List{outside}), Error);
}

TEST(Scopes, ListWhatTheyOwn) {
  Runtime rt;
  rt.expose(one());
  ScopeId outer = rt.open(rt.name("outer"));
  Handle x = rt.expose(one());
  ScopeId inner = rt.open(rt.name("inner"));
  Handle y = rt.expose(one());
  EXPECT_EQ(rt.owned(inner), List{y});
  EXPECT_EQ(rt.owned(outer), (List{x, y}));
  EXPECT_EQ(rt.owned(0).size(), 3u);
}

}  // namespace
}  // namespace tidemark::runtime
