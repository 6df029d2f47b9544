#pragma once
// Files of tests/golden, and plain values as JavaScript would send them.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/formats/value.h"

namespace tidemark::formats::test {

/// The folder of golden files: beside this file, or above where tests run.
inline std::filesystem::path golden_folder() {
  namespace fs = std::filesystem;
  fs::path here = fs::path(__FILE__).parent_path() / "../../golden";
  if (fs::exists(here)) return here;
  for (fs::path p = fs::current_path(); p.has_relative_path();
       p = p.parent_path()) {
    if (fs::exists(p / "tests/golden")) return p / "tests/golden";
  }
  return here;
}

inline Bytes golden(const std::string& name) {
  Bytes out;
  std::FILE* file = std::fopen((golden_folder() / name).c_str(), "rb");
  if (file == nullptr) {
    ADD_FAILURE() << "no golden file " << name;
    return out;
  }
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, file)) > 0;) {
    out.append(part, n);
  }
  std::fclose(file);
  return out;
}

inline const char* const kEvents = "events.out.tfevents.1700000000.golden";
inline const char* const kTensorFlowEvents =
    "tensorflow/events.out.tfevents.1700000000.run";

// ---- plain values, packed ----
inline Bytes num(double v) {
  Packer p;
  p.number(v);
  return p.take();
}
inline Bytes big(int64_t v) {
  Packer p;
  p.integer(v);
  return p.take();
}
inline Bytes flag(bool v) {
  Packer p;
  p.boolean(v);
  return p.take();
}
inline Bytes str(View v) {
  Packer p;
  p.text(v);
  return p.take();
}
inline Bytes raw(View v) {
  Packer p;
  p.bytes(v);
  return p.take();
}

inline Bytes container(Kind kind, const Bytes& items, std::size_t count) {
  Bytes out;
  out += static_cast<char>(kind);
  put(out, static_cast<uint32_t>(items.size()));
  put(out, static_cast<uint32_t>(count));
  return out + items;
}
inline Bytes list(const std::vector<Bytes>& items) {
  Bytes all;
  for (const Bytes& item : items) all += item;
  return container(Kind::list, all, items.size());
}
using Member = std::pair<View, Bytes>;
inline Bytes obj(const std::vector<Member>& members) {
  Bytes all;
  for (const auto& [key, value] : members) all += str(key) + value;
  return container(Kind::object, all, members.size());
}
inline Value value(const Bytes& packed) {
  View in = packed;
  return take_value(in);
}

/// The member of a packed object; null when there is none.
inline Value member(const Value& object, View name) {
  for (View items = object.bytes; !items.empty();) {
    View key = take_value(items).bytes;
    Value v = take_value(items);
    if (key == name) return v;
  }
  return {};
}

/// The code of the error that f ends with; Code::none when it does not.
template <class F>
Code code_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    EXPECT_STRNE(e.what(), "");
    return e.code();
  }
  return Code::none;
}

inline std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

/// Numbers that are the same on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint32_t below(uint64_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((state_ >> 33) % n);
  }

 private:
  uint64_t state_;
};

}  // namespace tidemark::formats::test
