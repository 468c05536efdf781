"""Default dtypes of the header are those of literals and buffers that say none; Python values stay."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.parser.source.header import read_header

HEADER = (
    '# from tvm.script import tir as {}\n# tvmscript: int_dtype="int64", float_dtype="float16", buffer_dtype="int8"\n'
)
#: a body with defaults, and without
BODIES = {
    "literals": ("T.evaluate(3)\nT.evaluate(1.5)", "T.evaluate(T.int64(3))\nT.evaluate(T.float16(1.5))"),
    "negative": ("T.evaluate(-3)\nT.evaluate(-1.5)", "T.evaluate(T.int64(-3))\nT.evaluate(T.float16(-1.5))"),
    "negative of an expression": ("T.evaluate(-(n + 1))", "T.evaluate(-(n + T.int64(1)))"),
    "truths and texts": (
        'T.evaluate(T.call_extern("int32", "f", True))', 'T.evaluate(T.call_extern("int32", "f", True))',
    ),
    "numbers of a dtype": ("T.evaluate(T.int8(3))\nT.evaluate(T.float32(1.5))",) * 2,
    "numbers of Python": ('T.evaluate(T.IntImm("int32", 3))', 'T.evaluate(T.IntImm("int32", 3))'),
    "loops": ("for i in range(4):\n    T.evaluate(i)", "for i in range(T.int64(4)):\n    T.evaluate(i)"),
    "declared": (
        "B = T.alloc_buffer((n,))\nB[0] = B[1]", 'B = T.alloc_buffer((n,), "int8")\nB[T.int64(0)] = B[T.int64(1)]',
    ),
    "declared with a dtype": (
        'B = T.alloc_buffer((n,), "int32")\nC = T.alloc_buffer((n,), dtype="int16")\nB[n] = C[n]',
    )
    * 2,
    "over memory": (
        "B = T.Buffer((n,), data=A.data, align=64, offset_factor=1)\nB[n] = B[n]",
        'B = T.Buffer((n,), "int8", data=A.data, align=64, offset_factor=1)\nB[n] = B[n]',
    ),
    "strides": (
        "B = T.Buffer((n, n), data=A.data, strides=(4, 1))\nB[n, n] = B[n, n]",
        'B = T.Buffer((n, n), "int8", data=A.data, strides=(T.int64(4), T.int64(1)))\nB[n, n] = B[n, n]',
    ),
}  # fmt: skip
FUNCTION = """
@T.prim_func
def main(a: T.handle, n: T.int64):
    A = T.match_buffer(a, (n,){})
"""
GRAPH = """
@R.function
def main(x: R.Tensor((4, 8), "float32")):
    R.func_attr({"layers": %s})
    y = R.sum(x, axis=[1], keepdims=True)
    z = R.multiply(y, R.const(2.5, "float32"))
    return z
"""


def read(text: str) -> tvmscript.PrimFunc:
    func = tvmscript.from_source(text, check_well_formed=False)
    assert isinstance(func, tvmscript.PrimFunc)
    return func


def function(body: str, dtype: str = "") -> str:
    return FUNCTION.format(dtype) + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("prefix", ["T", "tt"])
@pytest.mark.parametrize("name", BODIES)
def test_kernels(name: str, prefix: str) -> None:
    given, expected = BODIES[name]
    actual = read(HEADER.format(prefix) + function(given).replace("T.", f"{prefix}."))
    assert_structural_equal(actual, read(function(expected, ', "int8"')))


def test_graphs() -> None:
    """Of a graph function only the integers of its attributes have a default."""
    header = '# tvmscript: int_dtype="int64", float_dtype="float16", buffer_dtype="int8"\n'
    actual = tvmscript.from_source(header + GRAPH % "[3, 2.5]", check_well_formed=False)
    assert_structural_equal(actual, tvmscript.from_source(GRAPH % "[T.int64(3), 2.5]", check_well_formed=False))


def test_headers() -> None:
    dtypes = {"int_dtype": "int64", "float_dtype": "float16", "buffer_dtype": "int8"}
    header = read_header(HEADER.format("tt") + function(""))
    assert (header.aliases, header.dtypes) == ({"tt": "T"}, dtypes)
    header = read_header("\n" + HEADER.format("T") + function(""))
    assert (header.aliases, header.dtypes) == ({}, {})
    header = read_header(HEADER.format("T") + function(""))
    assert (header.aliases, header.dtypes) == ({}, dtypes)
    header = read_header("x = 1\n" + HEADER.format("tt"))
    assert (header.aliases, header.dtypes) == ({}, {})
