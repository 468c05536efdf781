"""Which parts of a block mention a buffer: what is not said to be accessed counts as well."""

from __future__ import annotations

import tvmscript
from tests.ir.schedule.test_laws import STAGES
from tvmscript.ir.schedule.analysis.buffer_uses import stmts_without_buffer
from tvmscript.ir.tir.stmt import SeqStmt
from tvmscript.ir.tir.substitute import uses
from tvmscript.schedule import Schedule


def _parts(sch: Schedule) -> tuple[object, ...]:
    body = sch.block("root").block.body
    assert isinstance(body, SeqStmt)
    return body.seq


def test_parts_without_a_buffer() -> None:
    sch = Schedule(tvmscript.from_source(STAGES))
    root = sch.block("root")
    first, second = root.block.alloc_buffers
    parts = _parts(sch)
    assert stmts_without_buffer(root, first) == {parts[2]}
    assert stmts_without_buffer(root, second) == {parts[0]}


def test_parts_change_with_the_program() -> None:
    sch = Schedule(tvmscript.from_source(STAGES))
    root = sch.block("root")
    first, second = root.block.alloc_buffers
    assert stmts_without_buffer(root, first) == {_parts(sch)[2]}
    sch.compute_inline("B")
    assert stmts_without_buffer(root, first) == {*_parts(sch)}
    assert stmts_without_buffer(root, second) == set()


def test_hidden_accesses_follow_their_buffer() -> None:
    for hide in (False, True):
        sch = Schedule(tvmscript.from_source(STAGES))
        old = sch.block("root").block.alloc_buffers[0]
        sch.set_scope("C", 0, "shared")
        if hide:
            sch.unsafe_hide_buffer_access(sch.get_block("C"), "read", [0])
        sch.set_scope("B", 0, "shared")
        made = sch.block("root").block.alloc_buffers[0]
        assert made.storage_scope == "shared"
        assert old not in uses(sch.mod["main"].body)
        assert made in uses(_parts(sch)[1])
