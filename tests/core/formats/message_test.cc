#include "core/formats/message.h"

#include <limits>

#include "core/formats/histogram.h"
#include "core/formats/record.h"
#include "core/formats/text.h"
#include "tests/core/formats/support.h"

namespace tidemark::formats {
namespace {

using namespace test;

Bytes encoded(View message, const Bytes& packed) {
  return encode(message_named(message), value(packed));
}

Bytes decoded(View message, View bytes) {
  Packer out;
  decode(message_named(message), bytes, out);
  return out.take();
}

Bytes shape(const std::vector<double>& dims) {
  std::vector<Bytes> all;
  for (double d : dims) all.push_back(obj({{"size", num(d)}}));
  return obj({{"dim", list(all)}});
}

Bytes floats(std::initializer_list<float> values) {
  Bytes out;
  for (float v : values) put(out, v);
  return out;
}

// ---- the graph of the golden files: y = matMul(x, c) ----
Bytes output_shapes() {
  return obj({{"list", obj({{"shape", list({shape({2, 2})})}})}});
}

Bytes graph() {
  Bytes type = obj({{"type", str("DT_FLOAT")}});
  Bytes tensor = obj({{"dtype", num(1)},
                      {"tensor_shape", shape({2, 2})},
                      {"tensor_content", raw(floats({1, 2, 3, 4}))}});
  Bytes x = obj({{"name", str("x")},
                 {"op", str("Placeholder")},
                 {"attr", obj({{"shape", obj({{"shape", shape({2, 2})}})},
                               {"dtype", type},
                               {"_output_shapes", output_shapes()}})}});
  Bytes c = obj({{"attr", obj({{"value", obj({{"tensor", tensor}})},
                               {"dtype", type},
                               {"_output_shapes", output_shapes()}})},
                 {"name", str("c")},
                 {"op", str("Const")}});
  Bytes y = obj({{"name", str("y")},
                 {"op", str("MatMul")},
                 {"input", list({str("x"), str("c")})},
                 {"attr", obj({{"T", type},
                               {"_output_shapes", output_shapes()}})}});
  return obj({{"node", list({x, c, y})},
              {"versions", obj({{"producer", num(1395)}})}});
}

TEST(Message, TheGoldenGraph) {
  EXPECT_EQ(encoded("GraphDef", graph()), golden("graph.pb"));
}

Bytes meta() {
  return obj({{"meta_info_def",
               obj({{"tensorflow_version", str("wasm-runtime-0.0")},
                    {"tensorflow_git_version", str("unknown")}})},
              {"graph_def", raw(golden("graph.pb"))}});
}

TEST(Message, TheGoldenMetaGraph) {
  EXPECT_EQ(encoded("MetaGraphDef", meta()), golden("model.ckpt-7.meta"));
}

Bytes variable(View name, bool trainable) {
  Bytes n(name);
  return raw(encoded(
      "VariableDef",
      obj({{"variable_name", str(n + ":0")},
           {"initializer_name", str(n + "/Assign")},
           {"snapshot_name", str(n + "/Read/ReadVariableOp:0")},
           {"is_resource", flag(true)},
           {"initial_value_name", str(n + "/Initializer/initial_value:0")},
           {"trainable", flag(trainable)}})));
}

TEST(Message, GoldenCollectionsAndSaver) {
  Bytes kernel = variable("dense/kernel", true);
  Bytes bias = variable("dense/bias", true);
  Bytes step = variable("global_step", false);
  auto of = [](View kind, const Bytes& values) {
    return obj({{kind, obj({{"value", values}})}});
  };
  Bytes collections = obj(
      {{"variables", of("bytes_list", list({kernel, bias, step}))},
       {"trainable_variables", of("bytes_list", list({kernel, bias}))},
       {"train_op", of("node_list", list({str("train")}))},
       {"sizes", of("int64_list", list({num(3), num(-1)}))},
       {"losses", of("float_list", list({num(0.5), num(-1)}))},
       {"global_step", of("bytes_list", list({step}))}});
  Bytes info = obj({{"tags", list({str("train")})},
                    {"stripped_default_attrs", flag(true)}});
  Bytes saver = obj({{"filename_tensor_name", str("save/Const:0")},
                     {"save_tensor_name", str("save/control_dependency:0")},
                     {"restore_op_name", str("save/restore_all")},
                     {"max_to_keep", num(5)},
                     {"sharded", flag(true)},
                     {"keep_checkpoint_every_n_hours", num(10000)},
                     {"version", num(2)}});
  // The graph is taken from the file; TheGoldenGraph makes one.
  Bytes file = golden("variables.meta"), graph_def;
  for (Fields f(file); f.next();) {
    if (f.number == 2) graph_def = f.bytes;
  }
  EXPECT_EQ(encoded("MetaGraphDef", obj({{"meta_info_def", info},
                                         {"graph_def", raw(graph_def)},
                                         {"collection_def", collections}})),
            file);
  EXPECT_EQ(encoded("MetaGraphDef", obj({{"meta_info_def", info},
                                         {"graph_def", raw(graph_def)},
                                         {"saver_def", saver},
                                         {"collection_def", collections}})),
            golden("saver.meta"));
}

Bytes event(Member what, double step = 0, double wall = 1.7e9) {
  return encoded("Event", obj({{"wall_time", num(wall)},
                               {"step", num(step)},
                               std::move(what)}));
}

Member summary(Bytes tag, Member what) {
  return {"summary",
          obj({{"value", list({obj({{"tag", str(tag)}, std::move(what)})})}})};
}

TEST(Message, TheGoldenEvents) {
  Histogram h;
  for (double v : {0.0, 1.0, 2.0}) h.add(v, "h");
  Bytes file = golden(kEvents);
  Records records = read_records(file);
  // The picture is taken from the file: no two deflaters agree.
  Bytes picture;
  for (Fields f(View(file).substr(records.payloads[7].offset,
                                  records.payloads[7].length));
       f.next();) {
    if (f.number != 5) continue;
    std::size_t at = f.bytes.find("\x89PNG");
    picture = f.bytes.substr(at);
  }
  Bytes scalars = obj(
      {{"tag", str("acc")},
       {"tensor", obj({{"dtype", str("DT_FLOAT")},
                       {"tensor_shape", obj({})},
                       {"float_val", list({num(0.25)})}})},
       {"metadata",
        obj({{"plugin_data", obj({{"plugin_name", str("scalars")}})},
             {"data_class", num(1)}})}});
  std::vector<Bytes> events = {
      event({"file_version", str("brain.Event:2")}),
      event({"graph_def", raw(golden("graph.pb"))}),
      event({"meta_graph_def", raw(golden("model.ckpt-7.meta"))}),
      event({"session_log",
             obj({{"status", num(3)},
                  {"checkpoint_path", str("/run/model.ckpt")}})}),
      event({"session_log", obj({{"status", num(1)}})}, 1),
      event(summary("loss", {"simple_value", num(0.5)}), 1),
      event(summary("h", {"histo", raw(h.encode())}), 1),
      event(summary("i/image/0",
                    {"image", obj({{"height", num(2)},
                                   {"width", num(2)},
                                   {"colorspace", num(3)},
                                   {"encoded_image_string", raw(picture)}})}),
            1),
      event({"summary", obj({{"value", list({scalars})}})}, 1),
      event(summary("global_step/sec", {"simple_value", num(12.5)}), 101,
            1.7e9 + 8),
  };
  ASSERT_EQ(records.payloads.size(), events.size());
  Bytes again;
  for (const Bytes& e : events) put_record(e, again);
  EXPECT_EQ(again, file);
}

TEST(Message, GoldenFilesAreDecodedAndEncodedAgain) {
  EXPECT_EQ(encoded("GraphDef", decoded("GraphDef", golden("graph.pb"))),
            golden("graph.pb"));
  for (const char* name :
       {"model.ckpt-7.meta", "variables.meta", "saver.meta"}) {
    EXPECT_EQ(encoded("MetaGraphDef", decoded("MetaGraphDef", golden(name))),
              golden(name));
  }
  Bytes file = golden(kEvents), again;
  for (const Span& s : read_records(file).payloads) {
    View payload = View(file).substr(s.offset, s.length);
    put_record(encoded("Event", decoded("Event", payload)), again);
  }
  EXPECT_EQ(again, file);
}

TEST(Message, AStepKeepsAll64Bits) {
  for (int64_t step : {INT64_MAX, INT64_MIN, int64_t{-1},
                       (int64_t{1} << 53) + 1}) {
    Bytes bytes = encoded("Event", obj({{"step", big(step)}}));
    EXPECT_EQ(bytes.size(), step < 0 ? 11u : step == INT64_MAX ? 10u : 9u);
    Bytes back = decoded("Event", bytes);
    EXPECT_EQ(member(value(back), "step").integer("step"), step);
  }
}

TEST(Message, DefaultsAreLeftOutButInAOneof) {
  EXPECT_EQ(encoded("Event", obj({{"wall_time", num(0)}, {"step", num(0)}})),
            "");
  EXPECT_EQ(encoded("SummaryValue", obj({{"tag", str("")},
                                         {"simple_value", num(0)}})),
            Bytes("\x15\0\0\0\0", 5));
  EXPECT_EQ(encoded("Attr", obj({{"b", flag(false)}})), Bytes("\x28\0", 2));
  EXPECT_EQ(encoded("Attr", obj({{"i", num(0)}})), Bytes("\x18\0", 2));
  EXPECT_EQ(encoded("Attr", obj({{"shape", obj({})}})), Bytes("\x3a\0", 2));
  EXPECT_EQ(encoded("Tensor", obj({{"dtype", num(1)},
                                   {"tensor_shape", obj({})}})),
            Bytes("\x08\x01\x12\0", 4));
  Bytes null(1, '\0');
  EXPECT_EQ(encoded("Attr", obj({{"b", null}, {"shape", null}})), "");
  // A dimension that is not known takes ten bytes.
  EXPECT_EQ(encoded("Shape", shape({-1})),
            "\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  EXPECT_EQ(encoded("Shape", shape({0})), Bytes("\x12\0", 2));
}

TEST(Message, PackedOrNotIsReadAlike) {
  Bytes packed = encoded("Tensor", obj({{"int64_val", list({num(3), num(-4)})},
                                        {"float_val", list({num(1.5)})}}));
  Bytes loose;
  put_varint_field(loose, 10, 3);
  put_key(loose, 5, WireType::fixed32);
  put(loose, 1.5f);
  put_varint_field(loose, 10, static_cast<uint64_t>(-4));
  EXPECT_EQ(decoded("Tensor", loose), decoded("Tensor", packed));
  Bytes back = decoded("Tensor", packed);
  View items = member(value(back), "int64_val").items("");
  EXPECT_EQ(take_value(items).integer(""), 3);
  EXPECT_EQ(take_value(items).integer(""), -4);
  // Bytes are taken for packed numbers as they are.
  EXPECT_EQ(encoded("Tensor", obj({{"float_val", raw(floats({1, 2}))}})),
            encoded("Tensor", obj({{"float_val", list({num(1), num(2)})}})));
  put_bytes_field(loose, 5, "abc");
  EXPECT_EQ(code_of([&] { decoded("Tensor", loose); }), Code::argument);
}

TEST(Message, UnknownFieldsArePassedOver) {
  Bytes bytes("\x08\x01");
  put_varint_field(bytes, 99, 5);
  put_bytes_field(bytes, 100, "new");
  put_bytes_field(bytes, 1, "of another type");
  EXPECT_EQ(decoded("Event", ""), obj({}));
  Bytes log;
  put_bytes_field(log, 7, bytes);
  EXPECT_EQ(decoded("Event", log),
            obj({{"session_log", obj({{"status", big(1)}})}}));
}

TEST(Message, OfEqualMapKeysTheLastCounts) {
  Bytes node;
  for (View text : {"old", "new"}) {
    Bytes entry;
    put_bytes_field(entry, 1, "k");
    put_bytes_field(entry, 2, encoded("Attr", obj({{"s", str(text)}})));
    put_bytes_field(node, 5, entry);
  }
  EXPECT_EQ(decoded("Node", node),
            obj({{"attr", obj({{"k", obj({{"s", raw("new")}})}})}}));
}

TEST(Message, WhatIsWrongIsNamed) {
  auto wrong = [](View message, const Bytes& v) {
    return error_of([&] { encoded(message, v); });
  };
  EXPECT_EQ(wrong("Node", obj({{"inputs", list({})}})),
            "Node: there is no field 'inputs'");
  EXPECT_EQ(wrong("Node", num(1)), "Node: expected an object");
  EXPECT_EQ(wrong("Node", obj({{"name", num(1)}})),
            "name: expected text or bytes");
  EXPECT_EQ(wrong("Node", obj({{"input", str("x")}})),
            "input: expected a list");
  EXPECT_EQ(wrong("Node", obj({{"attr", list({})}})),
            "attr: expected an object");
  EXPECT_EQ(wrong("Event", obj({{"step", num(1.5)}})),
            "step: expected an integer");
  EXPECT_EQ(wrong("Attr", obj({{"type", str("DT_FLOAT32")}})),
            "type: there is no data type 'DT_FLOAT32'");
  EXPECT_EQ(wrong("Nodes", obj({})), "protobuf: there is no message 'Nodes'");
}

TEST(Message, TablesFitTheirReaders) {
  for (View name : {"Event", "GraphDef", "MetaGraphDef", "CheckpointState"}) {
    std::vector<const Message*> open = {&message_named(name)};
    for (std::size_t i = 0; i < open.size() && i < 100; ++i) {
      EXPECT_LE(open[i]->fields.size(), std::size_t(kMostFields));
      for (const Field& f : open[i]->fields) {
        bool nested = f.type == Type::message || f.type == Type::map;
        EXPECT_EQ(nested, f.message != nullptr) << f.name;
        if (nested) open.push_back(f.message);
      }
    }
    // No message is in itself, so nesting in files is bounded.
    EXPECT_LT(open.size(), 100u);
  }
  EXPECT_EQ(dtype_size(dtype_named("DT_BFLOAT16")), 2);
  EXPECT_EQ(dtype_size(99), 0);
  EXPECT_EQ(dtype_name(99), nullptr);
}

}  // namespace
}  // namespace tidemark::formats
