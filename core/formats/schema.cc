#include "core/formats/schema.h"

#include "core/base/error.h"

namespace tidemark::formats {
namespace {

using enum Type;
using enum Rule;

// ---- tensors and graphs ----
constexpr Field kDimFields[] = {{1, integer, plain, "size"},
                                {2, string, plain, "name"}};
constexpr Message kDim = {"Dim", kDimFields};

constexpr Field kShapeFields[] = {{2, message, repeated, "dim", &kDim},
                                  {3, boolean, plain, "unknown_rank"}};
constexpr Message kShape = {"Shape", kShapeFields};

constexpr Field kTensorFields[] = {
    {1, dtype, plain, "dtype"},
    {2, message, always, "tensor_shape", &kShape},
    {3, integer, plain, "version_number"},
    {4, bytes, plain, "tensor_content"},
    {5, real32, repeated, "float_val"},
    {6, real64, repeated, "double_val"},
    {7, integer, repeated, "int_val"},
    {8, bytes, repeated, "string_val"},
    {10, integer, repeated, "int64_val"},
    {11, boolean, repeated, "bool_val"},
};
constexpr Message kTensor = {"Tensor", kTensorFields};

constexpr Field kListFields[] = {
    {2, bytes, repeated, "s"},       {3, integer, repeated, "i"},
    {4, real32, repeated, "f"},      {5, boolean, repeated, "b"},
    {6, dtype, repeated, "type"},    {7, message, repeated, "shape", &kShape},
    {8, message, repeated, "tensor", &kTensor},
};
constexpr Message kList = {"List", kListFields};

constexpr Field kAttrFields[] = {
    {1, message, always, "list", &kList},
    {2, bytes, always, "s"},
    {3, integer, always, "i"},
    {4, real32, always, "f"},
    {5, boolean, always, "b"},
    {6, dtype, always, "type"},
    {7, message, always, "shape", &kShape},
    {8, message, always, "tensor", &kTensor},
    {9, string, always, "placeholder"},
};
constexpr Message kAttr = {"Attr", kAttrFields};

constexpr Field kNodeFields[] = {
    {1, string, plain, "name"},
    {2, string, plain, "op"},
    {3, string, repeated, "input"},
    {4, string, plain, "device"},
    {5, map, repeated, "attr", &kAttr},
};
constexpr Message kNode = {"Node", kNodeFields};

constexpr Field kVersionsFields[] = {
    {1, integer, plain, "producer"},
    {2, integer, plain, "min_consumer"},
    {3, integer, repeated, "bad_consumers"},
};
constexpr Message kVersions = {"Versions", kVersionsFields};

constexpr Field kGraphDefFields[] = {
    {1, message, repeated, "node", &kNode},
    {4, message, always, "versions", &kVersions},
};
constexpr Message kGraphDef = {"GraphDef", kGraphDefFields};

// ---- meta graphs ----
constexpr Field kMetaInfoFields[] = {
    {1, string, plain, "meta_graph_version"},
    {4, string, repeated, "tags"},
    {5, string, plain, "tensorflow_version"},
    {6, string, plain, "tensorflow_git_version"},
    {7, boolean, plain, "stripped_default_attrs"},
};
constexpr Message kMetaInfo = {"MetaInfo", kMetaInfoFields};

constexpr Field kSaverDefFields[] = {
    {1, string, plain, "filename_tensor_name"},
    {2, string, plain, "save_tensor_name"},
    {3, string, plain, "restore_op_name"},
    {4, integer, plain, "max_to_keep"},
    {5, boolean, plain, "sharded"},
    {6, real32, plain, "keep_checkpoint_every_n_hours"},
    {7, integer, plain, "version"},
};
constexpr Message kSaverDef = {"SaverDef", kSaverDefFields};

constexpr Field kVariableDefFields[] = {
    {1, string, plain, "variable_name"},
    {2, string, plain, "initializer_name"},
    {3, string, plain, "snapshot_name"},
    {5, boolean, plain, "is_resource"},
    {6, string, plain, "initial_value_name"},
    {7, boolean, plain, "trainable"},
};
constexpr Message kVariableDef = {"VariableDef", kVariableDefFields};

constexpr Field kNodeListFields[] = {{1, string, repeated, "value"}};
constexpr Message kNodeList = {"NodeList", kNodeListFields};
constexpr Field kBytesListFields[] = {{1, bytes, repeated, "value"}};
constexpr Message kBytesList = {"BytesList", kBytesListFields};
constexpr Field kInt64ListFields[] = {{1, integer, repeated, "value"}};
constexpr Message kInt64List = {"Int64List", kInt64ListFields};
constexpr Field kFloatListFields[] = {{1, real32, repeated, "value"}};
constexpr Message kFloatList = {"FloatList", kFloatListFields};

constexpr Field kCollectionFields[] = {
    {1, message, always, "node_list", &kNodeList},
    {2, message, always, "bytes_list", &kBytesList},
    {3, message, always, "int64_list", &kInt64List},
    {4, message, always, "float_list", &kFloatList},
};
constexpr Message kCollection = {"Collection", kCollectionFields};

constexpr Field kMetaGraphDefFields[] = {
    {1, message, always, "meta_info_def", &kMetaInfo},
    {2, message, always, "graph_def", &kGraphDef},
    {3, message, always, "saver_def", &kSaverDef},
    {4, map, repeated, "collection_def", &kCollection},
};
constexpr Message kMetaGraphDef = {"MetaGraphDef", kMetaGraphDefFields};

// ---- events ----
constexpr Field kHistogramFields[] = {
    {1, real64, always, "min"},
    {2, real64, always, "max"},
    {3, real64, always, "num"},
    {4, real64, always, "sum"},
    {5, real64, always, "sum_squares"},
    {6, real64, repeated, "bucket_limit"},
    {7, real64, repeated, "bucket"},
};
constexpr Message kHistogram = {"Histogram", kHistogramFields};

constexpr Field kImageFields[] = {
    {1, integer, plain, "height"},
    {2, integer, plain, "width"},
    {3, integer, plain, "colorspace"},
    {4, bytes, plain, "encoded_image_string"},
};
constexpr Message kImage = {"Image", kImageFields};

constexpr Field kPluginDataFields[] = {{1, string, plain, "plugin_name"},
                                       {2, bytes, plain, "content"}};
constexpr Message kPluginData = {"PluginData", kPluginDataFields};

constexpr Field kMetadataFields[] = {
    {1, message, always, "plugin_data", &kPluginData},
    {2, string, plain, "display_name"},
    {3, string, plain, "summary_description"},
    {4, integer, plain, "data_class"},
};
constexpr Message kMetadata = {"SummaryMetadata", kMetadataFields};

constexpr Field kValueFields[] = {
    {1, string, plain, "tag"},
    {9, message, always, "metadata", &kMetadata},
    {2, real32, always, "simple_value"},
    {4, message, always, "image", &kImage},
    {5, message, always, "histo", &kHistogram},
    {8, message, always, "tensor", &kTensor},
};
constexpr Message kValue = {"SummaryValue", kValueFields};

constexpr Field kSummaryFields[] = {{1, message, repeated, "value", &kValue}};
constexpr Message kSummary = {"Summary", kSummaryFields};

constexpr Field kSessionLogFields[] = {
    {1, integer, plain, "status"},
    {2, string, plain, "checkpoint_path"},
    {3, string, plain, "msg"},
};
constexpr Message kSessionLog = {"SessionLog", kSessionLogFields};

constexpr Field kRunMetadataFields[] = {{1, string, plain, "tag"},
                                        {2, bytes, plain, "run_metadata"}};
constexpr Message kRunMetadata = {"TaggedRunMetadata", kRunMetadataFields};

constexpr Field kSourceFields[] = {{1, string, plain, "writer"}};
constexpr Message kSource = {"SourceMetadata", kSourceFields};

constexpr Field kEventFields[] = {
    {1, real64, plain, "wall_time"},
    {2, integer, plain, "step"},
    {3, string, always, "file_version"},
    {4, bytes, always, "graph_def"},
    {5, message, always, "summary", &kSummary},
    {7, message, always, "session_log", &kSessionLog},
    {8, message, always, "tagged_run_metadata", &kRunMetadata},
    {9, bytes, always, "meta_graph_def"},
    {10, message, always, "source_metadata", &kSource},
};
constexpr Message kEvent = {"Event", kEventFields};

// ---- checkpoints ----
constexpr Field kStateFields[] = {
    {1, string, plain, "model_checkpoint_path"},
    {2, string, repeated, "all_model_checkpoint_paths"},
    {3, real64, repeated, "all_model_checkpoint_timestamps"},
    {4, real64, plain, "last_preserved_timestamp"},
};
constexpr Message kState = {"CheckpointState", kStateFields};

constexpr const Message* kMessages[] = {
    &kEvent,      &kSummary,     &kValue,      &kHistogram,  &kGraphDef,
    &kNode,       &kAttr,        &kTensor,     &kShape,      &kMetaGraphDef,
    &kSaverDef,   &kVariableDef, &kCollection, &kState,      &kImage,
};

struct DataType {
  const char* name;
  uint8_t number, size;
};
constexpr DataType kDataTypes[] = {
    {"DT_FLOAT", 1, 4},     {"DT_DOUBLE", 2, 8},      {"DT_INT32", 3, 4},
    {"DT_UINT8", 4, 1},     {"DT_INT16", 5, 2},       {"DT_INT8", 6, 1},
    {"DT_STRING", 7, 0},    {"DT_COMPLEX64", 8, 8},   {"DT_INT64", 9, 8},
    {"DT_BOOL", 10, 1},     {"DT_QINT8", 11, 1},      {"DT_QUINT8", 12, 1},
    {"DT_QINT32", 13, 4},   {"DT_BFLOAT16", 14, 2},   {"DT_QINT16", 15, 2},
    {"DT_QUINT16", 16, 2},  {"DT_UINT16", 17, 2},     {"DT_COMPLEX128", 18, 16},
    {"DT_HALF", 19, 2},     {"DT_RESOURCE", 20, 0},   {"DT_VARIANT", 21, 0},
    {"DT_UINT32", 22, 4},   {"DT_UINT64", 23, 8},
};

}  // namespace

int Message::find(View field) const {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (field == fields[i].name) return static_cast<int>(i);
  }
  return -1;
}

int Message::find(int number) const {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (number == fields[i].number) return static_cast<int>(i);
  }
  return -1;
}

const Message& message_named(View name) {
  for (const Message* m : kMessages) {
    if (name == m->name) return *m;
  }
  fail(Code::argument, "protobuf: there is no message '", name, "'");
}

const char* dtype_name(int64_t dtype) {
  for (const DataType& t : kDataTypes) {
    if (t.number == dtype) return t.name;
  }
  return nullptr;
}

int dtype_named(View name) {
  for (const DataType& t : kDataTypes) {
    if (name == t.name) return t.number;
  }
  return -1;
}

int dtype_size(int64_t dtype) {
  for (const DataType& t : kDataTypes) {
    if (t.number == dtype) return t.size;
  }
  return 0;
}

}  // namespace tidemark::formats
