"""Names of 0.27 that kernels rarely use mean what the statements and operators of 0.17 mean."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import TVMScriptError

HEADER = "# from tvm.script import {} as T\n"
FUNCTION = '@T.prim_func\ndef main(A: T.Buffer((16,), "float32"), n: T.int32):\n'
LANES = "T.Ramp(0, 1, 4)"
MASK = "T.Broadcast(T.bool(True), 4)"

#: a body in 0.27, and in 0.17
BODIES = {
    "jumps": (
        "for i in range(4):\n    if n > 2:\n        T.Break()\n    T.Continue()",
        "for i in range(4):\n    if n > 2:\n        T.break_loop()\n    T.continue_loop()",
    ),
    "return": ("T.Return(n)", "T.ret(n)"),
    "masked store": (
        f"T.masked_store(A, T.Broadcast(T.float32(1), 4), {LANES}, {MASK})",
        f"A.vstore([{LANES}], T.Broadcast(T.float32(1), 4), predicate={MASK})",
    ),
    "masked load": (
        f'A[T.Ramp(4, 1, 4)] = T.masked_load("float32x4", A, {LANES}, {MASK})',
        f"A[T.Ramp(4, 1, 4)] = A.vload([{LANES}], predicate={MASK})",
    ),
    "operators by name": (
        'A[0] = T.Call("tirx.exp", [A[1]], ret_ty="float32") + T.call_intrin("float32", "prim.exp", A[2])',
        "A[0] = T.exp(A[1]) + T.exp(A[2])",
    ),
    "operators by name in the order of 0.17": (
        'A[0] = T.Call("float32", "tir.exp", [A[1]])', "A[0] = T.exp(A[1])",
    ),
    "operators by name without a dtype": ('T.Call("tirx.ret", [n])', 'T.evaluate(T.Call("void", "tir.ret", [n]))'),
    "loops of a dtype": (
        'for i in T.serial(0, n, dtype="int64"):\n    A[i] = T.float32(0)',
        'for i in T.serial(T.int64(0), T.Cast("int64", n)):\n    A[i] = T.float32(0)',
    ),
    "loops that are unrolled": (
        "for i in T.unroll(4, unroll=True):\n    A[i] = T.float32(0)",
        'for i in T.unroll(4, annotations={"pragma_unroll": True}):\n    A[i] = T.float32(0)',
    ),
    "loops that are not unrolled": (
        "for i in T.serial(4, unroll=False):\n    A[i] = T.float32(0)",
        'for i in T.serial(4, annotations={"disable_unroll": True}):\n    A[i] = T.float32(0)',
    ),
    "loops with a factor": (
        'for i in T.serial(4, unroll=2, annotations={"a": 1}):\n    A[i] = T.float32(0)',
        'for i in T.serial(4, annotations={"a": 1, "pragma_unroll": 2}):\n    A[i] = T.float32(0)',
    ),
}  # fmt: skip


def read(body: str, module: str) -> tvmscript.PrimFunc:
    text = HEADER.format(module) + FUNCTION + "".join(f"    {line}\n" for line in body.splitlines())
    func = tvmscript.from_source(text, check_well_formed=False)
    assert isinstance(func, tvmscript.PrimFunc)
    return func


@pytest.mark.parametrize("name", BODIES)
def test_bodies(name: str) -> None:
    new, old = BODIES[name]
    func = read(new, "tirx")
    assert_structural_equal(func, read(old, "tir"))
    assert_structural_equal(tvmscript.from_source(func.script(dialect="0.27"), check_well_formed=False), func)


def test_masked_loads_have_the_dtype_that_they_say() -> None:
    with pytest.raises(TVMScriptError, match="float32x4"):
        read(f'A[T.Ramp(4, 1, 4)] = T.masked_load("float32x2", A, {LANES}, {MASK})', "tirx")


def test_names_are_counted() -> None:
    from tvmscript.parser.v0_27 import builtins

    tables = [each for each in vars(builtins).values() if hasattr(each, "keys") and hasattr(type(each), "__len__")]
    for table in tables:
        assert len(table) == len(list(table))


@pytest.mark.parametrize(
    ("shape", "offset", "argument", "answer"),
    [
        ("(1,)", 0, "", 1),
        ("(2,)", 0, "", 0),
        ("(1, 1)", 0, "", 0),
        ("()", 0, "", 0),
        ("(n,)", 0, "", 0),
        ("(1,)", 3, "", 0),
        ("(1,)", 3, "True", 0),
        ("(1,)", 3, "False", 1),
        ("(2,)", 3, "False", 0),
    ],
)
def test_which_buffers_are_scalars(shape: str, offset: int, argument: str, answer: int) -> None:
    declared = f'B = T.decl_buffer({shape}, "float32", data=A.data, elem_offset={offset})\n'
    func = read(f"{declared}T.evaluate(1 if B.is_scalar({argument}) else 0)", "tirx")
    assert_structural_equal(func, read(f"{declared}T.evaluate({answer})", "tirx"))
