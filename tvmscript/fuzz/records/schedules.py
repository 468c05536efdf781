"""Observe what steps of schedules and default schedules make of the text of a program, and how they are refused."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.ir.core import IRModule, Target, TVMScriptError, nodes
from tvmscript.ir.core.node import html
from tvmscript.ir.schedule.analysis.suggest_index_map import suggest_index_map
from tvmscript.ir.schedule.analysis.tensorize_mapping import tensorize_loop_mapping
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.cpu import cpu_rule
from tvmscript.ir.schedule.default.cpu.panel_layout import take_packed
from tvmscript.ir.schedule.default.cpu.weight_layout import choose_weight_layouts
from tvmscript.ir.schedule.default.schedule_rule import ScheduleRule, log
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.intrinsics.registry import TensorIntrin
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.trace.trace import Trace
from tvmscript.ir.schedule.tree import loops_above, realize_of
from tvmscript.ir.tir import BufferLoad, BufferStore, IntImm, PrimFunc, substitute
from tvmscript.parser import from_source

#: descriptions of instructions that loops are compared with
_INSTRUCTIONS: Final = ("dot_4x4_i8i8s32_neon", "wmma_sync_16x16x16_f16f16f32", "wmma_fill_16x16x16_f32")


def check_trace(text: str, *traces: str, enable_check: bool = True) -> None:
    """Replay traces in JSON on a program, each on the program itself; steps before a refused one stay."""
    program = from_source(text)
    for trace in traces:
        schedule = Schedule(program, seed=1, enable_check=enable_check)
        try:
            Trace.from_json(trace).apply_to_schedule(schedule)
        except TVMScriptError as error:
            observe_error(error)
        _observe_schedule(schedule)


def check_rule(text: str, name: str, target: str) -> None:
    """Apply a rule, `cpu.Default` or `gpu.Matmul`, to the functions of a program."""
    program = from_source(text)
    module = program if isinstance(program, IRModule) else IRModule({"main": program})
    with _observed_log():
        for func in module.values():
            if isinstance(func, PrimFunc):
                _apply(rule_of(name), func, Target.make(target))


def rule_of(name: str) -> ScheduleRule:
    """Return the rule of this name: `cpu.Default`, `gpu.Matmul`."""
    package, _, rule_name = name.partition(".")
    rule: ScheduleRule = getattr(gpu if package == "gpu" else cpu_rule, rule_name)()
    return rule


def check_weights(text: str, target: str) -> None:
    """Observe the layouts that the default schedule of a CPU reads weights in, and its schedule of packed weights."""
    func = from_source(text)
    assert isinstance(func, PrimFunc)
    for place, layout in choose_weight_layouts(func, target).items():
        shape = [size.value for size in func.buffer_map[func.params[place]].shape if isinstance(size, IntImm)]
        weights = np.arange(np.prod(shape), dtype="int64").reshape(shape)
        observe("layout", lambda place=place, layout=layout: f"{place} {layout}")
        observe("packed", lambda layout=layout, weights=weights: repr(layout.pack(weights).tolist()))
        packed = take_packed(func, place, layout)
        observe("unpacked", packed.script)
        _apply(cpu_rule.Default(), packed, Target.make(target))


def _apply(rule: ScheduleRule, func: PrimFunc, target: Target) -> None:
    try:
        schedule = rule.apply(func, target, False)
    except TVMScriptError as error:
        observe_error(error)
        return
    if isinstance(schedule, Schedule):
        _observe_schedule(schedule)


def _observe_schedule(schedule: Schedule) -> None:
    observe("scheduled", schedule.mod.script, dialect="0.27")
    observe("steps", str, schedule.trace)
    observe("json", lambda: str(schedule.trace.as_json()))


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        observe("log", record.getMessage)


@contextmanager
def _observed_log() -> Generator[None]:
    """Observe what rules say of what they choose, and why they are not for a block."""
    handler, level = _Handler(), log.level
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def check_intrinsics(*names: str) -> None:
    """Observe what tensor intrinsics compute, and their instructions."""
    for name in names:
        intrinsic = TensorIntrin.get(name)
        observe(name, lambda intrinsic=intrinsic: f"{intrinsic.desc.script()}\n{intrinsic.impl.script(dialect='0.27')}")


def check_questions(text: str) -> None:
    """Ask a schedule what can be done with each block and loop of a program, and copy it."""
    schedule = Schedule(from_source(text), seed=1, error_render_level="fast")
    for block in _blocks(schedule):
        loops = schedule.get_loops(block)
        steps: tuple[tuple[str, Any], ...] = (
            ("compute_inline", (block,)), ("reverse_compute_inline", (block,)), ("fuse", loops),
            ("blockize", loops[-1:]), ("split", (*loops[:1], [None, 4])), ("rfactor", (*loops[-1:], 0)),
            ("vectorize", loops[-1:]),
        )  # fmt: skip
        answers = [_text_of(getattr(schedule.can, name), *arguments) for name, arguments in steps]
        observe("can", "\n".join, answers)
        observe("layouts", "\n".join, _layouts(schedule, block))
    copied = schedule.copy()
    for block in _blocks(copied):
        copied.annotate(block, "mark", {"key": [1, 0.5, "text"]})
        observe("reference", str, (copied.get_sref(block), copied.get_sref(copied.get(block))))
    observe("repr", lambda: f"{schedule!r} {copied!r} {html(copied.mod)}")
    copied.show()
    _observe_schedule(copied)
    _observe_decisions(copied)
    _observe_schedule(schedule)


def _observe_decisions(schedule: Schedule) -> None:
    """Sample numbers, and observe traces with other decisions and without the steps of post-processing."""
    schedule.sample_categorical([2, 4, 8], [0.25, 0.25, 0.5])
    for block in _blocks(schedule):
        for loop in schedule.get_loops(block)[:1]:
            with suppress(ScheduleError):
                schedule.sample_perfect_tile(loop, 2, 4)
    schedule.enter_postproc()
    trace = Trace.from_json(schedule.trace.as_json())
    for inst in trace.insts:
        decision = trace.get_decision(inst)
        if decision is not None:
            other = trace.with_decision(inst, decision, remove_postproc=True)
            observe("decision", lambda decision=decision, other=other: f"{decision} {other.simplified().as_python()}")
    observe("trace", str, trace.simplified(remove_postproc=True).as_json())
    observe("last", lambda: f"{trace.pop()} {trace.as_python(remove_postproc=True)} {Trace().pop()}")


def _blocks(schedule: Schedule) -> list[BlockRV]:
    named = schedule.tree(None).named
    return [schedule.get_block(name) for name in [name for name, refs in named.items() if len(refs) == 1]]


def _layouts(schedule: Schedule, block: BlockRV) -> Iterator[str]:
    """Describe the layouts in which a block accesses buffers in order, and the loops that instructions replace."""
    ref = schedule.block(block)
    realize, loops = realize_of(ref), [loop.loop for loop in loops_above(ref)]
    values = {axis.var: value for axis, value in zip(realize.block.iter_vars, realize.iter_values, strict=True)}
    for node in nodes(realize.block.body):
        if isinstance(node, BufferLoad | BufferStore):
            indices = [substitute(index, values) for index in node.indices]
            yield _text_of(suggest_index_map, node.buffer, indices, loops, realize.predicate)
    for name in _INSTRUCTIONS:
        desc = TensorIntrin.get(name).desc
        for allows in (False, True):
            yield _text_of(tensorize_loop_mapping, ref, desc, allow_padding=allows)


def _text_of(function: Callable[..., object], *args: Any, **options: Any) -> str:
    try:
        return str(function(*args, **options))
    except TVMScriptError as error:
        return error.text
