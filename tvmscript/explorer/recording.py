"""Running the passes and the compiler on a program, and keeping what each of them made."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tvmscript import driver
from tvmscript.differ import diff
from tvmscript.explorer.native import assembly_text, llvm_text
from tvmscript.explorer.origins import program_text, script_text
from tvmscript.explorer.stages import Recording, Stage, Text
from tvmscript.ir.core.flags import deep_recursion
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.span import Source
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.transform.context import PassContext, PassInfo, PassInstrument


@dataclass
class _Run:
    """One run of a pass."""

    info: PassInfo
    depth: int
    before: IRModule
    after: IRModule
    seconds: float = 0.0


class _Recorder(PassInstrument):
    """Writes down every pass, those inside of others after them."""

    def __init__(self) -> None:
        self.runs: list[_Run] = []
        self._open: list[tuple[_Run, float]] = []

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        run = _Run(info, len(self._open), mod, mod)
        self.runs.append(run)
        self._open.append((run, time.perf_counter()))

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        run, begin = self._open.pop()
        run.seconds = time.perf_counter() - begin
        run.after = mod

    def run_failed_pass(self, mod: IRModule, info: PassInfo, error: BaseException) -> None:
        self._open.pop()


def record(program: IRModule, target: str = "llvm", *, title: str = "") -> Recording:
    """Compile a program for a target, and keep every text on the way to machine code.

    Raises what `tvmscript.build` raises.
    """
    recorder = _Recorder()
    with deep_recursion(), PassContext(instruments=[recorder], config={"tir.enable_debug": True}):
        begin = time.perf_counter()
        built = driver.build(program, target)
        seconds = time.perf_counter() - begin
    stages = [*_beginning(program), *_passes(recorder.runs)]
    rest = seconds - sum(run.seconds for run in recorder.runs if run.depth == 0)
    for kind, name, summary, read in _NATIVE:
        if kind in built.source_kinds:
            begin = time.perf_counter()
            text = read(built.get_source(kind))
            stages.append(Stage(name, summary, text, rest or time.perf_counter() - begin, changed=True))
            rest = 0.0
    return Recording(title, target, tuple(stages))


#: source of a compiled module, stage, what it is, how it is read
_NATIVE = (
    ("ll", "LLVM IR", "LLVM's intermediate code, optimized.", llvm_text),
    ("asm", "assembly", "What the machine runs.", assembly_text),
)


def _beginning(program: IRModule) -> list[Stage]:
    """The file that the program was read from, where it is known, and the program in normal form."""
    stages: list[Stage] = []
    source = _source_of(program)
    if source is not None:
        stages.append(Stage("script", "The file as it was written.", script_text(source), 0.0))
    return [*stages, Stage("parsed", "The program in normal form.", program_text(program), 0.0, changed=bool(stages))]


def _source_of(program: IRModule) -> Source | None:
    return next((node.span.source for node in nodes(program) if node.span is not None), None)


def _passes(runs: list[_Run]) -> list[Stage]:
    texts: dict[int, Text] = {}

    def text_of(mod: IRModule) -> Text:
        if id(mod) not in texts:
            texts[id(mod)] = program_text(mod)
        return texts[id(mod)]

    return [
        Stage(
            run.info.text or run.info.name,
            run.info.summary,
            text_of(run.after),
            run.seconds,
            run.depth,
            tuple(diff(run.before, run.after).rows) if run.after is not run.before else (),
            changed=run.after is not run.before,
        )
        for run in runs
    ]
