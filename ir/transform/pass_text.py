"""Passes as text: `tir.Simplify,tir.UnrollLoop{auto_max_step=16},tir.NarrowDataType(32)`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any, Final

from tvmscript.ir.core.errors import IRError

_WORDS: Final[dict[str, Any]] = {"true": True, "false": False, "none": None, "True": True, "False": False, "None": None}


class BadPassText(IRError):
    """A text that is not a list of passes: names with commas between, each with options behind it in braces, as
    `tvmscript opt -p` and `get_pass` take it. `tvmscript passes` lists the names.
    """

    code = "TS4084"
    message = "{text} is not a list of passes: {reason}"
    advice = "write tir.Simplify,tir.UnrollLoop{{auto_max_step=16}}"


@dataclass(frozen=True)
class Spelled:
    """A pass as it is written."""

    name: str
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict[str, Any])


def read_passes(text: str) -> list[Spelled]:
    """What the text spells. Values are Python's literals; single words need no quotes. Raises `BadPassText`."""
    try:
        parsed = ast.parse(f"({_with_parentheses(text)},)" if text.strip() else "()", mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise BadPassText(text=repr(text), reason=getattr(error, "msg", str(error))) from None
    assert isinstance(parsed, ast.Tuple)
    return [_pass(text, each) for each in parsed.elts]


def _with_parentheses(text: str) -> str:
    """The braces behind names as parentheses: then it is Python."""
    made: list[str] = []
    closing: list[str] = []
    quote = ""
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "{":
            is_call = text[:place].rstrip()[-1:].isalnum()
            closing.append(")" if is_call else "}")
            letter = "(" if is_call else "{"
        elif letter == "}" and closing:
            letter = closing.pop()
        made.append(letter)
    return "".join(made)


def _pass(text: str, node: ast.expr) -> Spelled:
    call = node if isinstance(node, ast.Call) else None
    name = call.func if call is not None else node
    if not isinstance(name, ast.Name | ast.Attribute):
        raise BadPassText(text=repr(text), reason=f"{ast.unparse(node)} is not the name of a pass")
    if call is None:
        return Spelled(ast.unparse(name))
    arguments = tuple(_value(text, each) for each in call.args)
    options = {str(word.arg): _value(text, word.value) for word in call.keywords}
    return Spelled(ast.unparse(name), arguments, options)


def literal(text: str) -> Any:
    """The value that a text spells: a literal of Python, true or false; any other text stands for itself."""
    if text in _WORDS:
        return _WORDS[text]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _value(text: str, node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return _WORDS.get(node.id, node.id)
    try:
        return ast.literal_eval(node)
    except ValueError:
        reason = f"{ast.unparse(node)} is not a value; texts with blanks and signs stand in quotes"
        raise BadPassText(text=repr(text), reason=reason) from None
