#include "wasm/wire.h"

namespace tidemark::wire {
namespace {
std::vector<double> storage(1024);

std::size_t place(double v) { return static_cast<std::size_t>(v); }
}  // namespace

// Volatile: what does nothing would be removed again.
volatile bool returned;
void body_returned() { returned = true; }

double* block() { return storage.data(); }

double* reserve_block(std::size_t n) {
  if (n > storage.size()) storage.resize(n + n / 2);
  return storage.data();
}

Tensor read_tensor(double v) {
  if (v >= 0 || !(v == v)) return runtime::runtime().resolve(v);
  const double* at = block() + place(-v - 1);
  return scalar(at[1], static_cast<DType>(static_cast<int>(at[0])));
}

int read_int(double v) {
  if (v != std::trunc(v)) {
    fail(Code::argument, "expected an integer but got ", v);
  }
  if (!(v >= -2147483648.0 && v <= 2147483647.0)) {
    fail(Code::argument, v, " does not fit into 32 bits");
  }
  return static_cast<int>(v);
}

Doubles Wire<Doubles>::read(double v) {
  const double* at = block() + place(v);
  return Doubles(at + 1, at + 1 + place(at[0]));
}

Ints Wire<Ints>::read(double v) {
  const double* at = block() + place(v);
  Ints out(place(at[0]));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = read_int(at[1 + i]);
  return out;
}

std::string Wire<std::string>::read(double v) {
  const double* at = block() + place(v);
  return std::string(at + 1, at + 1 + place(at[0]));
}

Tensors Wire<Tensors>::read(double v) {
  // Copied first: a scalar in the list lies in the block too.
  Doubles handles = Wire<Doubles>::read(v);
  Tensors out;
  out.reserve(handles.size());
  for (double h : handles) out.push_back(read_tensor(h));
  return out;
}

}  // namespace tidemark::wire
