"""Programs with what single passes rewrite: ids of scopes, layouts, weights, textures, copies, packed calls."""

from __future__ import annotations

from tvmscript.fuzz.programs import Seed, choices, function_text, indented

#: definitions of ids, the elements that they give, an index of these
_IDS = (
    (("b = T.cta_id([{n}])", "t = T.thread_id([32])"), 32, "b * 32 + t", "b"),
    (("b, c = T.cta_id([{n}, 2])", "t, u = T.thread_id([8, 4])"), 64, "b * 64 + c * 32 + u * 8 + t", "c"),
    (("w = T.warp_id([{n}])", "l = T.lane_id([32])"), 32, "w * 32 + l", "l"),
    (("g = T.warpgroup_id([{n}])", "i = T.thread_id_in_wg([128])", "w = T.warp_id_in_wg([4])"), 128,
     "g * 128 + i", "w"),
    (("t = T.thread_id([64 * {n}])", "w = T.warp_id()"), 64, "t", "w"),
    (("t, u = T.thread_id([16, 2 * {n}])", "l = T.lane_id([32])"), 32, "u * 16 + t", "l"),
    (("b = T.cta_id([2 * {n}])", "c = T.cta_id_in_cluster([2])", "k = T.cluster_id([{n}])", "t = T.thread_id([32])"),
     64, "b * 32 + t", "c * 10 + k"),
    (("k = T.cluster_id([{n}])", "c = T.cta_id_in_cluster([2])", "t = T.thread_id([32])"), 64,
     "(k * 2 + c) * 32 + t", "k"),
    # refused: the number of threads, or of blocks in a cluster, is unknown; another extent; no axis of its own
    (("b = T.cta_id([{n}])",), 1, "b", "b"),
    (("k = T.cluster_id([{n}])", "t = T.thread_id([32])"), 32, "k * 32 + t", "t"),
    (("t = T.thread_id([32 * {n}])", "u = T.thread_id([16])"), 32, "t", "u"),
    (("t, u, v, w = T.thread_id([{n}, 1, 1, 1])",), 1, "t", "u + v + w"),
)  # fmt: skip


def ids_of_scopes(seed: Seed) -> str:
    """Write a kernel whose blocks, warps and threads have ids, as TVM 0.27 has them."""
    rng = choices(seed)
    definitions, elements, index, value = rng.choice(_IDS)
    n = rng.randrange(1, 4)
    lines = [each.format(n=n) for each in definitions]
    if rng.randrange(2):
        lines.insert(0, "T.device_entry()")
    lines.append(f"B[{index}] = {value} + {rng.randrange(100)}")
    return "# from tvm.script import tirx as T\n\n" + function_text([f'B: T.Buffer(({elements * n},), "int32")'], lines)


def parameters_in_layouts(seed: Seed) -> str:
    """Write a function whose parameters or intermediate results are to be in other layouts."""
    rng = choices(seed)
    n, m, width = rng.choice([4, 6]), rng.choice([8, 10, 3]), rng.choice([2, 4, 5])
    maps = [
        "T.index_map(lambda i, j: (j, i))",
        f"T.index_map(lambda i, j: (i, j // {width}, j % {width}))",
        f"T.index_map(lambda i, j: (i * {m} + j,))",
        f"T.index_map(lambda i, j: (i // {width}, i % {width}, j))",
    ]
    first = rng.choice(maps)
    chain = f"[{first}]"
    if first is maps[0] and rng.randrange(2):
        chain = f"[{first}, {rng.choice(maps[:3])}]"
    name = rng.choice("AC")
    lines = [
        f'T.func_attr({{"layout_transform_map": {{{name}: {chain}}}}})',
        f"for i, j in T.grid({n}, {m}):",
        f"    C[i, j] = A[i, {rng.choice(['j', f'{m - 1} - j'])}] + T.float32({rng.randrange(4)})",
    ]
    return function_text([f'A: T.Buffer(({n}, {m}), "float32")', f'C: T.Buffer(({n}, {m}), "float32")'], lines)


def rewritten_weights(seed: Seed) -> str:
    """Write a block that brings a constant, or a parameter, into another layout, and one that reads the result."""
    rng = choices(seed)
    n, m = rng.randrange(1, 5), rng.randrange(1, 4)
    is_constant = rng.randrange(3) > 0
    values = [rng.randrange(-9, 9) for _ in range(n * m)]
    rewritten, shape = rng.choice(
        [("i1, i0", f"({m}, {n})"), ("i0, i1", f"({n}, {m})"), ("i1, 0, i0", f"({m}, 1, {n})")]
    )
    read = {"i1, i0": "j, i", "i0, i1": "i, j", "i1, 0, i0": "j, 0, i"}[rewritten]
    kind = rng.choice(["float32", "int32"])
    blocks = [
        f'K_ = T.alloc_buffer({shape}, "{kind}")',
        f"for a, b in T.grid({n}, {m}):",
        '    with T.block("layout_rewrite"):',
        '        i0, i1 = T.axis.remap("SS", [a, b])',
        *([f'        K = T.Buffer(({n}, {m}), "{kind}", data=K_data)'] if is_constant else []),
        "        T.reads(K[i0, i1])",
        f"        T.writes(K_[{rewritten}])",
        '        T.block_attr({"meta_schedule.layout_rewrite_preproc": True})',
        f"        K_[{rewritten}] = K[i0, i1]{rng.choice(['', '', '', ' + K[i0, i1]'])}",
        f"for a, b in T.grid({n}, {m}):",
        '    with T.block("C"):',
        '        i, j = T.axis.remap("SS", [a, b])',
        f"        C[i, j] = K_[{read}] * K_[{read}]",
    ]
    params = [f'C: T.Buffer(({n}, {m}), "{kind}")']
    if is_constant:
        lines = [
            f'K_data = T.allocate_const({values}, "{kind}", [{n}, {m}])',
            'with T.block("root"):',
            "    T.reads()",
            "    T.writes()",
            *indented(blocks),
        ]
    else:
        params.insert(0, f'K: T.Buffer(({n}, {m}), "{kind}")')
        lines = ['T.func_attr({"layout_free_buffers": [0]})', *blocks]
    return function_text(params, lines)


def textures(seed: Seed) -> str:
    """Write images of four channels in the memory of textures, activations or weights."""
    rng = choices(seed)
    scope = rng.choice(["global.texture", "global.texture-weight", "global.texture-nhwc"])
    sizes = [rng.randrange(1, 4) for _ in range(rng.randrange(1, 4))]
    shape = [*sizes, 4]
    names = "ijkl"[: len(sizes)]
    kind = rng.choice(["float32", "float16"])
    grid = f"for {', '.join(names)} in T.grid({', '.join(map(str, sizes))}):"
    elements = f"for {', '.join([*names, 'c'])} in T.grid({', '.join(map(str, shape))}):"
    index = ", ".join(names)
    lines = ['T.func_attr({"from_legacy_te_schedule": True})']
    if rng.randrange(2):
        lines.append(f'C = T.alloc_buffer(({", ".join(map(str, shape))}), "{kind}", scope="{scope}")')
    else:
        lines += [
            f'C = T.Buffer(({", ".join(map(str, shape))}), "{kind}", scope="{scope}")',
            f'T.realize(C[{", ".join(f"0:{size}" for size in shape)}], "")',
        ]
    lines += [
        grid,
        f"    C[{index}, {rng.choice(['0:4', 'T.Ramp(0, 1, 4)'])}] = A[{index}, 0:4]",
        elements,
        f"    B[{index}, c] = C[{index}, c]",
    ]
    buffer = f'T.Buffer(({", ".join(map(str, shape))}), "{kind}")'
    return function_text([f"A: {buffer}", f"B: {buffer}"], lines)


def copies(seed: Seed) -> str:
    """Write copies of flat buffers under an attribute, some padded; now and then what is no copy."""
    rng = choices(seed)
    n, m, before, after = rng.randrange(1, 4), rng.randrange(1, 4), rng.randrange(3), rng.randrange(3)
    rows, columns = n + before, m + after
    source, condition = f"(i - {before}) * {m} + j", f"i >= {before} and j < {m}"
    step = rng.randrange(1, 3)
    padded = rng.choice([
        f"T.if_then_else({condition}, A[{source}], T.float32(7))",
        f"T.Select({condition}, A[T.max({source}, 0)], T.float32(7))" if rng.randrange(9) == 0 else
        f"T.Select({condition}, A[{source} + {before * m}], T.float32(7))",
    ])  # fmt: skip
    copy = rng.choice([
        [f"for i, j in T.grid({n}, {m}):", f"    B[i * {m} + j + {before}] = A[j * {n * step} + i * {step} + {after}]"],
        [f"for i, j in T.grid({rows}, {columns}):", f"    B[i * {columns} + j] = {padded}"],
        [f"for i in range({n}):", f"    B[i * {step}] = T.Cast('float32', A[i * {m}])"],
        [f"B[{n}] = A[{m}]"],
        [f"for i in range({n}):", f"    B[i] = A[i] + T.float32({m})"],
        [f"for i in range({n}):", f"    B[i] = A[i * i + {m}]"],
        [f"for i in range(1, {n} + 1):", f"    B[i] = A[i + {m}]"],
    ])  # fmt: skip
    head = f'with T.attr(0, "{rng.choice(["pragma_copy", "pragma_copy", "pragma_copy", "pragma_other"])}", 1):'
    params = ['A: T.Buffer((64,), "float32")', 'B: T.Buffer((64,), "float32")']
    return function_text(params, ["B[63] = A[63]", head, *indented(copy)])


def packed_calls(seed: Seed) -> str:
    """Write a module whose function is called by name with addresses and numbers."""
    rng = choices(seed)
    kinds = [rng.choice(["float32", "int8", "float16", "int32", ""]) for _ in range(rng.randrange(1, 4))]
    shapes = ["(" + "".join(f"{rng.randrange(1, 9)}, " for _ in range(rng.randrange(1, 4))) + ")" for _ in kinds]
    head = [f"p{place}: {'T.handle' if kind else 'T.int32'}" for place, kind in enumerate(kinds)]
    lines = [
        f'P{place} = T.match_buffer(p{place}, {shape}, "{kind}")'
        for place, (kind, shape) in enumerate(zip(kinds, shapes, strict=True))
        if kind
    ]
    called = rng.choice(["f", "f", "f", "unknown"])
    addresses = [f"A{place}" if kind else "n" for place, kind in enumerate(kinds)]
    call = rng.choice(["tvm_call_cpacked", "tvm_call_packed"])
    params = [f"A{place}: T.handle" for place, kind in enumerate(kinds) if kind]
    caller = [f'T.evaluate(T.{call}("{called}", {", ".join(addresses)}, ctx, dtype="int32"))']
    callee = function_text([*head, "device_context: T.handle"], [*lines, "T.evaluate(device_context)"])
    callee = callee.replace("main(", "f(").replace("):", ") -> T.handle:", 1)
    functions = [*callee.splitlines(), *function_text(["n: T.int32", *params, "ctx: T.handle"], caller).splitlines()]
    return "\n".join(["@I.ir_module", "class Module:", *indented(functions)])
