"""The laws of printing where they are hard to keep: passes, floats, strings, names, attributes, copies."""

from __future__ import annotations

import copy
import pickle
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import DummyGlobalInfo, GlobalVar, IRModule, VDevice
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.core.values.float_formats import FORMATS, value_of
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import (
    Add,
    Call,
    FloatImm,
    IntImm,
    IterKind,
    IterVar,
    Let,
    Range,
    SizeVar,
    StringImm,
    Var,
)
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.ir.tir.stmt import (
    AssertStmt,
    AttrStmt,
    Block,
    BlockRealize,
    Evaluate,
    For,
    ForKind,
    LetStmt,
    seq,
)
from tvmscript.ir.transform.pipeline import llvm_passes
from tvmscript.testing import roundtrip
from tvmscript.testing.strategies import block_funcs, prim_funcs
from tvmscript.testing.strategies.expressions import NAMES

ZERO = Evaluate(IntImm("int32", 0))
TRUE = IntImm("bool", 1)


def function(body: Stmt = ZERO, **attrs: Any) -> PrimFunc:
    return PrimFunc((), body, None, {}, {"global_symbol": "f", **attrs})


# passes


@settings(max_examples=25)
@given(block_funcs())
def test_every_stage_of_lowering(func: PrimFunc) -> None:
    module = IRModule({"main": func})
    for each in llvm_passes({}):
        module = each(module)
        roundtrip(module)


@settings(max_examples=40)
@given(prim_funcs())
def test_passes_over_anything(func: PrimFunc) -> None:
    module = IRModule({"f": func})
    for each in llvm_passes({}):
        try:
            changed = each(module)
        except TVMScriptError:
            continue  # a pass may refuse a program that is no kernel
        roundtrip(changed)
        module = changed


# numbers

NARROW = [*map(DType, FORMATS), DType("float16")]


def assert_keeps(dtype: DType, patterns: list[int]) -> None:
    """Constants of these bit patterns read back as they are: floats are compared by their bits."""
    if dtype in FORMATS:
        values = [value_of(pattern, FORMATS[dtype]) for pattern in patterns]
    else:
        values = [struct.unpack("<e", struct.pack("<H", pattern))[0] for pattern in patterns]
    func = function(seq(*[Evaluate(FloatImm(dtype, value)) for value in values]))
    assert_structural_equal(tvmscript.from_source(func.script(), check_well_formed=False), func)


@pytest.mark.parametrize("dtype", [dtype for dtype in NARROW if dtype.bits <= 8], ids=str)
def test_all_floats_of_a_byte(dtype: DType) -> None:
    assert_keeps(dtype, list(range(1 << dtype.bits)))


@pytest.mark.parametrize("dtype", [dtype for dtype in NARROW if dtype.bits == 16], ids=str)
def test_floats_of_two_bytes(dtype: DType) -> None:
    """A sixteenth of the bit patterns, and those next to a change of the exponent."""
    edges = {pattern + near for pattern in range(0, 1 << 16, 128) for near in (-1, 0, 1)}
    assert_keeps(dtype, sorted({*range(0, 1 << 16, 16), *edges} & set(range(1 << 16))))


@pytest.mark.fuzz
@pytest.mark.parametrize("dtype", [dtype for dtype in NARROW if dtype.bits == 16], ids=str)
def test_all_floats_of_two_bytes(dtype: DType) -> None:
    for start in range(0, 1 << 16, 4096):
        assert_keeps(dtype, list(range(start, start + 4096)))


@settings(max_examples=300)
@given(st.integers(0, (1 << 32) - 1))
def test_float32(pattern: int) -> None:
    (value,) = struct.unpack("<f", struct.pack("<I", pattern))
    roundtrip(function(Evaluate(FloatImm("float32", value))))


@settings(max_examples=300)
@given(
    st.one_of(st.floats(), st.integers(0, (1 << 64) - 1).map(lambda n: struct.unpack("<d", struct.pack("<Q", n))[0]))
)
def test_float64(value: float) -> None:
    roundtrip(function(Evaluate(FloatImm("float64", value))))
    roundtrip(FloatImm("float32", value), float_dtype="float32")


# strings and names

CHARACTERS = st.text(st.characters(), max_size=12)


@settings(max_examples=200)
@given(CHARACTERS, CHARACTERS)
def test_strings_hold_any_character(first: str, second: str) -> None:
    body = seq(
        Evaluate(StringImm(first)),
        AttrStmt(StringImm(second), first, StringImm(second), ZERO),
        AssertStmt(TRUE, StringImm(first), ZERO),
        BlockRealize((), TRUE, Block((), (), (), second, ZERO, annotations={first: second})),
        For(Var("i", "int32"), IntImm("int32", 0), IntImm("int32", 2), ForKind.SERIAL, ZERO, None, {second: first}),
    )
    root = BlockRealize((), TRUE, Block((), (), (), "root", body))
    roundtrip(function(root, key=first, **{second: [first, {first: second}]}))


@settings(max_examples=150)
@given(
    st.lists(
        st.one_of(CHARACTERS, st.sampled_from([*NAMES, "metadata", "main", "f", "R", "None", "T_1"])),
        min_size=2,
        max_size=5,
    )
)
def test_names_may_be_anything(names: list[str]) -> None:
    variables = [Var(name, "int32") for name in names]
    value: Expr = variables[0]
    for var in variables[1:]:
        value = Add(value, var)
    body: Stmt = Evaluate(value)
    for position, var in enumerate(variables):
        if position % 2:
            body = LetStmt(var, IntImm("int32", position), body)
        else:
            body = For(var, IntImm("int32", 0), IntImm("int32", 4), ForKind.SERIAL, body)
    handles = tuple(Var(name, "handle") for name in names)
    buffers = {
        handle: make_buffer((IntImm("int32", 4),), "int8", name) for handle, name in zip(handles, names, strict=True)
    }
    roundtrip(PrimFunc(handles, body, None, buffers, {"global_symbol": names[0]}))


@settings(max_examples=60)
@given(
    st.lists(
        st.one_of(CHARACTERS, st.sampled_from(["main", "class", "T", "cls", "1st", "a.b"])),
        min_size=1,
        max_size=3,
        unique=True,
    )
)
def test_functions_of_modules_may_have_any_name(names: list[str]) -> None:
    variables = {name: GlobalVar(name) for name in names}
    functions = {
        variables[name]: PrimFunc((), Evaluate(Call("void", variables[other], ())), None, {}, {"global_symbol": name})
        for name, other in zip(names, reversed(names), strict=True)
    }
    roundtrip(IRModule(functions))


# attributes

ATTRIBUTES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(1 << 63), (1 << 63) - 1), st.floats(), CHARACTERS,
        st.builds(FloatImm, st.just("float16"), st.sampled_from([0.5, -0.0])),
        st.builds(IntImm, st.sampled_from(["uint8", "int64"]), st.integers(0, 100)),
        CHARACTERS.map(StringImm),
        st.sampled_from([Target.make("llvm -mcpu=core-avx2"), Target.make("cuda", "llvm")]),
        st.sampled_from([PrimFunc.schema.arguments, ()]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(CHARACTERS, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@settings(max_examples=200)
@given(st.dictionaries(CHARACTERS, ATTRIBUTES, max_size=3))
def test_attributes_of_every_kind(attrs: dict[str, Any]) -> None:
    attrs.pop("global_symbol", None)
    loop = For(Var("i", "int32"), IntImm("int32", 0), IntImm("int32", 2), ForKind.SERIAL, ZERO, None, attrs)
    func = function(loop)
    func = func.replace(attrs={**func.attrs, **attrs})
    roundtrip(IRModule({"f": func}, attrs, {"infos": (DummyGlobalInfo(), VDevice(Target.make("llvm"), 1, "global"))}))


def test_expressions_as_attributes() -> None:
    x, n = Var("x", "int64"), SizeVar("n", "int32")
    axis = IterVar(Range.from_min_extent(IntImm("int32", 0), n), Var("i", "int32"), IterKind.DATA_PAR)
    func = function(sum=Add(x, IntImm("int64", 1)), axis=axis, let=Let(n, IntImm("int32", 1), n))
    again = tvmscript.from_source(func.script())
    assert_structural_equal(again, func, map_free_vars=True)
    assert again.script() == func.script()


# copies


@settings(max_examples=25)
@given(prim_funcs())
def test_copies_print_the_same(func: PrimFunc) -> None:
    text = func.script()
    for again in (copy.copy(func), copy.deepcopy(func), pickle.loads(pickle.dumps(func))):
        assert again.script() == text
    roundtrip(pickle.loads(pickle.dumps(func)))


def test_intrinsics_survive_pickling() -> None:
    call = Call("float32", Intrinsic.get("tir.exp"), (FloatImm("float32", 1.0),))
    assert pickle.loads(pickle.dumps(call)).op is call.op
