"""Programs of loops of every kind with conditions, lets and local memory; all accesses are in bounds.

Iterations store to disjoint elements, so they may run in any order.
"""

from __future__ import annotations

from tvmscript.fuzz.programs import RandomWriter, Seed, indented

SITE = 256
INPUT = 64


class Writer(RandomWriter):
    """Writer of programs; each kind of statement is a method that returns its lines."""

    kinds: tuple[str, ...] = ("store", "loop", "loop", "loop", "if", "let", "local")
    #: elements reserved for each store
    site = SITE

    def __init__(self, seed: Seed) -> None:
        super().__init__(seed)
        self.sites = 0
        #: variables of expressions
        self.defined: list[str] = []

    def index(self, loops: list[tuple[str, int]]) -> str:
        """Draw an unbounded integer expression of the loop variables."""
        pick = self.random.choice
        terms = [f"{var} * {pick([1, 2, 3, 4, -1])}" for var, _ in loops if self.random.random() < 0.8]
        text = " + ".join([*terms, str(self.random.randrange(-9, 9))])
        wrap = pick(
            ["{}", "{}", "7 - ({})", "({}) // 2", "({}) % 5", "T.max({}, 3)", "T.truncdiv({}, 3)", "T.min({}, n)"]
        )
        return wrap.format(text)

    def value(self, loops: list[tuple[str, int]], locals_: list[str], depth: int = 2) -> str:
        """Draw an int32 expression."""
        pick = self.random.choice
        if depth == 0:
            return pick([f"A[({self.index(loops)}) % {INPUT}]", "n", str(self.random.randrange(9)), *locals_])
        a, b = self.value(loops, locals_, depth - 1), self.value(loops, locals_, depth - 1)
        condition = f"{self.index(loops)} < {self.index(loops)}"
        return pick(
            [a, f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"T.max({a}, {b})", f"T.Select({condition}, {a}, {b})",
             f"T.if_then_else({condition}, {a}, {b})", f"T.shift_right({a}, 1)", f"T.abs({a})", f"({a} // 3)"]
        )  # fmt: skip

    def statements(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        return [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(loops, locals_, depth)]

    def statement(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        kinds = ["store"] if depth <= 0 else self.kinds
        rule = getattr(self, self.random.choice(kinds))
        stmts: list[str] = rule(loops, locals_, depth)
        return stmts

    def store(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        return [f"{self.element(loops)} = {self.value(loops, locals_)}"]

    def element(self, loops: list[tuple[str, int]]) -> str:
        """The output element of each iteration, which no other statement writes."""
        place, _ = self.place(loops)
        self.sites += 1
        return f"B[{place}]"

    def place(self, loops: list[tuple[str, int]], stride: int = 1) -> tuple[str, int]:
        """The place of an iteration in the site of a store, and the elements that all iterations take."""
        place = str(self.sites * self.site)
        for var, extent in loops:
            place += f" + {var} * {stride}"
            stride *= extent
        return place, stride

    def loop(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        if len(loops) == 4:
            return self.store(loops, locals_, depth)
        var, extent = self.name("i"), self.random.choice([1, 2, 3, 4])
        kind, start = (
            self.random.choice(["serial", "vectorized", "unroll", "parallel"]),
            self.random.choice([0, 0, 0, 2, -3]),
        )
        inside, bounds = (f"({var} - {start})", f"{start}, {start + extent}") if start else (var, str(extent))
        inside = inside.replace("- -", "+ ")
        body = self.statements([*loops, (inside, extent)], locals_, depth - 1)
        return [f"for {var} in T.{kind}({bounds}):", *indented(body)]

    def if_(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        forms = [
            f"if {self.index(loops)} < {self.index(loops)}:",
            *indented(self.statements(loops, locals_, depth - 1)),
        ]
        if self.random.random() < 0.5:
            forms += ["else:", *indented(self.statements(loops, locals_, depth - 1))]
        return forms

    def let(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        name = self.name("x")
        value = self.value(loops, locals_)
        return [f"with T.LetStmt({value}) as {name}:", *indented(self.statements(loops, [*locals_, name], depth - 1))]

    def local(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        name = self.name("L")
        first, second = self.value(loops, locals_), self.value(loops, locals_)
        body = [f"{name}[0] = {first}", f"{name}[1] = {name}[0] + {second}"]
        body += self.statements(loops, [*locals_, f"{name}[0]", f"{name}[1]"], depth - 1)
        return [f'with T.decl_buffer((2,), "int32") as {name}:', *indented(body)]


setattr(Writer, "if", Writer.if_)


def random_program(seed: Seed) -> str:
    """The text of a function over `A` (input), `B` (output) and the scalar `n`."""
    writer = Writer(seed)
    return function(writer, writer.statements([], [], 4))


def function(writer: Writer, body: list[str]) -> str:
    """The text of a function over `A` (input), `B` (output) and the scalar `n`, which is below 8."""
    output = max(writer.sites, 1) * writer.site
    head = ["@T.prim_func", "def main("]
    head += [f'    A: T.Buffer(({INPUT},), "int32"), B: T.Buffer(({output},), "int32"), n: T.int32', "):"]
    return "\n".join([*head, *(f"    {name} = T.int32()" for name in writer.defined), *indented(body)])
