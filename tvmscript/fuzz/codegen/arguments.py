"""Call compiled functions with arguments that have one fault each."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.codegen.writing import DTYPES, Kernel, Written, under

_SCALARS: Final = (
    "int32", "float32", "int64", "bool", "int8", "uint8", "float64", "uint32", "uint64", "float16", "int16", "bfloat16",
)  # fmt: skip
_EDGES: Final = (
    0, 1, -1, 2, 127, 128, -128, -129, 255, 256, 32767, 32768, -32769, 2**31 - 1, 2**31, -(2**31) - 1, 2**32, 2**63 - 1,
)  # fmt: skip


def signature(rng: random.Random) -> Written:
    """Draw a function of arrays with related shapes and scalars of every dtype, which may return a scalar."""
    k = Kernel(rng)
    dtype = k.pick(*DTYPES)
    n, m = k.number(0, 5), k.number(1, 5)
    k.size("n", n, k.pick("int32", "int32", "int64"))
    k.size("m", m)
    scalar = k.pick(*_SCALARS)
    k.scalar("s", scalar, k.pick(0, 1, 1, 5) if scalar != "bool" else 1)
    strides = k.pick("", "", ", strides=(m, 1)", ", strides=(m + 2, 1)", ", strides=(1, n)", ", strides=(r, 1)")
    if "r" in strides.replace("strides", ""):
        k.size("r", m + k.number(0, 3))
    k.array("A", "(n, m)", dtype, strides)
    k.array("B", k.pick("(n,)", "(m, n)", "(n, 4)", "(m * 2,)", "(n + m,)", "(3,)"), dtype)
    k.array("C", "(m,)", k.pick("int32", "float32", dtype))
    k.lines = under("for i, j in T.grid(T.Cast('int32', n), m):", ["A[i, j] = A[n - 1 - i, j]"])
    if k.chance(0.5):
        k.lines.append("C[0] = C[m - 1]")
    if k.chance(0.6):
        returned = k.pick(scalar, "int64", "float32", "bool", "int32")
        k.returns = f" -> T.{returned}"
        what = k.pick("s", "s", "n", "m") if scalar not in ("float16", "bfloat16") else "s"
        k.lines.append(f"T.ret(T.Cast('{returned}', {what}))")
    return Written(k.text(), k.sizes)


Change = Callable[[random.Random, Any], Any]


def _grown(rng: random.Random, value: Any) -> Any:
    axis = rng.randrange(value.ndim)
    return np.repeat(value, 2, axis) if value.shape[axis] else np.zeros([3] * value.ndim, value.dtype)


def _cut(rng: random.Random, value: Any) -> Any:
    axis = rng.randrange(value.ndim)
    return np.ascontiguousarray(np.delete(value, slice(0, 1), axis))


def _other_dtype(rng: random.Random, value: Any) -> Any:
    return value.astype(rng.choice(["float32", "int32", "int8", "uint8", "float64", "bool", "int64", "uint16"]))


def _strided(rng: random.Random, value: Any) -> Any:
    form = rng.randrange(4)
    if not value.size:
        return value  # backends disagree on whether distances in nothing matter
    if form == 0:
        return value[::-1]
    if form == 1:
        return np.asfortranarray(value)
    if form == 2:
        return np.repeat(value, 2, value.ndim - 1)[..., ::2]
    return np.concatenate([value, value])[: value.shape[0]]


def _read_only(rng: random.Random, value: Any) -> Any:
    copy = value.copy()
    copy.flags.writeable = False
    return copy


def _ranked(rng: random.Random, value: Any) -> Any:
    return value[None] if rng.random() < 0.5 else value.reshape(-1) if value.ndim > 1 else value.reshape(-1, 1)


def _no_array(rng: random.Random, value: Any) -> Any:
    return rng.choice([None, 3, "text", 2.5, True])


ARRAYS: Final[tuple[Change, ...]] = (
    _grown, _cut, _other_dtype, _strided, _read_only, _read_only, _read_only, _ranked, _no_array, _grown, _cut,
)  # fmt: skip


def other_number(rng: random.Random, value: Any) -> Any:
    """Draw another value for a scalar argument: near the limits of dtypes, or of another type."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice([None, "text", 1.5, -0.25, np.float32(2.5), np.zeros(2)])
    if kind == 1:
        return rng.choice([True, False, np.bool_(True), np.int8(-3), np.uint64(2**63)])
    return rng.choice(_EDGES)


def changed(rng: random.Random, values: list[Any]) -> list[Any]:
    """Change one argument, or their number."""
    if not values or rng.random() < 0.05:
        return [*values, 1]
    if rng.random() < 0.05:
        return values[:-1]
    at = rng.randrange(len(values))
    arguments = list(values)
    if isinstance(arguments[at], np.ndarray):
        if arguments[at].ndim:
            arguments[at] = ARRAYS[rng.randrange(len(ARRAYS))](rng, arguments[at])
    else:
        arguments[at] = other_number(rng, arguments[at])
    return arguments
