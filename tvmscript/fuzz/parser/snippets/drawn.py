"""Insert snippets into random programs: in loops, branches and blocks, before and after statements."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Final

from tvmscript.fuzz.parser.snippets import same, wrong_graphs, wrong_kernels, wrong_tiles

#: statements around a snippet, which replaces `...`
_AROUND: Final = (
    "for a{0} in range(4):\n    ...",
    "for a{0}, b{0} in T.grid(4, n):\n    ...",
    "if n < 3:\n    ...",
    "if n < 3:\n    T.evaluate(3)\nelse:\n    ...",
    "while n < 3:\n    ...",
    'with T.attr(n, "k", 1):\n    ...',
    "T.evaluate(n)\n...",
    "...\nT.evaluate(n)",
    "for a{0} in range(4):\n    T.evaluate(a{0})\n...",
    "if n < 3:\n    c{0} = n + 1\n    T.evaluate(c{0})\n...",
    "c{0} = n + 1\n...",
)
_HEAD: Final = (
    '@T.prim_func\ndef main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "int32"), p: T.handle, n: T.int32, '
    "x: T.float32):\n"
)
_GRAPH: Final = (
    "@R.function\n"
    'def main(x: R.Tensor((4, "n"), "float32"), y: R.Tensor((4, "n"), "float32"), c: R.Tensor((), "bool"), '
    't: R.Tuple(R.Tensor((2,), "int8"), R.Tensor((3,), "int8")), s: R.Shape((2, "m"))):\n'
    "    n = T.int64()\n"
    "    m = T.int64()\n"
)
_NOTHING: Final = "T.evaluate(0)"
#: a line of a compound statement that another statement can replace
_INNER: Final = re.compile(r"^    T\.evaluate\(0\)$", re.MULTILINE)
_COMPOUND: Final = tuple(each for each in wrong_kernels.KERNELS if _INNER.search(each))
#: names that snippets define, or do not define
_NAMES: Final = re.compile(r"\b(nothing|again|[uvwzPU])\b")


@dataclass(frozen=True)
class Pair:
    """Two spellings of one program."""

    first: str
    second: str


@dataclass(frozen=True)
class Wrong:
    """A text with one fault, and where the error must begin."""

    text: str
    line: int
    column: int


@dataclass(frozen=True)
class Several:
    """A text with faults, and for each of them the text with the other ones replaced by a line for each line."""

    text: str
    alone: tuple[str, ...]


def _put(outer: str, inner: str) -> str:
    """Replace `...` in the outer statements by the inner ones."""
    hole = re.search(r"^( *)\.\.\.$", outer, re.MULTILINE)
    assert hole is not None
    return outer[: hole.start()] + indent(inner, hole[1]) + outer[hole.end() :]


def _numbers(r: random.Random, texts: Sequence[str]) -> list[str]:
    values = {f"K{place}": str(r.randint(1, 9)) for place in range(1, 4)}
    return [re.sub(r"K[123]", lambda match: values[match[0]], text) for text in texts]


def _somewhere(r: random.Random, texts: Sequence[str], *, are_last: bool) -> list[str]:
    """Put the statements into nested scopes of a function, in last position with `are_last`."""
    numbers = _numbers(r, texts)
    around = [outer for outer in _AROUND if outer.endswith("...") or not are_last]
    for depth in range(r.choice((0, 0, 1, 1, 2, 3))):
        outer = r.choice(around).format(depth)
        numbers = [_put(outer, text) for text in numbers]
    return list(map(_kernel, numbers))


def _kernel(text: str) -> str:
    return f"{_HEAD}{indent(text, '    ')}\n"


def _graph(text: str) -> str:
    return f"{_GRAPH}{indent(text, '    ')}\n    return u\n"


def _tile(text: str) -> str:
    return f"{wrong_tiles.TILE_HEAD}{indent(text, '    ')}\n"


def same_texts(r: random.Random) -> Pair:
    """Draw two spellings of one kernel or graph."""
    kind = r.random()
    if kind < 0.3:
        first, second = _numbers(r, r.choice(same.GRAPHS))
        return Pair(_graph(first), _graph(second))
    if kind < 0.4:
        first, second = _numbers(r, r.choice(same.FIRST))
        return Pair(*[_kernel(f"{text}\nT.evaluate(0)") for text in (first, second)])
    # scopes without `with` extend to the end of the body
    first, second = _somewhere(r, r.choice(same.KERNELS), are_last=True)
    return Pair(first, second)


def wrong_text(r: random.Random) -> Wrong:
    """A text with a fault."""
    kind = r.random()
    if kind < 0.1:
        return _marked(_tile(r.choice(wrong_tiles.TILES)))
    if kind < 0.4:
        return _marked(_graph(_numbers(r, [r.choice(wrong_graphs.GRAPHS)])[0]))
    return _marked(_somewhere(r, [r.choice(wrong_kernels.KERNELS)], are_last=False)[0])


def all_wrong_texts() -> list[Wrong]:
    """Return a text with each fault of the tables."""
    r = random.Random(0)
    tables: tuple[tuple[Sequence[str], Callable[[str], str]], ...] = (
        (wrong_kernels.KERNELS, _kernel), (wrong_graphs.GRAPHS, _graph), (wrong_tiles.TILES, _tile),
    )  # fmt: skip
    return [_marked(whole(text)) for table, whole in tables for text in _numbers(r, table)]


def several_wrong_texts(r: random.Random) -> Several:
    """Draw faults one after the other, or one inside of a statement with another one."""
    kind = r.random()
    if kind < 0.3:
        parts = _own_names(r, wrong_graphs.GRAPHS, 2 + (r.random() < 0.5))
        return _in_turn(parts, "q = x", lambda text: f"{_GRAPH}{indent(text, '    ')}\n    return x\n")
    if kind < 0.7:
        parts = _own_names(r, wrong_kernels.KERNELS, 2 + (r.random() < 0.5))
        return _in_turn(parts, _NOTHING, _kernel)
    return _nested(*_own_names(r, _COMPOUND, 1), *_own_names(r, wrong_kernels.KERNELS, 1, 1))


def _own_names(r: random.Random, snippets: Sequence[str], count: int, first: int = 0) -> list[str]:
    """Draw snippets that share no names, without the marks."""
    texts = [each.replace("«", "").replace("»", "") for each in _numbers(r, r.sample(snippets, count))]
    return [_NAMES.sub(rf"\g<0>{place}", text) for place, text in enumerate(texts, first)]


def _in_turn(parts: Sequence[str], right: str, whole: Callable[[str], str]) -> Several:
    """Return faults one after the other; `right` is a line without a fault."""
    others = [re.sub("^.*$", right, part, flags=re.MULTILINE) for part in parts]
    alone = ["\n".join([*others[:at], part, *others[at + 1 :]]) for at, part in enumerate(parts)]
    return Several(whole("\n".join(parts)), tuple(map(whole, alone)))


def _nested(outer: str, inner: str) -> Several:
    """Return a fault in place of a line of a compound statement with another one."""
    hole = _INNER.search(outer)
    assert hole is not None
    before, after = outer[: hole.start()].splitlines(), outer[hole.end() :].splitlines()
    head = max(place for place, line in enumerate(before) if not line.startswith(" "))
    around = [_NOTHING] * head + ["if n < 9:"] + [f"    {_NOTHING}"] * (len(before) - head - 1)
    body = indent(inner, "    ")
    rest = [f"    {_NOTHING}"] * (len(after) - 1)
    texts = (
        outer[: hole.start()] + body + outer[hole.end() :],
        outer[: hole.start()] + re.sub("^.*$", f"    {_NOTHING}", body, flags=re.MULTILINE) + outer[hole.end() :],
        "\n".join([*around, body, *rest]),
    )
    whole, *alone = map(_kernel, texts)
    return Several(whole, tuple(alone))


def _marked(text: str) -> Wrong:
    before, _, rest = text.partition("«")
    line = before.count("\n") + 1
    return Wrong(before + rest.replace("»", ""), line, len(before) - before.rfind("\n"))
