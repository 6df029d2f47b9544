#include "core/ops/image.h"

#include "core/kernels/resize.h"
#include "core/ops/cast.h"
#include "core/ops/emit.h"
#include "core/ops/shape_ops.h"

namespace tidemark::ops {
namespace {

using kernels::Resize;
using Forward = void (*)(const Resize&, const float*, float*);

Shape small(const Resize& r) {
  return {static_cast<int>(r.batch), static_cast<int>(r.in_height),
          static_cast<int>(r.in_width), static_cast<int>(r.channels)};
}

Shape large(const Resize& r) {
  return {static_cast<int>(r.batch), static_cast<int>(r.out_height),
          static_cast<int>(r.out_width), static_cast<int>(r.channels)};
}

void tell_resize(const Run& run, Teller& to) {
  to.flag("align_corners", run.attr<Resize>().align_corners);
  to.flag("half_pixel_centers", run.attr<Resize>().half_pixel_centers);
}

// Resizing is linear: an op and its gradient are each other's derivative.
template <bool kBilinear>
struct Resizing {
  static Tensor forward(const Tensor& x, const Resize& r) {
    return emit(kForward, {x}, {large(r), x.dtype()}, r);
  }
  static Tensor gradient(const Tensor& dy, const Resize& r) {
    return emit(kGradient, {dy}, {small(r), DType::float32}, r);
  }

  static constexpr Op kForward{
      .name = kBilinear ? "resizeBilinear" : "resizeNearestNeighbor",
      .kernel =
          [](const Run& run) {
            // int32 is moved bit for bit.
            auto* f = kBilinear ? kernels::resize_bilinear
                                : kernels::resize_nearest;
            f(run.attr<Resize>(), static_cast<const float*>(run.in[0].raw()),
              static_cast<float*>(run.out[0].mutable_raw()));
          },
      .vjp = [](Vjp& v) { v.give(0, gradient(v.dy(), v.attr<Resize>())); },
      .tell = tell_resize,
  };
  static constexpr Op kGradient{
      .name = kBilinear ? "resizeBilinearGrad" : "resizeNearestNeighborGrad",
      .kernel =
          [](const Run& run) {
            auto* f = kBilinear ? kernels::resize_bilinear_gradient
                                : kernels::resize_nearest_gradient;
            f(run.attr<Resize>(), run.in[0].data<float>(),
              run.out[0].mutable_data<float>());
          },
      .vjp = [](Vjp& v) { v.give(0, forward(v.dy(), v.attr<Resize>())); },
      .tell = tell_resize,
  };
};

template <bool kBilinear>
Tensor resize(const char* op, Tensor images, const Ints& size,
              bool align_corners, bool half_pixel_centers) {
  if (images.rank() != 3 && images.rank() != 4) {
    fail(Code::shape, op, ": x must be rank 3 or 4, but got rank ",
         images.rank(), ".");
  }
  if (size.size() != 2) {
    fail(Code::shape, op, ": new shape must 2D, but got shape ", size, ".");
  }
  if (size[0] < 0 || size[1] < 0) {
    fail(Code::argument, op, ": sizes must not be negative, got ", size);
  }
  if (align_corners && half_pixel_centers) {
    fail(Code::argument, op, ": If halfPixelCenters is true, alignCorners must "
         "be false.");
  }
  bool single = images.rank() == 3;
  if (single) images = reshape(images, images.shape().inserted(0, 1));
  bool moves = !kBilinear && images.dtype() == DType::int32;
  if (!moves) images = cast(images, DType::float32);
  const Shape& s = images.shape();
  Resize r{.batch = s[0],
           .in_height = s[1],
           .in_width = s[2],
           .out_height = size[0],
           .out_width = size[1],
           .channels = s[3],
           .align_corners = align_corners,
           .half_pixel_centers = half_pixel_centers};
  if (s[1] * s[2] == 0 && size[0] * size[1] > 0) {
    fail(Code::shape, op, ": an image of shape ", s, " has no pixels to make ",
         size, " from");
  }
  Tensor y = Resizing<kBilinear>::forward(images, r);
  return single ? reshape(y, y.shape().removed(0)) : y;
}

}  // namespace

Tensor resize_bilinear(Tensor images, Ints size, bool align_corners,
                       bool half_pixel_centers) {
  return resize<true>("resizeBilinear", std::move(images), size, align_corners,
                      half_pixel_centers);
}

Tensor resize_nearest_neighbor(Tensor images, Ints size, bool align_corners,
                               bool half_pixel_centers) {
  return resize<false>("resizeNearestNeighbor", std::move(images), size,
                       align_corners, half_pixel_centers);
}

}  // namespace tidemark::ops
