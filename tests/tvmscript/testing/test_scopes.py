"""Functions of scopes: blocks, threads and memory with all that they can say read back."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings

from tvmscript.ir.core.dtype import BOOL, INT32
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import IntImm, IterKind, IterVar, Range, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Block, BlockRealize, Evaluate
from tvmscript.testing.round_trip import roundtrip
from tvmscript.testing.scopes import scoped_funcs

_HEALTH: tuple[Any, ...] = tuple(HealthCheck)


def test_read_back() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=120, derandomize=True, database=None, deadline=None, suppress_health_check=_HEALTH)
    @given(scoped_funcs())
    def read_back(func: PrimFunc) -> None:
        roundtrip(func)
        seen.update({type(node).__name__ for node in nodes(func)})

    read_back()
    for name in ("Block", "BlockRealize", "MatchBufferRegion", "Allocate", "AllocateConst", "AttrStmt", "For"):
        assert seen[name], name


def test_no_offset_next_to_a_factor() -> None:
    param = Var("p", "handle")
    buffer = make_buffer((), INT32, "A", elem_offset=IntImm(INT32, 0), offset_factor=16)
    func = PrimFunc((param,), Evaluate(buffer[()]), None, {param: buffer}, {"global_symbol": "f"})
    assert 'A = T.match_buffer(p, (), "int32", elem_offset=0, offset_factor=16)' in func.script()
    roundtrip(func)


def test_block_with_axes_and_no_root() -> None:
    axis = IterVar(Range.from_min_extent(IntImm(INT32, 0), IntImm(INT32, 4)), Var("v", INT32), IterKind.DATA_PAR)
    block = Block((axis,), (), (), "B", Evaluate(IntImm(INT32, 0)))
    func = PrimFunc((), BlockRealize((IntImm(INT32, 0),), IntImm(BOOL, 1), block), None, {}, {"global_symbol": "f"})
    assert "root" not in func.script()
    roundtrip(func)
