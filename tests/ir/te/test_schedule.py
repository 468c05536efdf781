"""Classic schedules: their lowered texts, also beside TVM, and their values."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.ir.te.cases import FOLDER, arrays_of, check_golden, load, peers_texts, text_of
from tvmscript import te
from tvmscript.backends.runtime.errors import DivisionByZero
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.transform.registry import get_pass

#: the same on every Python
pytestmark = pytest.mark.long

FILES = sorted((FOLDER / "schedules").glob("*.py"))

#: families whose schedules compute something else than the tensors say, or that have no plain form
_NO_VALUES = (
    "predicates", "layouts", "plain.scalar", "plain.size", "externs", "scans", "split.without_predicate",
    "threads_of_environment",
    "tensorize.vadd", "tensorize_reductions", "tensor_compute", "intrinsics_of_stages",  # functions that are not here
    "hybrid",  # `create_prim_func` has no loops of hybrid functions: see `test_values_of_hybrid_functions`
)  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_texts(path: Path) -> None:
    values, different = load(path)
    assert different.keys() <= values.keys()
    check_golden(path, {name: text_of(value) for name, value in values.items()})


@pytest.mark.oracle
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_texts_as_tvm(oracle: Any, path: Path) -> None:
    values, different = load(path)
    theirs = peers_texts("schedules")[path.stem]
    assert theirs.keys() == values.keys()
    for name, value in values.items():
        ours, text = text_of(value), theirs[name].rstrip("\n")
        is_same = ours == text or (ours.startswith("refused") and text.startswith("refused"))
        assert is_same is (name not in different), f"{name}\n{ours}\n{text}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_values(path: Path) -> None:
    """A schedule computes what its tensors say."""
    values, _ = load(path)
    for name, (schedule, args) in values.items():
        text = text_of((schedule, args))
        if name.startswith(_NO_VALUES) or text.startswith("refused"):
            continue
        expected, result = arrays_of(args), arrays_of(args)
        tvmscript.build(te.create_prim_func(args), "llvm", default_schedule=False)["main"](*expected)
        lowered = tvmscript.lower(schedule, args, simple_mode=True)
        target = "interp" if "launch_thread" in text or "vthread" in name else "llvm"
        if target == "interp":
            lowered = get_pass("tir.ThreadSync", "shared")(lowered)
        tvmscript.build(lowered, target)["main"](*result)
        for ours, plain in zip(result, expected, strict=True):
            # default schedules round sums of float16 once, others after each term
            rtol = 1e-2 if plain.dtype == np.float16 else 1e-4
            np.testing.assert_allclose(ours, plain, rtol=rtol, err_msg=name)


#: what hybrid functions that a schedule changes compute, where that is not 1 more
_HYBRID_VALUES: dict[str, Callable[[Any], Any]] = {
    "inner": lambda values: values,
    **dict.fromkeys(("chain", "producer_inside", "inside_of_reader", "cache_read"), lambda values: values * 2 + 4),
}


def test_values_of_hybrid_functions() -> None:
    values, _ = load(FOLDER / "schedules" / "hybrid.py")
    schedules = {name: value for name, value in values.items() if name.startswith("hybrid_schedules.")}
    for name, (schedule, args) in schedules.items():
        text = text_of((schedule, args))
        if text.startswith("refused"):
            continue
        source, result = arrays_of(args)
        tvmscript.build(schedule, args, "interp" if "launch_thread" in text else "llvm")(source, result)
        expected = _HYBRID_VALUES.get(name.split(".")[1], lambda values: values + 1)(source)
        np.testing.assert_allclose(result, expected, rtol=1e-6, err_msg=name)
    schedule, args = values["hybrid_functions.assertion"]
    source, result = np.arange(16, dtype="float32"), np.zeros(16, "float32")
    function = tvmscript.build(schedule, args, "llvm")
    with pytest.raises(Exception, match="must be more"):
        function(source, 8, result)
    function(source, 9, result)
    np.testing.assert_array_equal(result, source)


def test_parts_of_nothing() -> None:
    """Where a size is 0 parts of a cached stage have the size 0, and fused loops of a reduction no init: as in TVM."""
    n = te.size_var("n")
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: A[i] + 1.0, name="B")
    s = te.create_schedule(B.op)
    s[B].split(B.op.axis[0], nparts=4)
    s.cache_write(B, "local")
    cached = tvmscript.build(s, [A, B], "interp")
    k = te.reduce_axis((0, n), "k")
    M = te.placeholder((3, n), name="M")
    C = te.compute((3,), lambda i: te.sum(M[i, k], axis=k), name="C")
    s = te.create_schedule(C.op)
    s[C].fuse(C.op.axis[0], k)
    fused = tvmscript.build(s, [M, C], "interp")
    for size in (1, 6):
        rows, sums = np.arange(3 * size, dtype="float32").reshape(3, size), np.full(3, 7, "float32")
        result = np.zeros(size, "float32")
        cached(rows[0], result)
        np.testing.assert_array_equal(result, rows[0] + 1)
        fused(rows, sums)
        np.testing.assert_array_equal(sums, rows.sum(1))
    with pytest.raises(DivisionByZero):
        cached(np.zeros(0, "float32"), np.zeros(0, "float32"))
    sums = np.full(3, 7, "float32")
    fused(np.zeros((3, 0), "float32"), sums)
    np.testing.assert_array_equal(sums, 7)


def test_parts_of_schedules() -> None:
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] + 1.0, name="B")
    s = te.create_schedule(B.op)
    assert s.outputs == (B.op,)
    assert [stage.op for stage in s.stages] == [A.op, B.op]
    assert s[B] is s[B.op] is s.stages[1]
    outer, inner = s[B].split(B.op.axis[0], 4)
    assert s[B].leaf_iter_vars == [outer, inner]
    assert [axis.var.name for axis in s[B].all_iter_vars] == ["i", "i.outer", "i.inner"]
    normal = s.normalize()
    assert normal[B] is not s[B]
    bounds = te.schedule.InferBound(normal)
    assert {axis.var.name: str(domain.extent) for axis, domain in bounds.items()}["i.outer"] == "4"


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_steps_of_several_results(target: str) -> None:
    """All results of a step are of the values before it."""
    pair = te.comm_reducer(
        lambda x, y: (x[0] + y[0], x[1] + x[0] * y[1]), lambda s, t: (te.const(0, s), te.const(0, t)), "pair"
    )
    A = te.placeholder((4, 6), name="A")
    r = te.reduce_axis((0, 6), "r")
    B, C = te.compute((4,), lambda i: pair((A[i, r], A[i, r]), axis=r), name="B")
    values: Any = [np.random.default_rng(0).random((4, 6), "float32"), np.zeros(4, "float32"), np.zeros(4, "float32")]
    tvmscript.build(te.create_schedule(B.op), [A, B, C], target)(*values)
    before = np.cumsum(values[0], 1) - values[0]
    np.testing.assert_allclose(values[2], (before * values[0]).sum(1), rtol=1e-5)


def test_threads_with_parts_of_several_results() -> None:
    """A step compares with the value and the place before it, and then replaces both."""
    A = te.placeholder((3, 12), name="A", dtype="int32")
    k = te.reduce_axis((0, 12), "k")
    largest = te.comm_reducer(
        lambda a, b: tuple(te.if_then_else(a[0] >= b[0], x, y) for x, y in zip(a, b, strict=True)),
        lambda *dtypes: (te.min_value(dtypes[0]), tvmscript.tir.const(-1, dtypes[1])),
    )
    value, place = te.compute((3,), lambda i: largest((A[i, k], k), axis=k), name="B")
    s = te.create_schedule([value.op])
    s[value].bind(s[value].split(k, 4)[0], te.thread_axis("threadIdx.x"))
    a = np.random.default_rng(0).integers(-9, 10, (3, 12)).astype("int32")
    places, values = np.zeros(3, "int32"), np.zeros(3, "int32")
    tvmscript.build(s, [A, value, place], target="interp")(a, values, places)
    np.testing.assert_array_equal(places, a.argmax(1))
    np.testing.assert_array_equal(values, a.max(1))


def test_intrinsics_must_match() -> None:
    n = 16
    x = te.placeholder((n,), name="x")
    z = te.compute((n,), lambda i: x[i] * 2.0, name="z")
    intrin = te.decl_tensor_intrin(
        z.op, lambda ins, outs: tvmscript.tir.call_extern("int32", "f", ins[0].data), "twice"
    )
    A = te.placeholder((64,), name="A")
    for function, factor, reason in (
        (lambda i: A[i] * 2.0, 8, "has the extent 8 inside, twice takes 16"),
        (
            lambda i: A[i] * 3.0,
            16,
            r"it computes x\[i\] \* T.float32\(3\), but twice computes x\[i\] \* T.float32\(2\)",
        ),
    ):
        B = te.compute((64,), function, name="B")
        s = te.create_schedule(B.op)
        s[B].tensorize(s[B].split(B.op.axis[0], factor)[1], intrin)
        with pytest.raises(InvalidSchedule, match=reason):
            tvmscript.lower(s, [A, B])


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (lambda s, B, i: s[B].split(i), "give either factor or nparts"),
        (lambda s, B, i: (s[B].split(i, 4), s[B].split(i, 4)), "i was split or fused; its loops are i.outer, i.inner"),
        (lambda s, B, i: s[B].reorder(i, i), "an axis is given twice"),
        (lambda s, B, i: s[B].parallel(te.reduce_axis((0, 4), "r")), "r is no axis of the stage; its loops are i"),
        (lambda s, B, i: s[B].compute_at(s[B], i), "it is an output"),
        (lambda s, B, i: s[B].bind(i, i), "i is no thread axis"),
        (
            lambda s, B, i: [s[B].bind(each, te.thread_axis("threadIdx.x")) for each in s[B].split(i, 4)],
            "i.outer is bound to threadIdx.x already",
        ),
        (lambda s, B, i: s.rfactor(B, i), "i is no reduction axis"),
        (lambda s, B, i: s.cache_read(B, "local", [B]), "B does not read it"),
        (lambda s, B, i: s[te.placeholder((4,), name="X")], "X is none of its operations, A, B"),
    ],
)
def test_refused(action: Any, reason: str) -> None:
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] + 1.0, name="B")
    with pytest.raises(InvalidSchedule, match=reason):
        action(te.create_schedule(B.op), B, B.op.axis[0])


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_registered_functions(target: str) -> None:
    """An extern operation calls a function of `register_func`, in place, on slices that the runtime makes tensors."""

    def double(source: Any, result: Any) -> None:
        values: Any = np.from_dlpack(source)
        tvmscript.nd.array(values * 2).copyto(tvmscript.nd.from_dlpack(result))

    tvmscript.register_func("tests.te.double", double, override=True)
    n = te.var("n")
    A = te.placeholder((n, 3), name="A")
    B = te.compute((n, 3), lambda i, j: A[i, j] + 1.0, name="B")
    C = te.extern(
        (n, 3), [B], lambda ins, outs: tvmscript.tir.call_packed("tests.te.double", ins[0], outs[0]), name="C"
    )
    D = te.compute((n, 3), lambda i, j: C[i, j] - 1.0, name="D")
    a, d = np.arange(12, dtype="float32").reshape(4, 3), np.zeros((4, 3), "float32")
    tvmscript.build(te.create_schedule(D.op), [A, D], target)(a, d)
    np.testing.assert_array_equal(d, a * 2 + 1)


def test_factors_of_fused_loops() -> None:
    """A part of a reduction is no axis where another part is fused with an axis that is not reduced."""
    A = te.placeholder((8, 8), name="A")
    k = te.reduce_axis((0, 8), "k")
    B = te.compute((8,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    i_outer, k_outer, _, k_inner = s[B].tile(B.op.axis[0], k, 2, 2)
    s[B].fuse(i_outer, k_outer)
    with pytest.raises(InvalidSchedule, match=r"i\.outer\.k\.outer\.fused is of an axis that is not reduced, too"):
        s.rfactor(B, k_inner)


def test_factors_beside_split_axes() -> None:
    """Loops of axes that are not reduced are those of the stage that reduces the factors."""
    A = te.placeholder((8, 8), name="A")
    k = te.reduce_axis((0, 8), "k")
    B = te.compute((8,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    k_outer, _ = s[B].split(k, 3)
    s[B].split(B.op.axis[0], 4)
    factored: Any = s.rfactor(B, k_outer)
    assert [extent.value for extent in factored.shape] == [3, 8]
    a, b = np.arange(64, dtype="float32").reshape(8, 8), np.zeros(8, "float32")
    tvmscript.build(s, [A, B], "interp")(a, b)
    np.testing.assert_array_equal(b, a.sum(1))


def test_layouts_in_scans() -> None:
    """A layout goes over all elements, but a step of a scan has no step before the first."""
    A = te.placeholder((5, 3), name="A")
    state = te.placeholder((5, 3), name="state")
    update = te.compute((5, 3), lambda t, i: state[t - 1, i] + A[t, i], name="update")
    result = te.scan(te.compute((1, 3), lambda _, i: A[0, i], name="init"), update, state, [A])
    s = te.create_schedule(result.op)
    cache = s.cache_write(update, "local")
    with pytest.raises(InvalidSchedule, match="it is computed in the steps of a scan"):
        s[cache].transform_layout(lambda t, i: [i, t])


def test_caches_of_several_steps_of_scans() -> None:
    """A cache of loops that go over several steps needs states that a step does not have: `B2[-7]` was read."""
    A = te.placeholder((5, 3, 2), name="A")
    state = te.placeholder((5, 3, 2), name="state")
    twice = te.compute((5, 3, 2), lambda t, i, j: state[t - 1, i, j] * 2.0, name="twice")
    update = te.compute((5, 3, 2), lambda t, i, j: twice[t, i, j] + A[t, i, j], name="update")
    result = te.scan(te.compute((1, 3, 2), lambda _, i, j: A[0, i, j], name="init"), update, state, [A])

    for tensor in (update, twice):
        s = te.create_schedule(result.op)
        s[tensor].split(s[tensor].fuse(*tensor.op.axis[:2]), 4)
        with pytest.raises(InvalidSchedule, match="goes over elements of several steps of a scan"):
            s.cache_write(tensor, "local")

    s = te.create_schedule(result.op)
    s[update].split(s[update].fuse(*update.op.axis[1:]), 4)
    s.cache_write(update, "local")
    values = np.arange(30, dtype="float32").reshape(5, 3, 2)
    states, expected = np.zeros_like(values), values.copy()
    for step in range(1, 5):
        expected[step] += expected[step - 1] * 2
    tvmscript.build(s, [A, result], "interp")(values, states)
    np.testing.assert_array_equal(states, expected)


def test_layouts_after_caches() -> None:
    """A cache takes the loops of a stage, but not its layout: a map of the old axes does not follow another one."""
    A = te.placeholder((4, 6), name="A")
    B = te.compute((4, 6), lambda i, j: A[i, j] + 1.0, name="B")
    s = te.create_schedule(te.compute((4, 6), lambda i, j: B[i, j] * 2.0, name="C").op)
    s[B].transform_layout(lambda i, j: [i, j // 3, j % 3])
    s.cache_write(B, "local")
    with pytest.raises(InvalidSchedule, match="its layout was changed before, to another number of axes"):
        s[B].transform_layout(lambda i, j: [j, i])


def test_tvms_names() -> None:
    """Modules of `te`, the module of a schedule, the statement before functions."""
    names = importlib.import_module("tvmscript.te.schedule")
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] + 1.0, name="B")
    s = te.create_schedule(B.op)
    assert "T.realize" in tvmscript.driver.schedule_to_module(s, [A, B], "f")["f"].script()
    normal = s.normalize()
    assert "A[i] + T.float32(1)" in str(names.ScheduleOps(normal, names.InferBound(normal)))
    assert importlib.import_module("tvmscript.te.tensor").Tensor is te.Tensor
    with te.SpecializedCondition(A.shape[0] > 4) as condition:
        assert names.SpecializedCondition.current() is condition
        assert [str(clause) for clause in condition.clauses] == ["T.bool(True)"]
    assert te.SpecializedCondition.current() is None


def test_untouched_schedules() -> None:
    """Without steps another schedule may begin with blocks; any step is kept."""
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] + 1.0, name="B")
    s = te.create_schedule(B.op)
    assert s.is_untouched
    assert (
        s.to_module([A, B], "add", prefers_blocks=True)["add"].script()
        == te.create_prim_func([A, B]).with_attr("global_symbol", "add").script()
    )
    steps: list[Callable[[Any], Any]] = [
        lambda s: s[B].unroll(B.op.axis[0]),
        lambda s: s[B].split(B.op.axis[0], 4),
        lambda s: s.cache_read(A, "local", [B]),
        lambda s: s[B].set_store_predicate(B.op.axis[0].var < 3),
    ]
    for step in steps:
        s = te.create_schedule(B.op)
        step(s)
        assert not s.is_untouched
        assert "T.block" not in s.to_module([A, B], prefers_blocks=True).script()


@pytest.mark.parametrize("tag", ["vthread", "cthread"])
@pytest.mark.parametrize("rest", [1, 2])
def test_each_virtual_thread_reduces(tag: str, rest: int) -> None:
    """Threads reduce once for each virtual thread, in the program and in the kernel for a GPU."""
    A = te.placeholder((4, 64), name="A")
    k = te.reduce_axis((0, 64), "k")
    C = te.compute((4,), lambda i: te.sum(A[i, k], axis=k), name="C")
    s = te.create_schedule(C.op)
    block, virtual = s[C].split(C.op.axis[0], 2)
    s[C].bind(block, te.thread_axis("blockIdx.x"))
    s[C].bind(virtual, te.thread_axis(tag))
    s[C].bind(s[C].split(k, rest)[0], te.thread_axis("threadIdx.x"))
    lowered = tvmscript.lower(s, [A, C])
    values = np.arange(256, dtype="float32").reshape(4, 64)
    for mod in (lowered, tvmscript.lower(lowered, tvmscript.target.Target("cuda"))):
        sums = np.zeros(4, "float32")
        tvmscript.build(mod, target="interp")["main"](values, sums)
        np.testing.assert_array_equal(sums, values.sum(1))


def test_operands_of_extern_operations_are_computed_whole() -> None:
    """Whatever part of them others read."""
    A = te.placeholder((16,), name="A")
    B = te.compute((16,), lambda i: A[i] + 1.0, name="B")
    part = te.compute((4,), lambda i: B[i + 2] * 2.0, name="part")
    whole = te.extern(
        (16,), [B], lambda ins, outs: tvmscript.tir.call_packed("tests.te.whole", ins[0], outs[0]), name="whole"
    )
    for order in ([part.op, whole.op], [whole.op, part.op]):
        text = tvmscript.lower(te.create_schedule(order), [A, part, whole], simple_mode=True).script()
        assert "for i in range(16):" in text
        assert "for i in range(4):" in text


def test_memory_outside_of_threads_is_of_all_of_them() -> None:
    """A stage in a serial loop around threads computes what all threads read."""
    A = te.placeholder((32,), name="A")
    B = te.compute((32,), lambda i: A[i] + 1.0, name="B")
    C = te.compute((32,), lambda i: B[i] * 2.0, name="C")
    s = te.create_schedule(C.op)
    outer, inner = s[C].split(C.op.axis[0], 8)
    s[C].bind(inner, te.thread_axis("threadIdx.x"))
    s[B].compute_at(s[C], outer)
    text = tvmscript.lower(s, [A, C], simple_mode=True).script()
    assert "for i in range(8):" in text
