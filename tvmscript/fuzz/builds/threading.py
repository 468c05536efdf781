"""Parallel loops whose iterations are counted, and some of which fail."""

from __future__ import annotations

import random

from tvmscript.fuzz.codegen.writing import Kernel, Written, under


def parallel(rng: random.Random) -> Written:
    """Draw loops in threads: every iteration adds to an element of its own, so that each has to run once."""
    k = Kernel(rng)
    dtype = k.pick("int32", "int64", "float32")
    count = k.pick(1, 2, 3, 4, 5, 7, 16, 33, 100)
    n = k.size("n", count) if k.chance(0.3) else str(count)
    width = k.pick(1, 3, 8)
    for name in "AB":
        k.array(name, f"({n}, {width})", dtype)
    first = k.pick(0, 0, 0, 1, 2) if count > 2 else 0
    one = f"T.{dtype}({k.number(1, 3)})"
    body = [f"B[i, j] = B[i, j] + A[i, j] * {one}"]
    if k.chance(0.3):
        body += [f"A[i, j] = A[i, j] + {one}"]
    inner = under(f"for j in {k.pick('range', 'range', 'T.parallel')}({width}):", body)
    if k.chance(0.35):
        inner.insert(k.pick(0, len(inner)), f'assert i != {k.number(0, count)}, "iteration"')
    lines = under(f"for i in T.parallel({first}, {n}):" if first else f"for i in T.parallel({n}):", inner)
    for _ in range(k.pick(0, 0, 1)):
        # what other threads stored in the loop before is read
        lines += under(f"for i in T.parallel({n}):", [f"A[i, 0] = A[i, 0] - B[{n} - 1 - i, {width - 1}]"])
    k.lines = lines
    return Written(k.text(), k.sizes)
