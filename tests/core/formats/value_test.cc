#include "core/formats/value.h"

#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

TEST(Value, PackedAndTaken) {
  Packer p;
  p.open(Kind::object);
  p.key("list");
  p.open(Kind::list);
  p.null();
  p.boolean(true);
  p.boolean(false);
  p.number(-0.5);
  p.integer(INT64_MIN);
  p.text("é");
  p.bytes(View("\0\xff", 2));
  p.close();
  p.key("empty");
  p.open(Kind::list);
  p.close();
  p.close();
  Bytes packed = p.take();
  EXPECT_EQ(packed, obj({{"list",
                          list({Bytes(1, '\0'), flag(true), flag(false),
                                num(-0.5), big(INT64_MIN), str("é"),
                                raw(View("\0\xff", 2))})},
                         {"empty", list({})}}));
  Value v = value(packed);
  EXPECT_EQ(v.count, 2u);
  View items = member(v, "list").items("list");
  EXPECT_TRUE(take_value(items).is_null());
  EXPECT_TRUE(take_value(items).boolean(""));
  EXPECT_FALSE(take_value(items).boolean(""));
  EXPECT_EQ(take_value(items).number(""), -0.5);
  EXPECT_EQ(take_value(items).integer(""), INT64_MIN);
  EXPECT_EQ(take_value(items).data(""), "é");
  EXPECT_EQ(take_value(items).data(""), View("\0\xff", 2));
  EXPECT_TRUE(items.empty());
}

TEST(Value, WrongTypesAreArgumentErrors) {
  EXPECT_EQ(error_of([] { value(str("x")).number("step"); }),
            "step: expected a number");
  EXPECT_EQ(error_of([] { value(num(0.5)).integer("step"); }),
            "step: expected an integer");
  EXPECT_EQ(code_of([] { value(num(0x1p60)).integer("step"); }),
            Code::argument);
  EXPECT_EQ(code_of([] { value(num(1)).boolean("x"); }), Code::argument);
  EXPECT_EQ(code_of([] { value(num(1)).data("x"); }), Code::argument);
  EXPECT_EQ(code_of([] { value(num(1)).items("x"); }), Code::argument);
  EXPECT_EQ(value(num(0x1p53)).integer("x"), int64_t{1} << 53);
  EXPECT_EQ(value(big(7)).number("x"), 7);
}

TEST(Value, CutOffIsInternal) {
  Bytes packed = obj({{"a", list({num(1), str("text")})}, {"b", big(2)}});
  for (std::size_t n = 0; n < packed.size(); ++n) {
    EXPECT_EQ(code_of([&] { value(packed.substr(0, n)); }), Code::internal);
  }
  EXPECT_EQ(code_of([] { value("\x20"); }), Code::internal);
}

}  // namespace
}  // namespace tidemark::formats
