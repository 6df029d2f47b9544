// tidemark-formats.wasm: the byte functions of core/formats in a module of
// their own, which only those load who write or read checkpoints and event
// files. This is all of its interface; js/src/formats_module.ts is the other
// side.
//
//   memory
//   request(bytes)   forgets the last call; where its arguments are to be put
//   call(which)      runs a byte function (core/formats/call.h) on them
//   answer           where three u32 are then: 0, address and bytes of the
//                    answer
//
// It imports nothing and has no exceptions, whose tables and run time would be
// a third of it. An error puts its code and its text into `answer` and traps.
// That is no way to leave C++, were it not for this rule: *nothing lives from
// one call to the next*. Memory is given out upwards from the end of the static
// data, and `request` starts there again, with the stack as it was at first. So
// byte functions keep nothing on the heap; their tables are static arrays.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "core/base/raise.h"
#include "core/formats/call.h"

#define TIDEMARK_EXPORT(name) extern "C" __attribute__((export_name(name)))

extern "C" {
extern char __heap_base;

// What `answer` is the address of.
struct Answer {
  uint32_t code;
  const char* address;
  std::size_t bytes;
} answer;
}

namespace tidemark {
namespace {

// A freed block waits for the next of its size, a power of two; the header in
// front of each says which.
struct Free {
  Free* next;
};
constexpr std::size_t kHeader = 8, kPage = 65536;
constexpr int kClasses = 31;

struct Heap {
  char* top = nullptr;
  Free* free[kClasses] = {};
} heap;

// Without exceptions and a heap: the error of having none left.
[[noreturn]] void out_of_memory() {
  static const char text[] = "out of memory: the heap of formats cannot grow";
  answer = {static_cast<uint32_t>(Code::memory), text, sizeof text - 1};
  __builtin_trap();
}

char* take(std::size_t bytes) {
  auto end = reinterpret_cast<uintptr_t>(heap.top) + uint64_t{bytes};
  uint64_t have = uint64_t{__builtin_wasm_memory_size(0)} * kPage;
  if (end > have) {
    auto pages = static_cast<std::size_t>((end - have + kPage - 1) / kPage);
    if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) out_of_memory();
  }
  char* at = heap.top;
  heap.top += bytes;
  return at;
}

void* allocate(std::size_t n) {
  if (n > SIZE_MAX / 4) out_of_memory();
  int of = std::max(4, static_cast<int>(std::bit_width(n + kHeader - 1)));
  if (Free* block = heap.free[of]) {
    heap.free[of] = block->next;
    return block;
  }
  char* block = take(std::size_t{1} << of);
  *reinterpret_cast<int*>(block) = of;
  return block + kHeader;
}

void release(void* p) {
  if (p == nullptr) return;
  int of = *reinterpret_cast<int*>(static_cast<char*>(p) - kHeader);
  auto* block = static_cast<Free*>(p);
  block->next = heap.free[of];
  heap.free[of] = block;
}

/// After a trap the stack is where that was. The first time says where it is
/// between calls. Out of line: who has a frame on it cannot move it.
[[gnu::noinline]] void restore_stack() {
  static uintptr_t first = 0;
  uintptr_t now;
  asm volatile(
      ".globaltype __stack_pointer, i32\n"
      "global.get __stack_pointer\n"
      "local.set %0"
      : "=r"(now));
  if (first == 0) first = now;
  asm volatile(
      "local.get %0\n"
      "global.set __stack_pointer"
      :
      : "r"(first));
}

formats::View arguments;

}  // namespace

void raise(Code code, std::string message) {
  answer = {static_cast<uint32_t>(code), message.data(), message.size()};
  __builtin_trap();
}

}  // namespace tidemark

TIDEMARK_EXPORT("request") char* request(std::size_t bytes) {
  tidemark::restore_stack();
  answer = {};
  tidemark::heap = {&__heap_base};
  char* at = tidemark::take((bytes + 15) & ~std::size_t{15});
  tidemark::arguments = {at, bytes};
  return at;
}

TIDEMARK_EXPORT("call") void call(int which) {
  using namespace tidemark;
  auto* out = new formats::Bytes(
      formats::call(static_cast<formats::Call>(which), arguments));
  answer = {0, out->data(), out->size()};
}

// What C++ asks of its surroundings.
void* operator new(std::size_t n) { return tidemark::allocate(n); }
void* operator new[](std::size_t n) { return tidemark::allocate(n); }
void operator delete(void* p) noexcept { tidemark::release(p); }
void operator delete[](void* p) noexcept { tidemark::release(p); }
void operator delete(void* p, std::size_t) noexcept { tidemark::release(p); }
// For the linker: strings of wide characters would ask for these.
void* operator new(std::size_t, std::align_val_t) { __builtin_trap(); }
void operator delete(void*, std::align_val_t) noexcept { __builtin_trap(); }
extern "C" void abort() { __builtin_trap(); }

_LIBCPP_BEGIN_NAMESPACE_STD
void __libcpp_verbose_abort(const char*, ...) { __builtin_trap(); }
_LIBCPP_END_NAMESPACE_STD
