"""Programs for checking passes: accesses out of bounds, assertions, assumptions, attributes."""

from __future__ import annotations

from tvmscript.fuzz.programs import Seed, choices, indented
from tvmscript.fuzz.programs.loops import function
from tvmscript.fuzz.programs.nests import Loops, Nests


def leaving(seed: Seed, *, is_stated: bool = False) -> str:
    """Write accesses, some of which are out of bounds in some iterations, mostly by one."""
    pick = choices(seed).choice
    sizes = {"A": pick((4, 5, 8)), "B": pick((4, 5, 8))}
    lines: list[str] = []
    lets: list[str] = []
    for _ in range(pick((1, 1, 2))):
        start, extent = pick((0, 0, 1, -1)), pick((3, 4, 5))
        head = f"for i in range({start}, {start + extent}):" if start else f"for i in range({extent}):"
        places = ("i", "i", "i + 1", "i - 1", "i * 2", "7 - i", "4 - i", "i // 2", "n", "n - 1", "n + i", "5", "0")
        load = f"A[{pick(places)}]"
        if pick(range(6)) == 0:
            body = [f"B[T.Ramp({pick(places)}, {pick((1, 1, 2, -1))}, 4)] = T.Broadcast({load}, 4)"]
        elif pick(range(6)) == 0:
            body = [f"B[{pick(places)}] = {load} + C[{pick(('i', '0', '1'))}, {pick(places)}]"]
        else:
            body = [f"B[{pick(places)}] = {load} + {pick(('n', 'A[i]', 'A[0]', '1'))}"]
        if pick(range(3)) == 0 and not is_stated:
            other = pick(places)
            value = (
                f"T.if_then_else({other} < {sizes['A']} and 0 <= {other}, A[{pick((other, other, 'i', 'n + 1'))}], n)"
            )
            if pick(range(3)) == 0:
                lets.append(f"x{len(lets)}")
                value = f"T.Let(A[{lets[-1]}] + 1, where={{{lets[-1]}: {other}}})"
            body = [pick((f"B[{pick(places)}] = {value}", f"B[{pick(places)}] = {value} * A[{pick(places)}]"))]
        if pick(range(4)) == 0 and not is_stated:
            body = [f"with T.LetStmt({pick((load, 'i + 1', 'n * 2'))}) as x:", "    B[x] = x"]
        if pick(range(4)) == 0:
            limit = pick(("n", "4", str(sizes["B"]), str(sizes["B"] - 1)))
            body = [f"if i < {limit}:", *indented(body)]
        lines += [head, *indented(body)]
    if is_stated:
        facts = [f'with T.attr({name}.data, "buffer_bound", T.tvm_tuple({size})):' for name, size in sizes.items()]
        facts.append('with T.attr(C.data, "buffer_bound", T.tvm_tuple(2, 4)):')
        if pick(range(2)) == 0:
            size, place = pick((3, 4, 6)), pick(("i", "i + 1", "7 - i", "n"))
            lines += ["for i in range(4):", f"    W[{place}] = A[0]", f"    B[0] = W[{place}] + C[0, i]"]
            stated = pick((size, size, 3))
            lines = [f'with T.attr(W.data, "buffer_bound", T.tvm_tuple({stated})):', *indented(lines)]
            lines = [f'with T.decl_buffer(({size},), "int32") as W:', *indented(lines)]
        for fact in facts:
            lines = [fact, *indented(lines)]
    params = [f'{name}: T.Buffer(({size},), "int32")' for name, size in sizes.items()]
    head = f'def main({", ".join(params)}, C: T.Buffer((2, 4), "int32"), n: T.int32):'
    return "\n".join(["@T.prim_func", head, *(f"    {name} = T.int32()" for name in lets), *indented(lines)])


def stated_bounds(seed: Seed) -> str:
    """Write such accesses with `buffer_bound` attributes."""
    return leaving(seed, is_stated=True)


class _Asserted(Nests):
    kinds: tuple[str, ...] = ("store", "loop", "if", "let", "check", "assume", "assume", "check")

    def check(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        condition = self.random.choice(("n < 8", "n >= 0", *(f"{var} < 30" for var, _ in loops)))
        body = self.statements(loops, locals_, depth - 1) if self.random.random() < 0.7 else []
        return [f'assert {condition}, "it is"', *body]

    def assume(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        condition = self.random.choice(("n < 8", "A[n] < 9", *(f"{var} < 30" for var, _ in loops)))
        lines = [f"T.evaluate(T.assume({condition}))"]
        form = self.random.randrange(4)
        if form == 0:
            lines = [f"if {self.condition(loops)}:", *indented(lines)]
            lines += ["else:", *indented(self.store(loops, locals_, 0))] if self.random.random() < 0.6 else []
        elif form == 1:
            lines = self.loop_of(loops, lambda _: lines.copy(), ("3", 3))
        return [*lines, *self.statements(loops, locals_, depth - 1)]


def asserted(seed: Seed) -> str:
    """Write assertions before statements, at least one."""
    writer = _Asserted(seed)
    return function(
        writer, writer.loop_of([], lambda loops: writer.check(loops, [], 3), ("4", 4)) + writer.check([], [], 2)
    )


def assumed(seed: Seed) -> str:
    """Write assumptions among statements, alone in loops and branches; at least one."""
    writer = _Asserted(seed)
    return function(writer, writer.assume([], [], 3))


class _Marked(Nests):
    kinds: tuple[str, ...] = (
        "store", "loop", "if", "if", "let", "marked", "marked", "marked", "marked", "local", "other",
    )  # fmt: skip

    def other(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        return ['with T.attr(n, "note", 1):', *indented(self.statements(loops, locals_, depth - 1))]

    def marked(self, loops: Loops, locals_: list[str], depth: int) -> list[str]:
        """Write statements under an attribute, often several in a row."""
        lines: list[str] = []
        inner = [var for var, _ in loops[-1:]]
        about, value = (
            self.random.choice(("n", "A.data")),
            self.random.choice(("1", "2", "n", "n", *locals_[-1:], *inner)),
        )
        for _ in range(self.random.choice((1, 1, 2, 3))):
            if self.random.random() < 0.25:
                about = self.random.choice(("n", "A.data"))
            body = self.statements(loops, locals_, depth - 1)
            lines += [f'with T.attr({about}, "pragma_mark", {value}):', *indented(body)]
        return lines


def marked(seed: Seed) -> str:
    """Write statements under attributes in sequences, loops and branches."""
    writer = _Marked(seed)
    return function(writer, writer.loop_of([], lambda loops: writer.marked(loops, [], 3), ("4", 4)))


def host_accesses(seed: Seed, *, is_outside: bool = True) -> str:
    """Write a kernel launch and host accesses to its buffers before or after it."""
    pick = choices(seed).choice
    kernel = ['with T.launch_thread("threadIdx.x", 4) as tx:', "    B[tx] = A[tx]"]
    if pick((True, False)):
        kernel = ['with T.launch_thread("blockIdx.x", 2) as bx:', "    B[bx] = A[bx + 1] + n"]
    lines = kernel
    if is_outside:
        other = pick((["B[4] = 1"], ["for i in range(n):", "    B[i] = n"], ["if A[0] < 1:", *indented(kernel)]))
        lines = pick(([*kernel, *other], [*other, *kernel]))
    elif pick((True, False)):
        lines = [
            *kernel,
            *(
                line.replace("bx", "by").replace("tx", "ty").replace("Idx.by", "Idx.x").replace("Idx.ty", "Idx.x")
                for line in kernel
            ),
        ]
    head = 'def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):'
    return "\n".join(["@T.prim_func", head, *indented(lines)])


def device_accesses(seed: Seed) -> str:
    """Write kernel launches without host accesses."""
    return host_accesses(seed, is_outside=False)
