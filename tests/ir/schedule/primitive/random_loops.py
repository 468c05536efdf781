"""Random scripts of primitives about loops and reductions, legal and illegal ones, on programs of several kinds."""

from __future__ import annotations

import random
from typing import Any

import tvmscript
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.schedule.tree import blocks_below, loops_above

PROGRAMS = (
    """
@T.prim_func
def main(A: T.Buffer((12, 20), "float32"), B: T.Buffer((12, 20), "float32"), C: T.Buffer((12, 20), "float32")):
    for i, j in T.grid(12, 20):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(12, 20):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + T.float32(1)
    for i, j in T.grid(12, 20):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = C[vi, vj] + B[vi, vj]
""",
    """
@T.prim_func
def main(A: T.Buffer((8, 12), "float32"), B: T.Buffer((12, 9), "float32"), C: T.Buffer((8, 9), "float32")):
    for i, j, k in T.grid(8, 9, 12):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
""",
    """
@T.prim_func
def main(A: T.Buffer((6, 5, 4, 3), "int32"), M: T.Buffer((6,), "int32"), N: T.Buffer((6,), "int32")):
    for i, j, k, l in T.grid(6, 5, 4, 3):
        with T.block("M"):
            vi, vj, vk, vl = T.axis.remap("SRRR", [i, j, k, l])
            with T.init():
                M[vi] = T.min_value("int32")
            M[vi] = T.max(M[vi], A[vi, vj, vk, vl])
    for i in range(6):
        with T.block("N"):
            vi = T.axis.spatial(6, i)
            N[vi] = M[vi] + 1
""",
    """
@T.prim_func
def main(a: T.handle, b: T.handle, c: T.handle):
    n, m = T.int32(), T.int32()
    A = T.match_buffer(a, (n, m))
    B = T.match_buffer(b, (n, m))
    C = T.match_buffer(c, (n,))
    for i, j in T.grid(n, m):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(n, m):
        with T.block("C"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                C[vi] = T.float32(0)
            C[vi] = C[vi] + B[vi, vj]
""",
    """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(4, 4):
        with T.block("outer"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4])
            T.writes(B[vi * 4:vi * 4 + 4, vj * 4:vj * 4 + 4])
            for x, y in T.grid(4, 4):
                with T.block("inner"):
                    vx, vy = T.axis.remap("SS", [x, y])
                    B[vi * 4 + vx, vj * 4 + vy] = A[vi * 4 + vx, vj * 4 + vy] + T.float32(1)
    for i in range(16):
        for j in range(i + 1):
            with T.block("T"):
                vi = T.axis.spatial(16, i)
                vj = T.axis.spatial(16, j)
                A[vi, vj] = T.float32(0)
""",
    """
@T.prim_func
def main(A: T.Buffer((24, 16), "float32"), B: T.Buffer((24, 16), "float32"), C: T.Buffer((24, 16), "float32")):
    for i, j in T.grid(6, 4):
        with T.block("O"):
            T.reads(A[i * 4:i * 4 + 4, j * 4:j * 4 + 4])
            T.writes(B[i * 4:i * 4 + 4, j * 4:j * 4 + 4])
            L = T.alloc_buffer((4, 4))
            for x, y in T.grid(4, 4):
                with T.block("L"):
                    vi = T.axis.spatial(24, i * 4 + x)
                    vj = T.axis.spatial(16, j * 4 + y)
                    T.reads(A[vi, vj])
                    T.writes(L[vi % 4, vj % 4])
                    L[vi % 4, vj % 4] = A[vi, vj]
            for x, y in T.grid(4, 4):
                with T.block("B"):
                    vi = T.axis.spatial(24, i * 4 + x)
                    vj = T.axis.spatial(16, j * 4 + y)
                    T.reads(L[vi % 4, vj % 4])
                    T.writes(B[vi, vj])
                    B[vi, vj] = L[vi % 4, vj % 4] + T.float32(1)
    for i, j in T.grid(24, 16):
        if i < 20:
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj]
""",
    """
@T.prim_func
def main(
    A: T.Buffer((2, 10, 10, 4), "float32"), W: T.Buffer((3, 3, 4, 5), "float32"), C: T.Buffer((2, 8, 8, 5), "float32")
):
    P = T.alloc_buffer((2, 10, 10, 4))
    for n, h, w, c in T.grid(2, 10, 10, 4):
        with T.block("P"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            P[vn, vh, vw, vc] = A[vn, vh, vw, vc] * T.float32(2)
    for n, h, w, f, r, s, c in T.grid(2, 8, 8, 5, 3, 3, 4):
        with T.block("C"):
            vn, vh, vw, vf, vr, vs, vc = T.axis.remap("SSSSRRR", [n, h, w, f, r, s, c])
            with T.init():
                C[vn, vh, vw, vf] = T.float32(0)
            C[vn, vh, vw, vf] = C[vn, vh, vw, vf] + P[vn, vh + vr, vw + vs, vc] * W[vr, vs, vc, vf]
""",
    """
@T.prim_func
def main(A: T.Buffer((10, 7), "int64"), B: T.Buffer((10, 7), "int64"), C: T.Buffer((10,), "int64")):
    for i in T.serial(T.int64(10)):
        for j in T.serial(T.int64(7)):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.where(i * T.int64(7) + j < T.int64(65))
                B[vi, vj] = A[vi, vj] * T.int64(2)
        with T.block("C"):
            vi = T.axis.spatial(T.int64(10), i)
            C[vi] = A[vi, T.int64(0)]
""",
)


class Script:
    """A script that grows by steps which are done on the way; it ends where one is refused."""

    def __init__(self, program: str, seed: int) -> None:
        self.program = program
        self.rng = random.Random(seed)
        self.sch = Schedule(tvmscript.from_source(program), debug_mask="all")
        self.lines: list[str] = []
        self.is_refused = False

    @property
    def text(self) -> str:
        return "def schedule(sch):\n" + "".join(f"    {line}\n" for line in self.lines)

    def grow(self, steps: int) -> Script:
        """Do so many steps."""
        for _ in range(steps):
            if self.is_refused:
                break
            self.do(self.step())
        return self

    def do(self, line: str) -> None:
        self.lines.append(line)
        try:
            exec(line, {"sch": self.sch, "T": None})
        except TVMScriptError:
            self.is_refused = True

    def block(self) -> tuple[str, list[Any]]:
        """The name of a block, and the loops around it."""
        names = sorted(name for name, refs in self.sch.tree("main").named.items() if len(refs) == 1 and name != "root")
        name = self.rng.choice(names)
        return name, loops_above(self.sch.named_block(name, "main"))

    def step(self) -> str:
        name, loops = self.block()
        rng = self.rng
        here = f"sch.get_loops({name!r})"
        if not loops:
            return f"sch.add_unit_loop({name!r} and sch.get_block({name!r}))"
        place = rng.randrange(len(loops))
        kind = rng.choice(STEPS)
        if kind == "split":
            unit = rng.choice(("", "", ", preserve_unit_iters=False", ", disable_predication=True"))
            return f"sch.split({here}[{place}], {self.factors(loops[place])}{unit})"
        if kind == "fuse":
            count = rng.choice((1, 2, 2, 2, 3))
            chosen = [*range(place, min(place + count, len(loops)))]
            if rng.random() < 0.05:
                rng.shuffle(chosen)
            return f"sch.fuse(*[{here}[n] for n in {chosen}]{rng.choice(('', '', ', preserve_unit_iters=False'))})"
        if kind == "reorder":
            chosen = rng.sample(range(len(loops)), rng.randint(1, len(loops)))
            if rng.random() < 0.05:
                chosen.append(chosen[0])
            return f"sch.reorder(*[{here}[n] for n in {chosen}])"
        if kind == "bind":
            axis = rng.choice(("threadIdx.x", "blockIdx.x", "vthread.y"))
            return f"sch.bind({here}[{place}], {axis!r})"
        if kind in ("parallel", "vectorize", "unroll"):
            return f"sch.{kind}({here}[{place}])"
        if kind == "annotate":
            where = rng.choice((f"{here}[{place}]", f"sch.get_block({name!r})"))
            return f"sch.annotate({where}, 'note', {rng.choice((1, 2.5, 'text', [1, 2]))!r})"
        if kind == "add_unit_loop":
            return f"sch.add_unit_loop({rng.choice((f'{here}[{place}]', f'sch.get_block({name!r})'))})"
        if kind == "decompose_reduction":
            return f"sch.decompose_reduction({name!r}, {here}[{place}])"
        if kind == "rfactor":
            return f"sch.rfactor({here}[{place}], {rng.randint(-3, 3)})"
        if kind == "reorder_block_iter_var":
            count = len(self.sch.named_block(name, "main").block.iter_vars)
            order = [*range(count)]
            rng.shuffle(order)
            return f"sch.reorder_block_iter_var(sch.get_block({name!r}), {order})"
        other, others = self.block()
        if kind == "merge" and others:
            second = rng.randrange(len(others))
            if others[second] is not loops[place]:  # which ends TVM
                return f"sch.merge({here}[{place}], sch.get_loops({other!r})[{second}])"
        if kind == "loop_partition" and len(blocks_below(loops[place])) == 1:
            return f"sch.loop_partition({here}[{place}], {self.factors(loops[place], sums=True)})"
        return f"sch.unroll({here}[{place}])"

    def factors(self, loop: Any, sums: bool = False) -> list[int | None]:
        """Factors that mostly fit."""
        rng = self.rng
        extent = getattr(loop.loop.extent, "value", 24)
        if sums:
            return rng.choice(([extent // 3], [None, 1], [1, extent // 2], [extent], [1, None, 2]))
        divisors = [n for n in range(1, extent + 1) if extent % n == 0]
        if rng.random() < 0.6:
            factor = rng.choice(divisors)
            return rng.choice(([None, factor], [factor, None], [extent // factor, factor], [None, factor, 1]))
        return [rng.choice((None, None, 2, 3, 5, 0)), *(rng.choice((1, 2, 3, 4, 7)) for _ in range(rng.randint(0, 2)))]


STEPS = (
    "split", "split", "split", "split", "fuse", "fuse", "fuse", "reorder", "reorder", "reorder", "bind", "parallel",
    "vectorize", "unroll", "annotate", "add_unit_loop", "decompose_reduction", "rfactor", "reorder_block_iter_var",
    "merge", "loop_partition",
)  # fmt: skip


def random_script(seed: int) -> Script:
    """A script for a seed: program, number of steps and steps are drawn from it."""
    rng = random.Random(seed)
    return Script(PROGRAMS[seed % len(PROGRAMS)], seed).grow(rng.randint(1, 8))
