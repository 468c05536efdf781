"""Type parameters of functions (PEP 695) for Python 3.11, whose grammar lacks them: `def main[n, m](...)`."""

from __future__ import annotations

import ast
import re
from typing import Any

_PARAMETERS = re.compile(r"^([ \t]*def[ \t]+\w+[ \t]*)\[([\w\s,]*)\](?=[ \t]*\()", re.MULTILINE)


def blank_type_parameters(text: str) -> tuple[str, dict[int, tuple[str, ...]]]:
    """Replace type parameters by blanks, so that nothing moves; return their names by the lines of their functions."""
    names: dict[int, tuple[str, ...]] = {}

    def blank(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.end(1)) + 1
        names[line] = tuple(re.findall(r"\w+", match[2]))
        # a backslash joins lines
        blanks = re.sub(r".(?=\n)", r"\\", re.sub(r".", " ", match[0][len(match[1]) :]))
        return match[1] + blanks

    return _PARAMETERS.sub(blank, text), names


def has_type_parameters(text: str) -> bool:
    """Whether a function of a text has type parameters."""
    return "](" in text and _PARAMETERS.search(text) is not None


def parsed_type_parameters(node: ast.FunctionDef) -> tuple[str, ...]:
    """Return the names of the type parameters that Python has parsed."""
    parameters: list[Any] = getattr(node, "type_params", [])
    return tuple([parameter.name for parameter in parameters])
