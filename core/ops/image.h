#pragma once
// Resizing of images [batch, height, width, channels] (or without batch) to
// `size` = [height, width]; int32 and bool images become float32, except that
// nearest neighbour keeps int32. align_corners and half_pixel_centers exclude
// each other.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

Tensor resize_bilinear(Tensor images, Ints size, bool align_corners,
                       bool half_pixel_centers);
Tensor resize_nearest_neighbor(Tensor images, Ints size, bool align_corners,
                               bool half_pixel_centers);

}  // namespace tidemark::ops
