"""Programs of realized regions, as TE produces them, and copies between storage scopes."""

from __future__ import annotations

from tvmscript.fuzz.programs import Seed, choices, function_text, indented

_FROM_TE = 'T.func_attr({"from_legacy_te_schedule": True})'


def _number(dtype: str, value: int) -> str:
    return str(value) if dtype == "int32" else f'T.Cast("{dtype}", {value})'


def realized(seed: Seed) -> str:
    """Write realized regions of tensors, aligned or not, in loops or threads."""
    rng = choices(seed)
    rows, columns = rng.choice([4, 6]), rng.choice([4, 5, 8])
    dtype = rng.choice(["int32", "float32", "int8", "bool"])
    kind = "int32" if dtype == "bool" else dtype
    lines = [_FROM_TE]
    tile = rng.choice([1, 2])
    first = rng.choice([0, 0, 1])
    shift = rng.randrange(3)
    width = columns + shift
    base = f"i * {tile}"
    scope = rng.choice(["", "global", "shared", "local"])
    body: list[str] = [f'C = T.Buffer(({rows + 1}, {width + 1}), "{dtype}")']
    if rng.random() < 0.4:
        body.append(
            f'with T.attr(C, "buffer_dim_align", '
            f"T.tvm_tuple({rng.randrange(2)}, {rng.choice([4, 8, 16])}, {rng.choice([0, 1, 5])})):"
        )
        inner = "    "
    else:
        inner = ""
    rest = [f'T.realize(C[{base}:{base} + {tile}, {shift}:{width}], "{scope}")']
    value = f"A[{base} + r, j]"
    fill = value + f" < {_number(kind, 3)}" if dtype == "bool" else f"{value} + {_number(kind, rng.randrange(4))}"
    read = f"C[{base} + r, j + {shift}]"
    use = f"T.if_then_else({read}, {value}, {_number(kind, 0)})" if dtype == "bool" else f"{read} * {_number(kind, 2)}"
    store = [f"for r, j in T.grid({tile}, {columns}):", f"    C[{base} + r, j + {shift}] = {fill}"]
    if rng.random() < 0.25:
        store = ['with T.attr(C, "double_buffer_scope", 1):', *indented(store)]
    rest += store
    if rng.random() < 0.3:
        rest += [
            f"for r in range({tile}):",
            f"    T.prefetch(A, [T.Range({base} + r, {base} + r + 1), T.Range(0, {columns})])",
        ]
    if rng.random() < 0.3:
        rest += [rng.choice(['assert 4 > 3, "yes"', f'assert i < {rows}, "sure"', 'assert n < 100, "maybe"'])]
    rest += [f"for r, j in T.grid({tile}, {columns}):", f"    B[{base} + r, j] = {use}"]
    body += [inner + line for line in rest]
    loop = rng.choice(
        [
            f"for i in range({rows // tile}):",
            f'with T.launch_thread("blockIdx.x", {rows // tile}) as i:',
            f"for i in T.parallel({rows // tile}):",
        ]
    )
    if first:
        lines.append(f'T.realize(B[0:{rows}, 0:{columns}], "")')
    lines += [loop, *indented(body)]
    if rng.random() < 0.4:
        lines += [
            f'D = T.Buffer(({rows},), "{kind}")',
            f'T.realize(D[0:{rows}], "")',
            f"for i in range({rows}):",
            f"    D[i] = B[i, {columns - 1}]",
            f"for i in range({rows}):",
            f"    B[i, 0] = B[i, 0] + D[{rows - 1} - i]",
        ]
    shape = f'({rows}, {columns}), "{kind}"'
    return function_text([f"A: T.Buffer({shape})", f"B: T.Buffer({shape})", "n: T.int32"], lines)


def prefetched(seed: Seed) -> str:
    """Write prefetch scopes some iterations ahead."""
    rng = choices(seed)
    ahead = rng.choice(["1", "2", "n"])
    outer = rng.choice(["for i in range(6):", "for i in T.parallel(6):", "for i in range(1, 7):"])
    inner = rng.choice(["for j in range(8):", "for j in T.vectorized(8):", "for j in range(4):", "for j in range(n):"])
    read = rng.choice(
        ["A[i, j]", "A[i, j] + A[i + 1, j + 2]", "A[i, j * 2 % 8]", "A[i // 2, j]", "A[7, 3]", "A[B[0, j] % 8, j]"]
    )
    lines = [
        _FROM_TE,
        outer,
        f'    with T.attr(A, "prefetch_scope", {ahead}):',
        f"        {inner}",
        f"            B[i, j] = {read}",
    ]
    if rng.random() < 0.3:
        lines = [
            _FROM_TE,
            "for i in range(6):",
            f"    {inner}",
            f'        with T.attr(A, "prefetch_scope", {ahead}):',
            f"            B[i, j] = {read}",
        ]
    return function_text(['A: T.Buffer((8, 12), "int32")', 'B: T.Buffer((8, 12), "int32")', "n: T.int32"], lines)


def rolling(seed: Seed) -> str:
    """Write rolling buffers of rows."""
    rng = choices(seed)
    columns = rng.choice([1, 3])
    step, window = rng.choice([(4, 3), (2, 3), (1, 3), (1, 2), (2, 2), (3, 4), (2, 5)])
    up = rng.choice([1, 1, 2])
    extent = step + window - 1 if up == 1 else -(-step // up) + window
    turns = rng.choice([2, 3, 4])
    if up > 1:
        # exactly the rows that are read
        extent = max((o * step + step - 1) // up + 1 - o * step // up for o in range(turns)) + 1
    total = turns * step
    rows = total + extent + 2
    start = f"o * {step}" if up == 1 else f"o * {step} // {up}" if step % up else f"o * {step // up}"
    lines = [_FROM_TE, f'T.realize(P[0:{total}, 0:{columns}], "")', f"for o in range({turns}):"]
    reads = " + ".join(
        f"(R[(o * {step} + k) // {up} + {w}, j])" if up > 1 else f"R[o * {step} + k + {w}, j]"
        for w in range(window if up == 1 else 2)
    )
    guard = rng.random() < 0.5
    store = [f"R[{start} + r, j] = A[{start} + r, j] * 2 + {start} + r"]
    if guard:
        store = [f"if T.likely({start} + r < {rows}):", *indented(store)]
    body = [
        f'R = T.Buffer(({rows}, {columns}), "int32")',
        f'T.realize(R[{start}:{start} + {extent}, 0:{columns}], "")',
        'T.attr(R, "rolling_buffer_scope", T.bool(True))',
        f"for r, j in T.grid({extent}, {columns}):",
        *indented(store),
        f"for k, j in T.grid({step}, {columns}):",
        f"    P[o * {step} + k, j] = {reads}",
    ]
    return function_text(
        [f'A: T.Buffer(({rows}, {columns}), "int32")', f'P: T.Buffer(({total}, {columns}), "int32")'],
        [*lines, *indented(body)],
    )


def background_copies(seed: Seed) -> str:
    """Write groups of asynchronous copies and waits for them."""
    rng = choices(seed)
    dtype = rng.choice(["uint8", "int32", "float16", "float32"])
    size = rng.choice([16, 32])
    scope = rng.choice(["global.vtcm", "global", "global.vtcm"])
    lines = [f'{name} = T.decl_buffer(({4 * size},), "{dtype}", scope="{scope}")' for name in "SR"]
    queue = rng.choice([0, 1])
    copies: list[str] = []
    for target, source in (("S", "A"), ("R", "B"))[: rng.choice([1, 1, 2])]:
        offset, first = rng.choice([0, 4]), rng.choice([0, 0, 2])
        match rng.randrange(5):
            case 0:
                half = size // 4
                loop = [
                    f"for i, j in T.grid(4, {half}):",
                    f"    {target}[i * {half} + j + {offset}] = {source}[o * {size} + i * {half} + j]",
                ]
            case 1:
                loop = [
                    f"for i, j in T.grid(4, {size // 4}):",
                    f"    {target}[i * {size // 4} + j] = {source}[o * {size} // 2 + i * {size // 2} + j]",
                ]
            case 2:
                loop = [f"for i in range({size}):", f"    {target}[i] = {source}[o * {size} + i] + {source}[0]"]
            case 3:
                loop = [
                    f"for i in range({first}, {first + size}):",
                    f"    {target}[i] = {source}[o * {size} + i - {first}]",
                ]
            case _:
                loop = [f"for i in range({size}):", f"    {target}[i + {offset}] = {source}[o * {size} + i]"]
        copies += rng.choice([loop, loop, ['with T.attr(0, "async_scope", 1):', *indented(loop)]])
    body = [f'with T.attr(0, "async_commit_queue_scope", {queue}):', *indented(copies)]
    use = [f"for i in range({size}):", f"    C[o * {size} + i] = S[i + 2] + R[i]"]
    waited = rng.choice([queue, queue, 1 - queue])
    body += [
        f'with T.attr(0, "async_wait_queue_scope", {waited}):',
        f'    with T.attr(0, "async_wait_inflight_count", {rng.choice(["0", "1 - o"])}):',
        *indented(indented(use)),
    ]
    start = [f"for i in range({4 * size}):", "    S[i] = A[i]", "    R[i] = B[i]"]
    params = [f'{name}: T.Buffer(({4 * size},), "{dtype}")' for name in "ABC"]
    return function_text(params, [*lines, *start, "for o in range(2):", *indented(body)])


def vectors_in_memory(seed: Seed) -> str:
    """Write allocations with vector accesses of one or mixed lengths."""
    rng = choices(seed)
    lanes = rng.choice([2, 4, 4])
    count = rng.choice([3, 4])
    size = lanes * count
    dtype = rng.choice(["float32", "int32", "int8", "float16"])
    lines: list[str] = []
    names: list[str] = []
    for number in range(rng.randrange(1, 4)):
        name = f"L{number}"
        scope = rng.choice(["local", "global", "shared"])
        lines += rng.choice(
            [
                [f'{name} = T.decl_buffer(({size},), "{dtype}", scope="{scope}")'],
                [
                    f'{name}_d = T.allocate([{size}], "{dtype}", "{scope}")',
                    f'{name} = T.Buffer(({size},), "{dtype}", data={name}_d, scope="{scope}")',
                ],
            ]
        )
        names.append(name)
    body: list[str] = []
    source = "A"
    for name in names:
        wide = rng.choice([lanes, lanes, 2 * lanes]) if size % (2 * lanes) == 0 else lanes
        value = f"{source}[i * {wide}:i * {wide} + {wide}]"
        value = rng.choice([value, f"{value} + {value}", f"T.Broadcast({_number(dtype, 3)}, {wide})"])
        body += [f"for i in range({size // wide}):", f"    {name}[i * {wide}:i * {wide} + {wide}] = {value}"]
        if rng.random() < 0.25:
            body.append(rng.choice([f"{name}[3] = {_number(dtype, 2)}", f"{name}[1:{1 + lanes}] = A[0:{lanes}]"]))
        source = rng.choice([source, name])
    last = names[-1]
    lane = rng.randrange(lanes)
    if rng.random() < 0.3 and dtype in ("float32", "int32"):
        pointer = f'T.tvm_access_ptr(T.type_annotation("{dtype}"), {last}.data, {lanes}, {lanes}, 1)'
        other = f'T.tvm_access_ptr(T.type_annotation("{dtype}"), C.data, 0, {lanes}, 2)'
        body.append(f'T.evaluate(T.Call("int32", "tir.dma_copy", [0, {other}, {pointer}, {4 * lanes}, 0]))')
    body += [
        f"for i in range({count}):",
        f"    B[i] = {last}[i * {lanes} + {lane}] + {last}[i * {lanes}] + {names[0]}[{lanes} + {lane}]",
    ]
    if rng.random() < 0.5:
        body += [
            f"for i in range({count}):",
            f"    C[i * {lanes}:i * {lanes} + {lanes}] = {last}[i * {lanes}:i * {lanes} + {lanes}]",
        ]
    params = [
        f'A: T.Buffer(({size},), "{dtype}")',
        f'B: T.Buffer(({count},), "{dtype}")',
        f'C: T.Buffer(({size},), "{dtype}")',
    ]
    return function_text(params, [*lines, *body])


# -- copies by all threads


def copied_by_threads(seed: Seed) -> str:
    """Write cooperative copies through shared memory with `auto_copy` annotations."""
    rng = choices(seed)
    rows, columns = rng.choice([(8, 16), (5, 12), (16, 16), (8, 8), (4, 32)])
    warps = rng.choice([1, 2])
    dtype = rng.choice(["float32", "float32", "float16", "int8"])
    threads = f'for ty in T.thread_binding({warps}, thread="threadIdx.y"):'
    is_warp = rng.random() < 0.6
    if not is_warp:
        threads = f'for tx in T.thread_binding({rng.choice([4, 8])}, thread="threadIdx.x"):'
    row, column = rng.choice([(0, 0), (0, 0), (2, 3)])
    shape = f"({rows + row}, {columns + column})"
    shared = rng.choice(["shared", "shared.dyn"])
    is_turned = rng.random() < 0.4
    memory = f"({columns + column}, {rows + row})" if is_turned else shape
    part = f"{row}:{row + rows}, {column}:{column + columns}"
    turned = f"{column}:{column + columns}, {row}:{row + rows}" if is_turned else part
    notes = ['"auto_copy": 1']
    notes += [f'"vector_bytes": {rng.choice([4, 8, 16])}'] if rng.random() < 0.6 else []
    notes += ['"local_stage": T.bool(True)'] if rng.random() < 0.3 else []
    value = rng.choice(["A[i, j]", "A[i, j]", f"A[i, j] * {_number(dtype, 2)}"])
    place = "j, i" if is_turned else "i, j"
    loops = (
        [f"for i in range({row}, {row + rows}):", f"    for j in range({column}, {column + columns}):"]
        if row
        else [f"for i, j in T.grid({rows}, {columns}):"]
    )
    inner = "    " * len(loops)
    back = ", ".join(notes[: 1 + (rng.random() < 0.5)]) if rng.random() < 0.5 else ""
    body = [
        f"T.reads(A[{part}])",
        f"T.writes(B[{part}])",
        f'S = T.alloc_buffer({memory}, "{dtype}", scope="{shared}")',
        'with T.block("S"):',
        f"    T.reads(A[{part}])",
        f"    T.writes(S[{turned}])",
        f"    T.block_attr({{{', '.join(notes)}}})",
        *indented(loops),
        f"    {inner}S[{place}] = {value}",
        'with T.block("B"):',
        f"    T.reads(S[{turned}])",
        f"    T.writes(B[{part}])",
        *([f"    T.block_attr({{{back}}})"] if back else []),
        *indented(loops),
        f"    {inner}B[i, j] = S[{place}]",
    ]
    lines = [
        'with T.block("root"):',
        "    T.reads()",
        "    T.writes()",
        *(['    T.block_attr({"warp_execution": T.bool(True)})'] if is_warp else []),
        f"    {threads}",
        '        with T.block(""):',
        *indented(indented(indented(body))),
    ]
    return function_text([f'A: T.Buffer({shape}, "{dtype}")', f'B: T.Buffer({shape}, "{dtype}")'], lines)


def copied_fragments(seed: Seed) -> str:
    """Write copies of matrix fragments, which a warp loads and stores as tiles.

    Elements of a fragment lie as those of the buffer do: tiles are one below the other.
    """
    rng = choices(seed)
    scope, rows, columns = "wmma.accumulator", 16 * rng.choice([1, 1, 2, 3]), 16
    if rng.random() < 0.5:
        scope, rows, columns = "m16n8k8.matrixC", rng.choice([16, 32]), rng.choice([8, 16, 32])
    if rng.random() < 0.1:
        rows += 1  # no whole tiles
    target = rng.choice(["B", "B", "U"])
    value = rng.choice(["G[i, j]", "G[i, j]", "G[i, j] + A[0, j]"]) if target == "B" else "G[i, j]"
    notes = '"auto_copy": 1' + rng.choice(["", ', "vector_bytes": 8', ', "vector_bytes": 16'])
    whole = f"0:{rows}, 0:{columns}"
    read = f"G[{whole}]" if value == "G[i, j]" else f"G[{whole}], A[0, 0:{columns}]"
    loops = f"for i, j in T.grid({rows}, {columns}):"
    last = [
        'with T.block("last"):', f"    T.reads(U[{whole}])", f"    T.writes(B[{whole}])",
        f"    {loops}", "        B[i, j] = U[i, j]",
    ]  # fmt: skip
    body = [
        f"T.reads(A[{whole}])", f"T.writes(B[{whole}])",
        f'G = T.alloc_buffer(({rows}, {columns}), scope="{scope}")',
        *([f'U = T.alloc_buffer(({rows}, {columns}), scope="shared")'] if target == "U" else []),
        'with T.block("G"):', f"    T.reads(A[{whole}])", f"    T.writes(G[{whole}])", f"    {loops}",
        "        G[i, j] = A[i, j] * T.float32(2)",
        'with T.block("copy"):', f"    T.reads({read})", f"    T.writes({target}[{whole}])",
        f"    T.block_attr({{{notes}}})", f"    {loops}", f"        {target}[i, j] = {value}",
        *(last if target == "U" else []),
    ]  # fmt: skip
    lines = [
        'with T.block("root"):', "    T.reads()", "    T.writes()",
        '    T.block_attr({"warp_execution": T.bool(True)})',
        f'    for ty in T.thread_binding({rng.choice([1, 1, 2])}, thread="threadIdx.y"):',
        '        with T.block(""):',
        *indented(indented(indented(body))),
    ]  # fmt: skip
    shape = f"({rows}, {columns})"
    return function_text([f'A: T.Buffer({shape}, "float32")', f'B: T.Buffer({shape}, "float32")'], lines)


def staged_copies(seed: Seed) -> str:
    """Write copies to shared memory with local stages."""
    rng = choices(seed)
    threads = 4
    rows, wide = rng.choice([(4, 4), (3, 8)])
    kind = rng.choice(["T.serial", "T.serial", "T.vectorized", "T.vectorized", "T.unroll"])
    where = rng.choice(["", f"T.where(i < {rows - 1})"])
    per = wide // threads
    column = f"tx * {per} + j"
    note = rng.choice(
        ['"tir.manifest_shared_memory_local_stage": 1', '"kept": 1, "tir.manifest_shared_memory_local_stage": 1']
    )
    value = rng.choice([f"A[i, {column}]", f"A[i, {column}] * T.float32(2)"])
    body = [
        f"T.reads(A[0:{rows}, 0:{wide}])",
        f"T.writes(C[0:{rows}, 0:{wide}])",
        f'S = T.alloc_buffer(({rows}, {wide}), scope="shared")',
        f"for i in range({rows}):",
        f"    for j in {kind}({per}):",
        '        with T.block("Z"):',
        "            T.reads()",
        f"            T.writes(S[i, {column}])",
        f"            S[i, {column}] = T.float32(1)",
        f"for i in range({rows}):",
        f"    for j in {kind}({per}):",
        '        with T.block("S"):',
        *([f"            {where}"] if where else []),
        f"            T.reads(A[i, {column}])",
        f"            T.writes(S[i, {column}])",
        f"            T.block_attr({{{note}}})",
        f"            S[i, {column}] = {value}",
        f"for i, j in T.grid({rows}, {per}):",
        '    with T.block("C"):',
        f"        T.reads(S[i, {column}])",
        f"        T.writes(C[i, {column}])",
        f"        C[i, {column}] = S[i, {column}]",
    ]
    lines = [
        f'for tx in T.thread_binding({threads}, thread="threadIdx.x"):',
        '    with T.block(""):',
        *indented(indented(body)),
    ]
    return function_text(
        [f'A: T.Buffer(({rows}, {wide}), "float32")', f'C: T.Buffer(({rows}, {wide}), "float32")'], lines
    )


def pointers(seed: Seed) -> str:
    """Write copies through pointers into several storage scopes."""
    rng = choices(seed)
    scope = rng.choice(["global", "shared", "local", "global"])
    dtype = rng.choice(["float32", "int32", "int8", "float16"])
    size = {"float32": 4, "int32": 4, "int8": 1, "float16": 2}[dtype]
    lines = ['T.func_attr({"target": T.target("c")})', f'S_d = T.allocate([32], "{dtype}", "{scope}")']
    lines += [f'S = T.Buffer((32,), "{dtype}", data=S_d, scope="{scope}")', "for i in range(32):", "    S[i] = A[i]"]
    for _ in range(rng.randrange(1, 4)):
        lanes = rng.choice([1, 1, 4])
        kind = f"{dtype}x{lanes}" if lanes > 1 else dtype
        one, other = rng.randrange(4), rng.choice([str(rng.randrange(4)), "n % 4"])
        target = f'T.tvm_access_ptr(T.type_annotation("{kind}"), S_d, {one}, {4}, 2)'
        source = f'T.tvm_access_ptr(T.type_annotation("{kind}"), A.data, {other}, {4}, 1)'
        lines.append(f'T.evaluate(T.Call("int32", "tir.dma_copy", [0, {target}, {source}, {4 * size * lanes}, 0]))')
    lines += ["for i in range(32):", "    B[i] = S[31 - i]"]
    return function_text([f'A: T.Buffer((32,), "{dtype}")', f'B: T.Buffer((32,), "{dtype}")', "n: T.int32"], lines)


def device_memory(seed: Seed) -> str:
    """Write VTCM and global allocations."""
    rng = choices(seed)
    lines: list[str] = []
    for number in range(rng.randrange(1, 4)):
        scope = rng.choice(["global.vtcm", "global.vtcm", "global"])
        dtype, extent = rng.choice(["float32", "int8"]), rng.choice(["[16, 4]", "[16]", "[n + 2]"])
        lines.append(f'W{number}_d = T.allocate({extent}, "{dtype}", "{scope}")')
        shape = extent.replace("[", "(").replace("]", ",)")
        lines.append(f'W{number} = T.Buffer({shape}, "{dtype}", data=W{number}_d, scope="{scope}")')
        index = "0, 0" if "," in extent else "0"
        lines.append(f'W{number}[{index}] = T.Cast("{dtype}", A[0])')
    return function_text(['A: T.Buffer((16,), "int32")', "n: T.int32"], lines)
