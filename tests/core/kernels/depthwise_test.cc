#include "core/kernels/depthwise.h"

#include <gtest/gtest.h>

#include "tests/core/support/buffer.h"
#include "tests/core/support/reference.h"
#include "tests/core/support/windows.h"

namespace tidemark::kernels {
namespace {

using testing::Buffer;
using testing::random_floats;
using testing::windows;

void expect_near(const Buffer<float>& got, const std::vector<double>& expected,
                 const char* what) {
  ASSERT_EQ(static_cast<std::size_t>(got.size()), expected.size());
  for (Index i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[static_cast<std::size_t>(i)], 2e-5)
        << what << " at " << i;
  }
}

std::vector<double> zeros(Index size) {
  return std::vector<double>(static_cast<std::size_t>(size));
}

void check(const Window& w, Activation activation = Activation::kLinear) {
  SCOPED_TRACE(::testing::Message()
               << "kernel " << w.kernel_height << "x" << w.kernel_width
               << " stride " << w.stride_height << "x" << w.stride_width
               << " dilation " << w.dilation_height << "x" << w.dilation_width
               << " pad " << w.pad_top << "," << w.pad_left << " channels "
               << w.in_channels << ">" << w.out_channels);
  const Index filter_size = w.taps() * w.out_channels;
  const Buffer<float> input(random_floats(w.in_size(), 1));
  const Buffer<float> filter(random_floats(filter_size, 2));
  const Buffer<float> dy(random_floats(w.out_size(), 3));
  const Buffer<float> bias(random_floats(w.out_channels, 4));
  auto output = zeros(w.out_size());
  auto dx = zeros(w.in_size());
  auto dfilter = zeros(filter_size);
  reference::for_each_depthwise_product(w, [&](Index i, Index f, Index o) {
    output[static_cast<std::size_t>(o)] += double{input[i]} * filter[f];
    dx[static_cast<std::size_t>(i)] += double{dy[o]} * filter[f];
    dfilter[static_cast<std::size_t>(f)] += double{dy[o]} * input[i];
  });

  Epilogue epilogue;
  if (activation != Activation::kLinear) {
    epilogue.bias = bias.data();
    epilogue.activation = activation;
    for (std::size_t i = 0; i < output.size(); ++i) {
      output[i] += bias[static_cast<Index>(i) % w.out_channels];
      if (output[i] < 0) output[i] = 0;
    }
  }
  Buffer<float> got(w.out_size(), 9.0f);
  depthwise(w, input.data(), filter.data(), got.data(), epilogue);
  expect_near(got, output, "output");
  Buffer<float> got_dx(w.in_size(), 9.0f);
  depthwise_input_gradient(w, dy.data(), filter.data(), got_dx.data());
  expect_near(got_dx, dx, "input gradient");
  Buffer<float> got_dfilter(filter_size, 9.0f);
  depthwise_filter_gradient(w, input.data(), dy.data(), got_dfilter.data());
  expect_near(got_dfilter, dfilter, "filter gradient");
}

TEST(Depthwise, AgreesWithTheReferenceInAllGeometries) {
  for (Index channels : {1, 3, 4, 7, 8, 17}) {
    for (const Window& w : windows(channels, channels)) check(w);
  }
}

TEST(Depthwise, MultipliesChannels) {
  for (Index multiplier : {2, 3, 4, 5, 8}) {
    for (const Window& w : windows(3, 3 * multiplier)) check(w);
  }
}

TEST(Depthwise, FusesBiasAndActivation) {
  for (const Window& w : windows(5, 5)) check(w, Activation::kRelu);
  for (const Window& w : windows(2, 6)) check(w, Activation::kRelu);
}

TEST(Depthwise, HandlesEmptyChannels) {
  for (const Window& w : windows(0, 0)) check(w);
}

}  // namespace
}  // namespace tidemark::kernels
