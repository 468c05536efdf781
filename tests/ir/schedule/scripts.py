"""Schedule scripts: Python texts with `def schedule(sch)`, which run here and in TVM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def load_script(text: str) -> Callable[[Any], Any]:
    """The function `schedule` of a script."""
    scope: dict[str, Any] = {"__name__": "schedule_script"}
    exec(compile(text, "<schedule>", "exec"), scope)
    made: Callable[[Any], Any] = scope["schedule"]
    return made


def script_of(*lines: str) -> str:
    """A script of these lines."""
    return "def schedule(sch):\n" + "".join(f"    {line}\n" for text in lines for line in text.splitlines())
