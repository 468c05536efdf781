"""Small C functions that programs use where an operator of C means something else, or has no meaning, for some values.

The text has those that a program calls. `{T}` is a type of C, `{U}` the unsigned type of its width, `{dtype}` the name
of the dtype, which is part of the function's name.
"""

from __future__ import annotations

from typing import Final

from tvmscript.backends.c.types import c_type
from tvmscript.ir.core import DType

#: name -> text
TEXTS: Final = {
    "truncdiv": """\
/* The quotient, rounded towards zero; divisors 0 and -1 do not trap. */
static inline {T} truncdiv_{dtype}({T} a, {T} b) {{
    return b == 0 ? 0 : {minus_one}a / b;
}}
""",
    "truncmod": """\
/* The remainder with the sign of a; divisors 0 and -1 do not trap. */
static inline {T} truncmod_{dtype}({T} a, {T} b) {{
    return b == 0 {or_minus_one}? 0 : a % b;
}}
""",
    "floordiv": """\
/* The quotient, rounded down; divisors 0 and -1 do not trap. */
static inline {T} floordiv_{dtype}({T} a, {T} b) {{
    if (b == 0 || b == -1) {{
        return b == 0 ? 0 : ({T})(0 - ({U})a);
    }}
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}}
""",
    "floormod": """\
/* The remainder with the sign of b; divisors 0 and -1 do not trap. */
static inline {T} floormod_{dtype}({T} a, {T} b) {{
    if (b == 0 || b == -1) {{
        return 0;
    }}
    return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}}
""",
    "floormod_of_floats": """\
/* The remainder with the sign of b. */
static inline double floormod_float64(double a, double b) {{
    double remainder = fmod(a, b);
    return remainder != 0.0 && (remainder < 0.0) != (b < 0.0) ? remainder + b : remainder;
}}
""",
    "min": """\
static inline {T} min_{dtype}({T} a, {T} b) {{
    return a < b ? a : b;
}}
""",
    "max": """\
static inline {T} max_{dtype}({T} a, {T} b) {{
    return a > b ? a : b;
}}
""",
    "to": """\
/* x towards zero; the nearest number of the type where it does not fit, 0 for nan. */
static inline {T} to_{dtype}(double x) {{
    return x != x ? 0 : x <= {low} ? {least} : x >= {high} ? {greatest} : ({T})x;
}}
""",
    "popcount": """\
static inline {T} popcount_{dtype}({T} x) {{
    {T} count = 0;
    for ({U} bits = ({U})x; bits != 0; bits &= bits - 1) {{
        ++count;
    }}
    return count;
}}
""",
    "clz": """\
static inline int32_t clz_{dtype}({T} x) {{
    int32_t count = {bits};
    for ({U} bits = ({U})x; bits != 0; bits >>= 1) {{
        --count;
    }}
    return count;
}}
""",
    "sigmoid": """\
static inline {T} sigmoid_{dtype}({T} x) {{
    return 1.0 / (1.0 + exp(-x));
}}
""",
    "rsqrt": """\
static inline {T} rsqrt_{dtype}({T} x) {{
    return 1.0 / sqrt(x);
}}
""",
    "reinterpret": """\
/* The bits of a value as those of another type. */
static inline {T} {source}_as_{dtype}({S} x) {{
    union {{ {S} given; {T} result; }} bits;
    bits.given = x;
    return bits.result;
}}
""",
    "q_multiply_shift": """\
/* x * y, divided by 2 to the power of `shift` and rounded. */
static inline int32_t rounded_product(int64_t x, int64_t y, int64_t shift) {{
    return (int32_t)((x * y + ((int64_t)1 << (shift - 1))) >> shift);
}}
""",
    "allocate": """\
/* Memory for so many elements, NULL where there is none. */
static inline void *allocate(int64_t count, size_t size) {{
    return (uint64_t)count > SIZE_MAX / size ? NULL : malloc(count == 0 ? size : (size_t)count * size);
}}
""",
}

#: function names that a text defines, where they are not `name_dtype`
_NAMES: Final = {
    "floormod_of_floats": "floormod_float64",
    "reinterpret": "{source}_as_{dtype}",
    "q_multiply_shift": "rounded_product",
    "allocate": "allocate",
}


def helper(name: str, dtype: DType, source: DType | None = None) -> tuple[str, str]:
    """Return the name of the function for a dtype, and its text; `source` is the dtype that `reinterpret` takes."""
    facts: dict[str, object] = {"dtype": dtype, "T": c_type(dtype), "U": f"uint{dtype.bits}_t", "bits": dtype.bits}
    if source is not None:
        facts |= {"source": source, "S": c_type(source)}
    if dtype.is_integer:
        least, greatest = (f"{dtype.code.upper()}{dtype.bits}_{end}" for end in ("MIN", "MAX"))
        facts |= {"least": least if dtype.is_signed else "0", "greatest": greatest}
        facts |= {"low": float(dtype.min_value), "high": float(dtype.max_value + 1)}
        facts["minus_one"] = "b == -1 ? ({T})(0 - ({U})a) : ".format(**facts) if dtype.is_signed else ""
        facts["or_minus_one"] = "|| b == -1 " if dtype.is_signed else ""
    return _NAMES.get(name, f"{name}_{dtype}").format(**facts), TEXTS[name].format(**facts)
