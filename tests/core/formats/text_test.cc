#include "core/formats/text.h"

#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

const Message& state() { return message_named("CheckpointState"); }

Bytes printed(View text) {
  return print_text(state(), parse_text(state(), text));
}

std::string wrong(View text, View message = "CheckpointState") {
  return error_of([&] { parse_text(message_named(message), text); });
}

TEST(Text, TheGoldenGraph) {
  Bytes text = golden("graph.pbtxt");
  const Message& graph = message_named("GraphDef");
  EXPECT_EQ(print_text(graph, golden("graph.pb")), text);
  EXPECT_EQ(parse_text(graph, text), golden("graph.pb"));
}

TEST(Text, TheGoldenStateFiles) {
  for (const char* name :
       {"checkpoint", "tensorflow/checkpoint",
        "tensorflow/checkpoint.manager"}) {
    EXPECT_EQ(printed(golden(name)), golden(name));
  }
}

TEST(Text, AnyLayoutThatProtobufTakes) {
  Bytes plain = printed(
      "model_checkpoint_path: \"ab\"\n"
      "all_model_checkpoint_paths: \"x\"\nall_model_checkpoint_paths: \"y\"\n"
      "all_model_checkpoint_timestamps: 1.5\n"
      "all_model_checkpoint_timestamps: 20\n");
  EXPECT_EQ(printed("# a comment\n"
                    "all_model_checkpoint_paths:[ 'x' , \"y\" ];"
                    "model_checkpoint_path :'a'\n  \"b\", # and another\n"
                    "all_model_checkpoint_timestamps: 15e-1f "
                    "all_model_checkpoint_timestamps: 0020"),
            plain);
  EXPECT_EQ(printed(""), "");
  EXPECT_EQ(printed("all_model_checkpoint_paths: []"), "");
  const Message& graph = message_named("GraphDef");
  EXPECT_EQ(parse_text(graph, "node < name: 'x' > versions: { producer: 0x10 "
                              "bad_consumers: [1, -2] }"),
            parse_text(graph, "node{name:'x'}versions{producer:16 "
                              "bad_consumers:1 bad_consumers:-2}"));
}

TEST(Text, Escapes) {
  Bytes all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  Bytes quoted;
  put_quoted(all, quoted);
  EXPECT_EQ(quoted.find_first_not_of(
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
            Bytes::npos);
  Bytes text = "model_checkpoint_path: " + quoted + "\n";
  EXPECT_EQ(printed(text), text);
  EXPECT_EQ(printed("model_checkpoint_path: 'tab\\t quote\\' \\x41\\101\\7 "
                    "\\u00e9 \\U0001d4b3 \xc3\xa9'"),
            "model_checkpoint_path: \"tab\\t quote\\' AA\\007 \\303\\251 "
            "\\360\\235\\222\\263 \\303\\251\"\n");
}

TEST(Text, NumbersAndNames) {
  const Message& attr = message_named("Attr");
  for (const char* text : {"f: 0.1\n", "f: 1e+20\n", "f: inf\n", "f: -0\n",
                           "i: -9223372036854775808\n", "b: true\n",
                           "b: false\n", "type: DT_BFLOAT16\n", "type: 101\n",
                           "s: \"\"\n", "list {\n  i: 1\n  i: -2\n}\n"}) {
    EXPECT_EQ(print_text(attr, parse_text(attr, text)), text);
  }
}

TEST(Text, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(wrong("\nmodel_path: 'x'"),
            "text form: line 2: there is no field 'model_path'");
  EXPECT_EQ(wrong("model_checkpoint_path 'x'"),
            "text form: line 1: expected ':' after model_checkpoint_path");
  EXPECT_EQ(wrong("model_checkpoint_path: x"),
            "text form: line 1: expected text in quotes");
  EXPECT_EQ(wrong("model_checkpoint_path: 'x\n'"),
            "text form: line 1: a quote is not closed");
  EXPECT_EQ(wrong("model_checkpoint_path: 'x\\q'"),
            "text form: line 1: unknown escape");
  EXPECT_EQ(wrong("last_preserved_timestamp: now"),
            "text form: line 1: 'now' is no number");
  EXPECT_EQ(wrong("}"), "text form: line 1: '}' is not expected here");
  EXPECT_EQ(wrong("node {", "GraphDef"),
            "text form: line 1: the text is cut off");
  EXPECT_EQ(wrong("versions { producer: 1.5 }", "GraphDef"),
            "text form: line 1: '1.5' is no whole number");
  EXPECT_EQ(wrong("b: maybe", "Attr"),
            "text form: line 1: 'maybe' is neither true nor false");
}

}  // namespace
}  // namespace tidemark::formats
