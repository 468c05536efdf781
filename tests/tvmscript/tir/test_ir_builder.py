"""`tir.ir_builder`: extents of threads are at least 1, as TVM writes them."""

from __future__ import annotations

from tvmscript import te, tir


def launched(extent: object) -> str:
    builder = tir.ir_builder.create()
    thread = te.thread_axis("threadIdx.x")
    builder.scope_attr(thread, "thread_extent", extent)
    builder.emit(tir.Evaluate(thread.var))
    return str(builder.get().script())


def test_extent_of_threads() -> None:
    assert 'T.launch_thread("threadIdx.x", T.max(1, n))' in launched(tir.SizeVar("n", "int32"))
    assert 'T.launch_thread("threadIdx.x", 4)' in launched(4)
