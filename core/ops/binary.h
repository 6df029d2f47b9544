#pragma once
// Elementwise functions of two tensors, broadcast together (NumPy's rule).
// Operands of different types meet in the wider one (bool < int32 < float32),
// which is the type of the result; arithmetic on two bools counts in int32.

#include "core/tensor/tensor.h"

namespace tidemark::ops {

// binary.cc: arithmetic. int32 wraps; dividing it by zero gives 0.

Tensor add(Tensor a, Tensor b);         ///< a + b.
Tensor sub(Tensor a, Tensor b);         ///< a - b.
Tensor mul(Tensor a, Tensor b);         ///< a * b.
Tensor div(Tensor a, Tensor b);         ///< a / b; int32 rounds down.
Tensor div_no_nan(Tensor a, Tensor b);  ///< a / b, and 0 where b is 0.
/// a / b rounded down, as int32; 0 where b is 0. No derivative.
Tensor floor_div(Tensor a, Tensor b);
Tensor mod(Tensor a, Tensor b);         ///< Remainder with the sign of b.
/// a to the power of b; in int32 a negative power rounds towards zero.
Tensor pow(Tensor a, Tensor b);
Tensor maximum(Tensor a, Tensor b);     ///< The larger; NaN wins.
Tensor minimum(Tensor a, Tensor b);     ///< The smaller; NaN wins.
/// a & b, bit by bit; int32 only. No derivative.
Tensor bitwise_and(Tensor a, Tensor b);
Tensor squared_difference(Tensor a, Tensor b);  ///< (a - b)^2.
/// The angle of the point (b, a); int32 by truncation.
Tensor atan2(Tensor a, Tensor b);
/// x for x >= 0, else alpha * x; always float32.
Tensor prelu(Tensor x, Tensor alpha);
/// The sum of tensors of one shape and dtype; at least one.
Tensor add_n(Tensors tensors);

// logical.cc: comparisons and logic, as bool

Tensor equal(Tensor a, Tensor b);          ///< a == b; NaN equals nothing.
Tensor not_equal(Tensor a, Tensor b);      ///< a != b.
Tensor greater(Tensor a, Tensor b);        ///< a > b.
Tensor greater_equal(Tensor a, Tensor b);  ///< a >= b.
Tensor less(Tensor a, Tensor b);           ///< a < b.
Tensor less_equal(Tensor a, Tensor b);     ///< a <= b.
Tensor logical_and(Tensor a, Tensor b);    ///< a and b; bool only.
Tensor logical_or(Tensor a, Tensor b);     ///< a or b; bool only.
Tensor logical_xor(Tensor a, Tensor b);    ///< Either, not both; bool only.
/// a where condition (bool) holds, else b; all three broadcast together.
Tensor where(Tensor condition, Tensor a, Tensor b);
/// Coordinates of the true elements of a bool tensor: int32 [count, rank].
Tensor where_true(Tensor condition);

}  // namespace tidemark::ops
