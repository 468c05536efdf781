"""Where a buffer may be allocated: the innermost loop or block around its uses, above loops that carry its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.analysis.memory.buffer_lca import buffer_scopes, detect_buffer_access_lca
from tvmscript.ir.tir import Block, Buffer, For

HEAD = """@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    with T.block("root"):
        T.reads()
        T.writes()
"""


def _names(scopes: Mapping[Buffer, For | Block | None]) -> dict[str, str]:
    return {buffer.name: _name(scope) for buffer, scope in scopes.items()}


def _name(scope: For | Block | None) -> str:
    return scope.loop_var.name if isinstance(scope, For) else scope.name_hint if scope is not None else "function"


def _program(body: str) -> Any:
    lines = "\n".join(f"        {line}" for line in body.strip("\n").splitlines())
    return tvmscript.from_source(HEAD + lines, check_well_formed=False)


REDUCTION = """
C = T.alloc_buffer((64,), scope="local")
for i in range(8):
    for k0 in range(8):
        for k1 in range(8):
            with T.block("sum"):
                vi = T.axis.spatial(8, i)
                vk = T.axis.reduce(64, KEY)
                with T.init():
                    C[vi] = 0.0
                C[vi] = C[vi] + A[vk]
"""
NESTED = """
C = T.alloc_buffer((64,), scope="local")
for i in range(8):
    for j in range(8):
        with T.block("outer"):
            vo = T.axis.AXIS(64, i * 8 + j)
            for k in range(4):
                with T.block("inner"):
                    vk = T.axis.reduce(256, vo * 4 + k)
                    C[0] = C[0] + A[vk]
"""
OPAQUE = """
C = T.alloc_buffer((64,), scope="local")
for i in range(8):
    for j in range(8):
        with T.block("stores"):
            vj = T.axis.spatial(8, j)
            C[vj] = A[vj]
        with T.block("any"):
            va = T.axis.opaque(8, i)
            vb = T.axis.opaque(8, j)
            B[0] = C[READ]
"""
ONE = """
C = T.alloc_buffer((64,), scope="SCOPE")
for i in T.BINDING:
    for j in range(8):
        with T.block("one"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi] = A[vi]
            B[vj] = C[vi]
"""


@pytest.mark.parametrize(
    ("body", "scope"),
    [
        (REDUCTION.replace("KEY", "k0 * 8 + k1"), "i"),
        (REDUCTION.replace("KEY", "k1"), "k0"),
        (REDUCTION.replace("KEY", "k0"), "i"),
        (NESTED.replace("AXIS", "spatial"), "root"),
        (NESTED.replace("AXIS", "opaque"), "root"),
        (OPAQUE.replace("READ", "va + vb"), "root"),
        (OPAQUE.replace("READ", "vb + va"), "root"),
        (OPAQUE.replace("READ", "vb"), "i"),
        (OPAQUE.replace("READ", "0"), "j"),
        (ONE.replace("SCOPE", "local").replace("BINDING", "serial(8)"), "one"),
        (ONE.replace("SCOPE", "global").replace("BINDING", 'thread_binding(8, "threadIdx.x")'), "one"),
        (ONE.replace("SCOPE", "global").replace("BINDING", 'thread_binding(8, "blockIdx.x")'), "i"),
        (ONE.replace("SCOPE", "shared").replace("BINDING", 'thread_binding(8, "blockIdx.x")'), "one"),
    ],
)
def test_scopes_of_blocks_with_axes(body: str, scope: str) -> None:
    assert _names(buffer_scopes(_program(body).body)) == {"C": scope}


CARRIED_BY_THREADS = """
C = T.alloc_buffer((64,), scope="SCOPE")
for i in T.thread_binding(8, "THREADS"):
    for j in range(8):
        B[j] = C[j]
        C[j] = A[j]
"""


@pytest.mark.parametrize(
    ("memory", "threads", "scope"),
    [
        ("local", "threadIdx.x", "i"),
        ("local", "blockIdx.x", "i"),
        ("shared", "threadIdx.x", "root"),
        ("shared", "blockIdx.x", "i"),
        ("shared.dyn", "blockIdx.x", "i"),
        ("global", "blockIdx.x", "root"),
    ],
)
def test_memory_stays_inside_of_the_loops_over_its_threads(memory: str, threads: str, scope: str) -> None:
    program = _program(CARRIED_BY_THREADS.replace("SCOPE", memory).replace("THREADS", threads))
    assert _names(buffer_scopes(program.body)) == {"C": scope}


TWO_LOOPS = """
C = T.alloc_buffer((64,))
for i in range(8):
    for j in range(8):
        C[j] = A[j]
    for j in range(8):
        B[j] = C[READ]
"""
CARRIED = """
C = T.alloc_buffer((64,))
for i in range(8):
    for j in range(8):
        B[j] = C[j]
        C[j] = A[j]
"""
AS_INDEX = """
C = T.alloc_buffer((64,))
for i in range(8):
    C[0] = A[i]
for j in range(8):
    B[j] = A[T.Cast("int32", C[0])]
"""
UNDER = """
C = T.alloc_buffer((64,))
for i in range(8):
    if CONDITION:
        C[0] = A[i]
    if n > 3:
        B[i] = C[0]
"""


@pytest.mark.parametrize(
    ("body", "scope"),
    [
        (TWO_LOOPS.replace("READ", "j"), "i"),
        (TWO_LOOPS.replace("READ", "j + 1"), "root"),
        (TWO_LOOPS.replace("C[j] = A[j]", "C[j + i] = A[j]").replace("READ", "j + i"), "root"),
        (TWO_LOOPS.replace("C[j] = A[j]", "C[0] = A[j]").replace("READ", "0"), "i"),
        (TWO_LOOPS.replace("range(8):\n        C", "range(n):\n        C").replace("READ", "j"), "root"),
        (CARRIED, "root"),
        (AS_INDEX, "root"),
        (UNDER.replace("CONDITION", "True"), "i"),
        (UNDER.replace("CONDITION", "n > 3"), "root"),
    ],
)
def test_scopes_where_no_axes_say_what_iterations_share(body: str, scope: str) -> None:
    """A load of what the same iteration has not certainly stored may read what any other one has."""
    assert _names(buffer_scopes(_program(body).body)) == {"C": scope}


def test_scopes_of_addresses_and_matched_buffers() -> None:
    program = _program("""
C = T.alloc_buffer((64,))
unused = T.alloc_buffer((64,))
D = T.alloc_buffer((64,))
E = T.alloc_buffer((64,))
F = T.alloc_buffer((64,))
for i in range(8):
    for j in range(8):
        with T.block("writes"):
            vi = T.axis.spatial(8, i)
            T.reads(D[0:64])
            T.writes(C[0:64], D[0:64])
            T.evaluate(T.call_extern("int32", "f", C.data, T.address_of(D[vi])))
        with T.block("part"):
            vi = T.axis.spatial(8, i)
            P = T.match_buffer(E[0:8], (8,))
            P[vi] = A[vi]
""")
    # what a block says that it only writes is written; another address may be read first, in any iteration
    assert _names(buffer_scopes(program.body)) == {"C": "writes", "D": "root", "E": "part"}
    assert _names(detect_buffer_access_lca(program)) == {"C": "writes", "D": "writes", "E": "part", "A": "part"}


def test_common_scopes_of_all_accesses() -> None:
    """Parameters count; what is global is shared by blocks of threads: it is as far out as the loops over these."""
    program = _program("""
C = T.alloc_buffer((64,), scope="shared")
for i in T.thread_binding(8, "blockIdx.x"):
    for j in range(8):
        C[j] = A[j]
        if B[j] > 0.0:
            A[0] = C[j]
""")
    assert _names(detect_buffer_access_lca(program)) == {"A": "i", "B": "i", "C": "j"}
