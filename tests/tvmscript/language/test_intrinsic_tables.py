"""Every intrinsic and every operator of the parity tables: read, printed as TVM prints it, read back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.op import Op

PARITY = Path(__file__).parents[4] / "shared" / "parity"
HEAD = (
    '@T.prim_func\ndef main(p: T.handle, q: T.handle("float32", "shared"), x: T.float32, y: T.float32, i: T.int32, '
    'j: T.int32, u: T.uint32, b: T.bool, A: T.Buffer((16,), "float32")):\n'
)
#: TVM 0.17 prints these without their dtype, which then is no argument any more.
DTYPE_LOST = {"T.tvm_mfma", "T.tvm_mfma_store", "T.tvm_rdna_wmma", "T.tvm_rdna_wmma_store"}
#: TVM keeps the number that its LLVM gives to the name; the name stays here.
LLVM = {"tir.call_llvm_intrin", "tir.call_llvm_pure_intrin"}
#: TVM lets a keyword dtype of these vanish, though it is their parameter.
DTYPE_IS_PARAMETER = {"T.infinity", "T.max_value", "T.min_value"}

POINTERS = """multiplicand_a multiplicand_b accumulator fragment fragment_d fragment_a fragment_b fragment_c dst_ptr
src_ptr local_ptr smem_ptr shared_ptr global_ptr buffer_ptr ptr list_handle arr metadata d"""
#: parameter -> argument
ARGUMENTS = {
    "dtype": '"float32"', "cond": "b", "t": "x", "f": "y", "x": "x", "y": "y", "x1": "x", "x2": "y", "val": "x",
    "value": "x", "buffer_load": "A[i]", "func_name": '"fn"', "name": '"llvm.fma"', "storage_scope": '"shared"',
    "param_name": '"w"', "dtype_str": '"shape"', "shape": '"m16n8k8"', "A_layout": '"row"', "B_layout": '"col"',
    "A_dtype": '"fp16"', "B_dtype": '"fp16"', "C_dtype": '"fp32"', "layout": '"row_major"', "saturate": "False",
    "trans": "False", "num": "4", "type": '".b16"', "ptype": 'T.type_annotation("float32")', "data": "A.data",
    "operator": '"xor"', "transpose_matrix": "True", "args": "x, i", "freduce_args": "u, x, True, q, i", "mask": "u",
    "nested_call": 'T.call_packed("g", x)', "vec": "T.Broadcast(x, 4)", "vec1": "T.Broadcast(x, 4)",
    "vec2": "T.Broadcast(x, 4)", **dict.fromkeys(POINTERS.split(), "q"),
}  # fmt: skip
ON_INTEGERS = """ceildiv floordiv floormod truncdiv truncmod clz popcount bitwise_and bitwise_or bitwise_xor
bitwise_not shift_left shift_right q_multiply_shift q_multiply_shift_per_axis"""
PACKED = """call_packed call_cpacked call_packed_lowered call_cpacked_lowered tvm_call_packed tvm_call_cpacked
tvm_call_packed_lowered tvm_call_cpacked_lowered"""
#: function -> arguments that only it has
SPECIAL: dict[str, dict[str, str]] = {
    **{
        name: {"x": "i", "y": "j", "a": "i", "b": "j", "lhs": "i", "rhs": "j", "q": "31"}
        for name in ON_INTEGERS.split()
    },
    **{name: {"args": '"fn", x, i'} for name in PACKED.split()},
    **{name: {"dtype": '"float32x2"'} for name in ("vectorlow", "vectorhigh")},
    "simdgroup_multiply_accumulate": dict.fromkeys("abcd", "q"),
    "isnullptr": {"x": "p"},
    "ldexp": {"x2": "i"},
    "reinterpret": {"value": "i"},
    "call_intrin": {"func_name": '"tir.exp"', "args": "x"},
    "tvm_struct_get": {"dtype": '"handle"'},
    "tvm_stack_make_array": {"shape": "p", "strides": "p", "arr_dtype": "x"},
    "tvm_stack_make_shape": {"args": "i, j"},
    "vectorcombine": {"dtype": '"float32x8"'},
    "get_active_lane_mask": {"dtype": '"boolx4"'},
}


def table(name: str) -> list[dict[str, str]]:
    path = PARITY / name
    if not path.exists():
        return []
    header, *lines = [line.split("\t") for line in path.read_text().splitlines()]
    return [dict(zip(header, line, strict=True)) for line in lines]


def parameters(signature: str) -> tuple[list[str], list[str], str | None]:
    """Names of the parameters without and with a default, and of `*args`."""
    head = ast.parse(f"def f{re.sub('->.*$', '', signature).strip()}: pass").body[0]
    assert isinstance(head, ast.FunctionDef)
    names = [arg.arg for arg in (*head.args.posonlyargs, *head.args.args)]
    first = len(names) - len(head.args.defaults)
    rest = head.args.vararg.arg if head.args.vararg is not None else None
    return names[:first], [name for name in names[first:] if name != "span"], rest


def spellings(row: dict[str, str]) -> Iterator[str]:
    """The calls of an intrinsic: by position, with what has a default, by name, with a keyword dtype."""
    name = row["name"].removeprefix("T.")
    required, optional, rest = parameters(row["signature"])
    known = {**ARGUMENTS, **SPECIAL.get(name, {})}
    given, more = ({item: known.get(item, "1") for item in names} for names in (required, optional))
    others = [known[rest]] if rest is not None else []
    if name == "assume":  # TVM's default is no argument at all
        yield "T.assume(b)"
        return
    yield call(name, *given.values(), *others)
    if optional:
        yield call(name, *given.values(), *more.values())
    if row["name"] in DTYPE_IS_PARAMETER:
        return
    if rest is None and required:
        yield call(name, *[f"{item}={argument}" for item, argument in {**given, **more}.items()])
    if row["dtype_keyword"] == "ignored":
        yield call(name, *given.values(), *others, 'dtype="int8"')
    if row["dtype_keyword"] == "first":
        without = [argument for item, argument in given.items() if item != "dtype"]
        yield call(name, *without, *others, f"dtype={known['dtype']}")


def call(name: str, *arguments: str) -> str:
    return f"T.{name}({', '.join(arguments)})"


def program(calls: list[str]) -> str:
    return HEAD + "".join(f"    T.evaluate({call})\n" for call in calls)


INTRINSICS = [row for row in table("tir_script.tsv") if row["kind"] == "intrinsic"]
OPERATORS = table("tir_intrinsics.tsv")
needs_tables = pytest.mark.skipif(not INTRINSICS, reason="no parity tables: ../shared/parity is not there")


@needs_tables
def test_every_spelling_reads_and_reads_back() -> None:
    calls = [call for row in INTRINSICS for call in spellings(row)]
    assert len(calls) > 350
    made = tvmscript.from_source(program(calls))
    assert_structural_equal(tvmscript.from_source(made.script()), made)


@needs_tables
@pytest.mark.oracle
def test_every_spelling_prints_as_in_tvm(oracle: Any) -> None:
    rows = [row for row in INTRINSICS if row["in_oracle"] == "yes" and row["name"] not in DTYPE_LOST]
    text = program([call for row in rows for call in spellings(row)])
    assert tvmscript.from_source(text).script().splitlines() == oracle.print(text).splitlines()


def operator_call(row: dict[str, str]) -> str:
    op = Op.get(row["op"])
    # TVM's function of that name has no predicate
    params = tuple(item for item in getattr(op, "params", ()) if item != "predicate")
    given = [ARGUMENTS.get(param.removeprefix("*"), "1") for param in params]
    return f'T.Call("float32", "{op.name}", [{", ".join(given)}])'


@needs_tables
def test_every_operator_reads_and_reads_back() -> None:
    assert len(OPERATORS) == 158
    made = tvmscript.from_source(program([operator_call(row) for row in OPERATORS]))
    assert_structural_equal(tvmscript.from_source(made.script()), made)


@needs_tables
@pytest.mark.oracle
def test_tvm_reads_every_operator_from_our_text(oracle: Any) -> None:
    """TVM's own text of some of them does not read back; ours reads in TVM as the same program."""
    # TVM refuses calls of operators that it knows no effect of, and reads no `T.tir.cuda.__activemask()`
    rows = [row for row in OPERATORS if row["effect"] and row["python_function"] and row["op"] not in LLVM]
    rows = [row for row in rows if row["in_oracle"] == "yes"]
    assert len(rows) > 110
    text = program([operator_call(row) for row in rows])
    same, where = oracle.equal(text, tvmscript.from_source(text).script())
    assert same, where
