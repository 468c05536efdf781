"""Laws of names in printed texts: each is a valid Python identifier that resolves to its definition.

check_names(text)        # names in the bounds of a loop are defined before its variables
"""

from __future__ import annotations

import ast

from tvmscript.ir.core import TVMScriptError


class NameBeforeLoop(TVMScriptError, code="TS8071"):
    """The bounds of a printed loop use the name of its own variable, which Python evaluates before the loop."""

    message = "{variable} is a variable of the loop in line {line}, which runs over it:\n{text}"


def check_names(text: str) -> None:
    """Raise `NameBeforeLoop` where a loop of a printed program runs over its own variables."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.For):
            own = sorted(_names(node.target) & _names(node.iter))
            if own:
                raise NameBeforeLoop(variable=own[0], line=node.lineno, text=text)


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
