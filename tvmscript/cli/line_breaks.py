"""Line breaks of formatters: texts that differ in these alone, and breaking of long lines.

Black and ruff break a long line inside of brackets, end the last element of a broken list with a comma, and put
parentheses around a broken operation. `unbroken` undoes that, so that a definition that they formatted is compared with
its normal form; `broken` breaks lines as they do.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_OPEN: Final = {"(": ")", "[": "]", "{": "}"}
_CLOSE: Final = frozenset(_OPEN.values())
_INDENT: Final = "    "
#: what stands in front of parentheses that formatters add
_BEFORE: Final = frozenset({"=", "+=", "-=", "*=", "return", "assert", "if", "elif", "while", "in"})
#: a letter that no text has, in front of these parentheses
_MARK: Final = "\0"


@dataclass
class _Bracket:
    """An open bracket: its index among the pieces, whether it is that of a call or subscript, and its commas."""

    index: int
    is_suffix: bool
    breaks_after: bool
    is_subscript: bool
    commas: int = 0


def unbroken(lines: Sequence[str]) -> list[str] | None:
    """Return the lines with breaks inside of brackets undone; None where a comment stands inside of brackets.

    Spaces inside of a line stay as they are, except around the colons of slices. Exponents lose their plus sign.
    """
    text = "\n".join(line.rstrip("\r\n") for line in lines) + "\n"
    result: list[str] = []
    pieces: list[str] = []
    brackets: list[_Bracket] = []
    end, breaks, is_broken = (1, 0), False, False
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
                continue
            if token.type == tokenize.NL and brackets:
                breaks = is_broken = True
                continue
            if token.type == tokenize.COMMENT and brackets:
                return None
            if token.type in (tokenize.NEWLINE, tokenize.NL):
                result.append(_without_parentheses("".join(pieces)))
                pieces, end, breaks, is_broken = [], (token.start[0] + 1, 0), False, False
                continue
            gap = token.line[end[1] : token.start[1]] if token.start[0] == end[0] else ""
            closes = token.string in _CLOSE and token.type == tokenize.OP
            if breaks:
                gap = "" if closes or (brackets and brackets[-1].index == len(pieces) - 1) else " "
            if brackets and brackets[-1].is_subscript and ":" in (token.string, pieces[-1]):
                gap = ""  # around the colon of a slice formatters put spaces, or none
            if closes and brackets:
                gap = _close(pieces, brackets.pop(), breaks, is_broken) or gap
            is_float = token.type == tokenize.NUMBER and not token.string.lower().startswith("0x")
            pieces.append(gap + (token.string.replace("e+", "e") if is_float else token.string))
            if token.type == tokenize.OP and token.string in _OPEN:
                before = pieces[-2].strip() if len(pieces) > 1 else ""
                is_suffix = (before[-1:].isalnum() or before[-1:] in "_)]") and not keyword.iskeyword(before)
                breaks_after = token.line[token.end[1] :].strip() == ""
                brackets.append(_Bracket(len(pieces) - 1, is_suffix, breaks_after, is_suffix and token.string == "["))
            elif token.string == "," and brackets:
                brackets[-1].commas += 1
            end, breaks = token.end, False
    except (tokenize.TokenError, IndentationError):
        return None
    return result


def _close(pieces: list[str], bracket: _Bracket, breaks: bool, is_broken: bool) -> str:
    """Drop the comma before a closing bracket on its own line, and mark parentheses around a broken operation.

    Black puts parentheses around the right side of an assignment whose left side it broke, too.
    """
    if breaks and bracket.breaks_after and pieces[-1] == "," and (bracket.is_suffix or bracket.commas > 1):
        pieces.pop()
    elif not is_broken:
        return ""
    elif not bracket.commas and pieces[bracket.index].endswith("(") and pieces[bracket.index - 1].strip() in _BEFORE:
        pieces[bracket.index] = pieces[bracket.index].removesuffix("(") + f"{_MARK}("
        return _MARK
    return ""


def _without_parentheses(line: str) -> str:
    """Remove marked parentheses if they are around the whole right side of an assignment, or a condition."""
    if line.endswith((f"{_MARK})", f"{_MARK}):")):
        return line.replace(f"{_MARK}(", "").replace(f"{_MARK})", "")
    return line.replace(_MARK, "")


def broken(line: str, width: int) -> list[str]:
    """Break a line of code that is longer than `width` at its brackets, as often as that makes it shorter."""
    if len(line) <= width or line.lstrip().startswith("#"):
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    for begin, end in _bracket_pairs(line):
        head, body, tail = line[: begin + 1], line[begin + 1 : end].strip(), line[end:]
        elements = list(_elements(body))
        if len(indent) + len(_INDENT) >= len(head) or not body or "#" in tail:
            continue
        inner = f"{indent}{_INDENT}{body}"
        is_tuple = line[begin] == "(" and not (line[begin - 1].isalnum() or line[begin - 1] in "_)]")
        is_list = len(elements) > 1 and not any(":" in part and line[begin] == "[" for part in elements)
        if len(inner) <= width and not (line.lstrip().startswith("def ") and len(elements) > 1):
            rows = [inner]
        elif is_list or (not is_tuple and elements):
            comma = "," if is_list else ""
            rows = [row for part in elements for row in broken(f"{indent}{_INDENT}{part}{comma}", width)]
        else:
            continue
        return [head, *rows, *broken(f"{indent}{tail}", width)]
    return [line]


def _bracket_pairs(line: str) -> Iterator[tuple[int, int]]:
    """Yield the outermost brackets of a line, the last one first."""
    pairs: list[tuple[int, int]] = []
    begin, depth = 0, 0
    for index, letter in _code(line):
        if letter in _OPEN:
            begin = begin if depth else index
            depth += 1
        elif letter in _CLOSE:
            depth -= 1
            if not depth:
                pairs.append((begin, index))
    yield from reversed(pairs)


def _elements(body: str) -> Iterator[str]:
    """Yield the parts of a text between the commas outside of brackets."""
    begin, depth = 0, 0
    for index, letter in _code(body):
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if letter == "," and not depth:
            yield body[begin:index].strip()
            begin = index + 1
    if body[begin:].strip():
        yield body[begin:].strip()


def _code(text: str) -> Iterator[tuple[int, str]]:
    """Yield the letters outside of strings with their indices, up to a comment."""
    quote, is_escaped = "", False
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and not is_escaped else quote
            is_escaped = letter == "\\" and not is_escaped
        elif letter in "\"'":
            quote = letter
        elif letter == "#":
            return
        else:
            yield index, letter
