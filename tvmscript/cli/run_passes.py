"""What `lower` and `opt` have in common: options of the pass context, and telling what the passes did."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.report import Report
from tvmscript.differ import diff
from tvmscript.driver import UnknownTarget
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.suggestions import closest
from tvmscript.ir.transform.context import PassContext, PassInstrument
from tvmscript.ir.transform.instruments import PassTimingInstrument
from tvmscript.ir.transform.options import OPTIONS, Kind, UnknownOption, WrongOption
from tvmscript.ir.transform.pass_record import PassRecord, PassRun
from tvmscript.ir.transform.pass_text import parse_literal
from tvmscript.snapshots import Snapshots
from tvmscript.testing.errors import UnknownCheck
from tvmscript.testing.verify import CHECKS, instruments


class PassFailed(TVMScriptError):
    """Which pass refused the program, with the error that it raised. What passes take is said in
    grammar_docs/passes.md.
    """

    code = "TS7022"
    message = "the pass {name} refused the program; passes that ran before it: {count}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of both."""
    parser.add_argument(
        "path", metavar="FILE", help="a file, or - for standard input; FILE:NAME is one of its programs"
    )
    parser.add_argument("--opt-level", type=int, default=2, metavar="N", help="of the pass context (default 2)")
    parser.add_argument("--disable", action="append", default=[], metavar="PASS", help="leave a pass out")
    parser.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the pass context: tir.UnrollLoop.auto_max_step=16",
    )
    parser.add_argument("--check", default="", metavar="CHECKS", help=f"after each pass: {', '.join(CHECKS)}")
    parser.add_argument("--steps", action="store_true", help="print what each pass changes, not the program")
    parser.add_argument("--time", action="store_true", help="print how long each pass takes, not the program")
    parser.add_argument("--dump", type=Path, metavar="DIR", help="write the program after each pass, and an index")
    parser.add_argument("--json", action="store_true", help="print the program and what each pass did as JSON")


def run(options: argparse.Namespace, passes: Callable[[], Any]) -> int:
    """Run the passes in the context of the options, and tell what was asked for; 1 where one refuses the program."""
    report = Report(options)
    record, timing = PassRecord(), PassTimingInstrument()
    made: Any = None
    table = ""
    listening: list[PassInstrument] = [*_checks(options.check)]
    if options.dump is not None:
        listening.append(Snapshots(options.dump))
    context = PassContext(
        options.opt_level,
        disabled_pass=options.disable,
        config=config_of(options.config),
        instruments=[*listening, timing, record],
    )
    try:
        with context:
            try:
                made = passes()
            finally:
                table = timing.render()
    except UnknownTarget as error:
        raise InvalidOption(option="--target", reason=error.text, hint=error.hint) from error
    except TVMScriptError as error:
        report.error(error, options.path)
        ran = [each for _, each in record if not each.inside]
        if ran and ran[-1].error is error:
            report.note(PassFailed(name=ran[-1].info.text, count=len(ran) - 1))
    if options.steps:
        for _, each in record:
            if not each.inside and each.after is not None:
                report.say(f"# {each.info.text}\n{_change(each) or 'unchanged'}\n")
    elif options.time:
        report.say(table.rstrip())
    elif made is not None:
        report.say(made.script())
    if report.as_json:
        report.facts = {
            "program": None if made is None else made.script(),
            "passes": [_facts(depth, each) for depth, each in record],
        }
    return report.finish()


def _checks(names: str) -> list[Any]:
    try:
        return list(instruments(names))
    except UnknownCheck as error:
        raise InvalidOption(option="--check", reason=error.text, hint=error.hint) from error


def _change(ran: PassRun) -> str:
    if not ran.changed or ran.after is None:
        return ""
    return diff(ran.before, ran.after, names=("before", "after")).text()


def _facts(depth: int, ran: PassRun) -> dict[str, Any]:
    return {
        "pass": ran.info.text,
        "depth": depth,
        "seconds": ran.seconds,
        "changed": ran.changed,
        "diff": "" if ran.inside else _change(ran),
        "error": None if ran.error is None else str(ran.error),
    }


def config_of(words: list[str]) -> dict[str, Any]:
    """The options of a pass context that are written KEY=VALUE; a field of a pass is written PASS.FIELD=VALUE.

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
            known = [name for name, option in OPTIONS.items() if not option.fields]
            known += [f"{name}.{field}" for name, option in OPTIONS.items() for field in option.fields]
            raise InvalidOption(option="--config", reason=f"there is no option {key}", hint=closest(key, known))
    try:
        PassContext(config=config)
    except (UnknownOption, WrongOption) as error:
        raise InvalidOption(option="--config", reason=error.text, hint=error.hint) from error
    return config
