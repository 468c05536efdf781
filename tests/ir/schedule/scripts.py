"""Schedule scripts: Python texts with `def schedule(sch)`, which run here and in TVM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.schedule.trace.trace import Trace


def load_script(text: str) -> Callable[[Any], Any]:
    """The function `schedule` of a script."""
    scope: dict[str, Any] = {"__name__": "schedule_script"}
    exec(compile(text, "<schedule>", "exec"), scope)
    made: Callable[[Any], Any] = scope["schedule"]
    return made


def script_of(*lines: str) -> str:
    """A script of these lines."""
    return "def schedule(sch):\n" + "".join(f"    {line}\n" for text in lines for line in text.splitlines())


def for_oracle(trace: Trace) -> list[Any]:
    """The JSON of a trace for the oracle, whose `reindex` has one more attribute than TVM's: `skip_simplify`."""
    insts, decisions = trace.as_json()
    return [
        [[kind, inputs, [*attrs, 0] if kind == "ReIndex" else attrs, outs] for kind, inputs, attrs, outs in insts],
        decisions,
    ]
