"""Kernels of vectorized loops with conditions that differ between lanes; accesses are in bounds only under them."""

from __future__ import annotations

import random

from tvmscript.fuzz.codegen.writing import Kernel, Written, constant, under

_LANES = (4, 8, 16, 3, 12, 2, 32, 7, 24, 48)
_DTYPES = ("float32", "int32", "float64", "int8", "float32", "int16", "float16", "int64", "uint8", "bfloat16")


class _Tail:
    """One kernel: `p` is the index of a lane, `n` the elements of each array, `i` the number of a vector."""

    def __init__(self, k: Kernel) -> None:
        self.k = k
        self.dtype = k.pick(*_DTYPES)
        self.lanes = k.pick(*_LANES)
        self.count = k.number(1, 3 * self.lanes + 5)
        self.n = k.size("n", self.count) if k.chance(0.4) else str(self.count)
        for name in "ABC":
            k.array(name, f"({self.n},)", self.dtype)
        k.array("X", f"({self.n},)", "int32")
        k.scalar("m", "int32", k.number(-2, self.count + 2))
        # sometimes far beyond the arrays, where no lane is in bounds
        self.steps = -(-self.count // self.lanes) + k.pick(0, 1, 0, 1500 // self.lanes)
        self.p = f"i * {self.lanes} + j"

    def number(self) -> str:
        return constant(self.dtype, self.k.number(0, 5))

    def extra(self) -> str:
        """Draw a condition that is safe where `p` is in bounds."""
        p, k = self.p, self.k
        return k.pick(
            f"A[{p}] > {self.number()}",
            f"{p} < m",
            f"{p} >= {k.number(1, 9)}",
            f"({p}) % {k.number(2, 3)} != 0",
            "i < m",
            f"i < {self.n} and X[i] > 3",
            f"not (X[{p}] == {k.number(0, 3)})",
            f"X[{p}] < 5 or B[{p}] > {self.number()}",
            f"C[{p}] > {self.number()}",
            f"X[i * {self.lanes}] > {k.number(0, 3)}",
            f"X[{p}] > 0 and {k.number(5, 99)} // X[{p}] > 2",
        )

    def condition(self) -> str:
        """Draw a condition under which `p` is in bounds."""
        parts = [self.k.pick(f"{self.p} < {self.n}", f"{self.p} < {self.n}", f"{self.n} > {self.p}")]
        parts += [self.extra() for _ in range(self.k.pick(0, 0, 1, 1, 2))]
        if self.k.chance(0.2):
            parts.insert(0, self.k.pick("m > 2", f"i < {self.n}"))
        return " and ".join(f"({part})" for part in parts)

    def value(self, depth: int = 2) -> str:
        """Draw a value that is safe where `p` is in bounds."""
        p, k = self.p, self.k
        form = k.pick("A", "A", "own", "shifted", "uniform", "chosen", "sum", "number", "gather", "quotient")
        if form == "own":
            return f"{k.pick('B', 'C')}[{p}]"
        if form == "shifted":
            back = k.number(1, 7)
            inside = k.pick(f"{p} >= {back}", f"{p} > {back - 1}")
            return f"T.if_then_else({inside}, A[{p} - {back}], {self.number()})"
        if form == "uniform":
            return k.pick(f"T.if_then_else(i < {self.n}, A[i], {self.number()})", f"A[i * {self.lanes}]")
        if form == "chosen" and depth:
            return f"T.if_then_else({self.extra()}, {self.value(depth - 1)}, {self.value(depth - 1)})"
        if form == "sum" and depth:
            return f"{self.value(depth - 1)} {k.pick('+', '-')} {self.value(depth - 1)}"
        if form == "number":
            return self.number()
        if form == "gather":
            at = k.pick(f"T.bitwise_and(X[{p}], {2**30}) // {2**30}", f"{self.n} - 1 - ({p})")
            return f"A[{at}]"
        if form == "quotient":
            quotient = f"T.if_then_else(X[{p}] > 0, {k.number(1, 99)} // X[{p}], 7)"
            return f"T.Cast({self.dtype!r}, T.bitwise_and({quotient}, 7))"
        return f"A[{p}]"

    def statement(self) -> list[str]:
        """Draw one statement of the vectorized loop."""
        k, p = self.k, self.p
        form = k.pick("if", "if", "else", "if_then_else", "nested", "block", "private")
        target = f"{k.pick('B', 'C')}[{p}]"
        if form == "else":
            other = under(f"if {p} < {self.n}:", [f"{target} = {self.value()}"])
            return [*under(f"if {self.condition()}:", self.stores()), *under("else:", other)]
        if form == "if_then_else":
            chosen = f"T.if_then_else({self.condition()}, {self.value()}, {self.number()})"
            return under(f"if {p} < {self.n}:", [f"{target} = {chosen}"])
        if form == "nested":
            inner = under(f"if {self.extra()}:", self.stores())
            return under(f"if {self.condition()}:", [*inner, *self.stores()])
        if form == "private":
            total = under(f"for t in range({k.number(1, 3)}):", [f"L[j] = L[j] + {self.value(1)}"])
            if self.lanes > 2 and k.chance(0.3):
                inside = f"if j < {self.lanes - 2} and {p} < {self.n}:"
                return [*under(inside, [f"S[j] = {self.value()}"]), *under(inside, [f"{target} = S[j]"])]
            lines = [f"L[j] = {self.number()}", *under(f"if {self.condition()}:", total)]
            return [*lines, *under(f"if {p} < {self.n}:", [f"{target} = L[j]"])]
        return under(f"if {self.condition()}:", self.stores())

    def stores(self) -> list[str]:
        return [f"{self.k.pick('B', 'C')}[{self.p}] = {self.value()}" for _ in range(self.k.pick(1, 1, 2))]


def tails(rng: random.Random) -> Written:
    """Draw a vectorized loop whose lanes are partly out of bounds."""
    k = Kernel(rng)
    tail = _Tail(k)
    lines: list[str] = []
    for _ in range(k.number(1, 3)):
        lines += tail.statement()
    loops = under(f"for i in range({tail.steps}):", under(f"for j in T.vectorized({tail.lanes}):", lines))
    own = {"L": tail.lanes, "S": max(tail.lanes - 2, 1)}
    buffers = [f'{name} = T.decl_buffer(({size},), "{tail.dtype}", scope="local")' for name, size in own.items()]
    k.lines = [*buffers, *loops]
    if k.sizes and k.chance(0.5):  # memory of symbolic size is never on the stack
        for name in "ABCX":
            _allocate(k, name, tail.n)
    return Written(k.text(), k.sizes)


def _allocate(k: Kernel, name: str, extent: str) -> None:
    """Let a kernel work on its own copy of an array."""
    (head,) = [line for line in k.heads if line.startswith(f"{name} = T.match_buffer")]
    k.heads[k.heads.index(head)] = f"given_{head}"
    dtype = head.rpartition('"')[0].rpartition('"')[2]
    loop = f"for at in range({extent}):"
    k.lines = [
        f'{name} = T.decl_buffer(({extent},), "{dtype}")',
        *under(loop, [f"{name}[at] = given_{name}[at]"]),
        *k.lines,
        *under(loop, [f"given_{name}[at] = {name}[at]"]),
    ]


def short_memory(rng: random.Random) -> Written:
    """Draw memory on the stack that is shorter than the vectors it is stored by, next to other memory."""
    k = Kernel(rng)
    dtype, lanes = k.pick(*_DTYPES), k.pick(4, 8, 16, 12, 32)
    steps = k.number(1, 3)
    for name in "AB":
        k.array(name, f"({steps * lanes},)", dtype)
    sizes = {name: lanes - k.number(1, lanes - 1) for name in "LSM"}
    lines = [f'{name} = T.decl_buffer(({size},), "{dtype}", scope="local")' for name, size in sizes.items()]
    for name, size in sizes.items():
        lines += under(f"for j in range({size}):", [f"{name}[j] = A[j]"])
    at = k.pick("", "", " + 1", " - 1")
    stored = k.pick(*sizes)
    inside = f"j{at} < {sizes[stored]}" if at != " - 1" else f"j >= 1 and j - 1 < {sizes[stored]}"
    body = [f"{stored}[j{at}] = {k.pick(f'A[i * {lanes} + j]', f'{stored}[j{at}] + A[i * {lanes} + j]')}"]
    vectors = under(f"for j in T.vectorized({lanes}):", under(f"if {inside}:", body))
    copies = [
        line
        for name, size in sizes.items()
        for line in under(f"for j in range({size}):", [f"B[i * {lanes} + j] = B[i * {lanes} + j] + {name}[j]"])
    ]
    k.lines = [*lines, *under(f"for i in range({steps}):", [*vectors, *copies])]
    return Written(k.text(), k.sizes)
