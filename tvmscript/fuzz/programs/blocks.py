"""Chains of blocks: maps, shifts, reductions, rows by `match_buffer`.

Loops are split with predicates, bound to threads, parallel, vectorized, unrolled. All accesses are in bounds; every
element is written before it is read.
"""

from __future__ import annotations

from tvmscript.fuzz.programs import RandomWriter, Seed, indented, nested

_DTYPES = ["int32", "int32", "int32", "float32", "int8", "float16", "bfloat16"]


class _Writer(RandomWriter):
    def __init__(self, seed: Seed, on_gpu: bool | None = None, shares: bool = True) -> None:
        super().__init__(seed)
        self.shares = shares
        self.rows, self.columns = self.random.choice([2, 4, 6, 7]), self.random.choice([1, 4, 8])
        self.dtype = self.random.choice(_DTYPES)
        self.on_gpu = self.chance(0.35) if on_gpu is None else on_gpu
        #: one kernel for all blocks: a row on the threads of a thread block
        self.is_fused = self.on_gpu and self.chance(0.5)
        self.known = ["A"]

    def constant(self) -> str:
        return self.number(self.random.randrange(1, 5))

    def number(self, value: int) -> str:
        if self.dtype == "int32":
            return str(value)
        # TVM 0.17 has no constants of this type
        return f'T.Cast("bfloat16", T.float32({value}))' if self.dtype == "bfloat16" else f"T.{self.dtype}({value})"

    def program(self) -> str:
        count = self.random.randrange(1, 4)
        targets = [f"Y{number}" for number in range(1, count)] + ["B"]
        shape = f'({self.rows}, {self.columns}), "{self.dtype}"'
        lines = [f"def main(A: T.Buffer({shape}), B: T.Buffer({shape})):"]
        for target in targets[:-1]:
            scope = ', scope="shared"' if self.is_fused and self.chance(0.7) else ""
            lines.append(f"    {target} = T.alloc_buffer({shape}{scope})")
        outer = "    "
        if self.is_fused:
            lines.append(f'    for bx in T.thread_binding({self.rows}, thread="blockIdx.x"):')
            outer = "        "
        for target in targets:
            lines += [outer + line for line in self.stage(target)]
            self.known.append(target)
        return "\n".join(["@T.prim_func", *lines])

    def stage(self, target: str) -> list[str]:
        rules = [self.map, self.map]
        rules += [self.sum] if self.shares or not self.is_fused else []
        rules += [self.rows_of] if not self.is_fused else []
        return self.random.choice(rules)(target)

    # loops

    def spatial(self, target: str) -> tuple[list[str], list[str], str, str]:
        """Draw loops over rows and columns: their heads, the axis values of a block, and a predicate."""
        row, column = self.name("i"), self.name("j")
        heads: list[str] = []
        if self.is_fused:
            heads += [f'for {column} in T.thread_binding({self.columns}, thread="threadIdx.x"):']
            return heads, ["bx", column], "", target
        index, predicate = row, ""
        if self.chance(0.4):
            factor = self.random.choice([2, 3, 4])
            outer, inner = f"{row}_0", f"{row}_1"
            first, second = self.kinds()
            heads += [f"for {outer} in {first}({-(-self.rows // factor)}{self.thread(first, 'blockIdx.x')}):"]
            heads += [f"for {inner} in {second}({factor}{self.thread(second, 'threadIdx.x')}):"]
            index = f"{outer} * {factor} + {inner}"
            predicate = f"{index} < {self.rows}" if self.rows % factor else ""
            last = "T.vectorized" if self.chance(0.3) and not predicate else "T.serial"
            heads += [f"for {column} in {last}({self.columns}):"]
        else:
            first, second = self.kinds()
            heads += [f"for {row} in {first}({self.rows}{self.thread(first, 'blockIdx.x')}):"]
            heads += [f"for {column} in {second}({self.columns}{self.thread(second, 'threadIdx.x')}):"]
        return heads, [index, column], predicate, target

    def kinds(self) -> tuple[str, str]:
        if self.on_gpu:
            return "T.thread_binding", self.random.choice(["T.thread_binding", "T.serial", "T.vectorized"])
        first = self.random.choice(["T.serial", "T.serial", "T.parallel", "T.unroll"])
        return first, self.random.choice(["T.serial", "T.serial", "T.vectorized", "T.unroll"])

    def thread(self, kind: str, name: str) -> str:
        if kind == "T.thread_binding":
            return f', thread="{name}"'
        return ', annotations={"pragma_auto_unroll_max_step": 16}' if kind == "T.serial" and self.chance(0.1) else ""

    # stages

    def read(self, row: str, column: str) -> str:
        """Draw a load from a row of a written buffer."""
        source = self.random.choice(self.known)
        if self.chance(0.3) and (self.shares or not self.is_fused):
            column = f"({column} + {self.random.randrange(1, 4)}) % {self.columns}"
        if self.chance(0.2) and not self.is_fused:
            row = f"({row} + 1) % {self.rows}"
        return f"{source}[{row}, {column}]"

    def value(self, row: str, column: str, depth: int = 1) -> str:
        if depth == 0:
            return self.random.choice([self.read(row, column), self.read(row, column), self.constant()])
        left, right = self.value(row, column, depth - 1), self.value(row, column, depth - 1)
        forms = ["{0} + {1}", "{0} * {1}", "T.max({0}, {1})", "{0} - {1}", "T.Select({2} < 3, {0}, {1})"]
        forms += ["T.if_then_else({2} < 3, {0}, {1})"]
        return self.random.choice(forms).format(left, right, column)

    def map(self, target: str) -> list[str]:
        heads, (row, column), predicate, _ = self.spatial(target)
        body = [f'vi, vj = T.axis.remap("SS", [{row}, {column}])']
        if not row.isidentifier():
            body = [f"vi = T.axis.spatial({self.rows}, {row})", f"vj = T.axis.spatial({self.columns}, {column})"]
        body += [f"T.where({predicate})"] if predicate else []
        return nested(heads, [f'with T.block("{target}"):', *indented([*body, *self.stores(target)])])

    def stores(self, target: str) -> list[str]:
        store = f"{target}[vi, vj] = "
        if self.chance(0.15):
            one, other = (f"    {store}{self.value('vi', 'vj')}" for _ in range(2))
            return [f"if vj < {self.columns // 2}:", one, "else:", other]
        if self.chance(0.15):
            name = self.name("x")
            return [f"with T.LetStmt({self.value('vi', 'vj')}) as {name}:", f"    {store}{name} + {name}"]
        return [store + self.value("vi", "vj")]

    def sum(self, target: str) -> list[str]:
        heads, (row, column), predicate, _ = self.spatial(target)
        reduced = self.name("k")
        kind = "T.serial"
        if self.on_gpu and "threadIdx" not in " ".join(heads):
            kind = self.random.choice(["T.serial", "T.thread_binding"])
        # cross-thread reductions start at the identity
        start = self.constant() if kind == "T.serial" else self.number(0)
        heads = [*heads, f"for {reduced} in {kind}({self.columns}{self.thread(kind, 'threadIdx.x')}):"]
        if "vectorized" in " ".join(heads):
            heads = [head.replace("T.vectorized", "T.serial") for head in heads]
        body = [
            f"vi = T.axis.spatial({self.rows}, {row})",
            f"vj = T.axis.spatial({self.columns}, {column})",
            f"vk = T.axis.reduce({self.columns}, {reduced})",
            *([f"T.where({predicate})"] if predicate else []),
            "with T.init():",
            f"    {target}[vi, vj] = {start}",
            f"{target}[vi, vj] = {target}[vi, vj] + {self.value('vi', 'vk')}",
        ]
        return nested(heads, [f'with T.block("{target}"):', *indented(body)])

    def rows_of(self, target: str) -> list[str]:
        """Write a block per row that reads through a matched buffer."""
        source, row, column = self.random.choice(self.known), self.name("i"), self.name("j")
        kind = "T.thread_binding" if self.on_gpu else self.random.choice(["T.serial", "T.parallel"])
        body = [
            f"vi = T.axis.spatial({self.rows}, {row})",
            f"T.reads({source}[vi, 0:{self.columns}])",
            f"T.writes({target}[vi, 0:{self.columns}])",
            f'M = T.match_buffer({source}[vi, 0:{self.columns}], ({self.columns},), "{self.dtype}", offset_factor=1)',
            f"for {column} in range({self.columns}):",
            f"    {target}[vi, {column}] = M[{column}] + {self.constant()}",
        ]
        head = f"for {row} in {kind}({self.rows}{self.thread(kind, 'blockIdx.x')}):"
        return nested([head], [f'with T.block("{target}"):', *indented(body)])


def random_blocks(seed: Seed, on_gpu: bool | None = None, shares: bool = True) -> str:
    """Write a function over `A` (input) and `B` (output); `on_gpu` decides whether it uses threads.

    Without `shares`, no thread reads what another one wrote, so that no barriers are needed.
    """
    return _Writer(seed, on_gpu, shares).program()
