"""Programs about memory: buffer layouts, reuse, copies between storage scopes.

Every element is written before it is read; all accesses are in bounds.
"""

from __future__ import annotations

import random

from tvmscript.fuzz.programs import RandomWriter, Seed, choices, indented

_DTYPES = ["int32", "int32", "int8", "int64", "float32", "float16", "uint16", "int16"]


def _number(dtype: str, value: str) -> str:
    """An int32 expression as a number of a dtype."""
    return value if dtype == "int32" else f'T.Cast("{dtype}", {value})'


# -- layouts


class _Layouts(RandomWriter):
    """Writer of copies through buffers of many layouts."""

    def __init__(self, seed: Seed) -> None:
        super().__init__(seed)
        self.rows, self.columns = self.random.choice([2, 3, 4, 5]), self.random.choice([1, 3, 4, 6])
        self.params = [f'A: T.Buffer(({self.rows}, {self.columns}), "int32")']
        self.lines: list[str] = []
        self.count = 0

    def program(self) -> str:
        rules = [self.strided, self.strided, self.separated, self.deep, self.small, self.bools, self.constant]
        rules += [self.argument, self.argument, self.lanes]
        source = "A"
        for rule in self.random.sample(rules, self.random.randrange(2, 5)):
            self.count += 1
            target = f"B{self.count}"
            rule(source, target)
            self.params.append(f'{target}: T.Buffer(({self.rows}, {self.columns}), "int32")')
            source = self.random.choice(["A", target])
        head = f"def main({', '.join(self.params)}):"
        return "\n".join(["@T.prim_func", head, *indented(self.lines)])

    def nest(self, body: str) -> list[str]:
        """Write a statement for each element `[i, j]` in some loops."""
        rows, columns = self.rows, self.columns
        match self.random.randrange(6):
            case 0:
                return [f"for f in range({rows * columns}):", "    " + _at(body, f"f // {columns}", f"f % {columns}")]
            case 1:
                step = self.random.choice([2, 4, 8])
                place = f"(o * {step} + k)"
                inner = [f"if {place} < {rows * columns}:"]
                inner += indented([_at(body, f"{place} // {columns}", f"{place} % {columns}")])
                return [f"for o, k in T.grid({-(-rows * columns // step)}, {step}):", *indented(inner)]
            case 2:
                first = self.random.choice([1, 2])
                kind = self.random.choice(["serial", "unroll", "parallel"])
                return [
                    f"for i in T.{kind}({first}, {first + rows}):",
                    f"    for j in range({columns}):",
                    "        " + _at(body, f"i - {first}", "j"),
                ]
            case 3:
                return [
                    f'with T.launch_thread("threadIdx.x", {rows * columns}) as tx:',
                    "    " + _at(body, f"tx // {columns}", f"tx % {columns}"),
                ]
            case 4:
                return [
                    f"for i in range(T.int64({rows})):",
                    f"    for j in range(T.int64({columns})):",
                    "        " + _at(body, "i", "j"),
                ]
            case _:
                return [f"for i, j in T.grid({rows}, {columns}):", "    " + _at(body, "i", "j")]

    def through(self, name: str, dtype: str, source: str, target: str) -> list[str]:
        """Write copies into a buffer and out of it."""
        fill = f"{name}[@i, @j] = {_number(dtype, f'{source}[@i, @j] + {self.random.randrange(5)}')}"
        return [
            *self.nest(fill),
            *self.nest(f"{target}[@i, @j] = {_int(dtype, f'{name}[@i, @j]')} * {self.random.randrange(1, 4)}"),
        ]

    def strided(self, source: str, target: str) -> None:
        """Copy through a strided buffer with padding between rows."""
        dtype, name = self.random.choice(_DTYPES), f"L{self.count}"
        wide, high = self.columns + self.random.randrange(3), self.rows + self.random.randrange(2)
        strides = self.random.choice([(wide, 1), (2 * wide, 2), (1, high)])
        offset = self.random.choice([0, 0, 3, 7])
        # the pass assumes a complete last row
        size = offset + max(strides[0] * self.rows, strides[1] * self.columns)
        said = f", elem_offset={offset}" if offset else ""
        self.lines += [
            f'd{self.count} = T.allocate([{size + self.random.randrange(2)}], "{dtype}", "global")',
            f'{name} = T.Buffer(({self.rows}, {self.columns}), "{dtype}", data=d{self.count}, strides={strides}{said})',
            *self.through(name, dtype, source, target),
        ]

    def separated(self, source: str, target: str) -> None:
        """Copy through a buffer with axis separators."""
        name, r, c = f"L{self.count}", self.rows, self.columns
        match self.random.randrange(3):
            case 0:
                strides = f", strides=({c + self.random.randrange(1, 4)}, 1)"
                self.lines.append(f'd{self.count} = T.allocate([{r * (c + 4)}], "int32", "global")')
                self.lines.append(
                    f'{name} = T.Buffer(({r}, {c}), "int32", data=d{self.count}, axis_separators=[1]{strides})'
                )
                self.lines += self.through(name, "int32", source, target)
            case 1:
                self.lines.append(f'{name} = T.decl_buffer(({r}, {c}), "int32", axis_separators=[1])')
                self.lines += self.through(name, "int32", source, target)
            case _:
                cut = self.random.choice(["[1]", "[2]", "[3]", "[1, 3]", "[2, 3]"])
                strides = self.random.choice(["", f", strides=({8 * c}, {2 * c}, 2, 1)"])
                self.lines.append(f'd{self.count} = T.allocate([{r * 8 * c}], "int32", "global")')
                shape = f'({r}, 2, {c}, 2), "int32"'
                self.lines.append(f"{name} = T.Buffer({shape}, data=d{self.count}, axis_separators={cut}{strides})")
                self.lines += self.nest(f"{name}[@i, @j % 2, @j, @i % 2] = {source}[@i, @j]")
                self.lines += self.nest(f"{target}[@i, @j] = {name}[@i, @j % 2, @j, @i % 2]")

    def deep(self, source: str, target: str) -> None:
        """Copy through a three-dimensional buffer."""
        name, dtype = f"L{self.count}", self.random.choice(_DTYPES)
        self.lines.append(f'{name} = T.decl_buffer(({self.rows}, 2, {self.columns}), "{dtype}")')
        self.lines += self.nest(f"{name}[@i, @i % 2, @j] = {_number(dtype, f'{source}[@i, @j]')}")
        self.lines += self.nest(f"{target}[@i, @j] = {_int(dtype, f'{name}[@i, @i % 2, @j]')} + 1")

    def small(self, source: str, target: str) -> None:
        """Copy through a buffer without dimensions."""
        name = f"L{self.count}"
        self.lines.append(f'{name} = T.decl_buffer((), "int32")')
        self.lines.append(f"{name}[()] = {source}[{self.rows - 1}, {self.columns - 1}]")
        self.lines += self.nest(f"{target}[@i, @j] = {name}[()] + {source}[@i, @j]")

    def bools(self, source: str, target: str) -> None:
        name = f"L{self.count}"
        self.lines.append(f'{name} = T.decl_buffer(({self.rows}, {self.columns}), "bool")')
        self.lines += self.nest(f"{name}[@i, @j] = {source}[@i, @j] < {self.random.randrange(3)}")
        other = f"{name}[{self.rows - 1}, @j]"
        self.lines += self.nest(
            f"{target}[@i, @j] = T.if_then_else({name}[@i, @j] or not {other}, @j, {source}[@i, @j])"
        )

    def constant(self, source: str, target: str) -> None:
        name, data = f"L{self.count}", [self.random.randrange(-9, 9) for _ in range(self.rows * self.columns)]
        shape = f"[{self.rows}, {self.columns}]"
        self.lines.append(f'c{self.count} = T.allocate_const({data}, "int32", {shape})')
        self.lines.append(f'{name} = T.Buffer(({self.rows}, {self.columns}), "int32", data=c{self.count})')
        self.lines += self.nest(f"{target}[@i, @j] = {name}[@i, @j] * 2 + {source}[@i, @j]")

    def argument(self, source: str, target: str) -> None:
        """Copy through an argument with fixed or symbolic strides and offset."""
        name, handle, dtype = (
            f"P{self.count}",
            f"p{self.count}",
            self.random.choice(["int32", "float32", "int8", "bool"]),
        )
        self.params.append(f"{handle}: T.handle")
        layout = self.random.choice(
            [
                "",
                f"strides=({self.columns + self.random.randrange(4)}, 1)",
                f"strides=(1, {self.rows + self.random.randrange(2)})",
                f"strides=({2 * self.columns + 1}, 2)",
                f"strides=(s{self.count}, 1)",
                f"strides=(s{self.count}, t{self.count}), elem_offset=o{self.count}",
                f"elem_offset=o{self.count}, offset_factor=2",
            ]
        )
        self.lines += [
            f"{each} = T.int32()" for each in (f"s{self.count}", f"t{self.count}", f"o{self.count}") if each in layout
        ]
        said = f', "{dtype}"' + (f", {layout}" if layout else "")
        self.lines.append(f"{name} = T.match_buffer({handle}, ({self.rows}, {self.columns}){said})")
        value = f"{name}[@i, @j]"
        value = f"T.if_then_else({value}, 1, 2)" if dtype == "bool" else _int(dtype, f"{value} * {_number(dtype, '8')}")
        self.lines += self.nest(f"{target}[@i, @j] = {value} + {source}[@i, @j]")
        if self.chance(0.5) and dtype != "bool":
            self.lines += self.nest(f"{name}[@i, @j] = {_number(dtype, f'{source}[@i, @j]')}")

    def lanes(self, source: str, target: str) -> None:
        """Copy vectors of a row."""
        name, lanes = f"L{self.count}", self.random.choice([2, 4])
        wide = lanes * self.random.randrange(1, 3)
        self.lines.append(f'{name} = T.decl_buffer(({self.rows}, {wide}), "int32")')
        place = f"[i, T.Ramp({self.random.randrange(wide // lanes)} * {lanes}, 1, {lanes})]"
        self.lines.append(f"for i in range({self.rows}):")
        self.lines.append(f"    {name}{place} = T.Broadcast({source}[i, 0], {lanes}) + T.Ramp(i, 2, {lanes})")
        # the elements of the vector that the next loop reads
        first = place.partition("T.Ramp(")[2].partition(", 1,")[0]
        self.lines += self.nest(f"{target}[@i, @j] = {name}[@i, {first} + @j % {lanes}] + 1")


def _at(body: str, row: str, column: str) -> str:
    return body.replace("@i", row if row.isidentifier() else f"({row})").replace(
        "@j", column if column.isidentifier() else f"({column})"
    )


def _int(dtype: str, value: str) -> str:
    return value if dtype == "int32" else f'T.Cast("int32", {value})'


def layouts(seed: Seed) -> str:
    """Write copies through buffers with strides, offsets, axis separators, several dtypes, constant data."""
    return _Layouts(seed).program()


def blocks_of_regions(seed: Seed) -> str:
    """Write opaque blocks with access regions of strided buffers."""
    rng = choices(seed)
    rows, columns, wide = rng.choice([2, 4]), rng.choice([3, 4]), rng.choice([6, 8])
    dtype = rng.choice(["int32", "int8", "float32"])
    lines = [f'A = T.match_buffer(a, ({rows}, {columns}), "{dtype}", strides=({wide}, 1))']
    lines += [f'C = T.alloc_buffer(({rows}, {columns}), "{dtype}")']
    part = rng.choice(["i, 0:{c}", "i, 1:{c}", "0:{r}, 0:{c}"]).format(r=rows, c=columns)
    whole = f"C[i, 0:{columns}]"
    kind = rng.choice(["T.serial", "T.parallel"])
    lines += [
        f"for i in {kind}({rows}):",
        '    with T.block("C"):',
        f"        T.reads(A[{part}])",
        f"        T.writes({whole})",
        f"        for j in range({columns}):",
        f"            C[i, j] = A[i, {rng.choice(['j', f'{columns - 1} - j'])}]",
        f"for i, j in T.grid({rows}, {columns}):",
        '    with T.block("B"):',
        "        T.reads(C[i, j])",
        "        T.writes(B[i, j])",
        f"        T.where({rng.choice(['i * 2 < 5 + j', 'j < 9', 'i > 0'])})",
        f"        B[i, j] = C[i, j] * {_number(dtype, '3')}",
    ]
    return "\n".join(
        ["@T.prim_func", f'def main(a: T.handle, B: T.Buffer(({rows}, {columns}), "{dtype}")):', *indented(lines)]
    )


# -- reuse of memory


def _bits(dtype: str) -> int:
    return int("".join(letter for letter in dtype if letter.isdigit()))


def chain_of_allocations(seed: Seed) -> str:
    """Write a chain of allocations of several dtypes and sizes, each filled from the previous one."""
    rng = choices(seed)
    count = rng.randrange(3, 7)
    size = rng.choice([8, 16])
    symbolic = rng.random() < 0.2
    scopes = rng.choice([["global"], ["global"], ["global", "global.x"], ["global.x"], ["shared"]])
    dtypes = rng.choice(
        [["int32"], ["int32", "float32"], ["int32", "int16", "int64", "int8", "float64"], ["int16", "int8"]]
    )
    lanes = rng.choice([1, 1, 1, 2])
    lines: list[str] = []
    body: list[str] = []
    source = ("A", "int32", size)
    total = ["0"]
    for number in range(count):
        name, dtype = f"m{number}", rng.choice(dtypes)
        extra = rng.choice([0, 0, 1, size // 2, size, 3 * size])
        extent = "n + 8" if symbolic and rng.random() < 0.5 else str(size + extra)
        scope = rng.choice(scopes)
        kind, elements = f'"{dtype}"', extent
        if lanes > 1 and not symbolic and rng.random() < 0.4:
            kind, elements = f'"{dtype}x{lanes}"', str(-(-(size + extra) // lanes))
        lines.append(f'{name}_d = T.allocate([{elements}], {kind}, "{scope}")')
        lines.append(f'{name} = T.Buffer(({elements},), {kind}, data={name}_d, scope="{scope}")')
        length = 8 if "n" in extent else size
        old, old_dtype, old_length = source
        length = min(length, old_length)
        is_vector = "x" in kind.partition('"')[2][3:]
        read = rng.choice(["i", "i", f"{length - 1} - i", f"(i + 3) % {length}"])
        value = _number(dtype, f"({_int(old_dtype, old + '[' + read + ']')} + {rng.randrange(1, 4)})")
        if is_vector:
            value = f"T.Broadcast({_number(dtype, _int(old_dtype, old + '[' + '0' + ']'))}, {lanes})"
            step, length = length // lanes, length // lanes
            body += [f"for i in range({step}):", f"    {name}[i] = {value}"]
            body += [f"for i in range({step}):", f"    T.evaluate({name}[i])"]
            # vectors do not continue the chain
            continue
        if extra and extent.isdigit():
            body += [f"for i in range({size}, {size + extra}):", f"    {name}[i] = {_number(dtype, 'i')}"]
        body += [f"for i in range({length}):", f"    {name}[i] = {value}"]
        if rng.random() < 0.15 and dtype == "int32":
            target = f'T.tvm_access_ptr(T.type_annotation("int32"), {name}_d, 2, 4, 2)'
            given = f'T.tvm_access_ptr(T.type_annotation("int32"), A.data, {rng.randrange(4)}, 4, 1)'
            body.append(f'T.evaluate(T.Call("int32", "tir.dma_copy", [0, {target}, {given}, 16, 0]))')
        if extra and extent.isdigit() and rng.random() < 0.7:
            body += [f"for i in range({extra}):", f"    C[i] = C[i] + {_int(dtype, f'{name}[{size} + i]')}"]
        if rng.random() < 0.3:
            total.append(_int(dtype, f"{name}[{rng.randrange(length)}]"))
        source = (name, dtype, length)
    old, old_dtype, length = source
    body += [
        f"for i in range({length}):",
        f"    B[i] = {_int(old_dtype, f'{old}[{length - 1} - i]')} + {' + '.join(total)}",
    ]
    around = rng.choice(["", "", "for p in range(2):", "for p in T.parallel(1):"])
    if around:
        body = [around, *indented([*lines, *body])]
    else:
        body = [*lines, *body]
    buffers = [f'{name}: T.Buffer(({count},), "int32")' for name, count in (("A", size), ("B", size), ("C", 4 * size))]
    head = f"def main({', '.join(buffers)}, n: T.int32):"
    return "\n".join(["@T.prim_func", head, *indented(body)])


def growing(seed: Seed) -> str:
    """Write a chain of allocations of mostly growing sizes."""
    rng = choices(seed)
    dtype = rng.choice(["int32", "int32", "float32", "int16", "int8"])
    size = rng.choice([16, 20, 24])
    lines: list[str] = []
    allocations: list[str] = []
    old, length, kind = "A", 16, "int32"
    for number in range(rng.randrange(2, 5)):
        name = f"m{number}"
        own = dtype if rng.random() < 0.8 else rng.choice(["int32", "float32", "int16"])
        allocations += [f'{name} = T.decl_buffer(({size},), "{own}")']
        value = f"({_int(kind, f'{old}[(i * 3 + 1) % {length}]')} + {number + 1})"
        lines += [f"for i in range({size}):", f"    {name}[i] = {_number(own, value)}"]
        old, length, kind = name, size, own
        size = rng.choice([size + 4, size * 2, max(size - 8, 9), size * 3])
    total = f"{_int(kind, f'{old}[{length} - 1 - i]')} + {_int(kind, f'{old}[i % {length}]')}"
    lines += [f"for i in range({min(length, 16)}):", f"    B[i] = {total}"]
    head = 'def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):'
    return "\n".join(["@T.prim_func", head, *indented([*allocations, *lines])])


def in_place(seed: Seed) -> str:
    """Write a chain of allocations that may be computed in place."""
    rng = choices(seed)
    rows, columns = rng.choice([2, 4]), rng.choice([4, 8])
    size = rows * columns
    count = rng.randrange(2, 5)
    dtype = rng.choice(["int32", "float32", "int64"])
    lines = [f'm{number} = T.decl_buffer(({size},), "{dtype}")' for number in range(count)]
    old = "A"
    for number in range(count):
        place = f"i * {columns} + j"
        read = rng.choice(
            [place, place, f"j * {rows} + i", f"{size} - 1 - ({place})", f"({place} + 1) % {size}", "i", "j",
             f"i * {columns}"]
        )  # fmt: skip
        other = rng.choice(["", "", f" + {old}[{place}]", " + A[i]"])
        heads = rng.choice(
            [
                [f"for i, j in T.grid({rows}, {columns}):"],
                [f"for i in T.parallel({rows}):", f"    for j in range({columns}):"],
                [f"for i in range({rows}):", f"    for j in T.vectorized({columns}):"],
                [f"for j, i in T.grid({columns}, {rows}):"],
            ]
        )
        indent = "    " * len(heads)
        lines += [*heads, f"{indent}m{number}[{place}] = {old}[{read}] * {_number(dtype, '2')}{other}"]
        old = f"m{number}"
        if rng.random() < 0.2:
            lines += [f"for i in range({rows}):", f"    m{number}[i] = m{number}[{size - 1} - i] + A[i]"]
    lines += [f"for i in range({size}):", f"    B[i] = {old}[{rng.choice(['i', f'{size} - 1 - i'])}]"]
    head = f'def main(A: T.Buffer(({size},), "{dtype}"), B: T.Buffer(({size},), "{dtype}")):'
    return "\n".join(["@T.prim_func", head, *indented(lines)])


def shared_parts(seed: Seed) -> str:
    """Write one or two kernels with several shared memory allocations and all barriers."""
    rng = choices(seed)
    threads = rng.choice([4, 8])
    kernels = rng.choice([1, 1, 2])
    scope = rng.choice(["shared.dyn", "shared.dyn", "shared"])
    lines: list[str] = []
    for kernel in range(kernels):
        lines += _shared_kernel(rng, threads, scope, kernel)
    head = (
        f'def main(A: T.Buffer(({2 * threads},), "float32"), B: T.Buffer(({2 * threads},), "float32"), '
        f'C: T.Buffer(({2 * threads},), "float32"), n: T.int32):'
    )
    return "\n".join(["@T.prim_func", head, *indented(lines)])


def _shared_kernel(rng: random.Random, threads: int, scope: str, kernel: int) -> list[str]:
    barrier = f'T.tvm_storage_sync("{scope}")'
    count = rng.randrange(2, 6)
    parts: list[str] = []
    body: list[str] = []
    old, dtype = "A", "float32"
    index = f"bx * {threads} + tx"
    kept: list[tuple[str, str]] = []
    for number in range(count):
        name, own = f"s{kernel}{number}", rng.choice(["float32", "float16", "int8", "float64", "int32"])
        extra = rng.choice([0, 0, 1, 3, threads, 5 * threads])
        extent = f"{threads + extra}" if rng.random() < 0.85 else f"n + {threads}"
        is_vector = rng.random() < 0.15 and extent.isdigit()
        kind = f"{own}x2" if is_vector else own
        parts += [
            f'{name}_d = T.allocate([{extent}], "{kind}", "{scope}")',
            f'{name} = T.Buffer(({extent},), "{kind}", data={name}_d, scope="{scope}")',
        ]
        place = index if old == "A" else rng.choice(["tx", f"{threads - 1} - tx"])
        value = f'({_as(old, dtype, place)} + T.Cast("{own}", T.float32({number})))'.replace("@", own)
        if is_vector:
            body += [f'{name}[tx] = T.Broadcast({value}, 2) * T.Broadcast(T.Cast("{own}", T.float32(2)), 2)', barrier]
            kept.append((name, f'T.Cast("float32", T.Shuffle([{name}[{threads - 1} - tx]], [1]))'))
            continue
        body += [f"{name}[tx] = {value}", barrier]
        if rng.random() < 0.2:
            body += [_copied(rng, name, own, index), barrier]
        if rng.random() < 0.3:
            kept.append((name, f'T.Cast("float32", {name}[{threads - 1} - tx])'))
        old, dtype = name, own
    total = " + ".join([_as(old, dtype, f"{threads - 1} - tx").replace("@", "float32"), *[value for _, value in kept]])
    target = rng.choice(["B", "C"]) if kernel else "B"
    body += [f"{target}[{index}] = {total}"]
    loop = rng.random() < 0.25
    if loop:
        body = [f"for i in range({rng.choice([1, 2])}):", *indented([*body, barrier])]
    tx = f'with T.launch_thread("threadIdx.x", {threads}) as tx:'
    bx = 'with T.launch_thread("blockIdx.x", 2) as bx:'
    match rng.randrange(3):
        case 0:
            return [bx, *indented([*parts, tx, *indented(body)])]
        case 1:
            return [bx, *indented([tx, *indented([*parts, *body])])]
        case _:
            cut = 2 * rng.randrange(count + 1)
            return [bx, *indented([*parts[:cut], tx, *indented([*parts[cut:], *body])])]


def _copied(rng: random.Random, name: str, dtype: str, index: str) -> str:
    """Write a copy from global to shared memory through pointers."""
    size = _bits(dtype) // 8
    if dtype in ("float32", "int32") and rng.random() < 0.5:
        return f'T.ptx_cp_async("{dtype}", {name}_d, tx, A.data, {index}, {size})'
    target = f'T.tvm_access_ptr(T.type_annotation("{dtype}"), {name}_d, tx, 1, 2)'
    source = f'T.tvm_access_ptr(T.type_annotation("int8"), A.data, ({index}) * {size} % 16, {size}, 1)'
    return f'T.evaluate(T.Call("int32", "tir.dma_copy", [0, {target}, {source}, {size}, 0]))'


def _as(name: str, dtype: str, place: str) -> str:
    return f'T.Cast("@", {name}[{place}])'
