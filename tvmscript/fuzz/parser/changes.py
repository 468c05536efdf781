"""Mutate texts: characters, tokens, lines, expressions, grafts from other texts."""

from __future__ import annotations

import ast
import copy
import io
import tokenize
from collections.abc import Callable
from typing import Any, Final

from hypothesis import strategies as st

from tvmscript.fuzz.parser.drawn import texts
from tvmscript.fuzz.parser.trees import parsed, replaced
from tvmscript.ir.core.span import lines_of
from tvmscript.parser.global_names import TIR
from tvmscript.testing.strategies.choice import one_of

#: replacements of a token
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


#: the replacements that are expressions
_PARTS: Final = tuple(word for word in _WORDS if _is_expression(word))
#: every name of `T`
_NAMES: Final = tuple(f"T.{name}" for name in sorted(TIR))
_CHARACTERS: Final = "()[]{}:,.=+-*/ \n\t'\"#@\\\0\f\r\ud800\u20ac\U0001f600é_0x"
_KINDS: Final = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.OP)


#: (draw, a text, a strategy of other texts) -> the mutated text
Change = Callable[[st.DrawFn, str, st.SearchStrategy[str]], str]


@st.composite
def near_valid_texts(
    draw: st.DrawFn, most: int = 3, base: st.SearchStrategy[str] | None = None, only: str | None = None
) -> str:
    """Draw a text of `base` (default: any program) with up to `most` mutations: characters, tokens, lines, expressions,
    grafts from other texts. `only` restricts them to one kind of `CHANGES`. Some texts are still valid.
    """
    source = texts() if base is None else base
    text = draw(source)
    for _ in range(draw(st.integers(0, most))):
        text = CHANGES[only or draw(st.sampled_from(_OFTEN))](draw, text, source)
    return text


def _part(draw: st.DrawFn, text: str, _: st.SearchStrategy[str]) -> str:
    """Replace an expression by another one; the text remains valid Python."""
    tree = parsed(text)
    if tree is None:
        return text
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and node.lineno == node.end_lineno]
    if not nodes:
        return text
    node = one_of(draw, nodes)
    same = sorted({ast.unparse(other) for other in nodes})
    new = draw(st.one_of(st.sampled_from(same), st.sampled_from(_PARTS), st.sampled_from(_NAMES).map("{}()".format)))
    return replaced(text, node, new)


def _word(draw: st.DrawFn, text: str, _: st.SearchStrategy[str]) -> str:
    """Remove, double or replace a token."""
    try:
        text.encode()  # from Python 3.12 on tokens are those of bytes: half a character ends in a SystemError
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type in _KINDS]
    except (tokenize.TokenError, SyntaxError, UnicodeEncodeError, SystemError):  # the last one: of 3.13 itself
        return text
    if not tokens:
        return text
    token = one_of(draw, tokens)
    (row, begin), (end_row, end) = token.start, token.end
    if row != end_row:
        return text
    same = sorted({other.string for other in tokens if other.type == token.type})
    twice = st.just(f"{token.string} {token.string}")
    new = draw(st.one_of(st.sampled_from(_WORDS), st.sampled_from(same), twice, st.sampled_from(_NAMES)))
    lines = lines_of(text)
    lines[row - 1] = lines[row - 1][:begin] + new + lines[row - 1][end:]
    return "".join(lines)


def _line(draw: st.DrawFn, text: str, _: st.SearchStrategy[str]) -> str:
    """Remove, double, move or reindent a line."""
    lines = lines_of(text)
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


def _character(draw: st.DrawFn, text: str, _: st.SearchStrategy[str]) -> str:
    """Remove, insert or replace a character."""
    place = draw(st.integers(0, max(len(text) - 1, 0)))
    new: str = draw(st.sampled_from(("", *_CHARACTERS)))
    return text[:place] + new + text[place + draw(st.integers(0, 1)) :]


def _graft(draw: st.DrawFn, text: str, source: st.SearchStrategy[str]) -> str:
    """Replace a statement or expression by one of another text, or insert it before."""
    tree, other = parsed(text), parsed(draw(source))
    places = [] if tree is None or other is None else _places(tree)
    if tree is None or other is None or not places:
        return text
    node, name, position = one_of(draw, places)
    value: Any = getattr(node, name)
    old = value if position is None else value[position]
    kind = ast.expr if isinstance(old, ast.expr) else ast.stmt
    fitting = [each for each in ast.walk(other) if isinstance(each, kind)]
    if not fitting:
        return text
    new = copy.deepcopy(one_of(draw, fitting))
    if position is None:
        setattr(node, name, new)
    elif draw(st.integers(0, 4)) == 4:
        value.insert(position, new)
    else:
        value[position] = new
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, AttributeError, TypeError, KeyError, IndexError):
        return text  # a tree that no text has


def _places(tree: ast.Module) -> list[tuple[ast.AST, str, int | None]]:
    """List the positions of statements and expressions: (node, field, index in a list field)."""
    places: list[tuple[ast.AST, str, int | None]] = []
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            items: Any = value if isinstance(value, list) else [value]
            places += [
                (node, name, position if isinstance(value, list) else None)
                for position, item in enumerate(items)
                if isinstance(item, (ast.expr, ast.stmt))
            ]
    return places


#: kind of mutation -> its function
CHANGES: Final[dict[str, Change]] = {
    "part": _part,
    "word": _word,
    "line": _line,
    "character": _character,
    "graft": _graft,
}
_OFTEN: Final = ("part", "part", "word", "line", "character", "graft")
