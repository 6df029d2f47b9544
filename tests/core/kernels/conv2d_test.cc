#include "core/kernels/conv2d.h"

#include <gtest/gtest.h>

#include "tests/core/support/buffer.h"
#include "tests/core/support/reference.h"
#include "tests/core/support/windows.h"

namespace tidemark::kernels {
namespace {

using testing::Buffer;
using testing::random_floats;
using testing::windows;

constexpr double kTolerance = 2e-5;
constexpr double kLongSumTolerance = 5e-4;  // Sums of thousands of products.

void expect_near(const Buffer<float>& got, const std::vector<double>& expected,
                 const char* what, double tolerance = kTolerance) {
  ASSERT_EQ(static_cast<std::size_t>(got.size()), expected.size());
  for (Index i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], expected[static_cast<std::size_t>(i)], tolerance)
        << what << " at " << i;
  }
}

std::vector<double> zeros(Index size) {
  return std::vector<double>(static_cast<std::size_t>(size));
}

void check(const Window& w, double tolerance = kTolerance) {
  SCOPED_TRACE(::testing::Message()
               << "kernel " << w.kernel_height << "x" << w.kernel_width
               << " stride " << w.stride_height << "x" << w.stride_width
               << " dilation " << w.dilation_height << "x" << w.dilation_width
               << " pad " << w.pad_top << "," << w.pad_left << " channels "
               << w.in_channels << ">" << w.out_channels);
  const Index filter_size = w.taps() * w.in_channels * w.out_channels;
  const Buffer<float> input(random_floats(w.in_size(), 1));
  const Buffer<float> filter(random_floats(filter_size, 2));
  const Buffer<float> dy(random_floats(w.out_size(), 3));
  auto output = zeros(w.out_size());
  auto dx = zeros(w.in_size());
  auto dfilter = zeros(filter_size);
  reference::for_each_product(w, [&](Index i, Index f, Index o) {
    output[static_cast<std::size_t>(o)] += double{input[i]} * filter[f];
    dx[static_cast<std::size_t>(i)] += double{dy[o]} * filter[f];
    dfilter[static_cast<std::size_t>(f)] += double{dy[o]} * input[i];
  });

  Buffer<float> got(w.out_size(), 9.0f);
  conv2d(w, input.data(), filter.data(), got.data());
  expect_near(got, output, "output", tolerance);
  Buffer<float> got_dx(w.in_size(), 9.0f);
  conv2d_input_gradient(w, dy.data(), filter.data(), got_dx.data());
  expect_near(got_dx, dx, "input gradient", tolerance);
  Buffer<float> got_dfilter(filter_size, 9.0f);
  conv2d_filter_gradient(w, input.data(), dy.data(), got_dfilter.data());
  expect_near(got_dfilter, dfilter, "filter gradient", tolerance);
}

TEST(Conv2d, AgreesWithTheReferenceInAllGeometries) {
  for (const auto& [in, out] :
       {std::pair<Index, Index>{1, 3}, {3, 8}, {5, 11}, {8, 1}, {13, 18}}) {
    for (const Window& w : windows(in, out)) check(w);
  }
}

TEST(Conv2d, AgreesWithTheReferenceForManyChannels) {
  for (const Window& w : windows(3, 35)) check(w);
  Window deep = windows(130, 9).back();
  deep.batch = 1;
  check(deep, kLongSumTolerance);
}

// Wide images are cut in bands of rows.
TEST(Conv2d, AgreesWithTheReferenceOnWideImages) {
  for (const Index stride : {1, 2}) {
    for (const Index pad : {0, 1}) {
      Window w;
      w.batch = 2;
      w.in_height = 23;
      w.in_width = 151;
      w.in_channels = 3;
      w.out_channels = 5;
      w.kernel_height = w.kernel_width = 3;
      w.stride_height = w.stride_width = stride;
      w.pad_top = w.pad_left = pad;
      check(testing::with_output(w, pad), kLongSumTolerance);
    }
  }
}

TEST(Conv2d, HandlesEmptyChannels) {
  for (const Window& w : windows(0, 3)) check(w);
  for (const Window& w : windows(3, 0)) check(w);
}

TEST(Conv2d, FusesBiasAndActivation) {
  Window w = windows(4, 9).back();
  w.batch = 1;
  const Buffer<float> input(random_floats(w.in_size(), 1));
  const Buffer<float> filter(random_floats(w.taps() * 4 * 9, 2));
  const Buffer<float> bias(random_floats(9, 4));
  auto output = zeros(w.out_size());
  for (std::size_t i = 0; i < output.size(); ++i) {
    output[i] = bias[static_cast<Index>(i) % 9];
  }
  reference::for_each_product(w, [&](Index i, Index f, Index o) {
    output[static_cast<std::size_t>(o)] += double{input[i]} * filter[f];
  });
  for (double& value : output) value = value < 0 ? 0.3 * value : value;
  Epilogue epilogue;
  epilogue.bias = bias.data();
  epilogue.activation = Activation::kLeakyRelu;
  epilogue.alpha = 0.3f;
  Buffer<float> got(w.out_size());
  conv2d(w, input.data(), filter.data(), got.data(), epilogue);
  expect_near(got, output, "output");
}

TEST(Conv2d, TransposedConvolutionTakesABias) {
  Window w = windows(4, 9).back();
  w.batch = 1;
  const Buffer<float> dy(random_floats(w.out_size(), 1));
  const Buffer<float> filter(random_floats(w.taps() * 4 * 9, 2));
  const Buffer<float> bias(random_floats(4, 4));
  auto dx = zeros(w.in_size());
  for (std::size_t i = 0; i < dx.size(); ++i) {
    dx[i] = bias[static_cast<Index>(i) % 4];
  }
  reference::for_each_product(w, [&](Index i, Index f, Index o) {
    dx[static_cast<std::size_t>(i)] += double{dy[o]} * filter[f];
  });
  Epilogue epilogue;
  epilogue.bias = bias.data();
  Buffer<float> got(w.in_size());
  conv2d_input_gradient(w, dy.data(), filter.data(), got.data(), epilogue);
  expect_near(got, dx, "transposed convolution");
}

}  // namespace
}  // namespace tidemark::kernels
