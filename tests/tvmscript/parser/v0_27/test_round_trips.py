"""Texts of TVM 0.27, printed in both dialects, are read as the same programs."""

from __future__ import annotations

import base64
import struct

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal

HEAD = "# from tvm.script import tirx as T\n# from tvm.script import relax as R\n\n"
TEXTS = {
    "view of another index dtype": """@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    B = T.decl_buffer((T.int64(4), T.int64(4)), "float32", data=A.data)
    C = T.decl_buffer((4, 4), "float32", data=A.data, elem_offset=T.int64(0))
    B[0, 0] = C[0, 0]
""",
    "named strides of int32 and int64": """@T.prim_func(s_tir=True)
def f(a: T.handle, B: T.Buffer((T.int64(4), T.int64(4)), "float32", strides=("s0", 1))):
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(4)), "float32", strides=("s1", 1))
    with T.sblock("copy"):
        row = T.match_buffer(B[0, 0:4], (T.int64(1), T.int64(4)), "float32", strides=("s2", 1), offset_factor=1)
        A[0, 0] = row[0, 0]
""",
    "scalars of graph functions": """@R.function
def f(x: R.Tensor((4,), "float32"), y: T.float32, n: T.int64, b: T.bool) -> R.Tensor((4,), "float32"):
    return x
""",
    "views of memory": """@R.function
def f(t: R.Tensor((4,), "float32")):
    a = R.memory.view(t, R.shape([2, 2]), T.int32)
    b = R.memory.view(t, R.shape([2, 2]))
    c = R.memory.view(t, [2, 2], "int32", 0)
    d = R.memory.view(t, None, R.dtype("int32"))
    return R.memory.view(t, shape=R.shape([2, 2]), dtype=None, relative_byte_offset=R.prim_value(0))
""",
    "operators by name": """@R.function
def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
    with R.dataflow():
        y = R.emit_with_ty("relax.add", (x, x))
        z = R.emit_with_type("relax.exp", y, None)
        R.output(z)
    return z
""",
}


@pytest.mark.parametrize("dialect", ["0.17", "0.27"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_reads_back(text: str, dialect: str) -> None:
    program = tvmscript.from_source(HEAD + text)
    assert_structural_equal(tvmscript.from_source(program.script(dialect=dialect)), program)


def test_dtypes_of_named_strides() -> None:
    """TVM gives those of `match_buffer` the dtype of the first extent, others int32."""
    program = tvmscript.from_source(HEAD + TEXTS["named strides of int32 and int64"])
    bound, declared = [program.buffer_map[param] for param in program.params]
    assert [bound.strides[0].dtype, declared.strides[0].dtype] == ["int64", "int32"]


def test_dtype_of_index_maps() -> None:
    """0.17 has no spelling for it."""
    text = (
        HEAD
        + """@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    T.func_attr({"layout": T.index_map(lambda i: (i // 4, i % 4), index_dtype="int32")})
    A[0] = T.float32(0)
"""
    )
    program = tvmscript.from_source(text)
    assert program.attrs["layout"].initial_indices[0].dtype == "int32"
    assert_structural_equal(tvmscript.from_source(program.script(dialect="0.27")), program)


CONSTANTS = """
metadata = tvm.ir.load_json('''{"root_index": 7, "nodes": [
    {"type": "ffi.Tensor", "data": "%s"},
    {"type": "ir.GenericConst", "data": {"value": 0}},
    {"type": "ffi.Array", "data": [1]},
    {"type": "ffi.String", "data": "llvm -mcpu=znver4"},
    {"type": "target.Target", "data": 3},
    {"type": "ffi.Array", "data": [4]},
    {"type": "ffi.String", "data": "ir.GenericConst"},
    {"type": "ffi.Map", "data": [6, 2, 8, 5]},
    {"type": "ffi.String", "data": "target.Target"}
]}''')

@R.function
def f(x: R.Tensor((2,), "int32")) -> R.Tensor((2,), "int32"):
    R.func_attr({"target": metadata["target.Target"][0]})
    return R.add(x, metadata["ir.GenericConst"][0])
"""


def test_constants_and_targets_as_json() -> None:
    header = struct.pack("<QQiiiBBHqq", 0xDD5E40F096B4A13F, 0, 1, 0, 1, 0, 32, 1, 2, 8)
    array = base64.b64encode(header + struct.pack("<ii", 3, 4)).decode()
    program = tvmscript.from_source(HEAD + CONSTANTS % array)
    assert program.attrs["target"].kind == "llvm"
    expected = HEAD + CONSTANTS.split("\n\n", 1)[1].replace(
        'metadata["ir.GenericConst"][0]', "R.const([3, 4])"
    ).replace('metadata["target.Target"][0]', 'T.target("llvm -mcpu=znver4")')
    assert_structural_equal(program, tvmscript.from_source(expected))
