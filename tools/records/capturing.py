"""Note what tests hand to passes, schedules and default schedules, as scripts that records are chosen from.

    CAPTURED=folder pytest -n 2 -p tools.records.capturing tests/ir tests/backends/cuda

Each process writes a file `<area>-<process>.jsonl` for an area, a script a line.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tvmscript.fuzz.records.programs import FIXED
from tvmscript.fuzz.scripts import as_literal
from tvmscript.ir.core import IRModule, Target, TVMScriptError, nodes
from tvmscript.ir.core.equality.hashing import fingerprint
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.cpu.cpu_rule import CPURule
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule
from tvmscript.ir.schedule.instruction import Instruction, InstructionKind
from tvmscript.ir.schedule.recorder import Recorder
from tvmscript.ir.schedule.trace.trace import Trace
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.registry import get_pass

#: nodes of a program: records run in seconds
_MOST: Final = 3000
#: schedules that are noted when a test ends, each with the module that it began with
_SCHEDULES: Final[dict[Recorder, IRModule]] = {}
_NOTED: Final[set[tuple[str | None, ...]]] = set()


def _note(area: str, check: str, program: Any, *arguments: str) -> None:
    if not isinstance(program, IRModule | PrimFunc) or sum(1 for _ in nodes(program)) > _MOST:
        return
    key = (check, fingerprint(program), *arguments)
    if key in _NOTED:
        return
    _NOTED.add(key)
    listed = "".join(f", {each!r}" for each in arguments)
    text = re.sub(r"\A(# from .*\n)+\n", "", program.script(comments=False, show_meta=True))
    module = "programs" if check == "check_pass" else "schedules"
    script = f"from tvmscript.fuzz.records.{module} import {check}\n\n{check}({as_literal(text)}{listed})\n"
    with Path(os.environ["CAPTURED"], f"{area}-{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps(script)}\n")


def _run_pass(before: Callable[[Pass, IRModule], IRModule], self: Pass, mod: IRModule) -> IRModule:
    try:
        return before(self, mod)
    finally:
        text = self.info.text
        try:
            is_text = text.startswith("tir.") and get_pass(text) == self
        except (TVMScriptError, TypeError):
            is_text = False
        if is_text:
            _note("passes", "check_pass", mod, text)


def _run_step(
    before: Callable[..., Any],
    self: Recorder,
    kind: InstructionKind,
    prepare: Callable[[], None],
    step: Callable[[], Any],
    values: Mapping[str, Any],
) -> Any:
    if self._depth:  # pyright: ignore[reportPrivateUsage]
        return before(self, kind, prepare, step, values)
    if not self.trace.insts:
        _SCHEDULES[self] = self.mod
    insts = self.trace.insts

    def noted_step() -> Any:
        nonlocal insts
        insts = [*self.trace.insts]  # with those that look up a block by its name
        return step()

    try:
        return before(self, kind, prepare, noted_step, values)
    except TVMScriptError:
        if self in _SCHEDULES:
            inputs: list[Any] = []
            for name in kind.inputs:
                inputs += values[name[1:]] if name.startswith("*") else [values[name]]
            refused = Instruction(kind, tuple(inputs), tuple(values[name] for name in kind.attrs), ())
            _note_trace(_SCHEDULES[self], Trace([*insts, refused], self.trace.decisions))
        raise


def _note_trace(mod: IRModule, trace: Trace) -> None:
    try:
        text = json.dumps(trace.as_json())
    except (TVMScriptError, TypeError, ValueError):
        return  # arguments of a wrong type have no form in JSON
    _note("schedule", "check_trace", mod, text)


def _apply_rule(before: Callable[..., Any], self: ScheduleRule, func: PrimFunc, target: Target, tunable: bool) -> Any:
    text = str(target)
    depends = text.startswith("llvm") and "-mtriple" not in text  # vectors and caches are those of the host
    _note("builds", "check_rule", func, _rule_name(self), FIXED if depends else text)
    return before(self, func, target, tunable)


def _rule_name(rule: ScheduleRule) -> str:
    return f"{'cpu' if isinstance(rule, CPURule) else 'gpu'}.{type(rule).__name__}"


def _wrap(cls: type, name: str, replacement: Callable[..., Any]) -> None:
    before = vars(cls)[name]
    setattr(cls, name, lambda *args, **options: replacement(before, *args, **options))


def pytest_configure() -> None:
    """Wrap what passes, schedules and rules run."""
    _wrap(Pass, "_run_with_note", _run_pass)
    _wrap(Recorder, "run", _run_step)
    for cls in {CPURule, gpu.GPURule, gpu.ParallelLoops}:
        _wrap(cls, "apply", _apply_rule)


def pytest_runtest_teardown() -> None:
    """Note the schedules of a test."""
    for schedule, mod in _SCHEDULES.items():
        _note_trace(mod, schedule.trace)
    _SCHEDULES.clear()
