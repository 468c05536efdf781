"""Explain an error code, with a wrong and a corrected program."""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import tvmscript
from tvmscript.cli.errors import UnknownCode
from tvmscript.cli.report import Report
from tvmscript.ir.core import TVMScriptError, closest

#: `CODE.md`: a wrong and a corrected program; the tests run both
EXPLANATIONS: Final = Path(__file__).parents[1] / "explanations"
_WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript explain`."""
    parser.add_argument("code", nargs="?", help="such as TS2003; without it, list all codes")
    parser.add_argument("--json", action="store_true", help="print the explanations as JSON")


def main(options: argparse.Namespace) -> int:
    """Print the explanation of a code, or one line for each code. Raises `UnknownCode`."""
    report = Report(options)
    classes = catalogue()
    if options.code is None:
        selected = list(classes.values())
        report.line("\n".join(map(_heading, selected)))
    else:
        code = str(options.code).strip().upper()
        if code not in classes:
            raise UnknownCode(given=options.code, hint=closest(code, classes) or "tvmscript explain lists all codes")
        selected = [classes[code]]
        report.line(explanation(selected[0]))
    report.facts = {"errors": [_facts(cls) for cls in selected]}
    return report.finish()


def _facts(cls: type[TVMScriptError]) -> dict[str, object]:
    """Return the JSON entry of an error."""
    programs = examples(cls.code)
    return {
        "code": cls.code,
        "name": cls.__name__,
        "message": cls.message,
        "meaning": _meaning(cls),
        "wrong": programs.get("Wrong"),
        "right": programs.get("Right"),
    }


def catalogue() -> Mapping[str, type[TVMScriptError]]:
    """Return every error of the package by code. Modules with missing dependencies are left out."""
    for module in pkgutil.walk_packages(tvmscript.__path__, "tvmscript."):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ImportError:
                continue
    own = {code: cls for code, cls in TVMScriptError.catalogue.items() if cls.__module__.startswith("tvmscript.")}
    return dict(sorted(own.items()))


def explanation(cls: type[TVMScriptError]) -> str:
    """Return the meaning of an error, and its examples if it has some."""
    paragraphs = [textwrap.fill(part, _WIDTH) for part in _meaning(cls).split("\n\n")]
    parts = [_heading(cls), *paragraphs]
    for name, text in examples(cls.code).items():
        parts.append(f"{name}:\n\n{textwrap.indent(text, '    ')}".rstrip())
    return "\n\n".join(parts)


def examples(code: str) -> dict[str, str]:
    """Return the examples of an error, "Wrong" and "Right"; none if no program has the error."""
    path = EXPLANATIONS / f"{code}.md"
    if not path.exists():
        return {}
    programs = re.findall(r"^(\w+):\n\n```python\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return {str(name): str(text) for name, text in programs}


def _meaning(cls: type[TVMScriptError]) -> str:
    return inspect.cleandoc(cls.__doc__ or "")


def _heading(cls: type[TVMScriptError]) -> str:
    """Return code, name and message, with `<name>` for its parameters."""
    return f"{cls.code} {cls.__name__}: " + re.sub(r"{(\w+)}", r"<\1>", cls.message).splitlines()[0]
