"""Kernels for passes on tensor cores and NVIDIA instructions."""

from __future__ import annotations

from tvmscript.fuzz.programs import Seed, choices, function_text, indented


def asynchronous_copies(seed: Seed) -> str:
    """Write asynchronous copies to shared memory: elements, vectors, guarded."""
    rng = choices(seed)
    dtype = rng.choice(["float32", "float16", "int8", "int32"])
    threads, size = 4, 64
    is_merged = rng.random() < 0.4
    bytes_of = {"float32": 4, "float16": 2, "int8": 1, "int32": 4}[dtype]
    scope = rng.choice(["shared", "shared.dyn"])
    kind, count = ("uint8", size * bytes_of) if is_merged else (dtype, size)
    memory = [
        f'S_d = T.allocate([{count}], "{kind}", "{scope}")',
        f'S = T.Buffer(({size},), "{dtype}", data=S_d, scope="{scope}")',
    ]
    fill = [f"for i in range({size // threads}):", f"    S[tx * {size // threads} + i] = A[tx + i]"]
    copies: list[str] = []
    zero = {"float32": "T.float32(0)", "float16": "T.float16(0)", "int8": "T.int8(0)", "int32": "0"}[dtype]
    for _ in range(rng.randrange(1, 4)):
        lanes = rng.choice([1, 2, 4, 8, 16])
        lanes = lanes if lanes * bytes_of * threads <= size * bytes_of // 2 else 1
        shift = rng.choice([0, 0, lanes * threads])
        one = rng.choice([f"tx * {lanes}", f"tx * {lanes} + {shift}"])
        other = rng.choice([f"tx * {lanes}", f"({threads - 1} - tx) * {lanes}", f"tx * {lanes} + {lanes}"])
        condition = rng.choice(["", "tx < 3", "n < 3"])
        if lanes > 1:
            target = rng.choice(
                [
                    f"S[T.Ramp({one}, 1, {lanes})]",
                    f"S[T.Ramp(tx * {lanes}, 1, {lanes}) + T.Broadcast({shift}, {lanes})]",
                    f"S[T.Ramp(tx * {lanes} * 2, 2, {lanes})]",
                ]
            )
            source = f"A[T.Ramp({other}, 1, {lanes})]"
            none = rng.choice(
                [
                    f"T.Broadcast({zero}, {lanes})",
                    f"T.Broadcast({zero.replace('0)', '1)') if '(' in zero else '1'}, {lanes})",
                ]
            )
        else:
            target, source, none = f"S[{one}]", f"A[{other}]", zero
        value = f"T.if_then_else({condition}, {source}, {none})" if condition else source
        copies.append(f"{target} = {value}")
    body = [
        *fill,
        'with T.attr(0, "async_commit_queue_scope", 0):',
        '    with T.attr(0, "async_scope", 1):',
        *indented(indented(copies)),
        'with T.attr(0, "async_wait_queue_scope", 0):',
        '    with T.attr(0, "async_wait_inflight_count", 0):',
        f'        T.tvm_storage_sync("{scope}")',
        f"        for i in range({size // threads}):",
        f"            B[i * {threads} + tx] = S[i * {threads} + {threads - 1} - tx]",
    ]
    lines = [*memory, f'with T.launch_thread("threadIdx.x", {threads}) as tx:', *indented(body)]
    if rng.random() < 0.5:
        lines = [f'with T.launch_thread("threadIdx.x", {threads}) as tx:', *indented([*memory, *body])]
    return function_text(
        [f'A: T.Buffer(({size},), "{dtype}")', f'B: T.Buffer(({size},), "{dtype}")', "n: T.int32"], lines
    )


def guarded_loads(seed: Seed) -> str:
    """Write guarded loads into registers."""
    rng = choices(seed)
    dtype = rng.choice(["float32", "float32", "int32", "float16"])
    target = rng.choice(["local", "local", "shared"])
    body: list[str] = []
    count = rng.randrange(1, 4)
    for number in range(count):
        place = rng.choice([f"i + {4 * number}", f"{3 + 4 * number} - i"])
        condition = rng.choice(["i + tx < 5", "tx < 2", "n < 3", "i > 1", "A[tx] < A[0]"])
        source = rng.choice(["A[tx * 4 + i]", "A[15 - i]", "A[tx]"])
        other = rng.choice([f'T.Cast("{dtype}", 0)', f'T.Cast("{dtype}", i)', "A[0]"])
        value = rng.choice(
            [f"T.if_then_else({condition}, {source}, {other})", f"T.if_then_else({condition}, {other}, {source})"]
        )
        body += ["for i in range(4):", f"    L[{place}] = {value}"]
        if rng.random() < 0.3:
            body += [
                f'M{number} = T.decl_buffer((2,), "{dtype}", scope="local")',
                f"M{number}[0] = T.if_then_else({condition.replace('i', 'n')}, A[n], {other.replace('i)', 'n)')})",
                f"B[tx * 16 + {number}] = M{number}[0]",
            ]
    body += [f"for i in range({4 * count}):", "    B[tx * 16 + i] = B[tx * 16 + i] + L[i]"]
    memory = [
        f'L_d = T.allocate([16], "{dtype}", "{target}")',
        f'L = T.Buffer((16,), "{dtype}", data=L_d, scope="{target}")',
    ]
    thread = 'with T.launch_thread("threadIdx.x", 4) as tx:'
    lines = [thread, *indented([*memory, *body])] if rng.random() < 0.7 else [*memory, thread, *indented(body)]
    return function_text([f'A: T.Buffer((16,), "{dtype}")', f'B: T.Buffer((64,), "{dtype}")', "n: T.int32"], lines)


def permuted_rows(seed: Seed) -> str:
    """Write blocks that fill and read shared memory with `permuted_layout` annotations."""
    rng = choices(seed)
    rows, columns = rng.choice([(8, 32), (4, 64), (10, 32), (8, 64), (2, 96), (16, 128)])
    dtype = rng.choice(["float16", "int32"])
    mark = rng.choice(['"permuted_layout": 1', '"permuted_layout": "g2s_A"', '"permuted_layout": 1, "kept": 1'])
    off = rng.random() < 0.1
    mark = '"permuted_layout": 0' if off else mark
    deep = rng.random() < 0.2
    outer = "1, " if deep else ""
    memory = f"({'2, ' if deep else ''}{rows}, {columns})"
    scope = rng.choice(["shared", "shared.dyn"])
    one = rng.choice(["i, j", f"{rows - 1} - i, j", f"i, {columns - 1} - j"])
    fused = rng.random() < 0.4
    head = f"for f in range({rows * columns}):" if fused else f"for i, j in T.grid({rows}, {columns}):"
    i, j = (f"f // {columns}", f"f % {columns}") if fused else ("i", "j")
    lines = [
        f'S = T.alloc_buffer({memory}, "{dtype}", scope="{scope}")',
        head,
        '    with T.block("w"):',
        f"        T.reads(A[{i}, {j}])",
        f"        T.writes(S[{outer}{i}, {j}])",
        f"        T.block_attr({{{mark}}})",
        f"        S[{outer}{i}, {j}] = A[{i}, {j}]",
        f"for i, j in T.grid({rows}, {columns}):",
        '    with T.block("r"):',
        f"        T.reads(S[{outer}{one}])",
        "        T.writes(B[i, j])",
        f"        T.block_attr({{{mark}}})",
        f"        B[i, j] = S[{outer}{one}]",
    ]
    body = [
        'with T.block("root"):',
        f"    T.reads(A[0:{rows}, 0:{columns}])",
        f"    T.writes(B[0:{rows}, 0:{columns}])",
        *indented(lines),
    ]
    return function_text(
        [f'A: T.Buffer(({rows}, {columns}), "{dtype}")', f'B: T.Buffer(({rows}, {columns}), "{dtype}")'], body
    )


def registers(seed: Seed) -> str:
    """Write stores to and loads from m16n8k8 accumulators."""
    rng = choices(seed)
    rows, columns = rng.choice([(16, 8), (32, 16), (16, 16)])
    outer = rng.choice(["", "", "1, "])
    shape = f"({'2, ' if outer else ''}{rows}, {columns})"
    others = rng.sample(
        [
            'MA = T.alloc_buffer((32, 8), "float16", scope="m16n8k8.matrixA")',
            'MB = T.alloc_buffer((2, 8, 32), "float16", scope="m16n8k8.matrixB")',
        ],
        rng.randrange(3),
    )
    lines = [
        *others,
        f'MC = T.alloc_buffer({shape}, "float32", scope="m16n8k8.matrixC")',
        f"for i, j in T.grid({rows}, {columns}):",
        '    with T.block("init"):',
        "        T.reads()",
        f"        T.writes(MC[{outer}i, j])",
        f"        MC[{outer}i, j] = A[i, j] * T.float32(2)",
        '        with T.block("use"):',
        f"            T.reads(MC[{outer}i, j])",
        "            T.writes(C[i, j])",
        f"            C[i, j] = MC[{outer}i, j] + T.float32(1)",
    ]
    body = [
        'with T.block("root"):',
        f"    T.reads(A[0:{rows}, 0:{columns}])",
        f"    T.writes(C[0:{rows}, 0:{columns}])",
        *indented(lines),
    ]
    return function_text(
        [f'A: T.Buffer(({rows}, {columns}), "float32")', f'C: T.Buffer(({rows}, {columns}), "float32")'], body
    )


def fragments(seed: Seed) -> str:
    """Write WMMA products of all shapes and layouts; some shapes mismatch."""
    rng = choices(seed)
    m, n, k = rng.choice([(16, 16, 16), (32, 8, 16), (8, 32, 16), (16, 16, 8)])
    layouts = [rng.choice(["row_major", "col_major"]) for _ in range(3)]
    sizes = {"fa": m * k, "fb": k * n, "fc": m * n}
    scopes = {"fa": "wmma.matrix_a", "fb": "wmma.matrix_b", "fc": "wmma.accumulator"}
    lines = [
        f'{name} = T.allocate([{size + 64}], "{"float32" if name == "fc" else "float16"}", "{scopes[name]}")'
        for name, size in sizes.items()
    ]
    shape = f"{m}, {n}, {k}"
    calls = []
    if rng.random() < 0.6:
        calls.append(f"T.tvm_fill_fragment(fc, {shape}, 0, T.float32(0))")
    for name, data, layout in (("fa", "A", layouts[0]), ("fb", "B", layouts[1])):
        other = f"{m}, {n}, {k + 1}" if rng.random() < 0.05 else shape
        pointer = f'T.tvm_access_ptr(T.type_annotation("float16"), {data}.data, 0, {sizes[name]}, 1)'
        calls.append(f'T.tvm_load_matrix_sync({name}, {other}, 0, {pointer}, 16, "{layout}")')
    if rng.random() < 0.4:
        calls.append("T.tvm_mma_sync(fc, 0, fa, 0, fb, 0, fc, 0)")
    pointer = f'T.tvm_access_ptr(T.type_annotation("float32"), C.data, 0, {sizes["fc"]}, 2)'
    calls.append(f'T.tvm_store_matrix_sync(fc, {shape}, 0, {pointer}, 16, "{layouts[2]}")')
    body = [*lines, *calls]
    if rng.random() < 0.1:
        body = [*lines, "for o in range(2):", *indented(calls)]
    params = ['A: T.Buffer((1024,), "float16")', 'B: T.Buffer((1024,), "float16")', 'C: T.Buffer((1024,), "float32")']
    return function_text(params, ['with T.launch_thread("threadIdx.x", 32) as tx:', *indented(body)])
