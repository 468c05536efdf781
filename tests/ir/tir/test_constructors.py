"""Every constructor checks dtypes, lanes and ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tvmscript.ir.core.errors import (
    DTypeMismatch,
    DuplicateName,
    ExprAsBool,
    InvalidAttribute,
    TVMScriptError,
    UnknownName,
    ValueOutOfRange,
    WrongArgumentCount,
    WrongRank,
    WrongType,
)
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import (
    EQ,
    Add,
    And,
    Broadcast,
    BufferLoad,
    BufferRegion,
    Call,
    Cast,
    Div,
    FloatImm,
    IntImm,
    Let,
    Mul,
    Not,
    Ramp,
    Range,
    Select,
    Shuffle,
    Var,
)
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.ir.tir.operators import as_expr, cast, const, match_types
from tvmscript.ir.tir.stmt import (
    Allocate,
    AssertStmt,
    Block,
    BlockRealize,
    BufferStore,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    LetStmt,
    MatchBufferRegion,
    SeqStmt,
    While,
    seq,
)

I32, I64, F32 = Var("i", "int32"), Var("l", "int64"), Var("f", "float32")
TRUE, NOTHING = IntImm("bool", 1), Evaluate(const(0))
VECTOR = Broadcast(const(1), 4)


def matrix() -> Buffer:
    return make_buffer((const(4), const(4)), "float32", "A")


def full(*shape: int) -> BufferRegion:
    return BufferRegion.full(make_buffer(shape, "float32"))


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: Add(I32, I64), DTypeMismatch),
        (lambda: Add(I32, F32), DTypeMismatch),
        (lambda: EQ(I32, VECTOR), DTypeMismatch),
        (lambda: And(I32, I32), DTypeMismatch),
        (lambda: Not(I32), WrongType),
        (lambda: IntImm("int8", 128), ValueOutOfRange),
        (lambda: IntImm("uint8", -1), ValueOutOfRange),
        (lambda: IntImm("bool", 2), ValueOutOfRange),
        (lambda: IntImm("float32", 1), WrongType),
        (lambda: IntImm("int32x4", 1), WrongType),
        (lambda: FloatImm("int32", 1.0), WrongType),
        (lambda: Cast("float32x4", I32), DTypeMismatch),
        (lambda: Select(I32, I32, I32), WrongType),
        (lambda: Select(TRUE, I32, F32), DTypeMismatch),
        (lambda: Let(I32, F32, I32), DTypeMismatch),
        (lambda: Ramp(I32, I64, 4), DTypeMismatch),
        (lambda: Ramp(I32, I32, 1), WrongType),
        (lambda: Broadcast(VECTOR, 2), WrongType),
        (lambda: Broadcast(I32, 0), WrongType),
        (lambda: Shuffle((), ()), WrongType),
        (lambda: Shuffle((VECTOR,), (const(4),)), ValueOutOfRange),
        (lambda: Shuffle((VECTOR, F32), (const(0),)), DTypeMismatch),
        (lambda: BufferLoad(matrix(), (I32,)), WrongRank),
        (lambda: BufferLoad(matrix(), (I32, F32)), WrongType),
        (lambda: BufferLoad(matrix(), (VECTOR, I32)), WrongType),
        (lambda: BufferRegion(matrix(), (Range.from_min_extent(I32, I32),)), WrongRank),
        (lambda: MatchBufferRegion(make_buffer((4, 8)), full(4, 4)), WrongType),
        (lambda: MatchBufferRegion(make_buffer((4, 4)), full(8, 4)), WrongType),
        (lambda: MatchBufferRegion(make_buffer((4,)), full(2, 4)), WrongType),
        (lambda: MatchBufferRegion(make_buffer((1, 4)), full(4)), WrongType),
        (lambda: MatchBufferRegion(make_buffer((4,), "int8"), full(4)), DTypeMismatch),
        (lambda: MatchBufferRegion(make_buffer((4,), scope="shared"), full(4)), WrongType),
        (lambda: Range.from_min_extent(I32, I64), DTypeMismatch),
        (lambda: BufferStore(matrix(), I32, (I32, I32)), DTypeMismatch),
        (lambda: BufferStore(matrix(), F32, (I32,)), WrongRank),
        (lambda: BufferStore(matrix(), F32, (I32, VECTOR)), DTypeMismatch),
        (lambda: For(I32, const(0), I64, ForKind.SERIAL, NOTHING), DTypeMismatch),
        (lambda: For(F32, F32, F32, ForKind.SERIAL, NOTHING), WrongType),
        (lambda: While(I32, NOTHING), WrongType),
        (lambda: IfThenElse(I32, NOTHING), WrongType),
        (lambda: AssertStmt(I32, as_expr("no"), NOTHING), WrongType),
        (lambda: LetStmt(I32, F32, NOTHING), DTypeMismatch),
        (lambda: Allocate(I32, F32.dtype, (const(4),), TRUE, NOTHING), WrongType),
        (lambda: SeqStmt(()), WrongType),
        (lambda: BlockRealize((I32,), TRUE, Block((), (), (), "b", NOTHING)), WrongType),
        (lambda: make_buffer((F32,), "float32"), WrongType),
        (lambda: make_buffer((I32,), data=I32), WrongType),
        (lambda: PrimFunc((), NOTHING, None, {Var("a", "handle"): matrix()}), WrongType),
        (lambda: Op.get("tir.no_such_thing"), UnknownName),
        (lambda: Op("tir.exp"), DuplicateName),
        (lambda: Intrinsic.get("tir.exp")(F32, F32), WrongArgumentCount),  # type: ignore[operator]
        (lambda: I32 / I32, WrongType),
        (lambda: match_types(VECTOR, Broadcast(I32, 2)), DTypeMismatch),
        (lambda: as_expr(object()), WrongType),
        (lambda: PrimFunc((), NOTHING).with_attr("x", object()), InvalidAttribute),
        (lambda: IRModule().get_global_var("x"), UnknownName),
        (lambda: bool(I32 < 3), ExprAsBool),
    ],
)
def test_refused(make: Callable[[], object], error: type[TVMScriptError]) -> None:
    with pytest.raises(error) as caught:
        make()
    assert caught.value.render().startswith(f"error[{error.code}]: ")


@pytest.mark.parametrize(
    ("made", "dtype", "kind"),
    [
        (I32 + 1, "int32", Add),
        (1 + I64, "int64", Add),
        (F32 + 1, "float32", Add),
        (I32 + I64, "int64", Add),
        (I32 + F32, "float32", Add),
        (VECTOR + I32, "int32x4", Add),
        (VECTOR + 1, "int32x4", Add),
        (F32 / 2, "float32", Div),
        (I32 < 3, "bool", None),
        (VECTOR < VECTOR, "boolx4", None),
        (cast("int8", const(300)), "int8", IntImm),
        (Var("u", "uint8") + Var("s", "int8"), "uint8", Add),
        (Var("u", "uint16") + Var("s", "int8"), "uint16", Add),
        (Var("u", "uint16") + Var("s", "int32"), "int32", Add),
        (Var("u", "uint8") + 1, "int32", Add),
        (Var("u", "uint32") + 1, "uint32", Add),
        (Var("h", "float16") * 2.0, "float32", None),
        (Var("h", "float16") * 2, "float16", None),
        (I32 + 5_000_000_000, "int64", Add),
    ],
)
def test_python_operators(made: Var, dtype: str, kind: type | None) -> None:
    assert made.dtype == dtype
    assert kind is None or type(made) is kind


def test_cast_of_a_constant_wraps() -> None:
    made = cast("int8", const(300))
    assert isinstance(made, IntImm)
    assert made.value == 300 - 256


def test_indexing() -> None:
    buffer = matrix()
    assert isinstance(buffer[0, I32], BufferLoad)
    region = buffer[0:2, I32]
    assert isinstance(region, BufferRegion)
    assert [r.extent.value for r in region.region if isinstance(r.extent, IntImm)] == [2, 1]
    vector = buffer[0, 0:4:1]
    assert vector.dtype == "float32x4"


def test_seq_is_flat() -> None:
    made = seq(NOTHING, seq(NOTHING, NOTHING))
    assert isinstance(made, SeqStmt)
    assert len(made.seq) == 3
    assert seq(NOTHING) is NOTHING


def test_lanes_that_are_expressions() -> None:
    """A number of lanes may be a constant, or a multiple of vscale; -4 stands for 4 times vscale."""
    lanes: Any = Mul(const(4), Call("int32", Op.get("tir.vscale"), ()))
    assert Ramp(const(0), const(1), lanes).lanes == -4
    assert Broadcast(const(1), lanes).dtype == "int32xvscalex4"
    eight: Any = const(8)
    assert Broadcast(const(1), eight).lanes == 8
    size: Any = I32
    for make in (lambda: Ramp(const(0), const(1), size), lambda: Broadcast(const(0), size)):
        with pytest.raises(WrongType, match="a multiple of"):
            make()


def test_numbers_without_a_dtype_are_float32_where_it_has_their_magnitude() -> None:
    largest = 3.4028234663852886e38
    dtypes = [const(number).dtype for number in (1.5, largest, -largest, 3.4028234663852890e38, 1e300)]
    assert dtypes == ["float32", "float32", "float32", "float64", "float64"]
