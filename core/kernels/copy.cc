#include "core/kernels/copy.h"

#include <cstring>

namespace tidemark::kernels {
namespace {

// Shorter rows are faster in a loop than through a call of memcpy.
constexpr Index kShortRow = 16;

struct Axis {
  Index size, from, to;
};

template <class T>
void copy_row(const Axis& axis, const T* in, T* out) {
  if (axis.from == 1 && axis.to == 1 && axis.size >= kShortRow) {
    std::memcpy(out, in, static_cast<std::size_t>(axis.size) * sizeof(T));
    return;
  }
  for (Index i = 0; i < axis.size; ++i) out[i * axis.to] = in[i * axis.from];
}

template <class T>
void copy(const Shape& shape, const Layout& from, const T* in,
          const Layout& to, T* out) {
  // Innermost first, merged wherever both sides keep step.
  Axis axes[kMaxRank];
  int rank = 0;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    if (shape[d] == 1) continue;
    Axis axis{shape[d], from.strides[d], to.strides[d]};
    if (rank > 0) {
      Axis& inner = axes[rank - 1];
      if (axis.from == inner.from * inner.size &&
          axis.to == inner.to * inner.size) {
        inner.size *= axis.size;
        continue;
      }
    }
    axes[rank++] = axis;
  }
  if (rank == 0) axes[rank++] = {1, 1, 1};
  in += from.offset;
  out += to.offset;
  Index at[kMaxRank] = {};
  for (;;) {
    copy_row(axes[0], in, out);
    int d = 1;
    for (; d < rank; ++d) {
      in += axes[d].from;
      out += axes[d].to;
      if (++at[d] < axes[d].size) break;
      in -= axes[d].from * axes[d].size;
      out -= axes[d].to * axes[d].size;
      at[d] = 0;
    }
    if (d == rank) return;
  }
}

}  // namespace

Layout whole(const Shape& shape) {
  Layout layout;
  Index step = 1;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    layout.strides[d] = step;
    step *= shape[d];
  }
  return layout;
}

Layout block_of(const Shape& shape, const int* begin, const int* step) {
  Layout layout = whole(shape);
  for (int d = 0; d < shape.rank(); ++d) {
    layout.offset += begin[d] * layout.strides[d];
    layout.strides[d] *= step[d];
  }
  return layout;
}

void copy_block(std::size_t element_size, const Shape& shape,
                const Layout& from, const void* in, const Layout& to,
                void* out) {
  if (shape.size() == 0) return;
  if (element_size == 1) {
    copy(shape, from, static_cast<const uint8_t*>(in), to,
         static_cast<uint8_t*>(out));
  } else {
    copy(shape, from, static_cast<const uint32_t*>(in), to,
         static_cast<uint32_t*>(out));
  }
}

}  // namespace tidemark::kernels
