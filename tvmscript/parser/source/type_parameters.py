"""Type parameters of functions (PEP 695) for Python 3.11, whose grammar lacks them: `def main[n, m](...)`."""

from __future__ import annotations

import ast
import re
from typing import Any

_PARAMETERS = re.compile(r"^([ \t]*def[ \t]+\w+[ \t]*)\[([\w\s,.:]*)\](?=[ \t]*\()", re.MULTILINE)


#: names of sizes -> their bounds, empty where there is none
TypeParameters = dict[str, str]


def blank_type_parameters(text: str) -> tuple[str, dict[int, TypeParameters]]:
    """Replace type parameters by blanks, so that nothing moves; return them by the lines of their functions."""
    parameters: dict[int, TypeParameters] = {}

    def blank(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.end(1)) + 1
        parts = [part.partition(":") for part in match[2].split(",") if part.strip()]
        parameters[line] = {name.strip(): bound.strip() for name, _, bound in parts}
        # a backslash joins lines
        blanks = re.sub(r".(?=\n)", r"\\", re.sub(r".", " ", match[0][len(match[1]) :]))
        return match[1] + blanks

    return _PARAMETERS.sub(blank, text), parameters


def has_type_parameters(text: str) -> bool:
    """Whether a function of a text has type parameters."""
    return "](" in text and _PARAMETERS.search(text) is not None


def parsed_type_parameters(node: ast.FunctionDef) -> TypeParameters:
    """Return the type parameters that Python has parsed."""
    parameters: list[Any] = getattr(node, "type_params", [])
    bounds = [getattr(parameter, "bound", None) for parameter in parameters]
    return {
        parameter.name: "" if bound is None else ast.unparse(bound)
        for parameter, bound in zip(parameters, bounds, strict=True)
    }
