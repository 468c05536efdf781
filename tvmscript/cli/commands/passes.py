"""List the passes or the options of pass contexts, or describe one pass."""

from __future__ import annotations

import argparse
import inspect

from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.report import Report
from tvmscript.ir.core import UnknownName
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.options import OPTIONS, Option, fields_of
from tvmscript.ir.transform.registry import graph_pass_modules, pass_class, pass_modules


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript passes`."""
    parser.add_argument("name", nargs="?", metavar="PASS", help="describe this pass")
    parser.add_argument("--options", action="store_true", help="list the options of pass contexts instead")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")


def main(options: argparse.Namespace) -> int:
    """Print the list or the description."""
    report = Report(options)
    if options.options:
        report.facts = {"options": [_option_facts(option) for option in OPTIONS.values()]}
        for row in _aligned([(key, _option_line(option)) for key, option in OPTIONS.items()]):
            report.line(row)
        return report.finish()
    if options.name is not None:
        try:
            selected = [pass_class(options.name)]
        except UnknownName as error:
            raise InvalidOption(option="PASS", reason=error.text, hint=error.hint) from error
        report.line(_description(selected[0]))
    else:
        selected = [pass_class(name) for name in sorted({*pass_modules(), *graph_pass_modules()})]
        for row in _aligned([(cls.name, cls.summary()) for cls in selected]):
            report.line(row)
    report.facts = {"passes": [_facts(cls) for cls in selected]}
    return report.finish()


def _aligned(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {text}" for name, text in rows]


def _description(cls: type[Pass]) -> str:
    """Return summary, docstring, properties and options of a pass."""
    properties = [
        f"takes {cls.takes.value}",
        "idempotent" if cls.is_idempotent else "not idempotent",
        "exact: computes the same bits" if cls.is_exact else "not exact: floats may be rounded differently",
    ]
    parts = [f"{cls.name}: {cls.summary()}", inspect.getdoc(cls) or "", "; ".join(properties)]
    rows = [(name, f"{default}{f', set by {key}' if key else ''}") for name, default, key in fields_of(cls)]
    if rows:
        parts.append("options:\n" + "\n".join(f"  {row}" for row in _aligned(rows)))
    return "\n\n".join(part for part in parts if part)


def _facts(cls: type[Pass]) -> dict[str, object]:
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


def _option_facts(option: Option) -> dict[str, object]:
    return {"key": option.key, "takes": option.kind.value, "meaning": option.meaning, "fields": dict(option.fields)}
