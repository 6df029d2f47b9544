// Every reader over every golden file, cut off at every byte and with random
// bytes changed: never a crash, always a result or a clear error.

#include "core/formats/bundle.h"
#include "core/formats/call.h"
#include "core/formats/message.h"
#include "core/formats/record.h"
#include "core/formats/text.h"
#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

using Reader = void (*)(View);

void read_event_file(View file) {
  for (const Span& s : read_records(file).payloads) {
    Packer out;
    decode(message_named("Event"), file.substr(s.offset, s.length), out);
  }
}
void read_event(View bytes) {
  Packer out;
  decode(message_named("Event"), bytes, out);
  print_text(message_named("Event"), bytes);
}
void read_graph(View bytes) {
  Packer out;
  decode(message_named("GraphDef"), bytes, out);
  print_text(message_named("GraphDef"), bytes);
}
void read_meta(View bytes) {
  Packer out;
  decode(message_named("MetaGraphDef"), bytes, out);
}
void read_graph_text(View text) {
  // What is taken can be printed.
  Bytes bytes = parse_text(message_named("GraphDef"), text);
  print_text(message_named("GraphDef"), bytes);
}
void read_state(View text) {
  Bytes bytes = parse_text(message_named("CheckpointState"), text);
  Bytes again = print_text(message_named("CheckpointState"), bytes);
  parse_text(message_named("CheckpointState"), again);
}
void read_bundle(View file) { read_index(file); }
void read_strings(View file) {
  for (std::size_t n : {0, 1, 2, 100}) {
    try {
      unpack_strings(file, n, 0xf8e19fca);
    } catch (const Error&) {
    }
  }
}

Code outcome(Reader reader, View bytes) {
  // A copy of its own size, so that the sanitizer sees reads beyond it.
  std::vector<char> copy(bytes.begin(), bytes.end());
  return code_of([&] { reader(View(copy.data(), copy.size())); });
}

void expect_clear(Code code) {
  EXPECT_TRUE(code == Code::none || code == Code::argument ||
              code == Code::unsupported)
      << int(code);
}

void abuse(Reader reader, const Bytes& file, bool cut_is_error) {
  ASSERT_EQ(outcome(reader, file), Code::none);
  // Of a large file a few hundred places are tried.
  std::size_t step = 1 + file.size() / 1500;
  for (std::size_t n = 0; n < file.size(); n += step) {
    Code code = outcome(reader, View(file).substr(0, n));
    expect_clear(code);
    if (cut_is_error) {
      ASSERT_EQ(code, Code::argument) << n;
    }
  }
  Random random(file.size());
  std::size_t rounds = file.size() > 20000 ? 40 : 800;
  for (std::size_t i = 0; i < rounds; ++i) {
    Bytes bad = file;
    for (uint32_t k = 0; k <= random.below(4); ++k) {
      char& c = bad[random.below(bad.size())];
      c = static_cast<char>(random.below(2) ? c ^ 1 << random.below(8)
                                            : random.below(256));
    }
    expect_clear(outcome(reader, bad));
  }
}

TEST(Fuzz, EventFile) { abuse(read_event_file, golden(kEvents), false); }
TEST(Fuzz, Graph) { abuse(read_graph, golden("graph.pb"), false); }
TEST(Fuzz, MetaGraph) {
  abuse(read_meta, golden("model.ckpt-7.meta"), false);
  abuse(read_meta, golden("saver.meta"), false);
}
TEST(Fuzz, GraphText) { abuse(read_graph_text, golden("graph.pbtxt"), false); }
TEST(Fuzz, StateFile) {
  abuse(read_state, golden("checkpoint"), false);
  abuse(read_state, golden("tensorflow/checkpoint.manager"), false);
}
TEST(Fuzz, Index) {
  abuse(read_bundle, golden("model.ckpt-7.index"), true);
  abuse(read_bundle, golden("tensorflow/types.ckpt.index"), true);
  abuse(read_bundle, golden("tensorflow/parts.ckpt.index"), true);
  abuse(read_bundle, golden("big.ckpt-0.index"), true);
}
TEST(Fuzz, Strings) {
  abuse(read_strings, golden("model.ckpt-7.data-00000-of-00001"), false);
}
TEST(Fuzz, EventsOfTensorFlow) {
  abuse(read_event_file, golden(kTensorFlowEvents), false);
}
TEST(Fuzz, EveryEvent) {
  Bytes file = golden(kEvents);
  for (const Span& s : read_records(file).payloads) {
    abuse(read_event, file.substr(s.offset, s.length), false);
  }
}

// With right checksums around wrong contents, the table's own checks decide.
TEST(Fuzz, WrongContentsUnderRightChecksums) {
  std::vector<std::pair<Bytes, Bytes>> pairs;
  read_table(golden("model.ckpt-7.index"),
             [&](View k, View v) { pairs.emplace_back(k, v); });
  Random random(8);
  for (int i = 0; i < 1000; ++i) {
    TableBuilder table(random.below(100) + 1);
    std::size_t chosen = random.below(pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      Bytes v = pairs[p].second;
      if (p == chosen) {
        v[random.below(v.size())] = static_cast<char>(random.below(256));
        if (random.below(3) == 0) v.resize(random.below(v.size()));
      }
      table.add(pairs[p].first, v);
    }
    expect_clear(outcome(read_bundle, table.take()));
  }
}

// The door of JavaScript: whatever comes in packed values.
TEST(Fuzz, Calls) {
  Random random(9);
  Bytes graph = str("GraphDef") + raw(golden("graph.pb"));
  for (int which = -1; which < 15; ++which) {
    for (int i = 0; i < 300; ++i) {
      Bytes in = graph;
      for (int k = 0; k < 3; ++k) {
        char c = static_cast<char>(random.below(9));
        in[random.below(40)] = c;
      }
      std::vector<char> copy(in.begin(), in.end());
      Code code = code_of([&] {
        call(static_cast<Call>(which), View(copy.data(), copy.size()));
      });
      EXPECT_TRUE(code == Code::none || code == Code::argument ||
                  code == Code::internal || code == Code::dtype)
          << int(code);
    }
  }
}

}  // namespace
}  // namespace tidemark::formats
