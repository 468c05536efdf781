"""Kernels with cooperating threads: reductions over threads, warp shuffles, shared memory, barriers.

A barrier separates every write from reads by other threads.
"""

from __future__ import annotations

import random
from typing import Final

from tvmscript.fuzz.programs import RandomWriter, Seed, choices, indented

#: name -> (combination of x and y, identity)
_REDUCERS: Final = {
    "sum": ("x0 + y0", "0"),
    "product": ("x0 * y0", "1"),
    "greatest": ("T.max(x0, y0)", "-100"),
    "least": ("T.min(x0, y0)", "100"),
}


def _constant(dtype: str, value: str) -> str:
    return value if dtype == "int32" else f"T.{dtype}({value})"


def _function(params: list[str], lines: list[str], attrs: str = "") -> str:
    head = [f"    T.func_attr({{{attrs}}})"] if attrs else []
    return "\n".join(["@T.prim_func", f"def main({', '.join(params)}):", *head, *indented(lines)])


# -- reductions over threads


def allreduces(seed: Seed) -> str:
    """Write all-reduces over some thread axes; every thread stores the result."""
    rng = choices(seed)
    target = rng.choice(["cuda", "cuda", "cuda", "metal", "rocm"])
    x = rng.choice([2, 3, 4, 8, 32, 32, 33, 64])
    y = rng.choice([1, 2, 3]) if x <= 33 else rng.choice([1, 2])
    z = rng.choice([1, 1, 1, 2]) if x * y <= 32 else 1
    over = rng.choice([["tx"], ["tx"], ["tx"], ["ty"], ["tx", "ty"], ["tz", "ty"], ["tx", "tz"]])
    # thread axes of extent 1 are not reduced over
    over = [each for each in over if {"tx": x, "ty": y, "tz": z}[each] > 1] or ["tx"]
    place = f"(tz * {y} + ty) * {x} + tx"
    count = x * y * z
    lines: list[str] = []
    body: list[str] = []
    params: list[str] = []
    is_same = rng.random() < 0.2
    kind, name = "", ""
    for number in range(rng.choice([1, 1, 1, 2])):
        dtype = rng.choice(["float32", "float32", "int32", "float16", "int8", "float64", "int64"])
        if number == 0 or not is_same:
            kind = dtype
            name = f"r{number}"
            lines += [f'{name}_d = T.allocate([1], "{kind}", "local")']
            lines += [f'{name} = T.Buffer((1,), "{kind}", data={name}_d, scope="local")']
        dtype = kind
        combine, start = _REDUCERS[rng.choice(list(_REDUCERS)) if dtype != "float16" else "greatest"]
        params += [f'A{number}: T.Buffer(({count},), "{dtype}")', f'B{number}: T.Buffer(({count},), "{dtype}")']
        condition = rng.choice(
            ["T.bool(True)", "T.bool(True)", f"{place} < {rng.randrange(1, count + 1)}", "tx % 2 == 0"]
        )
        if rng.random() < 0.25:
            body += _two_values(rng, number, place, over, condition, params, lines, count)
        body += [
            f'with T.attr(T.comm_reducer(lambda x0, y0: {combine}, [{_constant(dtype, start)}]), "reduce_scope", '
            'T.reinterpret("handle", T.uint64(0))):',
            f"    T.tvm_thread_allreduce(T.uint32(1), A{number}[{place}], {condition}, {name}[0], {', '.join(over)})",
            f"B{number}[{place}] = {name}[0]" + (f" + {_constant(dtype, '1')}" if rng.random() < 0.3 else ""),
        ]
    threads = [("bx", "blockIdx.x", 1), ("tz", "threadIdx.z", z), ("ty", "threadIdx.y", y), ("tx", "threadIdx.x", x)]
    if rng.random() < 0.3:
        threads = [threads[0], *rng.sample(threads[1:], 3)]
    for name, tag, extent in reversed(threads):
        if name == threads[-1][0] and rng.random() < 0.5:
            body = [*lines, *body]
            lines = []
        body = [f'with T.launch_thread("{tag}", {extent}) as {name}:', *indented(body)]
    return _function(params, [*lines, *body], f'"target": T.target("{target}")')


def _two_values(
    rng: random.Random,
    number: int,
    place: str,
    over: list[str],
    condition: str,
    params: list[str],
    lines: list[str],
    count: int,
) -> list[str]:
    """Write an argmax all-reduce of distinct values."""
    dtype = rng.choice(["float32", "int32"])
    params += [f'V{number}: T.Buffer(({count},), "{dtype}")', f'W{number}: T.Buffer(({count},), "int32")']
    params += [f'X{number}: T.Buffer(({count},), "{dtype}")']
    for name, kind in ((f"v{number}", dtype), (f"w{number}", "int32")):
        lines += [f'{name}_d = T.allocate([1], "{kind}", "local")']
        lines += [f'{name} = T.Buffer((1,), "{kind}", data={name}_d, scope="local")']
    chosen = "x0 > y0 or (x0 == y0 and x1 <= y1)"
    combine = f"(T.Select({chosen}, x0, y0), T.Select({chosen}, x1, y1))"
    start = f"{_constant(dtype, '-100')}, T.int32(1000)"
    return [
        f'with T.attr(T.comm_reducer(lambda x0, x1, y0, y1: {combine}, [{start}]), "reduce_scope", '
        'T.reinterpret("handle", T.uint64(0))):',
        f"    T.tvm_thread_allreduce(T.uint32(2), V{number}[{place}], {place}, {condition}, "
        f"v{number}[0], w{number}[0], {', '.join(over)})",
        f"X{number}[{place}] = v{number}[0]",
        f"W{number}[{place}] = w{number}[0]",
    ]


# -- warps


def warp_memory(seed: Seed) -> str:
    """Write exchanges of values through warp memory."""
    rng = choices(seed)
    width = rng.choice([32, 32, 16, 8])
    warps = rng.choice([1, 2]) if width < 32 else 1
    run, groups = rng.choice([1, 1, 2, 4]), rng.choice([1, 1, 2, 3])
    size = width * run * groups
    dtype = rng.choice(["float32", "int32", "float16"])
    total = size * warps * 2
    base = f"(bx * {warps} + ty) * {size}"
    is_vector = run > 1 and rng.random() < 0.4
    body: list[str] = []
    head = [f"for g in range({groups}):"] if groups > 1 or rng.random() < 0.3 else []
    group = f"g * {width * run} + " if head else ""
    if run == 1:
        fill = [f"W[{group}tx] = A[{base} + {group}tx]"]
    elif is_vector:
        fill = [f"W[T.Ramp({group}tx * {run}, 1, {run})] = A[T.Ramp({base} + {group}tx * {run}, 1, {run})]"]
    else:
        fill = [f"for r in range({run}):", f"    W[{group}tx * {run} + r] = A[{base} + {group}tx * {run} + r]"]
    body += [*head, *indented(fill)] if head else fill
    body.append('T.tvm_storage_sync("warp")')
    shift = rng.randrange(1, width)
    lane = rng.choice(
        ["tx", f"(tx + {shift}) % {width}", f"{width - 1} - tx", str(rng.randrange(width)), "tx // 2 * 2"]
    )
    other = rng.choice([lane, "tx"])
    if run == 1:
        read = [f"B[{base} + {group}tx] = W[{group}{lane}] + W[{group}{other}]"]
    elif is_vector:
        read = [f"B[T.Ramp({base} + {group}tx * {run}, 1, {run})] = W[T.Ramp({group}({lane}) * {run}, 1, {run})]"]
    else:
        own = rng.choice(["r", f"{run - 1} - r"])
        read = [
            f"for r in range({run}):",
            f"    B[{base} + {group}tx * {run} + r] = W[{group}({lane}) * {run} + {own}]",
        ]
    read_head = head and [rng.choice(head if groups == 1 else [*head, f"for g in range({groups - 1}):"])]
    body += [*read_head, *indented(read)] if read_head else read
    memory = rng.choice(
        [
            [
                f'W_d = T.allocate([{size}], "{dtype}", "warp")',
                f'W = T.Buffer(({size},), "{dtype}", data=W_d, scope="warp")',
            ],
            [f'W = T.decl_buffer(({size},), "{dtype}", scope="warp")'],
        ]
    )
    inner = [f'with T.launch_thread("threadIdx.x", {width}) as tx:', *indented(body)]
    lines = [
        'with T.launch_thread("blockIdx.x", 2) as bx:',
        f'    with T.launch_thread("threadIdx.y", {warps}) as ty:',
        *indented(indented([*memory, *inner])),
    ]
    params = [f'A: T.Buffer(({total},), "{dtype}")', f'B: T.Buffer(({total},), "{dtype}")']
    return _function(params, lines, '"target": T.target("cuda")')


# -- barriers


class _Waiting(RandomWriter):
    """Writer of a kernel with a barrier after every statement."""

    def __init__(self, seed: Seed) -> None:
        super().__init__(seed)
        self.threads = self.random.choice([4, 6])
        self.memory = ["S", "U", "D"][: self.random.randrange(1, 4)]
        self.scope = "shared"

    def pick(self, *choices_: str) -> str:
        return self.random.choice(choices_)

    def place(self, iteration: str) -> str:
        """Draw an element of some thread."""
        last = self.threads - 1
        other = self.pick("tx", "tx", f"{last} - tx", f"(tx + 1) % {self.threads}", str(self.random.randrange(last)))
        if self.random.random() < 0.15:
            return str(2 * self.threads)  # the first thread's alone
        return f"{other} + {iteration} % 2 * {self.threads}" if iteration and self.random.random() < 0.3 else other

    def own(self, iteration: str) -> str:
        """Draw an element of the own thread."""
        return f"tx + {iteration} % 2 * {self.threads}" if iteration and self.random.random() < 0.3 else "tx"

    def value(self, iteration: str) -> str:
        reads = [
            f"{self.random.choice(self.memory)}[{self.place(iteration)}]" for _ in range(self.random.randrange(1, 3))
        ]
        return " + ".join(
            [
                *reads,
                self.pick("A[tx]", "A[tx] * T.float32(2)", "T.float32(1)", f'T.Cast("float32", {iteration or "bx"})'),
            ]
        )

    def statement(self, iteration: str, depth: int) -> list[str]:
        barrier = f'T.tvm_storage_sync("{self.scope}")'
        target = self.random.choice(self.memory)
        kinds = ["store", "store", "store", "output", "let", "first", "copied"]
        kinds += ["loop", "branch", "branch", "branch", "branches", "marked"] if depth else []
        match self.random.choice(kinds):
            case "store":
                # all threads read the value before any thread writes it
                name = self.name("x")
                return (
                    [
                        f'{name} = T.decl_buffer((1,), scope="local")',
                        f"{name}[0] = {self.value(iteration)}",
                        barrier,
                        f"{target}[{self.own(iteration)}] = {name}[0]",
                        barrier,
                    ]
                    if self.random.random() < 0.6
                    else [f"{target}[{self.own(iteration)}] = A[tx] + T.float32({self.random.randrange(4)})", barrier]
                )
            case "output":
                return [f"B[bx * {self.threads} + tx] = B[bx * {self.threads} + tx] + {self.value(iteration)}", barrier]
            case "let":
                name = self.name("x")
                return [
                    f"with T.LetStmt({self.value(iteration)}) as {name}:",
                    f"    {barrier}",
                    f"    {target}[tx] = {name}",
                    barrier,
                ]
            case "first":
                return [
                    "if tx == 0:",
                    f"    {target}[{2 * self.threads}] = A[{self.random.randrange(self.threads)}]",
                    barrier,
                ]
            case "copied":
                pointer = f'T.tvm_access_ptr(T.type_annotation("float32"), {target}.data, tx, 1, 2)'
                source = f'T.tvm_access_ptr(T.type_annotation("float32"), A.data, {self.threads - 1} - tx, 1, 1)'
                return [f'T.evaluate(T.Call("int32", "tir.dma_copy", [0, {pointer}, {source}, 4, 0]))', barrier]
            case "loop":
                var = self.name("x")
                return [
                    f"for {var} in range({self.random.choice([1, 2, 3])}):",
                    *indented(self.statements(var, depth - 1)),
                    barrier,
                ]
            case "branch":
                condition = f"{iteration} > 0" if iteration and self.random.random() < 0.5 else "bx == 0"
                return [f"if {condition}:", *indented(self.statements(iteration, depth - 1)), barrier]
            case "branches":
                one, other = self.statements(iteration, depth - 1), self.statements(iteration, depth - 1)
                return ["if bx == 0:", *indented(one), "else:", *indented(other), barrier]
            case _:
                return ['with T.attr(0, "pragma_note", 1):', *indented(self.statements(iteration, depth - 1))]

    def statements(self, iteration: str, depth: int) -> list[str]:
        return [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(iteration, depth)]

    def program(self) -> str:
        body: list[str] = []
        for name in self.memory:
            body += [f"{name}[tx] = A[tx]", f"{name}[tx + {self.threads}] = A[tx] * T.float32(3)"]
            body += ["if tx == 0:", f"    {name}[{2 * self.threads}] = A[0]"]
        body += [f'T.tvm_storage_sync("{self.scope}")', *self.statements("", 2), *self.statements("", 2)]
        body += [f"B[bx * {self.threads} + tx] = B[bx * {self.threads} + tx] + {self.value('')}"]
        memory = [f'{name} = T.decl_buffer(({2 * self.threads + 1},), scope="{self.scope}")' for name in self.memory]
        lines = [
            'with T.launch_thread("blockIdx.x", 2) as bx:',
            *indented([*memory, f'with T.launch_thread("threadIdx.x", {self.threads}) as tx:', *indented(body)]),
        ]
        return _function(
            [f'A: T.Buffer(({self.threads},), "float32")', f'B: T.Buffer(({2 * self.threads},), "float32")'], lines
        )


def waiting(seed: Seed) -> str:
    """Write a kernel with redundant barriers; `tir.ThreadSync` must restore the necessary ones."""
    return _Waiting(seed).program()


# -- blocks that reduce over threads


def reducing_blocks(seed: Seed) -> str:
    """Write cross-thread reduction blocks, and blocks that use the results."""
    rng = choices(seed)
    rows, count = rng.choice([2, 3, 4]), rng.choice([4, 6, 8, 12])
    dtype = rng.choice(["int32", "int32", "float32", "int8", "float16"])

    def number(value: int) -> str:
        return _constant(dtype, str(value))

    combine, start = rng.choice(
        [
            ("{0} + {1}", number(0)),
            ("T.max({0}, {1})", f'T.min_value("{dtype}")'),
            ("T.min({0}, {1})", f'T.max_value("{dtype}")'),
            ("{0} * {1}", number(1)),
        ]
    )
    scope = rng.choice(["", "", ', scope="local"', ', scope="shared"'])
    is_bound = rng.random() < 0.6
    row = 'T.thread_binding({}, thread="blockIdx.x")' if is_bound else "T.serial({})"
    form = rng.randrange(4)
    uses = rng.random() < 0.5 or scope
    name = "C" if uses else "B"
    lines = [f'C = T.alloc_buffer(({rows},), "{dtype}"{scope})'] if uses else []
    heads = [f"for i in {row.format(rows)}:"]
    where: list[str] = []
    match form:
        case 0:
            heads.append(f'for k in T.thread_binding({count}, thread="threadIdx.x"):')
            place = "k"
        case 1:
            inner = rng.choice([2, 4])
            outer = -(-count // inner)
            heads += [f"for o in range({outer}):", f'for k in T.thread_binding({inner}, thread="threadIdx.x"):']
            place = f"o * {inner} + k"
            where += [f"{place} < {count}"] if outer * inner != count else []
        case 2:
            half = -(-count // 2)
            heads += [
                'for y in T.thread_binding(2, thread="threadIdx.y"):',
                f'for x in T.thread_binding({half}, thread="threadIdx.x"):',
            ]
            place = f"y * {half} + x"
            where += [f"{place} < {count}"] if half * 2 != count else []
        case 3:
            heads += [f'for k in T.thread_binding({count // 2}, thread="threadIdx.x"):', "for o in range(2):"]
            place = "k * 2 + o"
        case _:
            heads += [f'for k in T.thread_binding(1, {1 + count}, thread="threadIdx.x"):']
            place = "k - 1"
    if rng.random() < 0.6:
        where.append(rng.choice(["i < 2", f"i * 2 < {rows}"]))
    axes = [f"vi = T.axis.spatial({rows}, i)", f"vk = T.axis.reduce({count}, {place})"]
    axes += [f"T.where({' and '.join(where)})"] if where else []
    if rng.random() < 0.25 and dtype in ("int32", "float32"):
        axes, extra, params = _argument_of_greatest(rng, axes, dtype, rows, count, name)
        lines += extra
    else:
        params = []
        term = rng.choice(["A[vi, vk]", f"A[vi, vk] * {number(2)}", "A[vi, vk] + A[vi, 0]"])
        axes += ["with T.init():", f"    {name}[vi] = {start}", f"{name}[vi] = {combine.format(f'{name}[vi]', term)}"]
    body = ['with T.block("R"):', *indented(axes)]
    for head in reversed(heads[1:]):
        body = [head, *indented(body)]
    after: list[str] = []
    if uses:
        use = [f"vi = T.axis.spatial({rows}, i)", f"B[vi] = C[vi] + {number(1)}"]
        use += (
            ["T.where(i < 2)"]
            if "i < 2" in where
            else [f"T.where(i * 2 < {rows})"]
            if where and "i * 2" in where[-1]
            else []
        )
        after = ['with T.block("B"):', *indented(use[:1] + use[2:] + use[1:2])]
        if scope == ', scope="local"' or rng.random() < 0.7:
            body += after
            after = []
        elif not scope:
            after = [f"for i in {row.format(rows)}:", *indented(after)]
        else:
            body += after
            after = []
    lines += [heads[0], *indented(body), *after]
    return _function(
        [f'A: T.Buffer(({rows}, {count}), "{dtype}")', f'B: T.Buffer(({rows},), "{dtype}")', *params], lines
    )


def _argument_of_greatest(
    rng: random.Random, axes: list[str], dtype: str, rows: int, count: int, name: str
) -> tuple[list[str], list[str], list[str]]:
    """Write an argmax reduction."""
    least = f'T.min_value("{dtype}")'
    body = [
        *axes,
        "with T.init():",
        f"    {name}[vi] = {least}",
        "    P[vi] = -1",
        f"v0: T.{dtype} = T.Select({name}[vi] >= A[vi, vk], {name}[vi], A[vi, vk])",
        f"v1: T.int32 = T.Select({name}[vi] >= A[vi, vk], P[vi], vk)",
        f"{name}[vi] = v0",
        "P[vi] = v1",
    ]
    return body, [], [f'P: T.Buffer(({rows},), "int32")']
