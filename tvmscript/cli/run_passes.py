"""Run passes for `lower` and `opt`: options of the pass context, and reports of what the passes change."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.named_programs import add_program
from tvmscript.cli.report import Report
from tvmscript.differ import diff
from tvmscript.driver import UnknownTarget
from tvmscript.ir.core import TVMScriptError, closest
from tvmscript.ir.transform.context import PassContext, PassInstrument
from tvmscript.ir.transform.instruments import PassTimingInstrument
from tvmscript.ir.transform.options import OPTIONS, Kind, UnknownOption, WrongOption
from tvmscript.ir.transform.pass_record import PassRecord, PassRun
from tvmscript.ir.transform.pass_text import parse_literal
from tvmscript.snapshots import Snapshots
from tvmscript.testing.errors import UnknownCheck
from tvmscript.testing.verify import CHECKS, instruments


class PassFailed(TVMScriptError, code="TS7022"):
    """A pass refused the program; its error is reported too. grammar_docs/passes.md describes what passes accept."""

    message = "the pass {name} refused the program; passes that ran before it: {count}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of both commands."""
    add_program(parser)
    parser.add_argument(
        "--opt-level", type=int, default=2, metavar="N", help="optimization level of the pass context (default 2)"
    )
    parser.add_argument("--disable", action="append", default=[], metavar="PASS", help="disable a pass")
    parser.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the pass context: tir.UnrollLoop.auto_max_step=16",
    )
    parser.add_argument("--check", default="", metavar="CHECKS", help=f"checks after each pass: {', '.join(CHECKS)}")
    parser.add_argument("--steps", action="store_true", help="print the change of each pass instead of the program")
    parser.add_argument("--time", action="store_true", help="print the time of each pass instead of the program")
    parser.add_argument("--dump", type=Path, metavar="DIR", help="write the program after each pass, and an index")
    parser.add_argument("--json", action="store_true", help="print the program and a record of each pass as JSON")


def run_passes(options: argparse.Namespace, passes: Callable[[], object]) -> int:
    """Run the passes in the context of the options and print the result; return 1 if a pass refuses the program."""
    report = Report(options)
    record, timing = PassRecord(), PassTimingInstrument()
    result: Any = None
    table = ""
    listeners: list[PassInstrument] = [*_checks(options.check)]
    if options.dump is not None:
        listeners.append(Snapshots(options.dump))
    context = PassContext(
        options.opt_level,
        disabled_pass=options.disable,
        config=config_of(options.config),
        instruments=[*listeners, timing, record],
    )
    try:
        with context:
            try:
                result = passes()
            finally:
                table = timing.render()
    except UnknownTarget as error:
        raise InvalidOption(option="--target", reason=error.text, hint=error.hint) from error
    except TVMScriptError as error:
        report.error(error, options.path)
        runs = [run for _, run in record if not run.inside]
        if runs and runs[-1].error is error:
            report.note(PassFailed(name=runs[-1].info.text, count=len(runs) - 1))
    if options.steps:
        for _, run in record:
            if not run.inside and run.after is not None:
                report.line(f"# {run.info.text}\n{_change(run) or 'unchanged'}\n")
    elif options.time:
        report.line(table.rstrip())
    elif result is not None:
        report.line(result.script())
    if report.as_json:
        report.facts = {
            "program": None if result is None else result.script(),
            "passes": [_facts(depth, run) for depth, run in record],
        }
    return report.finish()


def _checks(names: str) -> list[Any]:
    try:
        return list(instruments(names))
    except UnknownCheck as error:
        raise InvalidOption(option="--check", reason=error.text, hint=error.hint) from error


def _change(run: PassRun) -> str:
    if not run.changed or run.after is None:
        return ""
    return diff(run.before, run.after, names=("before", "after")).text()


def _facts(depth: int, run: PassRun) -> dict[str, object]:
    return {
        "pass": run.info.text,
        "depth": depth,
        "seconds": run.seconds,
        "changed": run.changed,
        "diff": "" if run.inside else _change(run),
        "error": None if run.error is None else str(run.error),
    }


def config_of(words: list[str]) -> dict[str, object]:
    """Parse options of a pass context: KEY=VALUE, or PASS.FIELD=VALUE for a field of a pass.

    Raises `InvalidOption`.
    """
    config: dict[str, Any] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            raise InvalidOption(option="--config", reason=f"{word} is not written KEY=VALUE")
        space, _, leaf = key.rpartition(".")
        if space in OPTIONS and OPTIONS[space].kind is Kind.FIELDS:
            config.setdefault(space, {})[leaf] = parse_literal(text)
        elif key in OPTIONS and OPTIONS[key].kind is not Kind.FIELDS:
            config[key] = parse_literal(text)
        else:
            names = [name for name, option in OPTIONS.items() if not option.fields]
            names += [f"{name}.{field}" for name, option in OPTIONS.items() for field in option.fields]
            raise InvalidOption(option="--config", reason=f"there is no option {key}", hint=closest(key, names))
    try:
        PassContext(config=config)
    except (UnknownOption, WrongOption) as error:
        raise InvalidOption(option="--config", reason=error.text, hint=error.hint) from error
    return config
