"""Loop nests with any bounds for loop passes: partitioning, unrolling, virtual threads, hoisting.

Minima are negative or symbolic; extents are 0, 1, symbolic, or depend on outer loops; some variables are int64.
Iterations may run in any order, as in `loops`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.fuzz.programs import Seed, indented
from tvmscript.fuzz.programs.loops import INPUT, Writer, function

Loops = list[tuple[str, int]]

_OPERATORS: Final = ("<", "<", "<", "<=", ">", ">=", "==", "!=")


class Nests(Writer):
    """A kind of statement is a method, as in `Writer`."""

    site = 2048
    kinds: tuple[str, ...] = ("store", "store", "loop", "loop", "if", "let", "local")
    #: kinds of loops with constant extents
    loop_kinds: tuple[str, ...] = ("serial",)

    def __init__(self, seed: Seed) -> None:
        super().__init__(seed)
        #: whether the next loop has a partition hint
        self.is_hinted = False
        #: normalized loop variable -> extent
        self.ends: dict[str, str] = {}

    def room(self, loops: Loops) -> int:
        """The largest extent of another loop."""
        left = self.site
        for _, most in loops:
            left //= most
        return left

    def extent(self, loops: Loops) -> tuple[str, int]:
        """Draw an extent and its upper bound."""
        pick = self.random.choice
        choices = [(str(each), max(each, 1)) for each in (2, 3, 4, 5, 8, 1, 0)]
        choices += [("n", 8), ("(n + 1)", 8), ("(9 - n)", 9), ("n * 2", 14), ("T.min(n, 5)", 5), ("(n + 3) // 4", 2)]
        for var, most in loops:
            choices += [(f"({var} + 1)", most), (f"({most + 1} - {var})", most + 1)]
        return pick(choices)

    def loop(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        return self.loop_of(loops, lambda inner: self.statements(inner, locals_, depth - 1))

    def loop_of(
        self, loops: Loops, body: Callable[[Loops], list[str]], extent: tuple[str, int] | None = None, kind: str = ""
    ) -> list[str]:
        """Write a loop around the lines that `body` writes for it."""
        end, most = extent or self.extent(loops)
        if most > self.room(loops) or len(loops) > 3:
            return self.store(loops, [], 0)
        var, pick = self.name("i"), self.random.choice
        is_known = end.isdigit()
        kind = kind or (pick(self.loop_kinds) if is_known else "serial")
        # no pass may drop this annotation
        kept = ', annotations={"kept": 1}' if pick(range(6)) == 0 and not self.is_hinted else ""
        if is_known and pick(range(8)) == 0:
            lines = body([*loops, (f'T.Cast("int32", {var})', most)])
            return [f"for {var} in T.{kind}(T.int64({end}){kept}):", *indented(lines)]
        start = pick(("0", "0", "0", "2", "-3", "1")) if is_known else pick(("0", "0", "n", "2", "n - 5", "-n"))
        self.ends[var if start == "0" else f"({var} - ({start}))"] = end
        if start == "0":
            return [f"for {var} in T.{kind}({end}{kept}):", *indented(body([*loops, (var, most)]))]
        lines = body([*loops, (f"({var} - ({start}))", most)])
        last = str(int(start) + int(end)) if is_known else f"{start} + {end}"
        return [f"for {var} in T.{kind}({start}, {last}{kept}):", *indented(lines)]

    def condition(self, loops: Loops, is_known: bool = False) -> str:
        """Draw a condition on the loops, mostly the innermost one; `is_known` allows only constants."""
        pick = self.random.choice
        end = self.ends.get(loops[-1][0]) if loops else None
        if end is not None and (end.isdigit() or not is_known) and pick(range(4)) == 0:
            # at the first or last iteration, or next to it
            return f"{loops[-1][0]} {pick(('<', '<=', '>', '>=', '=='))} {pick((end, end, f'{end} - 1', '0'))}"
        terms = [f"{var} * {pick((1, 1, 2, 3, 4, -1))}" for var, _ in loops[:-1] if self.random.random() < 0.5]
        if loops:
            scale = pick(("{0}", "{0}", "{0} * 2", "{0} * 4", "5 - {0}", "{0} // 2", "{0} % 3"))
            terms.append(scale.format(loops[-1][0]))
        terms.append(str(self.random.randrange(-2, 4)))
        number = str(self.random.randrange(-1, 9))
        limit = number if is_known else pick((number, "n", "n * 2", "n + 4", "n - 1"))
        return f"{' + '.join(terms)} {pick(_OPERATORS)} {limit}"

    def outer_condition(self, loops: Loops) -> str:
        """Draw a condition invariant in the innermost loops."""
        return self.condition(loops[: self.random.randrange(len(loops) + 1)])


setattr(Nests, "if", Writer.if_)


class _Likely(Nests):
    #: remaining likely conditions: many with symbolic bounds in one loop make proofs slow
    left = 2
    kinds: tuple[str, ...] = ("store", "loop", "likely", "likely", "likely", "if", "let", "hinted")

    def likely(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        if not self.left:
            return self.statement(loops, locals_, depth - 1)
        self.left -= 1
        condition = f"T.likely({self.condition(loops, not self.left)})"
        if self.random.random() < 0.2:
            condition = f"{condition} and T.likely({self.condition(loops, is_known=True)})"
        if self.random.random() < 0.25:
            choice = self.random.choice(("T.if_then_else({}, {}, {})", "T.Select({}, {}, {})"))
            value = choice.format(condition, self.value(loops, locals_, 1), self.value(loops, locals_, 1))
            return [f"{self.element(loops)} = {value}"]
        lines = [f"if {condition}:", *indented(self.statements(loops, locals_, depth - 1))]
        if self.random.random() < 0.4:
            lines += ["else:", *indented(self.statements(loops, locals_, depth - 1))]
        return lines

    def hinted(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write a loop with a partition hint."""

        def body(inner: Loops) -> list[str]:
            lines = [f"if {self.condition(inner, is_known=True)}:", *indented(self.store(inner, locals_, 0))]
            if self.random.random() < 0.4:
                lines += ["else:", *indented(self.store(inner, locals_, 0))]
            return [*lines, *(self.store(inner, locals_, 0) if self.random.random() < 0.5 else [])]

        self.is_hinted = True
        loop_lines = self.loop_of(loops, body)
        self.is_hinted = False
        return ['with T.attr(0, "pragma_loop_partition_hint", 1):', *indented(loop_lines)]


def likely_loops(seed: Seed) -> str:
    """Write loops and threads with likely conditions or partition hints, at least one."""
    writer = _Likely(seed)
    pick = writer.random.choice

    def body(loops: Loops) -> list[str]:
        return [*writer.likely(loops, [], 2), *(writer.statements(loops, [], 2) if pick((True, False)) else [])]

    def first(loops: Loops) -> list[str]:
        if pick(range(4)) == 0:
            return writer.hinted(loops, [], 2)
        extents = (("n", 8), ("n * 4", 28), ("(n + 2)", 10), ("8", 8), ("(10 - n)", 10))
        return writer.loop_of(loops, body, pick(extents))

    if pick(range(4)):
        return function(writer, first([]))
    extent, most = pick((("n + 1", 8), ("n * 2 + 1", 16), ("6", 6)))
    lines = [f'with T.launch_thread("blockIdx.x", {extent}) as bx:']
    threads = [("bx", most)]
    if pick((True, False)):
        lines += [f'with T.launch_thread("threadIdx.x", {pick((1, 4))}) as tx:']
        threads.append(("tx", 4))
        return function(writer, [lines[0], "    " + lines[1], *indented(indented(body(threads)))])
    return function(writer, [*lines, *indented(pick((body, first))(threads))])


class _Unrolled(Nests):
    kinds: tuple[str, ...] = ("store", "loop", "loop", "if", "let", "local", "pragma", "rows")
    loop_kinds = ("unroll", "unroll", "serial")

    def pragma(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        key, value = self.random.choice(
            (("auto_unroll_max_step", 4), ("auto_unroll_max_step", 16), ("unroll_explicit", 0), ("unroll_explicit", 1))
        )
        return [f'with T.attr(0, "pragma_{key}", {value}):', *indented(self.loop(loops, locals_, depth))]

    def rows(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write a thread-local allocation that one loop fills and another one reads."""
        name, scope = self.name("R"), self.random.choice(("local", "local", "warp", "global"))
        size, (one, other) = self.random.choice((2, 3, 4)), (self.name("i"), self.name("i"))
        body = [f"for {one} in range({size}):", f"    {name}[{one}] = {self.value([*loops, (one, size)], locals_, 1)}"]
        body += [f"for {other} in range({size}):"]
        body += [f"    {self.element([*loops, (other, size)])} = {name}[{size - 1} - {other}] * 2"]
        if size > self.room(loops):
            return self.store(loops, locals_, 0)
        return [f'with T.decl_buffer(({size},), "int32", scope="{scope}") as {name}:', *indented(body)]


def unrolled_loops(seed: Seed) -> str:
    """Write unrolled loops in nests, with definitions and pragmas."""
    writer = _Unrolled(seed)
    extent = writer.random.choice((2, 3, 3, 1, 4))

    def body(loops: Loops) -> list[str]:
        return writer.statements(loops, [], 2)

    return function(writer, writer.loop_of([], body, (str(extent), extent), "unroll"))


class _Parallel(Nests):
    loop_kinds = ("parallel", "parallel", "serial", "unroll")


def parallel_loops(seed: Seed) -> str:
    """Write parallel loops, at least one."""
    writer = _Parallel(seed)
    return function(writer, writer.loop_of([], lambda loops: writer.statements(loops, [], 3), ("4", 4), "parallel"))


class _Hoisted(Nests):
    kinds: tuple[str, ...] = (
        "store", "loop", "outside", "outside", "let", "lets", "lets", "both", "inside", "fact", "guarded",
    )  # fmt: skip

    def guarded(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write a variable whose value fails without the condition around it."""
        name = self.name("x")
        var = self.random.choice(("n", *(var for var, _ in loops)))
        condition, value = self.random.choice(
            ((f"({var}) != 0", f"100 // ({var})"), (f"({var}) == 0", f"A[({var}) * {INPUT}]"))
        )
        body = self.one(loops, [*locals_, name], depth)
        if self.random.random() < 0.5 and self.room(loops) > 1:
            body = self.loop_of(loops, lambda inner: self.one(inner, [*locals_, name], depth))
        return [f"if {condition}:", f"    with T.LetStmt({value}) as {name}:", *indented(indented(body))]

    def inside(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write a let expression invariant in some of the loops."""
        name = self.name("x")
        around = loops[: self.random.randrange(len(loops) + 1)]
        value = self.random.choice((self.index(around), self.value(around, [], 1)))
        body = f"T.if_then_else({name} < 2, {self.value(loops, locals_, 1)}, {name} + {self.value(loops, locals_, 1)})"
        self.defined.append(name)
        return [f"{self.element(loops)} = T.Let({body}, where={{{name}: {value}}})"]

    def fact(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        key = self.random.choice(("pragma_unroll_explicit", "note"))
        return [
            f'with T.attr({self.random.choice(("0", "A.data"))}, "{key}", 1):',
            *indented(self.one(loops, locals_, depth)),
        ]

    def outside(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write a condition invariant in some of the loops."""
        condition = self.outer_condition(loops)
        if self.random.random() < 0.3:
            value = f"T.if_then_else({condition}, {self.value(loops, locals_, 1)}, {self.value(loops, locals_, 1)})"
            return [f"{self.element(loops)} = {value}"]
        lines = [f"if {condition}:", *indented(self.one(loops, locals_, depth))]
        if self.random.random() < 0.5:
            lines += ["else:", *indented(self.one(loops, locals_, depth))]
        return lines

    def both(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        word = self.random.choice(("and", "or"))
        condition = f"{self.outer_condition(loops)} {word} {self.condition(loops)}"
        return [f"if {condition}:", *indented(self.one(loops, locals_, depth))]

    def lets(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write a variable invariant in some of the loops, and a condition on it."""
        name = self.name("x")
        around = loops[: self.random.randrange(len(loops) + 1)]
        value = self.random.choice((self.index(around), self.index(around), self.value(around, [], 1)))
        body = self.one(loops, [*locals_, name], depth)
        if self.random.random() < 0.6:
            body = [f"if {name} < {self.random.randrange(6)}:", *indented(body)]
        return [f"with T.LetStmt({value}) as {name}:", *indented(body)]

    def one(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write one statement; conditions in sequences are not hoisted."""
        if self.random.random() < 0.15:
            return self.statements(loops, locals_, depth - 1)
        return self.statement(loops, locals_, depth - 1)


def invariant_conditions(seed: Seed) -> str:
    """Write loops around invariant conditions and variables; sometimes in threads."""
    writer = _Hoisted(seed)
    pick = writer.random.choice

    def inner(loops: Loops) -> list[str]:
        return pick((writer.outside, writer.outside, writer.lets, writer.both))(loops, [], 3)

    def outer(loops: Loops) -> list[str]:
        return writer.loop_of(loops, inner) if pick((True, False)) else inner(loops)

    extents = (("4", 4), ("n", 8), ("3", 3), ("(n + 1)", 8), ("1", 1))
    if pick(range(4)):
        return function(writer, writer.loop_of([], outer, pick(extents)))
    thread = pick(("threadIdx.x", "blockIdx.x"))
    lines = writer.loop_of([("tx", 4)], outer, pick(extents))
    return function(writer, [f'with T.launch_thread("{thread}", 4) as tx:', *indented(lines)])


class _Virtual(Nests):
    kinds: tuple[str, ...] = (
        "fact", "store", "store", "loop", "if", "let", "memory", "memory", "whiles", "check", "vector",
    )  # fmt: skip

    def memory(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write an allocation, possibly per thread, read at other places than it is written."""
        name, size = self.name("M"), self.random.choice((1, 2, 4))
        inner, other = self.name("j"), self.name("j")
        place = self.random.choice((inner, inner, *(f"({inner} + {var}) % {size}" for var, _ in loops[:2])))
        value = self.random.choice((self.value([*loops, (inner, size)], locals_, 1), f"{inner} * 3 + n"))
        fill = [f"for {inner} in range({size}):", f"    {name}[{place}] = {value}"]
        read = [f"{name}[{self.random.randrange(size)}]", f"{name}[n % {size}]"]
        body = [*fill, *self.statements(loops, [*locals_, *read], depth - 1)]
        if self.random.random() < 0.3 and size <= self.room(loops):
            body += [f"for {other} in range({size}):"]
            body += [f"    {self.element([*loops, (other, size)])} = {name}[{other}] + {self.value(loops, [], 0)}"]
        return [f'with T.decl_buffer(({size},), "int32") as {name}:', *indented(body)]

    def whiles(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        name = self.name("W")
        end = self.random.choice(("3", "n", *(var for var, _ in loops[:1])))
        body = [*self.store(loops, locals_, 0), f"{name}[0] = {name}[0] + 1"]
        lines = [f"{name}[0] = 0", f"while {name}[0] < {end}:", *indented(body)]
        return [f'with T.decl_buffer((1,), "int32") as {name}:', *indented(lines)]

    def check(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        condition = self.random.choice(("n < 8", *(f"{var} < 50" for var, _ in loops)))
        return [f'assert {condition}, "it is"', *self.statements(loops, locals_, depth - 1)]

    def fact(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        value = self.random.choice(("1", "n", *(var for var, _ in loops)))
        body = self.statements(loops, locals_, depth - 1)
        return [f'with T.attr(0, "{self.random.choice(("note", "coproc_scope"))}", {value}):', *indented(body)]

    def vector(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write an allocation with vector accesses."""
        if self.room(loops) < 4:
            return self.store(loops, locals_, 0)
        name = self.name("V")
        element = self.element([("0", 4), *loops]).removeprefix("B[").removesuffix("]")
        body = [f"{name}[T.Ramp(0, 1, 4)] = A[T.Ramp(({self.index(loops)}) % {INPUT - 4}, 1, 4)]"]
        body += [f"B[T.Ramp({element}, 1, 4)] = {name}[T.Ramp(3, -1, 4)]"]
        return [f'with T.decl_buffer((4,), "int32") as {name}:', *indented(body)]


def virtual_threads(seed: Seed) -> str:
    """Write one, two nested, or many virtual threads around dependent and independent statements."""
    writer = _Virtual(seed)
    pick = writer.random.choice
    count = pick((2, 2, 3, 4, 1, 17))
    threads = [("v", count)]
    head: list[str] = []
    lines = [f'with T.launch_thread("{pick(("vthread", "vthread.x"))}", {count}) as v:']
    if pick(range(4)) == 0:
        axis = f'T.iter_var(v, (0, {count}), "ThreadIndex", "cthread")'
        head, lines = ['v = T.env_thread("cthread")'], [f'with T.attr({axis}, "virtual_thread", {count}):']
    if count < 17 and pick(range(4)) == 0:
        lines.append('    with T.launch_thread("vthread.y", 2) as u:')
        threads.append(("u", 2))
    # the last store depends on the threads
    body = [*writer.statements(threads, [], 3), *writer.store(threads, [], 0)]
    if pick(range(4)) == 0:
        outer = writer.name("i")
        body = [f"for {outer} in range(2):", *indented(body)]
    if len(lines) > 1:
        body = indented(body)
    return function(writer, [*head, *lines, *indented(body)])


def double_buffers(seed: Seed) -> str:
    """Write loops with any minimum that fill and read a double buffer."""
    writer = Nests(seed)
    pick = writer.random.choice
    size = pick((1, 4, 4, 3))

    def fill(name: str, loops: Loops) -> list[str]:
        inner = writer.name("j")
        if size == 4 and pick(range(3)) == 0:
            lines = [f"{name}[T.Ramp(0, 1, 4)] = A[T.Ramp(({writer.index(loops)}) % {INPUT - 4}, 1, 4)]"]
        else:
            lines = [f"for {inner} in range({size}):"]
            lines += [f"    {name}[{inner}] = {writer.value([*loops, (inner, size)], [], 1)}"]
        if pick(range(4)) == 0:
            lines += [f"{name}[0] = {name}[0] + {size}"]
        return [f'with T.attr({name}.data, "double_buffer_scope", 1):', *indented(lines)]

    def use(names: list[str], loops: Loops) -> list[str]:
        reads = [f"{name}[{pick((0, size - 1))}]" for name in names] + [f"{names[0]}[n % {size}]"]
        if size == 4 and pick(range(3)) == 0:
            place = writer.element([("0", 4), *loops]).removeprefix("B[").removesuffix("]")
            return [f"B[T.Ramp({place}, 1, 4)] = {names[0]}[T.Ramp(3, -1, 4)]"]
        return [*writer.store(loops, reads, 0), f"{writer.element(loops)} = {' + '.join(reads)}"]

    names = [writer.name("D") for _ in range(pick((1, 1, 2)))]
    declared = [f'{name} = T.decl_buffer(({size},), "int32")' for name in names]
    is_outside = pick(range(4)) == 0

    def body(loops: Loops) -> list[str]:
        lines = [line for name in names for line in fill(name, loops)]
        if pick(range(4)) == 0:
            lines += writer.loop_of(loops, lambda inner: use(names, inner), ("2", 2))
        else:
            lines += use(names, loops)
        if pick(range(3)) == 0:
            lines = [*writer.store(loops, [], 0), *lines]
        if pick(range(4)) == 0:
            lines += writer.local(loops, [], 0)
        return lines if is_outside else [*declared, *lines]

    extents = (("3", 3), ("4", 4), ("6", 6), ("2", 2), ("1", 1), ("(n + 1)", 8), ("5", 5))
    loop_lines = writer.loop_of([], body, pick(extents))
    if is_outside:
        loop_lines = [*declared, *loop_lines]
    if pick(range(4)) == 0:
        return function(writer, ["for o in range(2):", *indented(loop_lines)])
    return function(writer, loop_lines)
