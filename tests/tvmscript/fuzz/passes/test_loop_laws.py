"""Laws of passes on blocks and loops say what is wrong with what a pass made."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.fuzz.passes.laws import broken_law
from tvmscript.fuzz.passes.programs import as_module, make
from tvmscript.ir.core.module import IRModule


def _module(*lines: str) -> IRModule:
    head = '@T.prim_func\ndef main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):\n'
    return as_module(tvmscript.from_source(head + "\n".join(f"    {line}" for line in lines)))


LOOP = ("for i in T.{}(4):", "    B[i] = A[i]")
MARKED = ('with T.attr(n, "pragma_mark", 1):', "    B[0] = 1", "B[1] = 2")
WINDOW = (
    'with T.block("window"):',
    "    M = T.alloc_buffer(({},))",
    "    for i in range(4):",
    "        M[i + 2] = T.float32(1)",
)
START, END = "T.start_profile_intrinsic(1)", "T.end_profile_intrinsic(1)"


def _loop(kind: str) -> tuple[str, ...]:
    return LOOP[0].format(kind), LOOP[1]


def _window(size: int) -> tuple[str, ...]:
    return tuple(line.format(size) for line in WINDOW)


@pytest.mark.parametrize(
    ("name", "before", "after", "wrong"),
    [
        ("tir.VectorizeLoop", _loop("vectorized"), _loop("serial"), None),
        ("tir.VectorizeLoop", _loop("vectorized"), _loop("vectorized"), "there are vectorized loops left"),
        ("tir.UnrollLoop", _loop("unroll"), _loop("unroll"), "there are unrolled loops left"),
        ("tir.UnrollLoop", _loop("unroll"), ("B[0] = 1",), None),
        ("tir.ConvertForLoopsToSerial", _loop("parallel"), _loop("serial"), None),
        ("tir.ConvertForLoopsToSerial", _loop("parallel"), _loop("parallel"), "the loops have other kinds"),
        ("tir.CompactBufferAllocation", _window(8), _window(4), None),
        (
            "tir.CompactBufferAllocation",
            _window(8),
            _window(8),
            "M has 8 elements along axis 0, of which 4 are accessed",
        ),
        ("tir.AssertBounds", ("B[n + 8] = 1",), ('assert n < 0, "no"', "B[n + 8] = 1"), None),
        ("tir.AssertBounds", ("B[n + 8] = 1",), ("B[n + 8] = 1",), "and no assertion says so"),
        ("tir.LiftAttrScope", MARKED, MARKED, None),
        (
            "tir.LiftAttrScope",
            MARKED,
            (*MARKED[:2], "    B[1] = 2"),
            "statements are under other attributes pragma_mark",
        ),
        ("tir.InstrumentProfileIntrinsics", ("B[0] = 1",), (START, "B[0] = 1", END), None),
        (
            "tir.InstrumentProfileIntrinsics",
            ("B[0] = 1",),
            (END, "B[0] = 1", START),
            "part 1 ends where it did not start",
        ),
        ("tir.InstrumentProfileIntrinsics", ("B[0] = 1",), (START, END, "B[0] = 1"), "part 1 has nothing in it"),
        ("tir.InstrumentProfileIntrinsics", ("B[0] = 1",), (START, "B[0] = 1"), "a part is not ended"),
    ],
)
def test_says_what_is_wrong(name: str, before: tuple[str, ...], after: tuple[str, ...], wrong: str | None) -> None:
    found = broken_law(make(name), _module(*before), _module(*after))
    assert found is None if wrong is None else wrong in str(found)
