#include "core/ops/conv.h"

#include "core/ops/binary.h"
#include "core/ops/creation.h"
#include "core/ops/fused.h"
#include "core/ops/image.h"
#include "core/ops/pool.h"
#include "core/ops/transpose.h"
#include "tests/core/support/check.h"
#include "tests/core/support/image.h"

namespace tidemark::testing {
namespace {

using ops::Padding;

// Convolution by its definition, NHWC.
std::vector<double> naive_conv2d(const Tensor& x, const Tensor& f,
                                 const Ints& options) {
  auto w = ops::window_of("test", x.shape(), f.shape()[0], f.shape()[1],
                          f.shape()[3], ops::WindowOptions::from(options));
  std::vector<double> xs = values(x), fs = values(f), out;
  for (int b = 0; b < w.batch; ++b)
    for (int oy = 0; oy < w.out_height; ++oy)
      for (int ox = 0; ox < w.out_width; ++ox)
        for (int co = 0; co < w.out_channels; ++co) {
          double sum = 0;
          for (int ky = 0; ky < w.kernel_height; ++ky)
            for (int kx = 0; kx < w.kernel_width; ++kx) {
              auto y = oy * w.stride_height - w.pad_top +
                       ky * w.dilation_height;
              auto xx = ox * w.stride_width - w.pad_left +
                        kx * w.dilation_width;
              if (y < 0 || y >= w.in_height || xx < 0 || xx >= w.in_width)
                continue;
              for (int ci = 0; ci < w.in_channels; ++ci) {
                sum += xs[((b * w.in_height + y) * w.in_width + xx) *
                              w.in_channels + ci] *
                       fs[((ky * w.kernel_width + kx) * w.in_channels + ci) *
                              w.out_channels + co];
              }
            }
          out.push_back(sum);
        }
  return out;
}

struct Case {
  Shape image, filter;
  Options options;
};

const Case kCases[] = {
    {{1, 4, 5, 1}, {2, 2, 1, 1}, {}},
    {{2, 5, 4, 3}, {3, 3, 3, 2}, {.padding = Padding::same}},
    {{1, 7, 6, 2}, {3, 2, 2, 3}, {.stride_h = 2, .stride_w = 3}},
    {{1, 6, 6, 2}, {2, 3, 2, 2}, {.dilation_h = 2, .dilation_w = 2,
                                  .padding = Padding::same}},
    {{1, 4, 4, 2}, {3, 3, 2, 5}, {.padding = Padding::explicit_, .top = 2,
                                  .bottom = 0, .left = 1, .right = 3}},
    {{1, 3, 3, 4}, {1, 1, 4, 9}, {}},
    {{0, 3, 3, 4}, {1, 1, 4, 2}, {}},
    {{1, 2, 2, 1}, {3, 3, 1, 1}, {}},  // window larger than the image
};

TEST(Conv2d, EqualsItsDefinition) {
  NoLeak no_leak;
  for (const Case& c : kCases) {
    Tensor x = ramp(c.image), f = ramp(c.filter);
    expect_close(ops::conv2d(x, f, c.options),
                 naive_conv2d(x, f, c.options));
  }
}

TEST(Conv2d, ChannelsFirstIsTheSameTransposed) {
  Tensor x = ramp({2, 5, 4, 3}), f = ramp({3, 3, 3, 2});
  Options last{.padding = Padding::same}, first = last;
  first.channels_first = true;
  Tensor y = ops::conv2d(ops::transpose(x, {0, 3, 1, 2}), f, first);
  EXPECT_EQ(y.shape(), (Shape{2, 2, 5, 4}));
  expect_close(ops::transpose(y, {0, 2, 3, 1}), naive_conv2d(x, f, last));
}

TEST(Conv2d, HasFirstAndSecondDerivatives) {
  NoLeak no_leak;
  for (const Case& c : kCases) {
    if (c.image.size() == 0 || c.image[1] < c.filter[0]) continue;
    auto f = [&](const Tensors& in) {
      return ops::conv2d(in[0], in[1], c.options);
    };
    Tensor x = ramp(c.image), w = ramp(c.filter);
    expect_derivative(f, {x, w});
  }
  Options o{.stride_h = 2, .padding = Padding::same};
  Tensor w = ramp({2, 2, 1, 2});
  expect_second_derivative(
      [&](const Tensors& in) {
        Tensor y = ops::conv2d(in[0], w, o);
        return ops::mul(y, y);
      },
      ramp({1, 3, 3, 1}));
}

TEST(Conv2d, RefusesWhatDoesNotFit) {
  NoLeak no_leak;
  Tensor x = ramp({1, 4, 4, 2}), f = ramp({2, 2, 3, 1});
  EXPECT_THROW(ops::conv2d(x, f, Options{}), Error);
  EXPECT_THROW(ops::conv2d(x, ramp({2, 2, 2, 1}), Options{.stride_h = 0}),
               Error);
  EXPECT_THROW(ops::conv2d(ramp({4, 4}), f, Options{}), Error);
}

TEST(FusedConv2d, EqualsItsParts) {
  Tensor x = ramp({1, 5, 4, 3}), f = ramp({3, 3, 3, 5}), b = ramp({5});
  Options o{.padding = Padding::same};
  using Kind = kernels::Activation;
  for (Kind kind : {Kind::kLinear, Kind::kRelu, Kind::kRelu6, Kind::kElu,
                    Kind::kLeakyRelu, Kind::kSigmoid}) {
    auto fused = [&](const Tensors& in) {
      return ops::fused_conv2d(in[0], in[1], o, in[2], kind, std::nullopt,
                               0.3);
    };
    auto parts = [&](const Tensors& in) {
      return ops::activated(ops::add(ops::conv2d(in[0], in[1], o), in[2]), kind,
                           std::nullopt, 0.3);
    };
    Tensors in{x, f, b};
    expect_close(fused(in), values(parts(in)));
    Tensor dy = ramp({1, 5, 4, 5});
    Tensors got = gradients([&] { return fused(in); }, in, dy);
    Tensors want = gradients([&] { return parts(in); }, in, dy);
    for (int i = 0; i < 3; ++i) expect_close(got[i], values(want[i]));
  }
}

TEST(Conv2dTranspose, IsTheGradientOfConv2d) {
  Tensor x = ramp({1, 2, 3, 2}), f = ramp({3, 3, 4, 2});
  Options o{.stride_h = 2, .stride_w = 2, .padding = Padding::same};
  expect_derivative(
      [&](const Tensors& in) {
        return ops::conv2d_transpose(in[0], in[1], {1, 4, 5, 4}, o);
      },
      {x, f});
  EXPECT_THROW(ops::conv2d_transpose(x, f, {1, 9, 9, 4}, o), Error);
}

TEST(Depthwise, EqualsAConvolutionOfEachChannel) {
  Tensor x = ramp({2, 5, 6, 3}), f = ramp({3, 2, 3, 2});
  for (Options o : {Options{}, Options{.padding = Padding::same},
                    Options{.stride_h = 2, .stride_w = 2},
                    Options{.dilation_h = 2, .dilation_w = 1}}) {
    Tensor y = ops::depthwise_conv2d(x, f, o);
    // The same as a full convolution with zeros between the channels.
    Tensor full(Shape{3, 2, 3, 6}, DType::float32);
    std::fill_n(full.mutable_data<float>(), full.size(), 0.0f);
    for (int tap = 0; tap < 6; ++tap)
      for (int c = 0; c < 3; ++c)
        for (int q = 0; q < 2; ++q)
          full.mutable_data<float>()[(tap * 3 + c) * 6 + c * 2 + q] =
              f.data<float>()[(tap * 3 + c) * 2 + q];
    expect_close(y, naive_conv2d(x, full, o));
    expect_derivative(
        [&](const Tensors& in) {
          return ops::depthwise_conv2d(in[0], in[1], o);
        },
        {x, f});
  }
}

TEST(Separable, HasDerivatives) {
  expect_derivative(
      [&](const Tensors& in) {
        return ops::separable_conv2d(in[0], in[1], in[2],
                                     Options{.padding = Padding::same});
      },
      {ramp({1, 3, 3, 2}), ramp({2, 2, 2, 2}), ramp({1, 1, 4, 3})});
}

TEST(Conv1d, IsARowOfConv2d) {
  Tensor x = ramp({2, 7, 3}), f = ramp({3, 3, 4});
  Tensor y = ops::conv1d(x, f, Options{.stride_w = 2});
  EXPECT_EQ(y.shape(), (Shape{2, 3, 4}));
  expect_derivative(
      [&](const Tensors& in) {
        return ops::conv1d(in[0], in[1], Options{.stride_w = 2});
      },
      {x, f});
}

TEST(Pool, HasDerivatives) {
  for (Options o : {Options{.stride_h = 2, .stride_w = 2},
                    Options{.padding = Padding::same},
                    Options{.dilation_h = 2, .dilation_w = 2}}) {
    auto max = [&](const Tensors& in) {
      return ops::max_pool(in[0], {2, 2}, o);
    };
    auto avg = [&](const Tensors& in) {
      return ops::avg_pool(in[0], {2, 2}, o);
    };
    Tensor x = ramp({1, 4, 5, 2});
    expect_derivative(max, {x}, 1e-3);
    expect_derivative(avg, {x});
    auto squared = [](auto f) {
      return [f](const Tensors& in) { return ops::mul(f(in), f(in)); };
    };
    expect_second_derivative(squared(max), x, 1e-3);
    expect_second_derivative(squared(avg), x);
  }
}

TEST(Pool, KeepsInt32AndNaN) {
  Tensor i = tensor_of<int32_t>({1, 2, 2, 1}, {16777217, 3, -5, 1});
  EXPECT_EQ(ops::max_pool(i, {2, 2}, Options{}).data<int32_t>()[0], 16777217);
  Tensor n = tensor_of<float>({1, 2, 2, 1}, {1, NAN, 3, 2});
  expect_close(ops::max_pool(n, {2, 2}, Options{}), {NAN});
}

TEST(Resize, HasDerivatives) {
  for (bool align : {false, true}) {
    for (bool half : {false, true}) {
      if (align && half) continue;
      for (Ints size : {Ints{5, 7}, Ints{2, 2}, Ints{3, 4}}) {
        Tensor x = ramp({1, 3, 4, 2});
        expect_derivative(
            [&](const Tensors& in) {
              return ops::resize_bilinear(in[0], size, align, half);
            },
            {x});
        expect_derivative(
            [&](const Tensors& in) {
              return ops::resize_nearest_neighbor(in[0], size, align, half);
            },
            {x});
      }
    }
  }
}

}  // namespace
}  // namespace tidemark::testing
