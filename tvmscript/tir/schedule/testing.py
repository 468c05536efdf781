"""The names of `tvm.tir.schedule.testing`: checks of schedules in tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

from tvmscript.ir.core import IRModule
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.tir import PrimFunc
from tvmscript.tir.schedule import Schedule, Trace
from tvmscript.tir.schedule.replay_lines import replay_lines

__all__ = ["assert_structural_equal_ignore_global_symbol", "verify_trace_roundtrip"]


def assert_structural_equal_ignore_global_symbol(
    func1: PrimFunc | IRModule, func2: PrimFunc | IRModule, *args: Any, **kwargs: Any
) -> None:
    """Raise `NotEqual` unless two functions are the same but for their names."""
    assert_structural_equal(_without_symbol(func1), _without_symbol(func2), *args, **kwargs)


def _without_symbol(program: PrimFunc | IRModule) -> PrimFunc | IRModule:
    return program.without_attr("global_symbol") if isinstance(program, PrimFunc) else program


def verify_trace_roundtrip(
    sch: Schedule,
    mod: PrimFunc | IRModule,
    *,
    debug_mask: Any = "all",
    text_format: str | Sequence[Literal["json", "python"]] = ("python", "json"),
) -> Schedule:
    """Replay the trace of a schedule from its texts, and raise unless the same program comes out.

    Returns the last replayed schedule.
    """
    replayed = sch
    for form in (text_format,) if isinstance(text_format, str) else text_format:
        replayed = Schedule(mod, debug_mask=debug_mask)
        if form == "json":
            text = json.dumps(sch.trace.as_json())
            Trace.from_json(json.loads(text)).apply_to_schedule(replayed)
        else:
            replay_lines(sch.trace.as_python(), replayed, _language())
        assert_structural_equal_ignore_global_symbol(replayed.mod, sch.mod)
    return replayed


def _language() -> Any:
    """Return the `T` of the expressions in the lines of a trace."""
    from tvmscript.language import T

    return T
