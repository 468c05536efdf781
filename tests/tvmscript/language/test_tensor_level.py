"""Maps of indices and combiners in programs, and what TE leaves there: read, printed, compared, refused by backends."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript import T
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.ir.tir.te_nodes import CommReducer, DataProducer, ProducerLoad, Reduce
from tvmscript.ir.tir.verify import verify
from tvmscript.ir.transform.errors import TensorLevelLeft
from tvmscript.ir.transform.registry import get_pass

HEAD = '@T.prim_func\ndef main(A: T.Buffer((8, 8), "float32"), n: T.int32):\n'
COMBINER = "T.comm_reducer(lambda x, y: x + y, [T.float32(0)])"
AXIS = '[T.iter_var(k, T.Range(0, 8), "CommReduce", "")]'

#: bodies that print as they are written, in TVM too
BODIES = {
    "maps": """    T.func_attr({"layout": T.index_map(lambda i, j: (j, i)), "split": T.index_map(\
lambda i: (i // T.int64(4), i % T.int64(4)), inverse_index_map=lambda a, b: (a * T.int64(4) + b,))})
    T.evaluate(n)
""",
    "combiners": f"""    T.func_attr({{"arg": T.comm_reducer(lambda a, b, c, d: (T.Select(b > d, a, c), T.max(b, d)), \
[0, T.float32(1)]), "sum": {COMBINER}}})
    T.evaluate(n)
""",
    "realized": """    T.realize(A[0:4, 1:8], "shared")
    T.realize(A[0:4, n:n + 1], "", condition=n > 2)
    A[0, 0] = T.float32(1)
""",
    "prefetched": """    T.prefetch(A, [T.Range(0, 4), T.Range(1, 8)])
    A[0, 0] = T.float32(1)
""",
    "all threads": f"""    T.attr({COMBINER}, "reduce_scope", T.reinterpret("handle", T.uint64(0)))
    tx = T.launch_thread("threadIdx.x", 8)
    red = T.allocate([1], "float32", "local")
    T.tvm_thread_allreduce(T.uint32(1), A[0, tx], T.bool(True), red, tx)
""",
    "names of lambdas are their own": """    for i in range(8):
        with T.block("b"):
            v = T.axis.spatial(8, i)
            T.reads()
            T.writes(A[v, 0])
            T.block_attr({"meta_schedule.layout": T.index_map(lambda i_1, v_1: (v_1, i_1))})
            A[v, 0] = T.float32(1)
""",
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_text_is_stable(body: str) -> None:
    program = tvmscript.from_source(HEAD + body)
    assert program.script().split("\n\n", 1)[1].replace('    # with T.block("root"):\n', "") == (HEAD + body).rstrip()
    assert structural_equal(tvmscript.from_source(program.script()), program)


@pytest.mark.oracle
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_text_is_that_of_tvm(oracle: Any, body: str) -> None:
    assert tvmscript.from_source(HEAD + body).script() == oracle.print(HEAD + body).rstrip("\n")


REDUCTIONS = {
    f"T.Reduce({COMBINER}, [A[0, k]], {AXIS}, T.bool(True), 0)": "init=[], axis",
    f"T.Reduce({COMBINER}, [A[0, k]], {AXIS}, k > n, 0, [T.float32(2)])": "init=[T.float32(2)], axis",
    "T.Reduce(T.CommReducer([T.Var('x', 'float32')], [T.Var('y', 'float32')], [T.float32(1)], [T.float32(0)]), "
    f"A[0, k], {AXIS}, True, 0)": "lambda x, y: T.float32(1)",
}  # fmt: skip


@pytest.mark.parametrize("written", REDUCTIONS)
def test_reductions(written: str) -> None:
    program = tvmscript.from_source(f"{HEAD}    k = T.int32()\n    A[0, 0] = {written}\n")
    text = program.script()
    assert REDUCTIONS[written] in text
    assert structural_equal(tvmscript.from_source(text), program)


@pytest.mark.oracle
def test_reductions_print_as_in_tvm(oracle: Any) -> None:
    """TVM reads T.Reduce, and prints T.reduce, which it does not read."""
    text = (
        HEAD
        + "    k = T.int32()\n"
        + "".join(f"    A[0, 0] = {written}\n" for written in REDUCTIONS if "'" not in written)
    )
    theirs = oracle.request("print", text=text, check=False)["text"].rstrip("\n")
    assert tvmscript.from_source(text).script() == theirs


def test_tensors_are_read_by_name() -> None:
    tensor = DataProducer("X", (T.int32(8), T.int32(8)), "float32")  # type: ignore[arg-type]
    load = ProducerLoad(tensor, (T.int32(1), T.int32(2)))
    program = tvmscript.from_source(f"{HEAD}    A[0, 0] = T.ProducerLoad(X, [1, 2])\n", extra_vars={"X": tensor})
    assert program.script().endswith("A[0, 0] = X[1, 2]")
    assert structural_equal(program.body.value, load)
    with pytest.raises(TVMScriptError, match="X has 2 dimensions"):
        ProducerLoad(tensor, (T.int32(1),))


def test_maps_in_decorated_python() -> None:
    tile = 4

    @T.prim_func
    def main(A: T.Buffer((8, 8), "float32"), n: T.int32):  # type: ignore[no-untyped-def, valid-type]
        T.func_attr({"layout": T.index_map(lambda i, j, by=tile: (j // by, i, j % by, by))})
        T.evaluate(n)

    assert isinstance(main.attrs["layout"], IndexMap)
    assert len(main.attrs["layout"].initial_indices) == 3
    assert isinstance(T.comm_reducer(lambda x, y: x * y, [T.float32(1)]), CommReducer)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('T.func_attr({"m": T.index_map(3)})', "a lambda over indices, but got 3"),
        ('T.func_attr({"m": T.index_map(lambda i: i + 1.5)})', "takes an integer"),
        ('T.func_attr({"m": T.index_map(lambda i: q)})', "q is not defined"),
        ("T.evaluate(lambda i: i)", "but got lambda i"),
        ("f = lambda i: i", "cannot"),
        ("T.evaluate((lambda i: i)(3))", "cannot be called"),
        ('T.func_attr({"c": T.comm_reducer(lambda x: x, [0])})', "a lambda of 2 values"),
        ('T.func_attr({"c": T.comm_reducer(lambda x, y: (x, y), [0])})', "in lhs"),
        (f"A[0, 0] = T.Reduce({COMBINER}, [], {AXIS.replace('k', '3')}, True, 0)", "T.iter_var|1 sources"),
        ('T.realize(A, "shared")', "a region of a buffer"),
        ("T.prefetch(A, [T.Range(0, 4)])", "A has 2 dimensions|2 dimensions"),
        ("T.prefetch(A, [3])", "a list of Range"),
    ],
)
def test_refusals(statement: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message) as caught:
        tvmscript.from_source(f"{HEAD}    {statement}\n")
    assert caught.value.line == 3


def test_axes_of_reductions_are_checked() -> None:
    text = f"{HEAD}    k = T.int32()\n    A[0, 0] = T.Reduce({COMBINER}, [A[0, 0]], {AXIS}, True, 0) + A[0, k]\n"
    with pytest.raises(DiagnosticError, match="k is used where it is not defined"):
        tvmscript.from_source(text)
    verify(tvmscript.from_source(text.replace(" + A[0, k]", "")))


@pytest.mark.parametrize("target", ["llvm", "interp"])
@pytest.mark.parametrize(
    "body", [BODIES["realized"], BODIES["prefetched"], f"    k = T.int32()\n    A[0, 0] = {next(iter(REDUCTIONS))}\n"]
)
def test_backends_refuse(target: str, body: str) -> None:
    np = pytest.importorskip("numpy")
    pytest.importorskip("llvmlite")
    program = tvmscript.from_source(HEAD + body)
    with pytest.raises(TVMScriptError, match=r"BufferRealize|Prefetch|Reduce"):
        tvmscript.build(program, target=target)["main"](np.zeros((8, 8), "float32"), 1)


@pytest.mark.parametrize("body", [BODIES["realized"], BODIES["prefetched"]])
def test_flattening_refuses(body: str) -> None:
    program = tvmscript.from_source(HEAD + body)
    with pytest.raises(TensorLevelLeft, match=r"tir\.FlattenBuffer.*(BufferRealize|Prefetch)"):
        get_pass("tir.FlattenBuffer")(program)


def test_reductions_know_their_dtype() -> None:
    made = tvmscript.from_source(f"{HEAD}    k = T.int32()\n    A[0, 0] = {next(iter(REDUCTIONS))}\n").body.value
    assert isinstance(made, Reduce)
    assert made.dtype == "float32"
