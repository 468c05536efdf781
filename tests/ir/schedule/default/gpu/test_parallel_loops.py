"""Scans, sorts, gathers and scatters on threads: values of the interpreter, faults; which programs the rule takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.schedule.default.gpu.test_rules import TARGET, program
from tvmscript import te, topi
from tvmscript.backends import interp
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import IRModule
from tvmscript.ir.schedule.default import gpu
from tvmscript.ir.schedule.default.schedule_rule import ApplyDefaultSchedule
from tvmscript.ir.tir import PrimFunc

SHAPE, PLACES = (3, 10), (3, 4)


def applied(operator: Callable[..., Any], *others: tuple[tuple[int, ...], str]) -> PrimFunc:
    """Return the program of an operator on a matrix and other arrays."""
    given = [te.placeholder(SHAPE, "float32", "A")]
    given += [te.placeholder(shape, dtype, f"B{number}") for number, (shape, dtype) in enumerate(others)]
    outcome = operator(*given)
    func: Any = te.create_prim_func([*given, *(outcome if isinstance(outcome, list) else [outcome])])
    main: PrimFunc = func.with_attr("global_symbol", "main")
    return main


INDICES, UPDATES = (PLACES, "int64"), (PLACES, "float32")
OPERATORS: dict[str, PrimFunc] = {
    "cumsum": applied(lambda a: topi.cumsum(a, 1)),
    "exclusive cumprod": applied(lambda a: topi.cumprod(a, 0, exclusive=True)),
    "sort": applied(lambda a: topi.sort(a, 1)),
    "argsort": applied(lambda a: topi.argsort(a, axis=0, is_ascend=False)),
    "topk": applied(lambda a: topi.topk(a, 3, 1)),
    "gather": applied(lambda a, i: topi.gather(a, 1, i), INDICES),
    "gather_nd": applied(topi.gather_nd, ((2, 7), "int64")),
    "scatter": applied(lambda a, i, u: topi.scatter_elements(a, i, u, 1), INDICES, UPDATES),
    "scatter of sums": applied(lambda a, i, u: topi.scatter_elements(a, i, u, 1, "add"), INDICES, UPDATES),
    "scatter_nd": applied(lambda a, i, u: topi.scatter_nd(a, i, u, "add"), ((1, 4), "int64"), ((4, 10), "float32")),
    "searchsorted": applied(topi.searchsorted, UPDATES),
}
LOOPS = """
@T.prim_func
def main(A: T.Buffer((300,), "float32"), B: T.Buffer((300,), "float32"), C: T.Buffer((1,), "float32")):
    for i in range(300):
        B[299 - i] = A[i] * T.float32(2)
    C[0] = T.float32(0)
    for i in range(300):
        C[0] = C[0] + B[i]
"""


def arguments(func: PrimFunc) -> list[Any]:
    """Return arguments: sorted rows, places that differ, results that nobody has set."""
    rng = np.random.default_rng(0)
    arrays: list[Any] = []
    for param in func.params:
        buffer = func.buffer_map[param]
        shape = tuple(int(str(extent)) for extent in buffer.shape)
        if str(buffer.dtype) == "int64" and len(arrays) == 1:
            arrays.append(np.argsort(rng.random(shape), axis=-1) % 3)
        else:
            arrays.append(np.sort(rng.random(shape), axis=-1).astype(str(buffer.dtype))[..., ::-1].copy())
    arrays[0] = np.sort(arrays[0], axis=-1)[..., ::-1].copy() if len(arrays) < 3 else np.sort(arrays[0], axis=-1)
    return arrays


def scheduled(func: PrimFunc) -> IRModule:
    with TARGET:
        mod: IRModule = ApplyDefaultSchedule(*[rule() for rule in gpu.RULES])(IRModule({"main": func}))
    return mod


@pytest.mark.parametrize("name", OPERATORS)
def test_results_on_threads(name: str) -> None:
    func = OPERATORS[name]
    expected, actual = arguments(func), arguments(func)
    interp.build(func)["main"](*expected)
    module = tvmscript.lower(scheduled(func), TARGET)
    assert run_sanitized(module, "main", actual).errors == ()
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    assert "__global__" in tvmscript.build(func, target="cuda -arch=sm_80").get_source("cu")


def nest(shape: tuple[int, ...], dtype: str, operator: Callable[[te.Tensor], te.Tensor]) -> PrimFunc:
    """Return the program of an operator on one array."""
    given = te.placeholder(shape, dtype, "A")
    func: Any = te.create_prim_func([given, operator(given)])
    main: PrimFunc = func.with_attr("global_symbol", "main")
    return main


#: programs that no other rule takes, and threads of a block
NESTS: dict[str, tuple[PrimFunc, int]] = {
    "windows of different sizes": (nest((2, 3, 7), "float32", lambda a: topi.nn.adaptive_pool1d(a, (3,), "avg")), 18),
    "a reducer that nobody knows": (nest((3, 7), "bool", lambda a: topi.any(a, 1)), 3),
    "last of the largest": (nest((3, 7), "float32", lambda a: topi.argmax(a, 1, select_last_index=True)), 3),
}


@pytest.mark.parametrize("name", NESTS)
def test_nests_that_no_other_rule_takes(name: str) -> None:
    func, threads = NESTS[name]
    script = scheduled(func).script()
    assert f'T.thread_binding({threads}, thread="threadIdx.x")' in script
    given = [argument.value for argument in random_inputs(func)]
    expected, actual = ([array.copy() for array in given] for _ in range(2))
    interp.build(func)["main"](*expected)
    assert run_sanitized(tvmscript.lower(scheduled(func), TARGET), "main", actual).errors == ()
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


OPAQUE = """
@T.prim_func
def main(A: T.Buffer((6,), "float32"), B: T.Buffer((6,), "float32")):
    for i in range(3):
        for j in range({extent}):
            with T.block("B"):
                vi = T.axis.opaque(6, {place})
                B[vi{shift}] = B[vi] + A[vi]
"""


@pytest.mark.parametrize(
    ("extent", "place", "shift", "threads"),
    [("2", "i * 2 + j", "", 256), ("i + 1", "i + j", "", 256), ("1", "i", " + 1", 1)],
)
def test_nests_that_cannot_be_bound(extent: str, place: str, shift: str, threads: int) -> None:
    """Iterations that are independent are those of threads, as in a block that changes an array in place."""
    func = program(OPAQUE.format(extent=extent, place=place, shift=shift))
    assert scheduled(func).script().count(f'T.thread_binding({threads}, thread="threadIdx.x")') == 1
    actual, expected = ([np.arange(6, dtype="float32"), np.ones(6, "float32")] for _ in range(2))
    interp.build(func)["main"](*expected)
    assert run_sanitized(tvmscript.lower(scheduled(func), TARGET), "main", actual).errors == ()
    np.testing.assert_array_equal(actual[1], expected[1])


#: statements on A and B, and threads
UNBOUND: dict[str, tuple[str, int]] = {
    "parallel": (
        """
    for i in T.parallel(8):
        with T.block("B"):
            v = T.axis.spatial(8, i)
            B[v] = A[v]
""",
        8,
    ),
    "vectors": (
        """
    for i in range(2):
        for j in T.vectorized(4):
            with T.block("B"):
                v = T.axis.spatial(8, i * 4 + j)
                B[v] = A[v]
""",
        256,
    ),
    "memory of an iteration": (
        """
    for i in range(8):
        with T.block("B"):
            v = T.axis.spatial(8, i)
            n = T.alloc_buffer((1,), "int32")
            n[0] = 0
            while A[v] > T.cast(n[0], "float32"):
                n[0] = n[0] + 1
            B[v] = T.cast(n[0], "float32")
""",
        8,
    ),
    "exchange": (
        """
    for i in range(4):
        with T.block("B"):
            v = T.axis.spatial(4, i)
            t = T.alloc_buffer((1,), "float32")
            t[0] = B[v]
            B[v] = B[7 - v]
            B[7 - v] = t[0]
""",
        256,
    ),
}


@pytest.mark.parametrize("name", UNBOUND)
def test_what_nobody_has_bound_is_launched(name: str) -> None:
    body, threads = UNBOUND[name]
    func = program(f"@T.prim_func\ndef main(A: T.Buffer((8,), 'float32'), B: T.Buffer((8,), 'float32')):{body}")
    assert f'T.thread_binding({threads}, thread="threadIdx.x")' in scheduled(func).script()
    actual, expected = ([np.arange(8, dtype="float32"), np.arange(8, dtype="float32") ** 2] for _ in range(2))
    interp.build(func)["main"](*expected)
    assert run_sanitized(tvmscript.lower(scheduled(func), TARGET), "main", actual).errors == ()
    np.testing.assert_array_equal(actual[1], expected[1])
    assert "__global__" in tvmscript.build(func, target="cuda -arch=sm_80").get_source("cu")


def test_loops_without_blocks() -> None:
    func = program(LOOPS)
    script = scheduled(func).script()
    assert [script.count(text) for text in ('T.thread_binding(2, thread="blockIdx.x")', "T.thread_binding(256")] == [
        1,
        1,
    ]
    a, b, c = np.arange(300, dtype="float32"), np.zeros(300, "float32"), np.zeros(1, "float32")
    assert run_sanitized(tvmscript.lower(scheduled(func), TARGET), "main", (a, b, c)).errors == ()
    np.testing.assert_array_equal(b, 2 * a[::-1])
    assert c[0] == 2 * a.sum()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("B[299 - i] = A[i]", "B[i // 2] = A[i]"),
        ("B[299 - i] = A[i]", "B[299 - i] = B[i]"),
    ],
    ids=["one element twice", "elements of other iterations"],
)
def test_loops_that_depend_on_their_order_run_on_a_thread(old: str, new: str) -> None:
    script = scheduled(program(LOOPS.replace(old, new))).script()
    assert 'thread="threadIdx.x"' in script
    assert "T.thread_binding(256" not in script


STEPS = """
@T.prim_func
def main(A: T.Buffer((4, 70), "float32")):
    for t in range(3):
        for i in T.parallel(70):
            A[t + 1, i] = A[t, 69 - i] + T.float32(1)
"""


def test_parallel_loops_in_order_are_one_block() -> None:
    """A step begins when the one before has ended: threads read what others have stored."""
    mod = scheduled(program(STEPS))
    assert 'T.thread_binding(1, thread="blockIdx.x")' in mod.script()
    a = np.zeros((4, 70), "float32")
    a[0] = np.arange(70)
    assert run_sanitized(tvmscript.lower(mod, TARGET), "main", (a,)).errors == ()
    np.testing.assert_array_equal(a[3], np.arange(70)[::-1] + 3)


ARRAYS = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    m = T.int32()
    n = T.int32()
    A = T.match_buffer(a, (m, n), "float32")
    B = T.match_buffer(b, (m, n), "float32")
    for i in T.parallel(m):
        data = T.allocate([{size}], "float32", "global")
        C = T.Buffer(({shape}), "float32", data=data)
        for j in range(n):
            C[{place}] = A[i, j]
        for j in range(n):
            B[i, j] = C[{last}]
"""


@pytest.mark.parametrize("size", ["n", "2000"])
def test_large_arrays_of_threads_are_parts_of_global_memory(size: str) -> None:
    text = ARRAYS.format(size=size, shape=f"{size},", place="j", last="n - 1 - j")
    mod = scheduled(program(text))
    assert "local" not in mod.script()
    a, b = np.arange(35 * 3, dtype="float32").reshape(35, 3), np.zeros((35, 3), "float32")
    assert run_sanitized(tvmscript.lower(mod, TARGET), "main", (a, b)).errors == ()
    np.testing.assert_array_equal(b, a[:, ::-1])


@pytest.mark.parametrize(
    "sizes",
    [
        {"size": "1000", "shape": "1000,", "place": "j", "last": "n - 1 - j"},
        {"size": "2000", "shape": "1000, 2", "place": "j, 0", "last": "n - 1 - j, 0"},
        {"size": "n + i", "shape": "n + i,", "place": "j", "last": "n - 1 - j"},
    ],
    ids=["small", "seen with two dimensions", "of a size that is known in an iteration"],
)
def test_other_arrays_of_threads_are_their_own(sizes: dict[str, str]) -> None:
    assert 'scope="local"' in scheduled(program(ARRAYS.format(**sizes))).script()


def test_loops_of_te_schedules_are_launched() -> None:
    """Passes leave threads of functions with the attribute of TE schedules alone: a scheduled one has lost it."""
    a = te.placeholder((3,), name="A")
    b = te.compute((3,), lambda i: a[i] + 1, "B")
    func = tvmscript.lower(te.create_schedule(b.op), [a, b])["main"]
    assert isinstance(func, PrimFunc)
    assert "__global__" in tvmscript.build(func, target="cuda -arch=sm_80").get_source("cu")


WORKSPACES = """
@T.prim_func
def main(A: T.Buffer((3, {size}), "float32"), B: T.Buffer((3, {size}), "float32")):
    for i in T.parallel(3):
        W = T.allocate([{size}], "float32", "global")
        W_1 = T.Buffer(({size},), data=W)
        for j in range({size}):
            W_1[{size} - 1 - j] = A[i, j] * T.float32(2)
        for j in range({size}):
            B[i, j] = W_1[j] + T.float32(1)
"""


@pytest.mark.parametrize(("size", "allocation"), [(1024, '[1024], "float32", "local"'), (1025, "[3075],")])
def test_arrays_of_four_kilobytes_are_those_of_a_thread(size: int, allocation: str) -> None:
    func = program(WORKSPACES.format(size=size))
    assert f"T.allocate({allocation}" in scheduled(func).script().replace('"global"', "")
    a, b = np.arange(3 * size, dtype="float32").reshape(3, size), np.zeros((3, size), "float32")
    assert run_sanitized(tvmscript.lower(scheduled(func), TARGET), "main", [a, b]).errors == ()
    np.testing.assert_array_equal(b, 2 * a[:, ::-1] + 1)
