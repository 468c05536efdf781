"""What passes refuse: the error, and the line of the program it points at."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.errors import IRError, UnknownName, WrongType
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.errors import (
    AxisOutsideOfBlock,
    BlockInLoops,
    BlockNotOpaque,
    CannotMatch,
    InitNotLowered,
    MatchNotLowered,
)
from tvmscript.ir.transform.registry import get_pass

REDUCTION = """
@T.prim_func
def main(A: T.Buffer((4,), "float32"), S: T.Buffer((1,), "float32")):
    for i in range(4):
        with T.block("S"):
            vi = T.axis.reduce(4, i)
            with T.init():
                S[0] = T.float32(0)
            S[0] = S[0] + A[vi]
"""
COPY = """
@T.prim_func
def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        with T.block("copy"):
            vi = T.axis.spatial(4, i)
            B[vi] = A[vi]
"""
MATCH = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32")):
    for i in range(4):
        with T.block("match"):
            T.reads()
            T.writes(A[i * 4:i * 4 + 4, 0:16])
            B = T.match_buffer(A[i * 4:i * 4 + 4, 0:16], {0})
            B[0, 0] = T.float32(1)
"""

OWN_AXIS = """
@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("A"):
            vi = T.axis.spatial(8, i)
            T.where(vi < 6)
            A[vi] = 0
"""

# (the root block begins where the function does)
REFUSED = [
    ("tir.ConvertBlocksToOpaque", REDUCTION, InitNotLowered, 5),
    ("tir.PlanAndUpdateBufferAllocationLocation", REDUCTION, InitNotLowered, 5),
    ("tir.LowerOpaqueBlock", COPY, BlockNotOpaque, 5),
    ("tir.LowerOpaqueBlock", MATCH.format("(4, 16), offset_factor=1"), MatchNotLowered, 5),
    ("tir.ConvertBlocksToOpaque", OWN_AXIS, AxisOutsideOfBlock, 7),
    ("tir.FlattenBuffer", MATCH.format("(4, 16), offset_factor=1"), MatchNotLowered, 5),
    ("tir.VectorizeLoop", COPY.replace("range(4)", "T.vectorized(4)"), BlockInLoops, 5),
    ("tir.LowerMatchBuffer", MATCH.format("(4, 16), strides=[8, 1], offset_factor=1"), CannotMatch, 8),
    ("tir.LowerMatchBuffer", MATCH.format("(4, 16), offset_factor=128"), CannotMatch, 8),
]


@pytest.mark.parametrize(("name", "text", "error", "line"), REFUSED)
def test_refused(name: str, text: str, error: type[IRError], line: int) -> None:
    func = tvmscript.from_source(text, check_well_formed=False)
    with pytest.raises(error) as caught:
        get_pass(name)(func)
    assert caught.value.line == line


def test_names() -> None:
    assert get_pass("tir.UnrollLoop", auto_max_step=16) == get_pass("tir.UnrollLoop", 16)
    assert repr(get_pass("tir.LiftThreadBinding")) == "LiftThreadBinding()"
    with pytest.raises(UnknownName):
        get_pass("tir.NoSuchPass")
    with pytest.raises(WrongType):
        get_pass("tir.Simplify")(3)
    assert all(cls.name == name for name, cls in Pass.registry.items())


def test_modules_keep_what_is_not_changed() -> None:
    func = tvmscript.from_source(COPY)
    mod = tvmscript.IRModule({"copy": func}, attrs={"x": 1})
    assert get_pass("tir.LowerInitBlock")(mod) is mod
    assert get_pass("tir.ConvertBlocksToOpaque")(mod).attrs == mod.attrs


class _Fails(Pass):
    """Raises an error with some notes."""

    name = "test.Fails"

    def __init__(self, notes: tuple[str, ...], inner: Pass | None = None) -> None:
        super().__init__()
        self.notes, self.inner = notes, inner

    def run(self, mod: tvmscript.IRModule) -> tvmscript.IRModule:
        if self.inner is not None:
            mod = self.inner(mod)
        error = ValueError("it fails")
        for note in self.notes:
            error.add_note(note)
        raise error


class _Around(_Fails):
    name = "test.Around"


@pytest.mark.parametrize("notes", [(), ("a note",), ("a note", "another one")])
@pytest.mark.parametrize("is_nested", [False, True])
def test_a_note_names_the_innermost_pass(notes: tuple[str, ...], is_nested: bool) -> None:
    run_pass = _Around((), _Fails(notes)) if is_nested else _Fails(notes)
    with pytest.raises(ValueError, match="it fails") as caught:
        run_pass(tvmscript.IRModule({}))
    assert caught.value.__notes__ == [*notes, "raised in the pass test.Fails"]
