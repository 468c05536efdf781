"""Software pipelines: dependent statements with random stages and orders.

Most pipelines respect all dependences. The others must be refused by the pass.
"""

from __future__ import annotations

from tvmscript.fuzz.programs import RandomWriter, Seed

ROWS = 4
#: the accumulator over the iterations
_TOTAL = "D[tx, 0]"


class _Writer(RandomWriter):
    def __init__(self, seed: Seed, is_short: bool) -> None:
        super().__init__(seed)
        self.is_short = is_short
        self.buffers = 0

    def pipeline(self, loops: list[str], source: str, target: str, indent: str) -> list[str]:
        """Write a pipelined loop that fills rows of `target` from `source`."""
        pick = self.random.choice
        var = "ijk"[len(loops)]
        first, extent = (
            pick([0, 0, 0, 2]),
            pick(["1", "1", "2", "3", "n", "n"] if self.is_short else ["2", "6", "7", "8", "8", "8"]),
        )
        end = f"{first} + {extent}" if extent == "n" else str(first + int(extent))
        place = " * 8 + ".join([*loops, var]) if len(loops) < 2 else f"({loops[0]} * 8 + {loops[1]}) * 8 + {var}"
        count = pick([2, 2, 3, 3, 4])
        buffers: list[str] = []
        bodies: list[list[str]] = []
        #: for each pipelined statement: the statements that it reads from; the writer of each buffer
        reads: list[list[int]] = []
        filled_by: list[int] = []
        inside = indent + " " * 8
        #: the statements from here on are in a nested block, and count one by one
        split = self.random.randrange(1, count - 1) if self.chance(0.2) and count > 2 else count
        #: before this statement an accumulation over iterations is inserted, as in matrix products
        adds_before = self.random.randrange(1, count) if split == count and self.chance(0.6) else count
        for number in range(count):
            if number == adds_before:
                read = self.random.randrange(number)
                value = f"{_TOTAL} + {buffers[read]}[tx, 0]"
                reads.append([filled_by[read]])
                bodies.append(self.statement(_TOTAL, value, inside, True, None))
            used = sorted(self.random.sample(range(number), min(number, pick([1, 1, 2]))))
            terms = [f"{buffers[each]}[tx, 0]" for each in used] or [f"{source}[tx, {place}]"]
            if self.chance(0.2):
                terms.append(f"{source}[tx, {place}]")
            value = " + ".join(terms) + f" * T.float32({number + 2})"
            is_last = number == count - 1
            if is_last:
                stored = f"{target}[tx, {place}]"
            else:
                self.buffers += 1
                buffers.append(f"B{self.buffers}")
                stored = f"{buffers[-1]}[tx, 0]"
            reads.append([filled_by[each] for each in used])
            bodies.append(self.statement(stored, value, inside, is_last, None if number >= split else reads))
            filled_by.append(len(reads) - 1)
        stages, orders = self.schedule(reads)
        notes = {"software_pipeline_stage": stages, "software_pipeline_order": orders}
        copying = _copying(reads, stages)
        if copying and self.chance(0.6):
            notes["software_pipeline_async_stages"] = sorted({pick(copying) for _ in range(pick([1, 1, 1, 2]))})
        text = ", ".join(f'"{key}": {value}' for key, value in notes.items())
        if self.chance(0.2):
            text += ', "kept": 1'
        kind = pick(["serial", "serial", "unroll"])
        lines = [
            f"{indent}for {var} in T.{kind}({first}, {end}, annotations={{{text}}}):",
            f"{indent}    with T.block():",
            f"{indent}        T.reads({source}[tx, {place}], {_TOTAL})",
            f"{indent}        T.writes({target}[tx, {place}], {_TOTAL})",
        ]
        lines += [f'{inside}{name} = T.alloc_buffer(({ROWS}, 1), scope="shared")' for name in buffers]
        for number, body in enumerate(bodies):
            if number == split < count:
                lines += [
                    f"{inside}with T.block():",
                    f"{inside}    T.reads({source}[0:{ROWS}, 0:96])",
                    f"{inside}    T.writes({target}[0:{ROWS}, 0:96])",
                ]
            lines += ["    " + line for line in body] if number >= split and split < count else body
        return lines

    def schedule(self, reads: list[list[int]]) -> tuple[list[int], list[int]]:
        """Stages and orders."""
        pick = self.random.choice
        count = len(reads)
        stages: list[int] = []
        for used in reads:
            least = max([stages[each] for each in used], default=0)
            stages.append(least + pick([0, 0, 1, 1, 2, 3]))
        orders = list(range(count))
        if self.chance(0.6):
            self.random.shuffle(orders)
            if not self.chance(0.1):
                orders = _repaired(reads, stages, orders)
        if self.chance(0.05):
            stages[-1] = 0
        return stages, orders

    def statement(
        self, stored: str, value: str, indent: str, is_last: bool, reads: list[list[int]] | None
    ) -> list[str]:
        """Write a store: plain, in a block, under a loop and condition, or in two steps, which `reads` counts."""
        form = self.random.randrange(6)
        if form == 0:
            return [f"{indent}{stored} = {value}"]
        body = [
            f"{indent}with T.block():",
            f"{indent}    T.reads({', '.join(_elements(value))})",
            f"{indent}    T.writes({stored})",
        ]
        if form == 1 and not is_last:
            body.append(f'{indent}    T.block_attr({{"double_buffer_scope": 0}})')
        local = 'L = T.alloc_buffer((2,), scope="local")'
        if form == 2:
            body += [f"{indent}    for u in range(2):", f"{indent}        if u < 1:"]
            return [*body, f"{indent}            {stored} = {value}"]
        if form == 3 and reads is not None:
            body += [f"{indent}    {local}", f"{indent}    for u in range(2):", f"{indent}        L[u] = {value}"]
            reads.append([len(reads) - 1])
            return [*body, f"{indent}    {stored} = L[1] * T.float32(0.5)"]
        if form == 4:
            body += [f"{indent}    {local}", f"{indent}    for u in range(1):", f"{indent}        L[1] = {value}"]
            return [*body, f"{indent}        {stored} = L[1] * T.float32(0.5)"]
        return [*body, f"{indent}    {stored} = {value}"]


def _copying(reads: list[list[int]], stages: list[int]) -> list[int]:
    """List stages that may be asynchronous: their results are read, and only in other stages."""
    inner = {stages[each] for each, used in enumerate(reads) if any(stages[other] == stages[each] for other in used)}
    awaited = {other for used in reads for other in used}
    lost = {stages[each] for each in range(len(reads)) if each not in awaited}
    return sorted(set(stages) - inner - lost)


def _elements(value: str) -> list[str]:
    """List the elements that a value reads."""
    names: list[str] = []
    start = 0
    while (bracket := value.find("[", start)) >= 0:
        begin = max(value.rfind(" ", 0, bracket), -1) + 1
        end = value.index("]", bracket) + 1
        names.append(value[begin:end])
        start = end
    return list(dict.fromkeys(names))


def _repaired(reads: list[list[int]], stages: list[int], orders: list[int]) -> list[int]:
    """Reorder so that no statement precedes one of its stage that it reads."""
    left = list(range(len(reads)))
    stage_of = [0] * len(reads)
    for place in range(len(reads)):
        ready = [
            each for each in left if not any(used in left and stages[used] == stages[each] for used in reads[each])
        ]
        chosen = min(ready, key=lambda each: orders[each])
        stage_of[chosen] = place
        left.remove(chosen)
    return stage_of


def pipeline(seed: Seed) -> str:
    """Write a pipeline, possibly in an outer loop."""
    return _written(_Writer(seed, is_short=False), "")


def short_pipeline(seed: Seed) -> str:
    """Write a pipeline with fewer iterations than stages, or with `n` iterations, below 8."""
    return _written(_Writer(seed, is_short=True), ", n: T.int32")


def _written(writer: _Writer, more: str) -> str:
    outer = writer.chance(0.3)
    lines = [
        "@T.prim_func",
        f'def main(A: T.Buffer(({ROWS}, 96), "float32"), C: T.Buffer(({ROWS}, 96), "float32"), '
        f'D: T.Buffer(({ROWS}, 1), "float32"){more}):',
        f'    for tx in T.thread_binding({ROWS}, thread="threadIdx.x"):',
    ]
    if outer:
        lines.append("        for o in range(2):")
        lines += writer.pipeline(["o"], "A", "C", " " * 12)
    else:
        lines += writer.pipeline([], "A", "C", " " * 8)
    return "\n".join(lines) + "\n"
