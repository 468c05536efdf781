"""Programs of any length for single passes: each repeats, so many times, what the passes are there for."""

from __future__ import annotations

_HEAD = ["@T.prim_func", 'def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):']


def loops(count: int) -> str:
    """Loops in which a pass has nothing to do."""
    return _text([f"    for i in range(64):\n        B[i] = A[i] + T.float32({k})" for k in range(count)])


def conditions(count: int) -> str:
    """Nested loops with a condition and divisions."""
    head = ["@T.prim_func", 'def main(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):']
    body = [
        f"""    for i, j in T.grid(16, 16):
        if i * 16 + j < {200 + k % 50}:
            A[i * 16 + j] = A[i * 16 + j] + B[(i * 16 + j) % {k % 7 + 2}] * 2"""
        for k in range(count)
    ]
    return _text(body, head)


def memories(count: int) -> str:
    """Loops, each with memory of its own that the next one reads."""
    lines = [f"    t{k} = T.decl_buffer(({64 + k % 7},))" for k in range(count)]
    lines += ["    for i in range(64):\n        t0[i] = A[i]"]
    for k in range(1, count):
        index = "i" if k % 3 else "63 - i"
        lines += [f"    for i in range(64):\n        t{k}[i] = t{k - 1}[{index}] + T.float32({k})"]
    return _text([*lines, f"    for i in range(64):\n        B[i] = t{count - 1}[i]"])


def shared_memories(count: int) -> str:
    """A kernel with so many shared memories."""
    lines = ['    tx = T.launch_thread("threadIdx.x", 64)']
    for k in range(count):
        lines += [
            f'    d{k} = T.allocate([64], "float32", "shared.dyn")',
            f'    t{k} = T.Buffer((64,), data=d{k}, scope="shared.dyn")',
        ]
    lines += ["    t0[tx] = A[tx]"]
    lines += [f"    t{k}[tx] = t{k - 1}[63 - tx] + T.float32({k})" for k in range(1, count)]
    return _text([*lines, f"    B[tx] = t{count - 1}[tx]"])


def virtual_threads(count: int) -> str:
    """Loops that virtual threads run."""
    body = [
        f"        for i in range(8):\n            B[vx * 8 + i] = A[vx * 8 + i] + T.float32({k})" for k in range(count)
    ]  # fmt: skip
    return _text(['    with T.launch_thread("vthread", 2) as vx:', *body])


def double_buffers(count: int) -> str:
    """Loops that fill memory for the next iteration."""
    head = ["@T.prim_func", 'def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):']
    body = [
        f"""    for i in range(100):
        B{k} = T.decl_buffer((4,), scope="shared")
        with T.attr(B{k}.data, "double_buffer_scope", 1):
            for j in range(4):
                B{k}[j] = A[i * 4 + j]
        for j in range(4):
            C[j] = B{k}[j] + T.float32(1)"""
        for k in range(count)
    ]
    return _text(body, head)


def vectors(count: int) -> str:
    """Loops over vectors."""
    body = [
        f"    for i in range(16):\n        B[i * 4:i * 4 + 4] = A[i * 4:i * 4 + 4] + T.Broadcast(T.float32({k}), 4)"
        for k in range(count)
    ]
    return _text(body)


def vectorized_loops(count: int) -> str:
    """Loops that become vectors."""
    return _inner_loops(count, "T.vectorized(4)")


def unrolled_loops(count: int) -> str:
    """Loops that become their iterations."""
    return _inner_loops(count, "T.unroll(4)")


def _inner_loops(count: int, inner: str) -> str:
    body = [
        f"""    for i in range(16):
        for j in {inner}:
            B[i * 4 + j] = A[i * 4 + j] + T.float32({k})"""
        for k in range(count)
    ]
    return _text(body)


def blocks(count: int) -> str:
    """Blocks in tiled loops, each with a buffer that the next one reads."""
    return _blocks(count, ["    for i0, j, i1 in T.grid(8, 64, 8):"], "i0 * 8 + i1")


def blocks_on_threads(count: int) -> str:
    """The same on threads."""
    loops = [
        '    for i in T.thread_binding(64, thread="blockIdx.x"):',
        '        for j in T.thread_binding(64, thread="threadIdx.x"):',
    ]
    return _blocks(count, loops, "i")


def _blocks(count: int, loops: list[str], index: str) -> str:
    lines = ["@T.prim_func", 'def main(A0: T.Buffer((64, 64), "float32"), Z: T.Buffer((64, 64), "float32")):']
    lines += [f"    A{k} = T.alloc_buffer((64, 64))" for k in range(1, count)]
    indent = "    " * (len(loops) + 1)
    for k in range(count):
        target = f"A{k + 1}" if k < count - 1 else "Z"
        lines += [
            *loops,
            f'{indent}with T.block("b{k}"):',
            f"{indent}    vi = T.axis.spatial(64, {index})",
            f"{indent}    vj = T.axis.spatial(64, j)",
            f"{indent}    {target}[vi, vj] = A{k}[vi, vj] + T.float32(1)",
        ]
    return "\n".join(lines) + "\n"


def pipelines(count: int) -> str:
    """Loops that are software pipelines of two stages."""
    lines = [
        "@T.prim_func",
        'def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):',
        '    for tx in T.thread_binding(16, thread="threadIdx.x"):',
    ]
    marks = '{"software_pipeline_stage": [0, 1], "software_pipeline_order": [0, 1]}'
    for k in range(count):
        lines += [
            f"""        for i in T.serial(16, annotations={marks}):
            with T.block("c{k}"):
                T.reads(A[tx, i])
                T.writes(C[tx, i])
                B = T.alloc_buffer((16, 1), dtype="float32", scope="shared")
                with T.block():
                    T.reads(A[tx, i])
                    T.writes(B[tx, 0])
                    B[tx, 0] = A[tx, i] * T.float32(2)
                with T.block():
                    T.reads(B[tx, 0])
                    T.writes(C[tx, i])
                    C[tx, i] = B[tx, 0] + T.float32(1)"""
        ]
    return "\n".join(lines) + "\n"


def divisions(count: int, index: str = "T.int32", value: str = "float32") -> str:
    """Nested loops with calls and divisions, of a dtype of indices and one of elements."""
    one = "T.float32(1)" if value == "float32" else f'T.Cast("{value}", T.float32(1))'
    buffer = f'T.Buffer(({index}(1024),), "{value}")'
    lines = ["@T.prim_func", f"def main(A: {buffer}, B: {buffer}):", '    T.func_attr({"target": T.target("llvm")})']
    for k in range(count):
        read = f"A[(i * {index}(16) + j + {index}({k % 100})) % {index}(1024)]"
        other = f"A[(i - {index}(3)) // {index}(5) % {index}(7)]"
        lines += [
            f"    for i in range({index}(64)):",
            f"        for j in range({index}(16)):",
            f"            B[i * {index}(16) + j] = T.exp({read}) * {other} + {one}",
        ]
    return "\n".join(lines) + "\n"


def _text(body: list[str], head: list[str] | None = None) -> str:
    return "\n".join([*(head or _HEAD), *body]) + "\n"
