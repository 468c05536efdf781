"""Reductions of blocks in lanes: the documented order, the same in each run, and when loops stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript import te, topi
from tvmscript.backends import llvm
from tvmscript.backends.llvm.codegen.loop_optimization import optimize_loops
from tvmscript.backends.llvm.target import Target
from tvmscript.fuzz.guard_pages import guarded
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Allocate

Array = npt.NDArray[Any]

NOALIAS = 'T.func_attr({"tir.noalias": T.bool(True)})'
#: without fused products, which are a matter of their own
ORDERED = "llvm -ffp-contract=off"


def program(
    count: int | str,
    dtype: str = "float32",
    term: str = "A[vk]",
    form: str = "S[0] + {}",
    start: str = "0",
    attrs: str = NOALIAS,
) -> str:
    size = "n = T.int32()" if count == "n" else ""
    return f"""
@T.prim_func
def main(a: T.handle, b: T.handle, s: T.handle):
    {attrs}
    {size}
    A = T.match_buffer(a, ({count},), "{dtype}")
    B = T.match_buffer(b, ({count},), "{dtype}")
    S = T.match_buffer(s, (1,), "{dtype}")
    for k in range({count}):
        with T.block("s"):
            vk = T.axis.reduce({count}, k)
            with T.init():
                S[0] = T.{dtype}({start})
            S[0] = {form.format(term)}
"""


def split_model(target: str) -> MachineModel:
    model = Target.parse(target).split_model
    assert model is not None
    return model


def is_split(text: str, target: str = "llvm -mcpu=skylake-avx512") -> bool:
    func = tvmscript.lower(tvmscript.from_source(text), "llvm")["main"]
    assert isinstance(func, PrimFunc)
    return any(
        isinstance(node, Allocate) and node.buffer_var.name.endswith("_lanes")
        for node in nodes(optimize_loops(func, func.buffer_map.values(), Target.parse(target)))
    )


def lanes_of(terms: int | None, element_bytes: int, vectors: int, model: MachineModel) -> int:
    """As the documentation of the module says."""
    native = model.vector_bytes // element_bytes
    if terms is None:
        return min(vectors, 4) * native
    while vectors > 1 and terms < 2 * vectors * native:
        vectors //= 2
    return vectors * native if terms >= native else 0


def in_order(terms: Array, start: Any, op: Callable[[Any, Any], Any], identity: float, lanes: int, masks: bool) -> Any:
    """The documented order, step by step."""
    dtype = terms.dtype.type
    if not lanes:
        for term in terms:
            start = op(start, term)
        return start
    partial = np.full(lanes, identity, dtype)
    whole = len(terms) // lanes * lanes
    for at, term in enumerate(terms if masks else terms[:whole]):
        partial[at % lanes] = op(partial[at % lanes], term)
    while lanes > 1:
        lanes //= 2
        partial = np.array([op(partial[at], partial[at + lanes]) for at in range(lanes)], dtype)
    total = op(start, partial[0])
    for term in terms[len(terms) if masks else whole :]:
        total = op(total, term)
    return total


OPS: dict[str, tuple[Callable[[Any, Any], Any], float, str]] = {
    "S[0] + {}": (lambda a, b: a + b, -0.0, "0"),
    "{} + S[0]": (lambda a, b: a + b, -0.0, "0"),
    "S[0] * ({})": (lambda a, b: a * b, 1.0, "1"),
    "T.max(S[0], {})": (lambda a, b: a if a > b else b, -np.inf, '"-inf"'),
    "T.min(S[0], {})": (lambda a, b: a if a < b else b, np.inf, '"inf"'),
}
TARGETS = ("llvm", "llvm -mcpu=haswell", "llvm -mcpu=x86-64")


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 700),
    st.sampled_from(("float32", "float64")),
    st.sampled_from(tuple(OPS)),
    st.sampled_from(("A[vk]", "A[vk] * A[vk]", "A[vk] * B[vk]")),
    st.sampled_from(TARGETS),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_the_order_is_the_documented_one(
    count: int, dtype: str, form: str, term: str, target: str, is_symbolic: bool, seed: int
) -> None:
    """Bit by bit, on arrays beside forbidden memory."""
    op, identity, start = OPS[form]
    text = program("n" if is_symbolic else count, dtype, term, form, start)
    random = np.random.default_rng(seed)
    values = [guarded(random.uniform(0.5, 1.5, count).astype(dtype), is_behind=bool(seed % 2)) for _ in "AB"]
    result = np.zeros(1, dtype)
    tvmscript.build(tvmscript.from_source(text), f"{target} -ffp-contract=off")(*values, result)
    a, b = values
    terms = {"A[vk]": a, "A[vk] * A[vk]": a * a, "A[vk] * B[vk]": a * b}[term]
    model = split_model(target)
    element_bytes = np.dtype(dtype).itemsize
    lanes = lanes_of(None if is_symbolic else count, element_bytes, 4 if "B" in term else 8, model)
    expected = in_order(terms, terms.dtype.type(float(start.strip('"'))), op, identity, lanes, model.has_masks)
    assert result[0] == expected
    exact = np.zeros(1, dtype)
    tvmscript.build(tvmscript.from_source(text), llvm.EXACT)(*values, exact)
    np.testing.assert_allclose(result, exact, rtol=1e-4)
    interpreted = np.zeros(1, dtype)
    tvmscript.build(tvmscript.from_source(text), "interp")(*values, interpreted)
    assert exact[0] == interpreted[0]


@pytest.mark.parametrize("count", [1000, "n"])
@pytest.mark.parametrize(
    ("dtype", "form", "term", "numpy"),
    [
        ("float16", "S[0] + {}", "A[vk] * B[vk]", lambda a, b: (a * b).astype("float64").sum()),
        ("float16", "T.max(S[0], {})", "A[vk]", lambda a, b: a.max()),
        ("bfloat16", "S[0] + {}", "A[vk]", lambda a, b: a.astype("float64").sum()),
    ],
)
def test_partial_results_of_halves_are_rounded_once(
    dtype: str, form: str, term: str, numpy: Callable[[Array, Array], Any], count: int | str
) -> None:
    text = program(count, dtype, term, form)
    assert is_split(text)
    kernel = tvmscript.build(tvmscript.from_source(text), target="llvm")["main"]
    rng = np.random.default_rng(0)
    for size in [1000] if count == 1000 else [0, 15, 1003]:
        element: Any = np.float16 if dtype == "float16" else ml_dtypes.bfloat16
        a, b = (rng.random(size).astype(element) for _ in range(2))
        total = np.zeros(1, element)
        kernel(a, b, total)
        assert total[0] == np.asarray(numpy(a, b) if size else 0, element)  # one rounding, at the end


def test_zeros_keep_their_sign_and_infinities_are_values() -> None:
    text = program(300, form="T.max(S[0], {})", start='"-inf"')
    result = np.zeros(1, "float32")
    tvmscript.build(tvmscript.from_source(text))(np.full(300, -np.inf, "float32"), np.zeros(300, "float32"), result)
    assert result[0] == -np.inf
    text = program(300, start="-0.0")
    tvmscript.build(tvmscript.from_source(text))(np.full(300, -0.0, "float32"), np.zeros(300, "float32"), result)
    assert result[0] == 0
    assert np.signbit(result[0])


def test_where_memory_lies_does_not_matter() -> None:
    text = program("n")
    kernel = tvmscript.build(tvmscript.from_source(text))
    values = np.random.default_rng(0).standard_normal(1013).astype("float32")
    results = set()
    for shift in range(17):
        memory = np.zeros(1013 + 17, "float32")
        memory[shift : shift + 1013] = values
        result = np.zeros(1, "float32")
        kernel(memory[shift : shift + 1013], values, result)
        results.add(result[0].item())
    assert len(results) == 1


def test_several_axes_and_rows() -> None:
    text = f"""
@T.prim_func
def main(A: T.Buffer((7, 5, 9, 40), "float32"), S: T.Buffer((7,), "float32")):
    {NOALIAS}
    for i, a, b, c in T.grid(7, 5, 9, 40):
        with T.block("s"):
            vi, va, vb, vc = T.axis.remap("SRRR", [i, a, b, c])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, va, vb, vc]
"""
    assert is_split(text)
    a = np.random.default_rng(0).standard_normal((7, 5, 9, 40)).astype("float32")
    result = np.zeros(7, "float32")
    tvmscript.build(tvmscript.from_source(text))(a, result)
    np.testing.assert_allclose(result, a.astype("float64").sum((1, 2, 3)), rtol=1e-4, atol=1e-4)


def test_a_predicate_of_the_block() -> None:
    """A tail of the reduction axis, as `sch.split` leaves it."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((100,), "float32"), S: T.Buffer((1,), "float32")):
    {NOALIAS}
    S[0] = T.float32(0)
    for ko, ki in T.grid(4, 32):
        with T.block("s"):
            vk = T.axis.reduce(100, ko * 32 + ki)
            T.where(ko * 32 + ki < 100)
            S[0] = S[0] + A[vk]
"""
    assert is_split(text)
    a, result = guarded(np.arange(100, dtype="float32"), is_behind=True), np.zeros(1, "float32")
    tvmscript.build(tvmscript.from_source(text))(a, result)
    assert result[0] == 4950


def test_what_allows_it() -> None:
    assert is_split(program(100))
    assert is_split(program("n"))
    assert not is_split(program(10))
    # other pointers may reach the result
    assert not is_split(program(100, attrs='T.func_attr({"a": 1})'))
    assert not is_split(program(100, attrs=NOALIAS.replace("}", ', "tir.split_reductions": T.bool(False)}')))
    assert not is_split(program(100), "llvm -mtriple=riscv64-linux-gnu")
    # terms that are no elements in a row, or depend on the result
    assert not is_split(program(100, term="A[99 - vk]"))
    assert not is_split(program(100, term="A[vk] * S[0]"))
    assert not is_split(program(100, form="{} - S[0]"))
    # integers are the same in any order, which LLVM knows
    assert not is_split(program(100, "int32"))
    assert Target.parse("llvm -split-reductions=0").split_model is None


def test_a_loop_without_reduction_axis_stays_in_order() -> None:
    text = f"""
@T.prim_func
def main(A: T.Buffer((1000,), "float32"), S: T.Buffer((1,), "float32")):
    {NOALIAS}
    S[0] = T.float32(0)
    for k in range(1000):
        S[0] = S[0] + A[k]
"""
    assert not is_split(text)
    a = np.random.default_rng(0).standard_normal(1000).astype("float32")
    results = [np.zeros(1, "float32") for _ in range(2)]
    for target, result in zip((ORDERED, "interp"), results, strict=True):
        tvmscript.build(tvmscript.from_source(text), target)(a, result)
    assert results[0] == results[1]


def test_a_spatial_axis_of_the_same_loop() -> None:
    """A loop that also selects the element is no reduction loop."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((64,), "float32"), S: T.Buffer((64,), "float32")):
    {NOALIAS}
    for k in range(64):
        with T.block("s"):
            vi = T.axis.spatial(64, k)
            vk = T.axis.reduce(64, k)
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vk]
"""
    assert "tir.reduction" not in tvmscript.lower(tvmscript.from_source(text), "llvm").script()


@pytest.mark.parametrize("kernel", ["softmax", "argument"])
def test_parts_of_larger_kernels(kernel: str) -> None:
    """A maximum, a sum of exponentials, and their quotients."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((20, 1000), "float32"), B: T.Buffer((20, 1000), "float32")):
    {NOALIAS}
    M = T.alloc_buffer((20,))
    S = T.alloc_buffer((20,))
    for i in range(20):
        for k in range(1000):
            with T.block("max"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    M[vi] = T.float32("-inf")
                M[vi] = T.max(M[vi], A[vi, vk])
        for k in range(1000):
            with T.block("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + T.exp(A[vi, vk] - M[vi])
        for j in range(1000):
            with T.block("out"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = T.exp(A[vi, vj] - M[vi]) / S[vi]
"""
    a = np.random.default_rng(0).standard_normal((20, 1000)).astype("float32")
    b = np.zeros_like(a)
    if kernel == "argument":
        text = text.replace("for i in range(20)", "for i in T.parallel(20)")
    tvmscript.build(tvmscript.from_source(text))(a, b)
    wide = np.exp(a.astype("float64") - a.max(1, keepdims=True))
    np.testing.assert_allclose(b, wide / wide.sum(1, keepdims=True), rtol=1e-5)


CONDITIONS = {
    "V[vi] >= {}": (np.argmax, "first"),
    "V[vi] > {}": (np.argmax, "last"),
    "{} < V[vi] or (V[vi] == {} and I[vi] < {})": (np.argmax, "first"),
    "V[vi] <= {}": (np.argmin, "first"),
    "V[vi] < {} or ({} == V[vi] and {} > I[vi])": (np.argmin, "first"),
}


#: dtypes of terms
TERMS = ("float32", "float64", "float16", "bfloat16", *(f"{s}int{bits}" for s in ("", "u") for bits in (8, 16, 32, 64)))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 300),
    st.sampled_from(tuple(CONDITIONS)),
    st.sampled_from(("vk", "vk * 2 + 5", "vk * 200")),
    st.sampled_from(TERMS),
    st.sampled_from(("int32", "int64")),
    st.sampled_from(TARGETS),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_the_place_of_an_extreme(
    count: int, condition: str, place: str, dtype: str, index: str, target: str, keeps: bool, short: bool, seed: int
) -> None:
    """Of equal terms, the one that the loop in its order finds; an element before the loop stays as it does there."""
    wide = f"T.Cast({index!r}, {place})"
    full = condition.format("A[vi, vk]", "A[vi, vk]", wide)
    strict = full.partition(" or ")[0] if short else full
    argument, which = CONDITIONS[condition]
    start = "" if keeps else "with T.init():"
    lowest = "min" if argument is np.argmax else "max"
    init = f"""
            with T.init():
                I[vi] = T.{index}(-1)
                V[vi] = T.{lowest}_value("{dtype}")"""
    text = f"""
@T.prim_func
def main(A: T.Buffer((3, {count}), "{dtype}"), I: T.Buffer((3,), "{index}"), V: T.Buffer((3,), "{dtype}")):
    {NOALIAS}
    for i, k in T.grid(3, {count}):
        with T.block("extreme"):
            vi, vk = T.axis.remap("SR", [i, k]){init if start else ""}
            v0: T.{index} = T.Select({full}, I[vi], {wide})
            v1: T.{dtype} = T.Select({strict}, V[vi], A[vi, vk])
            I[vi] = v0
            V[vi] = v1
"""
    random = np.random.default_rng(seed)
    most = 5 if seed % 2 else 1000
    numpy_dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    a = guarded(random.integers(-most, most, (3, count)).astype(numpy_dtype), is_behind=True)
    results = []
    for backend in (target, "interp"):
        i, v = np.full(3, 7, index), np.full(3, 8 if lowest == "min" else -8).astype(numpy_dtype)
        tvmscript.build(tvmscript.from_source(text), backend)(a, i, v)
        results.append((i, v))
    (i, v), (expected_i, expected_v) = results
    np.testing.assert_array_equal(v, expected_v)
    np.testing.assert_array_equal(i, expected_i)
    if start:
        exact = a.astype("float64") if a.dtype.kind == "V" else a  # bfloat16
        rows = exact if which == "first" else exact[:, ::-1]
        found = argument(rows, axis=1)
        found = found if which == "first" else count - 1 - found
        places = {"vk": found, "vk * 2 + 5": found * 2 + 5, "vk * 200": found * 200}[place]
        is_start = (v == 0) & dtype.startswith("u") & (lowest == "min")  # 0 is the least of them: no term was chosen
        np.testing.assert_array_equal(i, np.where(is_start, -1, places))


@pytest.mark.parametrize(
    ("dtype", "kinds"),
    [
        ("float32", {"i32", "float"}),
        ("float64", {"i64", "double"}),
        ("float16", {"i32", "float"}),
        ("int64", {"i64"}),
        ("int32", {"i32"}),
        ("int16", {"i16"}),
        ("uint8", {"i8"}),
    ],
)
@pytest.mark.parametrize(("operator", "expected"), [(topi.argmax, np.argmax), (topi.argmin, np.argmin)])
def test_places_of_operators_are_cast(
    operator: Callable[..., Any], expected: Callable[..., Any], dtype: str, kinds: set[str]
) -> None:
    """Loops count in int64, results are of int32, and places in lanes have as many bits as terms."""
    x = te.placeholder((3, 100), dtype)
    func = te.create_prim_func([x, operator(x, 1)], index_dtype_override="int64").with_attr("tir.noalias", True)
    built = tvmscript.build(func)
    a, places = np.random.default_rng(0).integers(0, 18, (3, 100)).astype(dtype), np.zeros(3, "int32")
    built["main"](a, places)
    np.testing.assert_array_equal(places, expected(a, 1))
    selects = re.findall(r"select <(\d+) x i1> .*, <\d+ x (\w+)> ", built.get_source("input"))
    assert {kind for lanes, kind in selects if int(lanes) > 1} == kinds


def test_masked_vectors_are_left_alone() -> None:
    """Of a reduction axis in rows, whose columns are vectors already."""
    text = f"""
@T.prim_func
def main(A: T.Buffer((64, 9), "float32"), S: T.Buffer((9,), "float32")):
    {NOALIAS}
    for j in T.vectorized(16):
        for k in range(64):
            with T.block("s"):
                vj = T.axis.spatial(9, j)
                vk = T.axis.reduce(64, k)
                T.where(j < 9)
                with T.init():
                    S[vj] = T.float32(0)
                S[vj] = S[vj] + A[vk, vj]
"""
    assert not is_split(text)
    a, s = np.random.default_rng(0).random((64, 9)).astype("float32"), np.zeros(9, "float32")
    tvmscript.build(tvmscript.from_source(text))(a, s)
    np.testing.assert_allclose(s, a.sum(0), rtol=1e-5)


def test_extremes_are_split() -> None:
    text = f"""
@T.prim_func
def main(A: T.Buffer((1000,), "float32"), I: T.Buffer((1,), "int32"), V: T.Buffer((1,), "float32")):
    {NOALIAS}
    for k in range(1000):
        with T.block("extreme"):
            vk = T.axis.reduce(1000, k)
            with T.init():
                I[0] = -1
                V[0] = T.min_value("float32")
            v0: T.int32 = T.Select(V[0] >= A[vk], I[0], vk)
            v1: T.float32 = T.Select(V[0] >= A[vk], V[0], A[vk])
            I[0] = v0
            V[0] = v1
"""
    assert is_split(text)
    # the places fall, so that of equal terms the smaller place is not the first one
    assert not is_split(text.replace("I[0], vk)", "I[0], 999 - vk)"))
    # the two conditions differ
    assert not is_split(text.replace("T.Select(V[0] >= A[vk], V[0]", "T.Select(V[0] > A[vk], V[0]"))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=8)
@given(count=st.integers(2, 20), terms=st.integers(1, 200), seed=st.integers(0, 99))
def test_several_sums(dtype: str, target: str, count: int, terms: int, seed: int) -> None:
    """Each of several sums of a loop has the documented order."""
    text = f"""
@T.prim_func
def main(A: T.Buffer(({count}, {terms}), "{dtype}"), B: T.Buffer(({terms},), "{dtype}"),
         S: T.Buffer(({count},), "{dtype}")):
    {NOALIAS}
    for k in range({terms}):
        for i in T.unroll({count}):
            with T.block("s"):
                vi, vk = T.axis.remap("SR", [i, k])
                S[vi] = S[vi] + A[vi, vk] * B[vk]
"""
    target = f"{target} -ffp-contract=off"
    rng, model = np.random.default_rng(seed), split_model(target)
    a, b, s = (rng.random(shape).astype(dtype) for shape in ((count, terms), (terms,), (count,)))
    vectors = max(8 >> (count - 1).bit_length(), 1)
    lanes = lanes_of(terms, np.dtype(dtype).itemsize, vectors, model)
    expected = [in_order(a[row] * b, s[row], lambda x, y: x + y, -0.0, lanes, model.has_masks) for row in range(count)]
    values = [guarded(each, is_behind=bool(seed % 2)) for each in (a, b, s)]
    tvmscript.build(tvmscript.from_source(text), target=target)["main"](*values)
    s = values[2]
    np.testing.assert_array_equal(s, np.array(expected, dtype))


def results(first: str, second: str, dtype: str = "float32", count: int | str = 1000) -> str:
    """A reduction of two results, whose values are computed before one is stored, as `te.comm_reducer` makes it."""
    size = "n = T.int32()" if count == "n" else ""
    return f"""
@T.prim_func
def main(a: T.handle, S: T.Buffer((1,), "{dtype}"), Q: T.Buffer((1,), "{dtype}")):
    {NOALIAS}
    {size}
    A = T.match_buffer(a, ({count},), "{dtype}")
    for k in range({count}):
        with T.block("s"):
            vk = T.axis.reduce({count}, k)
            with T.init():
                S[0] = T.{dtype}(0)
                Q[0] = T.{dtype}(0)
            first: T.{dtype} = {first}
            second: T.{dtype} = {second}
            S[0] = first
            Q[0] = second
"""


@pytest.mark.parametrize("count", [1000, "n"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_results_of_one_loop_have_lanes_each(dtype: str, count: int | str) -> None:
    text = results("S[0] + A[vk]", "T.max(A[vk] * A[vk], Q[0])", dtype, count)
    assert is_split(text)
    a = np.random.default_rng(0).standard_normal(1000).astype(dtype)
    total, largest = np.full(1, 7, dtype), np.full(1, 7, dtype)
    tvmscript.build(tvmscript.from_source(text))["main"](a, total, largest)
    np.testing.assert_allclose(total[0], a.astype("float64").sum(), rtol=1e-4)
    assert largest[0] == (a * a).max()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("S[0] + A[vk]", "Q[0] + A[vk] * S[0]"),
        ("S[0] + A[vk]", "Q[0] + first"),
        ("S[0] + A[vk]", "Q[0] - A[vk]"),
        ("S[0] + A[vk]", "A[vk]"),
    ],
    ids=["other-result", "other-value", "difference", "no-reduction"],
)
def test_results_that_depend_on_order_stay(first: str, second: str) -> None:
    assert not is_split(results(first, second))
