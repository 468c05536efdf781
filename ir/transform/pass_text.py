"""Parse passes from text: `tir.Simplify,tir.UnrollLoop{auto_max_step=16},tir.NarrowDataType(32)`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any, Final

from tvmscript.ir.core import IRError

_WORDS: Final[dict[str, Any]] = {"true": True, "false": False, "none": None, "True": True, "False": False, "None": None}


class BadPassText(IRError, code="TS4084"):
    """A text is not a comma-separated list of passes, each with its options in braces.

    `tvmscript opt -p` and `get_pass` take such texts. `tvmscript passes` lists the names.
    """

    message = "{text} is not a list of passes: {reason}"
    advice = "write tir.Simplify,tir.UnrollLoop{{auto_max_step=16}}"


@dataclass(frozen=True)
class ParsedPass:
    """A parsed pass: its name, positional arguments and options."""

    name: str
    arguments: tuple[Any, ...] = ()
    options: dict[str, Any] = field(default_factory=dict[str, Any])


def read_passes(text: str) -> list[ParsedPass]:
    """Parse a list of passes. Values are Python literals; single words need no quotes. Raises `BadPassText`."""
    try:
        parsed = ast.parse(f"({_braces_to_parentheses(text)},)" if text.strip() else "()", mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise BadPassText(text=repr(text), reason=getattr(error, "msg", str(error))) from None
    assert isinstance(parsed, ast.Tuple)
    return [_parse_pass(text, element) for element in parsed.elts]


def _braces_to_parentheses(text: str) -> str:
    """Replace braces after names by parentheses, which makes the text a Python expression."""
    letters: list[str] = []
    closing: list[str] = []
    quote = ""
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "{":
            is_call = text[:index].rstrip()[-1:].isalnum()
            closing.append(")" if is_call else "}")
            letter = "(" if is_call else "{"
        elif letter == "}" and closing:
            letter = closing.pop()
        letters.append(letter)
    return "".join(letters)


def _parse_pass(text: str, node: ast.expr) -> ParsedPass:
    call = node if isinstance(node, ast.Call) else None
    name = call.func if call is not None else node
    if not isinstance(name, (ast.Name, ast.Attribute)):
        raise BadPassText(text=repr(text), reason=f"{ast.unparse(node)} is not the name of a pass")
    if call is None:
        return ParsedPass(ast.unparse(name))
    arguments = tuple(_parse_value(text, arg) for arg in call.args)
    options = {str(word.arg): _parse_value(text, word.value) for word in call.keywords}
    return ParsedPass(ast.unparse(name), arguments, options)


def parse_literal(text: str) -> Any:
    """Return the value of a Python literal, true or false; any other text is returned unchanged."""
    if text in _WORDS:
        return _WORDS[text]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _parse_value(text: str, node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return _WORDS.get(node.id, node.id)
    try:
        return ast.literal_eval(node)
    except ValueError:
        reason = f"{ast.unparse(node)} is not a value; quote texts with blanks or punctuation"
        raise BadPassText(text=repr(text), reason=reason) from None
