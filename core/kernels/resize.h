#pragma once
// Resizing of NHWC images with TensorFlow's three ways to map positions.

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// Sizes and options; channels stay the same. With align_corners the centres
/// of the corner pixels coincide; half_pixel_centers maps pixel centres.
/// The two exclude each other.
struct Resize {
  Index batch = 1;
  Index in_height = 0, in_width = 0;
  Index out_height = 0, out_width = 0;
  Index channels = 0;
  bool align_corners = false;
  bool half_pixel_centers = false;
};

/// Bilinear interpolation of in[batch, in_height, in_width, channels].
void resize_bilinear(const Resize& r, const float* in, float* out);

/// The gradient at the input; dy is shaped as the output.
void resize_bilinear_gradient(const Resize& r, const float* dy, float* dx);

/// The nearest input pixel; also moves int32, bit for bit.
void resize_nearest(const Resize& r, const float* in, float* out);

/// The gradient at the input; dy is shaped as the output.
void resize_nearest_gradient(const Resize& r, const float* dy, float* dx);

}  // namespace tidemark::kernels
