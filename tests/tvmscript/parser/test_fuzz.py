"""Whatever the text: a program or a `DiagnosticError` that points into it. Fixed seeds here, more behind `-m fuzz`."""

from __future__ import annotations

import ast
import copy
import io
import random
import sysconfig
import tokenize
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tvmscript.ir.core.errors import DiagnosticError
from tvmscript.parser import parse_program
from tvmscript.parser.roots import TIR

CASES = sorted((Path(__file__).parents[2] / "cases").rglob("*.py"))
TEXTS = [path.read_text().partition("\n# output\n")[0] for path in CASES if "transform" not in path.parts]

#: What is put in the place of something else.
WORDS = [
    *(f"T.{name}" for name in TIR),
    *(f"T.{name}()" for name in TIR),
    "-1", "0", "1e400", "10**9", "10**100", "-2**70", "()", "[]", "{}", "None", "'x'", "True", "...", "1j", "b''",
    "lambda: 0", "[x for x in A]", "f'{n}'", "(1, 2)", "A", "A[0:4]", "A.data", "A.shape", "n.dtype", "T", "I", "tvm",
    "*A", "T.axis", "float('nan')", "{'a': 1}", "Module", "range(4)", "T.block('y')", "T.Buffer((4,))", "max", "len",
]  # fmt: skip


def error_of(text: str) -> DiagnosticError | None:
    """The diagnostic of a text, None where it is read; anything else that is raised fails the test."""
    try:
        parse_program(text)
    except DiagnosticError as error:
        return error
    return None


def check(text: str) -> str:
    """The code of the error of a text, "read" where there is none. An error says where."""
    error = error_of(text)
    if error is None:
        return "read"
    assert error.span is not None
    assert (error.line or 0) >= 1
    assert (error.column or 0) >= 1
    assert str(error).startswith(f"error[{error.code}]")
    return error.code


def characters(rng: random.Random) -> str:
    """A text with some characters changed."""
    made = list(rng.choice(TEXTS))
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(made))
        action = rng.randrange(3)
        if action == 0:
            made[at] = chr(rng.choice([rng.randrange(32, 127), rng.randrange(0x20AC), 0, 0xD800, 0x1F600, 10, 9, 12]))
        elif action == 1:
            made[at] = ""
        else:
            made[at] += rng.choice("()[]:,.=+-*/ \n'\"#@")
    return "".join(made)


def tokens(rng: random.Random) -> str:
    """A text with some tokens removed, doubled, swapped or replaced."""
    text = rng.choice(TEXTS)
    lines = text.splitlines(keepends=True)
    kinds = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING, tokenize.OP)
    try:
        found = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type in kinds]
    except (tokenize.TokenError, SyntaxError):
        return text
    for _ in range(rng.choice((1, 1, 2))):
        token = rng.choice(found)
        (row, begin), (end_row, end) = token.start, token.end
        if row != end_row:
            continue
        same = [other.string for other in found if other.type == token.type]
        new = rng.choice(("", f"{token.string} {token.string}", rng.choice(same), rng.choice(same), rng.choice(WORDS)))
        line = lines[row - 1]
        lines[row - 1] = line[:begin] + new + line[end:]
    return "".join(lines)


def parsed(texts: list[str], mode: str = "exec") -> Iterator[Any]:
    for text in texts:
        try:
            yield ast.parse(text, mode=mode)
        except (SyntaxError, ValueError):
            continue


class Trees:
    """Texts with parts of one syntax tree in the place of parts of another one."""

    def __init__(self) -> None:
        self.trees = list(parsed(TEXTS))
        nodes = [node for tree in self.trees for node in ast.walk(tree)]
        self.statements = [node for node in nodes if isinstance(node, ast.stmt)]
        self.expressions: list[Any] = [node for node in nodes if isinstance(node, ast.expr)]
        self.expressions += [tree.body for tree in parsed(WORDS, "eval")]

    def __call__(self, rng: random.Random) -> str:
        tree = copy.deepcopy(rng.choice(self.trees))
        for _ in range(rng.choice((1, 1, 2, 3))):
            slots = [
                (node, name, position)
                for node in ast.walk(tree)
                for name, value in ast.iter_fields(node)
                for position, item in enumerate(value if isinstance(value, list) else [value])
                if isinstance(item, ast.expr | ast.stmt)
            ]
            if not slots:
                break
            node, name, position = rng.choice(slots)
            value = getattr(node, name)
            current = value[position] if isinstance(value, list) else value
            pool = self.expressions if isinstance(current, ast.expr) else self.statements
            new = copy.deepcopy(rng.choice(pool))
            if not isinstance(value, list):
                setattr(node, name, new)
            elif rng.random() < 0.2:
                value.insert(position, new)
            else:
                value[position] = new
        try:
            return ast.unparse(ast.fix_missing_locations(tree))
        except (ValueError, AttributeError, TypeError, KeyError, IndexError):
            return ""  # a tree that no text has


def library(limit: int) -> Iterator[str]:
    """Files of Python's library, and their functions as if they were kernels."""
    folder = Path(sysconfig.get_path("stdlib"))
    for path in sorted(folder.glob("*.py"))[:limit]:
        try:
            text = path.read_text("utf-8")
            tree = ast.parse(text)
        except (UnicodeDecodeError, SyntaxError):
            continue
        yield text
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and len(node.body) < 20:
                yield ast.unparse(kernel(node))


def kernel(node: ast.FunctionDef) -> ast.FunctionDef:
    """A function of Python under our decorator, with types for its parameters."""
    arguments = node.args
    types = [ast.parse(word, mode="eval").body for word in ("T.int32", 'T.Buffer((16, 16), "float32")')]
    for position, arg in enumerate((*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)):
        arg.annotation = types[position % 2]
    arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
    arguments.vararg = arguments.kwarg = node.returns = None
    node.decorator_list = [ast.parse("T.prim_func", mode="eval").body]
    return node


def run(make: Callable[[random.Random], str], seed: int, count: int) -> Counter[str]:
    """Check as many texts; Python's own warnings about them are not ours."""
    rng = random.Random(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Counter(check(make(rng)) for _ in range(count))


@pytest.mark.parametrize("make", [characters, tokens, Trees()], ids=["characters", "tokens", "trees"])
def test_mutated_programs(make: Callable[[random.Random], str]) -> None:
    codes = run(make, 20260101, 1200)
    # The mutations reach the parser: not all of them end at Python's grammar.
    assert len(codes) >= 8
    assert codes["read"] >= 20


def test_library() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        codes = Counter(check(text) for text in library(20))
    assert len(codes) >= 5


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("make", [characters, tokens, Trees()], ids=["characters", "tokens", "trees"])
def test_many_mutated_programs(make: Callable[[random.Random], str], seed: int) -> None:
    codes = run(make, seed, 10_000)
    assert codes["read"] >= 100


@pytest.mark.fuzz
def test_whole_library() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        codes = Counter(check(text) for text in library(1000))
    assert codes.total() > 2000


def test_names_in_brackets_know_their_place() -> None:
    """A find of the mutated programs: `T.Buffer[...]`, the spelling of old texts, is read for every name."""
    with pytest.raises(DiagnosticError) as caught:
        parse_program('@T.prim_func\ndef f(n: T.int32):\n    T.evaluate(tvm.ir.load_json["x"])\n')
    assert (caught.value.code, caught.value.line, caught.value.column) == ("TS2052", 3, 16)


def test_parameters_of_one_name() -> None:
    """Another find: Python's parser reads them, its compiler does not."""
    with pytest.raises(DiagnosticError) as caught:
        parse_program("@T.macro\ndef m(A, B, A):\n    T.evaluate(A)\n")
    assert (caught.value.code, caught.value.line, caught.value.column) == ("TS2008", 2, 13)
