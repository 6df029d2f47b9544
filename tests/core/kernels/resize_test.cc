#include "core/kernels/resize.h"

#include <gtest/gtest.h>

#include "tests/core/support/buffer.h"
#include "tests/core/support/reference.h"

namespace tidemark::kernels {
namespace {

using testing::Buffer;
using testing::random_floats;

void check(const Resize& r, bool bilinear) {
  SCOPED_TRACE(::testing::Message()
               << (bilinear ? "bilinear " : "nearest ") << r.in_height << "x"
               << r.in_width << " to " << r.out_height << "x" << r.out_width
               << " corners " << r.align_corners << " centers "
               << r.half_pixel_centers << " channels " << r.channels);
  const Index in_size = r.batch * r.in_height * r.in_width * r.channels;
  const Index out_size = r.batch * r.out_height * r.out_width * r.channels;
  const Buffer<float> in(random_floats(in_size, 1));
  const Buffer<float> dy(random_floats(out_size, 2));
  std::vector<double> expected(static_cast<std::size_t>(out_size));
  std::vector<double> expected_dx(static_cast<std::size_t>(in_size));
  reference::for_each_resized(r, bilinear, [&](Index i, Index o, double t) {
    for (Index c = 0; c < r.channels; ++c) {
      const Index from = i * r.channels + c;
      const Index to = o * r.channels + c;
      expected[static_cast<std::size_t>(to)] += in[from] * t;
      expected_dx[static_cast<std::size_t>(from)] += dy[to] * t;
    }
  });
  Buffer<float> out(out_size, 9.0f), dx(in_size, 9.0f);
  (bilinear ? resize_bilinear : resize_nearest)(r, in.data(), out.data());
  (bilinear ? resize_bilinear_gradient
            : resize_nearest_gradient)(r, dy.data(), dx.data());
  for (Index i = 0; i < out_size; ++i) {
    ASSERT_NEAR(out[i], expected[static_cast<std::size_t>(i)], 2e-6) << i;
  }
  for (Index i = 0; i < in_size; ++i) {
    ASSERT_NEAR(dx[i], expected_dx[static_cast<std::size_t>(i)], 2e-5) << i;
  }
}

void check_options(Resize r) {
  for (const auto& [corners, centers] :
       {std::pair{false, false}, {true, false}, {false, true}}) {
    r.align_corners = corners;
    r.half_pixel_centers = centers;
    check(r, true);
    check(r, false);
  }
}

TEST(Resize, AgreesWithTheReference) {
  for (Index in : {1, 2, 5, 8}) {
    for (Index out : {1, 2, 3, 7, 8, 13}) {
      for (Index channels : {1, 3, 4, 9}) {
        check_options({.batch = 2,
                       .in_height = in,
                       .in_width = 6,
                       .out_height = out,
                       .out_width = 14 - out,
                       .channels = channels});
      }
    }
  }
}

TEST(Resize, HandlesEmptyImages) {
  check_options({.batch = 0, .in_height = 2, .in_width = 2, .out_height = 3,
                 .out_width = 3, .channels = 1});
  check_options({.batch = 1, .in_height = 2, .in_width = 2, .out_height = 3,
                 .out_width = 3, .channels = 0});
}

}  // namespace
}  // namespace tidemark::kernels
