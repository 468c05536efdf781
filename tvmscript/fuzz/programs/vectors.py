"""Vectorized loops around every kind of statement: strides, reductions, lane conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from tvmscript.fuzz.programs import RandomWriter, Seed, indented

Item = TypeVar("Item")
#: elements of a statement for each iteration of the outer loop
_SITE: Final = 64
_SITES: Final = 16


class _Vectors(RandomWriter):
    """`A` and `F` are read, `B` and `G` are written; `C` has rows. A kind of statement is a method."""

    def __init__(self, seed: Seed) -> None:
        super().__init__(seed)
        self.sites = 0
        #: whether a masked store to `E` exists
        self.is_masked = False
        #: whether the program divides by elements of `K`, which are non-zero
        self.divides = False
        #: variables of expressions
        self.lets: list[str] = []
        self.lanes = self.pick((4, 4, 8, 2, 3, 5, 1))
        self.start = self.pick((0, 0, 0, 2, -3))
        #: the loop variable, and the index of the lane
        self.var = "i"
        self.lane = "i" if self.start == 0 else f"(i - {self.start})" if self.start > 0 else f"(i + {-self.start})"
        self.outer = self.pick(("", "o"))

    def pick(self, items: Sequence[Item]) -> Item:
        return self.random.choice(items)

    def site(self) -> str:
        """The first element of the next statement."""
        self.sites += 1
        base = str((self.sites - 1) % _SITES * 4 * _SITE)
        return f"{base} + o * {_SITE}" if self.outer else base

    # -- values

    def index(self) -> str:
        """Draw a varying or uniform index below 24."""
        return self.pick(
            ("{0}", "{0} + 3", "{0} * 2", "{0} * 2 + 1", "2 * {0}", "7 - {0}", "{0} // 2", "{0} % 3", "n - {0} + 8",
             "{0} * n % 24", "{0} * (n + 1) % 24", "n", "5", "({0} + n) * 1", "T.max({0}, 2)", "A[{0}] + 8")
        ).format(self.lane)  # fmt: skip

    def value(self, depth: int = 1) -> str:
        """Draw an integer expression."""
        if depth == 0:
            return self.pick(
                (f"A[{self.index()}]", f"A[{self.index()}]", self.index(), "n", "3", f"C[n % 4, {self.index()} % 8]")
            )
        a, b = self.value(depth - 1), self.value(depth - 1)
        return self.pick(
            (a, f"({a}) + {b}", f"({a}) - ({b})", f"({a}) * ({b})", f"T.max({a}, {b})", f"T.min({a}, {b})",
             f"({a}) // 3", f"({a}) % 4", f"T.truncmod({a}, 3)", f"T.Select({self.condition()}, {a}, {b})",
             f"T.if_then_else(n < 4, {a}, {b})", f"T.if_then_else({self.condition()}, {a}, {b})",
             f"T.shift_right({a}, 1)", f"T.bitwise_and({a}, {b})", f'T.Cast("int32", T.Cast("int8", {a}))',
             f'T.Cast("int32", {self.condition()})', f"T.abs({a})", self.let_value(a, b), f"T.popcount(T.abs({a}))")
        )  # fmt: skip

    def let_value(self, a: str, b: str) -> str:
        name = self.name("x")
        self.lets.append(name)
        return f"T.Let({name} + {b}, where={{{name}: {a}}})"

    def number(self) -> str:
        """Draw a float expression."""
        load = f"F[{self.index()}]"
        return self.pick(
            (load, f"{load} * T.float32(2)", f"T.exp({load})", f'T.Cast("float32", {self.value(0)})', f"-{load}",
             f"T.sqrt(T.abs({load}))")
        )  # fmt: skip

    def condition(self) -> str:
        """Draw a condition that may vary between lanes."""
        limit = self.pick(("n", "2", "3", f"A[{self.index()}]"))
        one = f"{self.index()} {self.pick(('<', '<=', '>', '>=', '==', '!='))} {limit}"
        if self.random.random() < 0.15:
            return self.guarded()
        if self.random.random() < 0.25:
            other = self.pick(("A[{0}] < 3", "A[{0} * 2] > n", "{0} < 2", "n < 5", "A[{0}] // n < 2")).format(self.lane)
            return self.pick((f"{one} and {other}", f"{one} or {other}", f"not ({one})"))
        return one

    def guarded(self) -> str:
        """Draw a condition that must short-circuit per lane."""
        last = self.pick((61, 62, 63))
        return self.pick(
            (
                f"{self.lane} + {last} < 64 and A[{self.lane} + {last}] < n",
                f"{self.lane} + {last} >= 64 or A[{self.lane} + {last}] < n",
                f"A[{self.lane}] > 1 and 7 // A[{self.lane}] < 3",
                f"n == 0 or A[{self.lane}] % n == 1",
            )
        )

    # -- statements

    def store(self) -> list[str]:
        place = self.pick(("{0}", "{0}", "{0} * 2", "{0} * 3 + 1", "20 - {0}", "({0} + 2) * 2")).format(self.lane)
        return [f"B[{self.site()} + {place}] = {self.value(2)}"]

    def floats(self) -> list[str]:
        return [f"G[{self.site()} + {self.lane}] = {self.number()}"]

    def rows(self) -> list[str]:
        row, column = self.pick((("n % 4", self.lane), (f"{self.lane} % 4", self.lane), (f"{self.lane} % 4", "2")))
        self.sites += 1  # there are more rows of them
        return [f"D[{self.sites % _SITES * 4} + {row}, {column}] = {self.value()}"]

    def same(self) -> list[str]:
        """Write stores of all iterations to one element."""
        return [f"B[{self.site()} + {self.pick(('1', 'n'))}] = {self.pick((self.value(), 'n * 2', 'A[n]'))}"]

    def total(self) -> list[str]:
        """Write a reduction into one element, or another recurrence."""
        element = f"B[{self.site()} + {self.pick(('1', 'n'))}]"
        update = self.pick(
            ("{0} + {1}", "{1} + {0}", "T.max({0}, {1})", "{0} * 2 + {1}", "{1} - {0}", "T.Select(n < 3, {0}, {1})")
        )
        return [f"{element} = {update.format(element, self.value())}"]

    def updated(self) -> list[str]:
        """Write an in-place update."""
        base = self.site()
        return [f"B[{base} + {self.lane}] = B[{base} + {self.lane}] + {self.value(0)}"]

    def branch(self) -> list[str]:
        condition = self.pick((self.condition(), self.condition(), "n < 4", f"{self.lane} < n", f"{self.lane} + 1 < n"))
        lines = [f"if {condition}:", *indented(self.statement())]
        if self.pick(range(3)) == 0:
            lines += ["else:", *indented(self.statement())]
        return lines

    def masked(self) -> list[str]:
        """Write a condition on consecutive lanes around accesses to these elements."""
        base = self.pick((self.var, self.lane, f"{self.lane} + 8"))
        if base == self.var and self.start < 0:
            base = self.lane
        limit = self.pick(("n", "n + 2", "n + 9"))
        other = self.pick(("{}", "{} * 2 + n", "T.max({}, 3)", "{} // 3", "7 // T.max({}, 1)", "T.abs({})"))
        place = base if self.pick(range(4)) else f"{base} + 1"
        lines = [f"E[{place}] = {other.format(f'A[{base}]')}"]
        if self.pick(range(4)) == 0:
            self.divides = True
            lines = [f"E[{place}] = A[{base}] {self.pick(('//', '%'))} K[{base}]"]
        if self.pick(range(3)) == 0:
            lines = [f"for {(k := self.name('k'))} in range(2):", f"    E[{place}] = A[{base}] + {k}"]
        elif self.pick(range(3)) == 0:
            name = self.name("y")
            lines = [f"with T.LetStmt(A[{base}]) as {name}:", f"    E[{place}] = {name} + 1"]
        if self.is_masked:
            return self.store()  # elements of another one
        self.is_masked = True
        return [f"if {base} < {limit}:", *indented(lines)]

    def let(self) -> list[str]:
        name = self.name("x")
        return [
            f"with T.LetStmt({self.value()}) as {name}:",
            f"    B[{self.site()} + {self.lane}] = {name} * {self.value(0)}",
        ]

    def inner(self) -> list[str]:
        """Write a serial loop whose extent may vary between lanes."""
        name = self.name("j")
        extent = self.pick(("3", "n", f"{self.lane} + 1"))
        return [
            f"for {name} in range({extent}):",
            f"    B[{self.site()} + {self.lane} * 8 + {name}] = A[{name}] + {self.value(0)}",
        ]

    def memory(self) -> list[str]:
        """Write an allocation per iteration."""
        name, size = self.name("M"), self.pick((1, 2, 3))
        index = self.pick(("0", f"{size - 1}", f"n % {size}"))
        lines = [f"for {(k := self.name('k'))} in range({size}):", f"    {name}[{k}] = {self.value()} + {k}"]
        lines += [f"B[{self.site()} + {self.lane}] = {name}[{index}] + {name}[0]"]
        if self.pick(range(3)) == 0:
            lines += [f"if {self.condition()}:", f"    B[{self.site()} + {self.lane}] = {name}[{index}]"]
        return [f'with T.decl_buffer(({size},), "int32") as {name}:', *indented(lines)]

    def vector(self) -> list[str]:
        """Write vector accesses in each iteration."""
        loads = (
            "A[T.Ramp({0} * 4 % 32, 1, 4)]",
            "A[T.Ramp({0} * 4, 1, 4)]",
            "T.Broadcast(n, 4)",
            "T.Broadcast({0}, 4)",
            *(self.ramp() for _ in range(4)),
        )
        load = self.pick(loads).format(self.lane)
        place = self.pick(
            (
                f"T.Ramp({{}} + {self.lane} * 4, 1, 4)",
                f"T.Ramp({{}} + {self.lane} * 8, 2, 4)",
                f"T.Ramp({{}} + {self.lane}, {self.lanes}, 4)",
            )
        )
        return [f"B[{place.format(self.site())}] = {load}"]

    def ramp(self) -> str:
        """Draw arithmetic of a ramp of either direction, which may begin below 0, and a number."""
        first = self.pick(("{0} + 2", "{0} - 3", "{0} * 4", "{0} * 4 + 1", "2 - {0} * 4", "n", "{0} + n - 5"))
        lanes, number = self.pick((1, -1, 2, -2, 3, 4, -3)), self.pick((2, 3, 4, 5, -2, -3))
        kinds = ("{} // {}", "{} // {}", "{} % {}", "{} * {}", "{} - {}")
        calls = ("T.truncdiv({}, {})", "T.truncmod({}, {})", "T.max({}, {})", "T.min({}, {})")
        kind = self.pick((*kinds, *calls))
        return kind.format(f"T.Ramp({first}, {lanes}, 4)", f"T.Broadcast({number}, 4)")

    def check(self) -> list[str]:
        return [f'assert {self.pick(("n < 8", f"{self.lane} < 9"))}, "it is"', *self.statement()]

    def statement(self) -> list[str]:
        return self.pick(
            (self.store, self.store, self.floats, self.same, self.total, self.updated, self.branch, self.let)
        )()

    def statements(self) -> list[str]:
        kinds: tuple[Callable[[], list[str]], ...] = (
            *(self.store, self.store, self.store, self.floats, self.rows, self.same, self.total, self.updated),
            *(
                self.branch,
                self.branch,
                self.masked,
                self.let,
                self.inner,
                self.memory,
                self.vector,
                self.vector,
                self.check,
            ),
        )
        return [line for _ in range(self.pick((1, 2, 4, 5))) for line in self.pick(kinds)()]


def vectorized_loops(seed: Seed) -> str:
    """Write a vectorized loop; `n` is below 8."""
    writer = _Vectors(seed)
    return _function(writer, writer.statements())


def masked_loops(seed: Seed) -> str:
    """Write a vectorized loop whose condition can mostly become a mask."""
    writer = _Vectors(seed)
    return _function(writer, writer.masked())


def lenient_loops(seed: Seed) -> str:
    """Write a vectorized loop whose body needs backend support, or is not vectorizable."""
    writer = _Vectors(seed)
    place = f"{writer.site()} + {writer.lane}"
    statement = writer.pick(
        (
            [f"G[{place}] = T.erf({writer.number()})"],
            [f"G[{place}] = T.rsqrt(T.abs({writer.number()}) + T.float32(1))"],
            [
                f"B[{place}] = 0",
                f"while B[{place}] < {writer.pick(('n', writer.lane))}:",
                f"    B[{place}] = B[{place}] + 1",
            ],
            writer.store(),
        )
    )
    extent = writer.pick(("", "", "n", "n + 1"))
    return _function(writer, [*statement, *writer.statement()], extent)


def _function(writer: _Vectors, body: list[str], extent: str = "") -> str:
    end = f"{writer.start} + {extent}" if extent else writer.start + writer.lanes
    lines = [f"for i in T.vectorized({writer.start}, {end}):", *indented(body)]
    if not extent and writer.pick(range(6)) == 0:
        lines[0] = f"for w in T.vectorized(T.int64({writer.start}), T.int64({end})):"
        lines[1:] = ['    with T.LetStmt(T.Cast("int32", w)) as i:', *indented(lines[1:])]
    if writer.outer:
        kind = writer.pick(("serial", "serial", "parallel", "unroll"))
        lines = [f"for o in T.{kind}({writer.pick((2, 3, 4))}):", *indented(lines)]
    if writer.divides:
        filled = ['K = T.decl_buffer((64,), "int32")', "for k in range(64):", "    K[k] = k % 5 + 1"]
        lines = [*filled, *lines]
    size = _SITES * 4 * _SITE
    head = [
        "@T.prim_func",
        f'def main(A: T.Buffer((64,), "int32"), F: T.Buffer((64,), "float32"), C: T.Buffer((4, 8), "int32"), '
        f'B: T.Buffer(({size},), "int32"), G: T.Buffer(({size},), "float32"), D: T.Buffer(({_SITES * 4}, 8), "int32"), '
        'E: T.Buffer((64,), "int32"), n: T.int32):',
        *(f"    {name} = T.int32()" for name in writer.lets),
    ]
    return "\n".join([*head, *indented(lines)])
