#pragma once
// Reductions over the middle axis of [outer, n, inner]; every other reduction
// is brought to this form by its caller. Results are [outer, inner].

#include "core/kernels/arch.h"

namespace tidemark::kernels {

/// Sizes of the axes before, of, and after the reduced one.
struct Reduction {
  Index outer, n, inner;
};

/// Sums; floats are summed in short blocks whose totals are added in double.
void sum(const Reduction& r, const float* in, float* out);

/// Sums that wrap at 2^32.
void sum(const Reduction& r, const std::int32_t* in, std::int32_t* out);

/// Means; NaN when n is 0.
void mean(const Reduction& r, const float* in, float* out);

/// Products; 1 when n is 0.
void prod(const Reduction& r, const float* in, float* out);

/// Products that wrap at 2^32.
void prod(const Reduction& r, const std::int32_t* in, std::int32_t* out);

/// Largest values; NaN if there is one, -infinity when n is 0.
void max(const Reduction& r, const float* in, float* out);

/// Largest values; the smallest int32 when n is 0.
void max(const Reduction& r, const std::int32_t* in, std::int32_t* out);

/// Smallest values; NaN if there is one, infinity when n is 0.
void min(const Reduction& r, const float* in, float* out);

/// Smallest values; the largest int32 when n is 0.
void min(const Reduction& r, const std::int32_t* in, std::int32_t* out);

/// 1 where any of the bools (0 or 1) is 1.
void any(const Reduction& r, const std::uint8_t* in, std::uint8_t* out);

/// 1 where all of the bools (0 or 1) are 1, also when n is 0.
void all(const Reduction& r, const std::uint8_t* in, std::uint8_t* out);

/// First index of the largest value. NaN is skipped; 0 if nothing else is left.
void arg_max(const Reduction& r, const float* in, std::int32_t* out);

/// First index of the largest value.
void arg_max(const Reduction& r, const std::int32_t* in, std::int32_t* out);

/// First index of the smallest value. NaN is skipped; 0 if nothing is left.
void arg_min(const Reduction& r, const float* in, std::int32_t* out);

/// First index of the smallest value.
void arg_min(const Reduction& r, const std::int32_t* in, std::int32_t* out);

}  // namespace tidemark::kernels
