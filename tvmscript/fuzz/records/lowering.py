"""Observe what lowering makes of the text of a program, in a context with options, and what is known of the passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript import driver
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.records.schedules import rule_of
from tvmscript.ir.core import IRModule, Target, TVMScriptError
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.instruments import PassPrintingInstrument
from tvmscript.ir.transform.pass_record import PassRecord
from tvmscript.ir.transform.pipeline import lower_for_c, lower_for_llvm
from tvmscript.ir.transform.registry import get_passes
from tvmscript.ir.transform.sequential import Sequential
from tvmscript.parser import from_source


def check_lowering(text: str, target: str, passes: str = "", *, rule: str = "", **options: Any) -> None:
    """Lower a program for a target, `llvm`, `c`, `simple` or one of a device, or run passes in order.

    A `rule`, `gpu.Matmul`, schedules the functions first. `options` are those of the pass context: level, required and
    disabled passes, options of passes.
    """
    record = PassRecord()
    printing = PassPrintingInstrument(["tir.Simplify"], ["tir.FlattenBuffer", "tir.UnrollLoop"])
    try:
        program = from_source(text)
        module = program if isinstance(program, IRModule) else IRModule({"main": program})
        if rule:
            with Target.make(target):
                module = ApplyDefaultSchedule(rule_of(rule))(module)
        with PassContext(instruments=[printing, record] if passes else [record], **options) as context:
            observe(
                "context",
                lambda: f"{context.opt_level} {context.required_pass} {context.disabled_pass} {context.config}",
            )
            lowered = Sequential(get_passes(passes))(module) if passes else _lowered(module, target)
        observe("lowered", lowered.script, dialect="0.27")
    except TVMScriptError as error:
        observe_error(error)
    observe("passes", str, [(depth, str(each.info), each.changed, type(each.error)) for depth, each in record])


def _lowered(module: IRModule, target: str) -> IRModule:
    match target:
        case "llvm":
            return lower_for_llvm(module)
        case "c":
            return lower_for_c(module)
        case "simple":
            return driver.lower(module, simple_mode=True)
        case _:
            return driver.lower(module, target or None)


def check_specialized(text: str, *choices: dict[Any, Any]) -> None:
    """Specialize a function to values of its parameters and sizes by name, arguments of a call of it."""
    func = from_source(text)
    assert isinstance(func, PrimFunc)
    for values in choices:
        try:
            observe("specialized", func.specialize(values).script)
        except TVMScriptError as error:
            observe_error(error)


def check_passes(text: str, passes: Sequence[Pass], **options: Any) -> None:
    """Run passes of users in order, in a context with options."""
    try:
        with PassContext(**options):
            for each in passes:
                observe("pass", lambda each=each: f"{each.text} {each.info}{each.summary()}")
            observe("transformed", Sequential(passes, 1, "passes", ["tir.Simplify"])(from_source(text)).script)
    except TVMScriptError as error:
        observe_error(error)
