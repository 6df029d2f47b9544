#pragma once
// Options of convolutions and pooling, as tests write them.

#include "core/ops/window.h"

namespace tidemark::testing {

struct Options {
  int stride_h = 1, stride_w = 1;
  int dilation_h = 1, dilation_w = 1;
  ops::Padding padding = ops::Padding::valid;
  int top = 0, bottom = 0, left = 0, right = 0;
  bool channels_first = false;

  operator Ints() const {
    return {stride_h, stride_w, dilation_h, dilation_w,
            static_cast<int>(padding), top, bottom, left, right, 0,
            channels_first};
  }
};

}  // namespace tidemark::testing
