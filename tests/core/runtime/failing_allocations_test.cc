// Every allocation of a program fails once: nothing may be left behind, and
// the program must run afterwards.

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <new>

#include "core/autodiff/gradients.h"
#include "core/ops/binary.h"
#include "core/ops/concat.h"
#include "core/ops/conv.h"
#include "core/ops/linalg.h"
#include "core/ops/operators.h"
#include "core/ops/optimizer.h"
#include "core/ops/reduce.h"
#include "core/ops/softmax.h"
#include "core/ops/sort.h"
#include "core/ops/transpose.h"
#include "core/ops/unary.h"
#include "core/runtime/runtime.h"
#include "tests/core/support/check.h"

namespace {

// The n-th use of the heap outside the tensor pool fails; 0 for never.
uint64_t failing = 0;

}  // namespace

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return failing > 0 && --failing == 0 ? nullptr : std::malloc(bytes);
}
void* operator new(std::size_t bytes) {
  if (void* block = operator new(bytes, std::nothrow)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace tidemark {
namespace {

using testing::ramp;

struct Case {
  const char* name;
  std::function<void()> run;
};

Tensor loss(const Tensors& xs) {
  Tensor hidden = ops::tanh(ops::mat_mul(xs[0], xs[1]));
  return ops::mean(ops::square(ops::softmax(hidden, -1)), {0, 1});
}

const std::vector<Case>& cases() {
  static const Tensor a = ramp({4, 5}), b = ramp({5, 6}), v = ramp({5, 6});
  static const Tensor image = ramp({1, 6, 6, 2}), filter = ramp({3, 3, 2, 3});
  static const std::vector<Case> all = {
      {"arithmetic", [] { ops::sum((a + a) * a - ops::exp(a), {0}); }},
      {"composed", [] { ops::log_softmax(a, -1); }},
      {"lists", [] {
         Tensors parts = ops::split(a, {}, 5, 1);
         ops::concat({parts[0], parts[4], parts[2]}, 1);
         ops::stack(parts, 0);
         ops::topk(a, 2);
       }},
      {"gradient", [] { gradients([] { return loss({a, b}); }, {a, b}); }},
      {"second gradient", [] {
         gradients([] {
           return gradients([] { return loss({a, b}); }, {a})[0];
         }, {a}, ramp({4, 5}));
       }},
      {"optimizer step", [] {
         Tensor g = gradients([] { return loss({a, v}); }, {v})[0];
         ops::adam_update(v, v, v, g, 0.1, 0.9, 0.999, 0.9, 0.999, 1e-7);
         ops::rmsprop_update(v, v, v, v, g, 0.1, 0.9, 0.5, 1e-7);
       }},
      {"handles", [] {
         runtime::Runtime rt;
         auto scope = rt.open(rt.name("scope"));
         runtime::Handle x = rt.expose(ops::exp(a));
         runtime::Handle y = rt.expose_variable(rt.resolve(x).identical());
         rt.assign(y, ops::transpose(ops::transpose(a, {1, 0}), {1, 0}));
         Tensors list = ops::unstack(rt.resolve(y), 0);
         std::vector<double> out(list.size());
         rt.expose(list, out.data());
         rt.leave(scope, std::vector<runtime::Handle>{x, out[1]});
       }},
  };
  return all;
}

/// Runs every case again and again, its n-th allocation failing as `fail_nth`
/// arranges, until it comes through.
void fail_everywhere(void (*fail_nth)(uint64_t), uint64_t least) {
  for (const Case& c : cases()) {
    c.run();  // what is kept for ever is made now
    std::size_t before = memory::statistics().buffers;
    bool failed = true;
    uint64_t n = 0;
    while (failed) {
      failed = false;
      fail_nth(++n);
      try {
        c.run();
      } catch (const Error& e) {
        failed = e.code() == Code::memory;
      } catch (const std::bad_alloc&) {
        failed = true;
      }
      fail_nth(0);
      ASSERT_EQ(memory::statistics().buffers, before) << c.name << " " << n;
      ASSERT_EQ(tape::depth(), 0) << c.name << " " << n;
    }
    EXPECT_GT(n, least) << c.name;
    c.run();
    EXPECT_EQ(memory::statistics().buffers, before) << c.name;
  }
  memory::check();
}

TEST(FailingAllocations, OfThePoolLeakNothing) {
  fail_everywhere([](uint64_t n) { memory::fail_allocation(n); }, 1);
}

TEST(FailingAllocations, OfTheHeapLeakNothing) {
  fail_everywhere([](uint64_t n) { failing = n; }, 1);
}

}  // namespace
}  // namespace tidemark
