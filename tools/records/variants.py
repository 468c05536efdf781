"""Variants of scripts: another number, dtype, scope, kind of a loop, operator or name, and a line more or less.

Most programs of tests have one size, one dtype and operands that are like each other. A variant has what is beside it:
sizes of 1 and 2, a size that another one had to be equal to, a statement less. Refused programs are examples, too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Final

#: what is replaced -> what may stand there
_WORDS: Final = {
    r"(?<=[\"'])(?:float|int|uint|bfloat)\d+(?=[\"'])": (
        "float32", "float16", "int32", "int8", "bool", "int64", "uint8", "float64", "bfloat16",
    ),
    r"(?<=[\"'])(?:shared|local|global|shared\.dyn|warp)(?=[\"'])": ("shared", "local", "global", "shared.dyn", "warp"),
    r"T\.(?:serial|parallel|vectorized|unroll)(?=\()|range(?=\()": (
        "T.serial", "T.parallel", "T.vectorized", "T.unroll", "range",
    ),
    r" [+*%-] | // ": (" + ", " - ", " * ", " // ", " % "),
    r"\bTrue\b|\bFalse\b": ("True", "False"),
}  # fmt: skip
_NUMBER: Final = re.compile(r"(?<![\w.\"'])\d+(?![\w.\"'])")
_NAME: Final = re.compile(r"(?<![\w.\"'])[a-zA-Z_]\w{0,3}(?![\w(\"'=])")
#: lines of a script end here, and those of a text that is quoted in it
_ENDS: Final = "\n", "\\n"
#: characters of a script
_LONGEST: Final = 3500
#: variants that are tried for each that is wanted: some are no Python, or known
_TRIES: Final = 20


def variants(scripts: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """Draw variants that differ from the scripts and from each other; a third has two changes."""
    short = [script for script in scripts if len(script) < _LONGEST]
    known, rng = set(short), random.Random(seed)
    for _ in range(_TRIES * count if short else 0):
        made = _varied(rng, rng.choice(short))
        if rng.randrange(3) == 0:
            made = _varied(rng, made)
        if made not in known and _is_python(made):
            known.add(made)
            yield made
            count -= 1
        if not count:
            return


def _varied(rng: random.Random, script: str) -> str:
    """Change a script in one place, or a number everywhere; a script without such a place stays as it is."""
    change = rng.choice(("number", "number", "number", "word", "word", "name", "line"))
    if change == "line":
        return _lines_varied(rng, script)
    if change == "number" and (numbers := _NUMBER.findall(script)):
        number = int(rng.choice(numbers))
        near = (0, 1, 2, 3, 7, 16, 17, number + 1, max(number - 1, 0), 2 * number, number // 2)
        is_everywhere = rng.randrange(2)
        same = re.compile(rf"(?<![\w.\"']){number}(?![\w.\"'])")
        return _replaced(rng, script, same, str(rng.choice(near)), is_everywhere=bool(is_everywhere))
    if change == "name" and (names := _NAME.findall(script)):
        return _replaced(rng, script, _NAME, rng.choice(names))
    pattern, words = rng.choice([*_WORDS.items()])
    return _replaced(rng, script, re.compile(pattern), rng.choice(words))


def _replaced(
    rng: random.Random, script: str, pattern: re.Pattern[str], new: str, *, is_everywhere: bool = False
) -> str:
    places = [each.span() for each in pattern.finditer(script)]
    if not places or is_everywhere:
        return pattern.sub(new, script)
    start, stop = rng.choice(places)
    return script[:start] + new + script[stop:]


def _lines_varied(rng: random.Random, script: str) -> str:
    """Leave a line out, write it twice, or swap it with the next."""
    end = max(_ENDS, key=script.count)
    lines = script.split(end)
    place = rng.randrange(len(lines))
    before, after = lines[:place], lines[place + 1 :]
    return end.join(rng.choice(([*before, *after], [*before, lines[place], lines[place], *after],
                                [*before, *after[:1], lines[place], *after[1:]])))  # fmt: skip


def _is_python(script: str) -> bool:
    try:
        compile(script, "<variant>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True
