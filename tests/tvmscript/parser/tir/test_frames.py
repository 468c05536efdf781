"""Constructs that have a body: what `as` binds."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.parser.diagnostics.errors import CannotAssign

_TEXT = "# from tvm.script import {} as T\n@T.prim_func\ndef f(n: T.int32):\n    with {} as x:\n        T.evaluate(0)\n"


@pytest.mark.parametrize("dialect", ["tir", "tirx"])
@pytest.mark.parametrize("frame", ['T.attr(0, "a", 1)', 'T.Assert(n > 0, "m")', "T.While(n > 0)", "T.If(n > 0)"])
def test_what_binds_nothing(dialect: str, frame: str) -> None:
    _check_refused(dialect, frame)


@pytest.mark.parametrize(
    "frame", ['T.attr({"a": 1})', 'T.hint("a")', "T.device_entry()", 'T.sblock("b")', 'T.Assert(n > 0, ["m"])']
)
def test_what_binds_nothing_in_0_27(frame: str) -> None:
    _check_refused("tirx", frame)


def _check_refused(dialect: str, frame: str) -> None:
    with pytest.raises(CannotAssign, match="a name after as cannot be assigned to") as caught:
        tvmscript.from_source(_TEXT.format(dialect, frame), check_well_formed=False)
    assert caught.value.span is not None
    assert (caught.value.span.line, caught.value.span.column) == (4, len(f"    with {frame} as x"))


@pytest.mark.parametrize(
    "frame",
    ["T.LetStmt(n)", "T.serial(3)", 'T.launch_thread("threadIdx.x", 3)', 'T.allocate([1], "int32", "global")',
     "T.decl_buffer((3,))"],
)  # fmt: skip
def test_what_binds_a_value(frame: str) -> None:
    assert tvmscript.from_source(_TEXT.format("tir", frame), check_well_formed=False).script()
