"""List the passes with a line each, or tell all about one; the options of pass contexts."""

from __future__ import annotations

import argparse
import inspect
from typing import Any

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.report import Report
from tvmscript.ir.core.errors import UnknownName
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.options import OPTIONS, Option, fields_of
from tvmscript.ir.transform.registry import pass_class, pass_modules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `tvmscript passes` takes."""
    parser.add_argument("name", nargs="?", metavar="PASS", help="tell all about this one")
    parser.add_argument("--options", action="store_true", help="list the options of pass contexts instead")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def main(options: argparse.Namespace) -> int:
    """Print the list."""
    report = Report(options)
    if options.options:
        report.facts = {"options": [_option_facts(each) for each in OPTIONS.values()]}
        for row in _aligned([(key, _option_line(each)) for key, each in OPTIONS.items()]):
            report.say(row)
        return report.finish()
    if options.name is not None:
        try:
            chosen = [pass_class(options.name)]
        except UnknownName as error:
            raise InvalidOption(option="PASS", reason=error.text, hint=error.hint) from error
        report.say(_told(chosen[0]))
    else:
        chosen = [pass_class(name) for name in sorted(pass_modules())]
        for row in _aligned([(cls.name, cls.summary()) for cls in chosen]):
            report.say(row)
    report.facts = {"passes": [_facts(cls) for cls in chosen]}
    return report.finish()


def _aligned(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {text}" for name, text in rows]


def _told(cls: type[Pass]) -> str:
    """Everything that is known about a pass."""
    promises = [
        f"takes {cls.takes.value}",
        "a second run changes nothing" if cls.is_idempotent else "a second run may change more",
        "computes the same bits" if cls.is_exact else "floats may be rounded otherwise",
    ]
    parts = [f"{cls.name}: {cls.summary()}", inspect.getdoc(cls) or "", "; ".join(promises)]
    rows = [(name, f"{default}{f', set by {key}' if key else ''}") for name, default, key in fields_of(cls)]
    if rows:
        parts.append("options:\n" + "\n".join(f"  {row}" for row in _aligned(rows)))
    return "\n\n".join(part for part in parts if part)


def _facts(cls: type[Pass]) -> dict[str, Any]:
    return {
        "name": cls.name,
        "summary": cls.summary(),
        "takes": cls.takes.value,
        "is_idempotent": cls.is_idempotent,
        "is_exact": cls.is_exact,
        "options": [{"name": name, "default": default, "option": key or None} for name, default, key in fields_of(cls)],
    }


def _option_line(option: Option) -> str:
    fields = "".join(f"; {name}={default}" for name, default in option.fields.items())
    return f"{option.kind.value}: {option.meaning}{fields}"


def _option_facts(option: Option) -> dict[str, Any]:
    return {
        "key": option.key,
        "takes": option.kind.value,
        "meaning": option.meaning,
        "fields": dict(option.fields),
    }
