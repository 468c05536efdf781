"""Loops with virtual threads, assertions, assumptions, `while` and other features that passes handle."""

from __future__ import annotations

from tvmscript.fuzz.programs import Seed, indented
from tvmscript.fuzz.programs.loops import INPUT, SITE, Writer


class _Features(Writer):
    """`A` and `B` are those of `loops`; `F` and `G` are the same of narrow floats."""

    kinds = (
        *Writer.kinds, "vthread", "check", "whiles", "wide", "vector", "likely", "pragma", "double", "floats", "scope",
        "total",
    )  # fmt: skip

    def __init__(self, seed: Seed) -> None:
        super().__init__(seed)
        self.float = self.random.choice(["bfloat16", "float16", "e4m3_float8", "float32"])
        self.used_threads: list[str] = []

    def vthread(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        if len(loops) >= 3 or self.used_threads:
            return self.store(loops, locals_, depth)
        var = self.name("v")
        self.used_threads.append(var)
        body = self.statements([*loops, (var, 2)], locals_, depth - 1)
        self.used_threads.pop()
        return [f'with T.launch_thread("vthread", 2) as {var}:', *indented(body)]

    def check(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        body = self.statements(loops, locals_, depth - 1)
        if self.random.random() < 0.5:
            return ['assert n < 8, "n is drawn below 8"', *body]
        return ["T.evaluate(T.assume(n < 8))", *body]

    def whiles(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        name = self.name("W")
        # each iteration writes the same elements
        step = f"{name}[0] = {name}[0] + 1"
        body = [f"while {name}[0] < 3:", *indented([*self.statements(loops, locals_, depth - 1), step])]
        return [f'with T.decl_buffer((1,), "int32") as {name}:', *indented([f"{name}[0] = 0", *body])]

    def wide(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        """Write a loop with int64 indices."""
        if len(loops) >= 4:
            return self.store(loops, locals_, depth)
        var, extent = self.name("w"), self.random.choice([1, 2, 4])
        place, stride = self.place(loops)
        self.sites += 1
        kind = self.random.choice(["serial", "unroll", "vectorized"])
        index = f'T.Cast("int64", {place}) + {var} * T.int64({stride})'
        value = f"A[({var} * T.int64(3) + T.int64(5)) % T.int64({INPUT})]"
        return [f"for {var} in T.{kind}(T.int64({extent})):", f"    B[{index}] = {value}"]

    def vector(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        place, stride = self.place(loops, 4)
        if stride > SITE:
            return self.store(loops, locals_, depth)
        self.sites += 1
        lane = self.random.choice([f"A[T.Ramp(({self.index(loops)}) % {INPUT // 4} * 2, 1, 4)]", "T.Broadcast(n, 4)"])
        return [f"B[T.Ramp({place}, 1, 4)] = {lane} + T.Ramp(n, 2, 4)"]

    def likely(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        condition = f"{self.index(loops)} < {self.index(loops)}"
        return [f"if T.likely({condition}):", *indented(self.statements(loops, locals_, depth - 1))]

    def pragma(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        key, value = self.random.choice(
            [("pragma_auto_unroll_max_step", 16), ("pragma_unroll_explicit", 0), ("pragma_loop_partition_hint", 1)]
        )
        return [f'with T.attr(0, "{key}", {value}):', *indented(self.statements(loops, locals_, depth - 1))]

    def double(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        """Write a loop that fills and reads a double buffer."""
        if len(loops) >= 4 or depth < 3:
            return self.store(loops, locals_, depth)
        name, var, inner = self.name("D"), self.name("i"), self.name("j")
        extent = self.random.choice([2, 3, 4])
        fill = [f"for {inner} in range(4):", f"    {name}[{inner}] = A[({var} * 4 + {inner}) % {INPUT}]"]
        body = [f'with T.attr({name}.data, "double_buffer_write", 1):', *indented(fill)]
        body += self.statements([*loops, (var, extent)], [*locals_, f"{name}[n % 4]"], 0)
        scope = [f'with T.attr({name}.data, "double_buffer_scope", 1):', *indented(body)]
        return [f"for {var} in range({extent}):", f'    {name} = T.decl_buffer((4,), "int32")', *indented(scope)]

    def floats(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        """Write arithmetic on narrow floats with integral values, which are never rounded."""
        place, _ = self.place(loops)
        self.sites += 1
        terms = [
            f"F[({self.index(loops)}) % {INPUT}]",
            f'T.Cast("{self.float}", n % 2)',
            f'T.Cast("{self.float}", T.float32(1))',
        ]
        one, other = self.random.choice(terms), self.random.choice(terms)
        form = self.random.choice(["{0} + {1}", "T.max({0}, {1})", "T.Select(n < 3, {0}, {1})", "{0} * {1}", "-{0}"])
        return [f"G[{place}] = {form.format(one, other)}"]

    def total(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        """Write a loop that accumulates into one element."""
        (start,) = self.store(loops, locals_, depth)
        element = start.partition(" = ")[0]
        var, kind = self.name("t"), self.random.choice(["serial", "unroll", "vectorized"])
        return [start, f"for {var} in T.{kind}(4):", f"    {element} = {element} + A[{var} * 3]"]

    def scope(self, loops: list[tuple[str, int]], locals_: list[str], depth: int) -> list[str]:
        """Write an allocation with a short lifetime, whose memory may be reused."""
        name, scope = self.name("S"), self.random.choice(["global", "local", "shared"])
        inner = self.name("j")
        body = [
            f"for {inner} in range(8):",
            f"    {name}[{inner}] = A[{inner} + {self.random.randrange(8)}] * {self.random.randrange(1, 4)}",
        ]
        body += self.statements(loops, [*locals_, f"{name}[n % 8]"], depth - 1)
        return [f'{name} = T.decl_buffer((8,), "int32", scope="{scope}")', *body]


def random_features(seed: Seed) -> str:
    """Write a function over `A`, `F` (inputs), `B`, `G` (outputs) and the scalar `n`, which is below 8."""
    writer = _Features(seed)
    body = writer.statements([], [], 4)
    output = max(writer.sites, 1) * SITE
    parts = [f'A: T.Buffer(({INPUT},), "int32")', f'B: T.Buffer(({output},), "int32")']
    parts += [f'F: T.Buffer(({INPUT},), "{writer.float}")', f'G: T.Buffer(({output},), "{writer.float}")', "n: T.int32"]
    head = ["@T.prim_func", f"def main({', '.join(parts)}):"]
    return "\n".join([*head, *indented(body)])
