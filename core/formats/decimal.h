#pragma once
// Numbers as text and back, exactly: by whole-number arithmetic on decimal
// digits, because the C library's routines would be the largest functions of
// the program.

#include "core/formats/bytes.h"

namespace tidemark::formats {

/// As printf's %.15g writes it, or %.17g where that would be another number;
/// "inf", "-inf", "nan".
Bytes decimal(double value);
/// The same with 6 and 9 digits.
Bytes decimal(float value);

/// The double nearest to a decimal number ("-1.5e-3"); false when `text` is
/// none. "inf", "infinity" and "nan" are numbers.
bool parse_decimal(View text, double& value);

}  // namespace tidemark::formats
