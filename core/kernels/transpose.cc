#include "core/kernels/transpose.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/kernels/parallel.h"

namespace tidemark::kernels {
namespace {

// A permutation after merging axes that stay neighbours: sizes of the result
// and, for each of its axes, the distance in the input.
struct Plan {
  std::size_t axes = 0;
  std::array<Index, kMaxAxes> size{};
  std::array<Index, kMaxAxes> in_stride{};
  std::array<Index, kMaxAxes> out_stride{};
};

Plan plan_of(std::span<const Index> shape, std::span<const Index> perm) {
  std::array<Index, kMaxAxes> stride{};
  Index running = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    stride[i] = running;
    running *= shape[i];
  }
  Plan plan;
  for (const Index source : perm) {
    const auto axis = static_cast<std::size_t>(source);
    if (shape[axis] == 1) continue;
    const std::size_t last = plan.axes - 1;
    if (plan.axes > 0 &&
        plan.in_stride[last] == stride[axis] * shape[axis]) {
      plan.size[last] *= shape[axis];
      plan.in_stride[last] = stride[axis];
      continue;
    }
    plan.size[plan.axes] = shape[axis];
    plan.in_stride[plan.axes] = stride[axis];
    ++plan.axes;
  }
  running = 1;
  for (std::size_t i = plan.axes; i-- > 0;) {
    plan.out_stride[i] = running;
    running *= plan.size[i];
  }
  return plan;
}

// Calls f(input offset, output offset) for every position of the axes that
// `inner` (a bit per axis) leaves out.
template <class F>
void each_outer(const Plan& plan, unsigned inner, F f) {
  std::array<std::size_t, kMaxAxes> axes{};
  std::array<Index, kMaxAxes> at{};
  std::size_t count = 0;
  for (std::size_t i = plan.axes; i-- > 0;) {
    if ((inner >> i & 1u) == 0) axes[count++] = i;
  }
  Index in = 0, out = 0;
  for (;;) {
    f(in, out);
    std::size_t i = 0;
    for (; i < count; ++i) {
      const std::size_t axis = axes[i];
      in += plan.in_stride[axis];
      out += plan.out_stride[axis];
      if (++at[i] < plan.size[axis]) break;
      in -= plan.size[axis] * plan.in_stride[axis];
      out -= plan.size[axis] * plan.out_stride[axis];
      at[i] = 0;
    }
    if (i == count) return;
  }
}

template <class T>
void scalar_block(const T* in, Index in_stride, T* out, Index out_stride,
                  Index rows, Index columns) {
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      out[c * out_stride + r] = in[r * in_stride + c];
    }
  }
}

// out[c][r] = in[r][c] for a block that fits the L1 cache.
void block(const float* in, Index in_stride, float* out, Index out_stride,
           Index rows, Index columns) {
  Index r = 0;
  for (; r + kWidth <= rows; r += kWidth) {
    const float* from = in + r * in_stride;
    float* to = out + r;
    Index c = 0;
    for (; c + kWidth <= columns; c += kWidth) {
      Float tile[kLanes<float>];
      for (Index i = 0; i < kWidth; ++i) {
        tile[i] = load(from + i * in_stride + c);
      }
      xsimd::transpose(tile, tile + kWidth);
      for (Index i = 0; i < kWidth; ++i) {
        store(to + (c + i) * out_stride, tile[i]);
      }
    }
    scalar_block(from + c, in_stride, to + c * out_stride, out_stride, kWidth,
                 columns - c);
  }
  scalar_block(in + r * in_stride, in_stride, out + r, out_stride, rows - r,
               columns);
}

void block(const std::uint8_t* in, Index in_stride, std::uint8_t* out,
           Index out_stride, Index rows, Index columns) {
  scalar_block(in, in_stride, out, out_stride, rows, columns);
}

// A plane: rows lie in_stride apart in the input and are columns of the
// result, out_stride apart. Blocks of 32 x 32 touch each cache line once.
template <class T>
void plane(const T* in, Index in_stride, T* out, Index out_stride, Index rows,
           Index columns) {
  constexpr Index kBlock = 32;
  for (Index c = 0; c < columns; c += kBlock) {
    const Index width = std::min(kBlock, columns - c);
    for (Index r = 0; r < rows; r += kBlock) {
      block(in + r * in_stride + c, in_stride, out + c * out_stride + r,
            out_stride, std::min(kBlock, rows - r), width);
    }
  }
}

template <class T>
void run(const Plan& plan, const T* in, T* out) {
  const std::size_t last = plan.axes - 1;
  if (plan.in_stride[last] == 1) {
    // The innermost axis stays: whole rows move.
    const Index row = plan.size[last];
    const std::size_t bytes = static_cast<std::size_t>(row) * sizeof(T);
    each_outer(plan, 1u << last, [&](Index from, Index to) {
      if (row < 16) {
        for (Index i = 0; i < row; ++i) out[to + i] = in[from + i];
      } else {
        std::memcpy(out + to, in + from, bytes);
      }
    });
    return;
  }
  std::size_t unit = 0;  // The axis of the result that is innermost in `in`.
  while (plan.in_stride[unit] != 1) ++unit;
  each_outer(plan, 1u << last | 1u << unit, [&](Index from, Index to) {
    plane(in + from, plan.in_stride[last], out + to, plan.out_stride[unit],
          plan.size[last], plan.size[unit]);
  });
}

}  // namespace

void transpose(std::size_t element_size, std::span<const Index> shape,
               std::span<const Index> perm, const void* in, void* out) {
  for (const Index size : shape) {
    if (size == 0) return;
  }
  const Plan plan = plan_of(shape, perm);
  if (plan.axes == 0) {
    std::memcpy(out, in, element_size);
  } else if (element_size == 1) {
    run(plan, static_cast<const std::uint8_t*>(in),
        static_cast<std::uint8_t*>(out));
  } else {
    // Moving bits through float registers changes none of them.
    run(plan, static_cast<const float*>(in), static_cast<float*>(out));
  }
}

}  // namespace tidemark::kernels
