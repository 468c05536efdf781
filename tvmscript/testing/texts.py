"""Texts of programs, right and nearly right: Hypothesis strategies for what reads them.

from hypothesis import given
from tvmscript.testing.texts import near_valid_texts

@given(near_valid_texts())
def test_reads_or_says_where(text): ...
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

from tvmscript.testing.graph_strategies import graph_modules
from tvmscript.testing.kernels import kernel_texts
from tvmscript.testing.programs.blocks import random_blocks
from tvmscript.testing.programs.features import random_features
from tvmscript.testing.programs.loops import random_program
from tvmscript.testing.programs.pipelines import pipeline
from tvmscript.testing.staged import staged_program
from tvmscript.testing.strategies import prim_funcs

_WRITERS: Final = (random_blocks, random_program, random_features, pipeline)

#: what is put in the place of a token
_WORDS: Final = (
    "", "0", "-1", "1e400", "10**100", "-2**70", "()", "[]", "{}", "None", "'x'", "True", "...", "1j", "b''", "A",
    "lambda: 0", "[x for x in A]", "f'{n}'", "(1, 2)", "A[0:4]", "A[0:4:2]", "A.data", "A.shape", "n.dtype", "T", "I",
    "R", "*A", "T.axis", "T.float32('nan')", "{'a': 1}", "Module", "range(4)", "T.block('y')", "T.Buffer((4,))", "max",
    "T.int64(1)", "T.bool(True)", "T.init()", "T.where(i < 2)", "T.match_buffer(A, (4,))", "T.alloc_buffer((4,))",
    "T.axis.remap('SS', [i, j])", "T.reads()", "T.writes(A[0])", "T.serial(4)", "T.thread_binding(4)", "T.evaluate(0)",
    "T.Cast('int32', 1)", "T.Select(True, 1, 2)", "T.Ramp(0, 1, 4)", "T.let", "T.grid(2, 3)", "if", "else", "for", "in",
    "with", "as", "def", "class", "return", "pass", "break", "while", "and", "or", "not", "==", "//", "%", "**", ":=",
    "@", "->", "T.prim_func", "T.macro", "R.function", "R.dataflow()", "R.Tensor((2,), 'float32')", "n", "i", "vi",
)  # fmt: skip


def _is_expression(word: str) -> bool:
    try:
        ast.parse(word, mode="eval")
    except SyntaxError:
        return False
    return True


#: of those, what is an expression
_PARTS: Final = tuple(word for word in _WORDS if _is_expression(word))
_CHARACTERS: Final = "()[]{}:,.=+-*/ \n\t'\"#@\\\0\f\r\ud800\u20ac\U0001f600é_0x"
_KINDS: Final = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.OP)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """The text of a program that reads: kernels that run, functions of anything, graphs."""
    kind = draw(st.integers(0, 7))
    if kind == 7:
        return draw(kernel_texts())
    if kind == 0:
        return staged_program(lambda count: draw(st.integers(0, count - 1)), 2)
    if kind == 5:
        return draw(prim_funcs()).script()
    if kind == 6:
        return draw(graph_modules(4)).script()
    return _WRITERS[kind - 1](draw(st.randoms(use_true_random=False)))


@st.composite
def near_valid_texts(draw: st.DrawFn, most: int = 3) -> str:
    """A text with a few changes: characters, tokens, lines. Some of them still read."""
    text = draw(texts())
    for _ in range(draw(st.integers(0, most))):
        change: Callable[[st.DrawFn, str], str] = draw(st.sampled_from((_part, _part, _word, _line, _character)))
        text = change(draw, text)
    return text


def _part(draw: st.DrawFn, text: str) -> str:
    """An expression stands in the place of another one: a text that Python's grammar takes."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text
    found = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and node.lineno == node.end_lineno]
    if not found:
        return text
    node = draw(st.sampled_from(found))
    same = sorted({ast.unparse(other) for other in found})
    new = draw(st.one_of(st.sampled_from(same), st.sampled_from(_PARTS)))
    lines = text.splitlines(keepends=True)
    line = lines[node.lineno - 1].encode()
    lines[node.lineno - 1] = (line[: node.col_offset] + new.encode() + line[node.end_col_offset :]).decode()
    return "".join(lines)


def _word(draw: st.DrawFn, text: str) -> str:
    """A token is left out, doubled, or another one stands there."""
    try:
        found = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type in _KINDS]
    except (tokenize.TokenError, SyntaxError):
        return text
    if not found:
        return text
    token = draw(st.sampled_from(found))
    (row, begin), (end_row, end) = token.start, token.end
    if row != end_row:
        return text
    same = sorted({other.string for other in found if other.type == token.type})
    new = draw(st.one_of(st.sampled_from(_WORDS), st.sampled_from(same), st.just(f"{token.string} {token.string}")))
    lines = text.splitlines(keepends=True)
    lines[row - 1] = lines[row - 1][:begin] + new + lines[row - 1][end:]
    return "".join(lines)


def _line(draw: st.DrawFn, text: str) -> str:
    """A line is left out, doubled, moved, or stands in another block."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    place = draw(st.integers(0, len(lines) - 1))
    what = draw(st.sampled_from(("out", "double", "swap", "in", "less")))
    if what == "out":
        del lines[place]
    elif what == "double":
        lines.insert(place, lines[place])
    elif what == "swap":
        other = draw(st.integers(0, len(lines) - 1))
        lines[place], lines[other] = lines[other], lines[place]
    elif what == "in":
        lines[place] = "    " + lines[place]
    else:
        lines[place] = lines[place].removeprefix("    ")
    return "".join(lines)


def _character(draw: st.DrawFn, text: str) -> str:
    """A character is left out, put in or another one."""
    place = draw(st.integers(0, max(len(text) - 1, 0)))
    new: str = draw(st.sampled_from(("", *_CHARACTERS)))
    return text[:place] + new + text[place + draw(st.integers(0, 1)) :]


__all__ = ["near_valid_texts", "texts"]
