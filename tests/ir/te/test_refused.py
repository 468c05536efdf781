"""What has no meaning is refused where it is written, or when the schedule is lowered, with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tvmscript
from tvmscript import te, tir
from tvmscript.ir.core.errors import TVMScriptError

A = te.placeholder((16,), name="A")
M = te.placeholder((16, 8), name="M")
X = te.placeholder((16, 8), name="X")
N = te.placeholder((16,), dtype="int32", name="N")
#: what functions do not take
TEXT: Any = "B"
TRIPLE: Any = (0, 4, 2)
ONE_OPERAND: Any = abs


def _twice(name: str = "B") -> Any:
    return te.compute((16,), lambda i: A[i] * 2.0, name=name)


def _row_sum(name: str = "S") -> Any:
    k = te.reduce_axis((0, 8), name="k")
    return te.compute((16,), lambda i: te.sum(M[i, k], axis=k), name=name)


def _two_outputs() -> Any:
    return te.compute((16,), lambda i: (A[i], A[i] + 1.0), name="T")


def _scan() -> tuple[Any, Any, Any]:
    """Return a sum over the first axis, its update and its state."""
    state = te.placeholder((16, 8), name="state")
    first = te.compute((1, 8), lambda _, i: X[0, i], name="first")
    step = te.compute((16, 8), lambda t, i: state[t - 1, i] + X[t, i], name="step")
    return te.scan(first, step, state), step, first


def _no_store(*_: Any) -> Any:
    return tir.call_extern("int32", "f")


def _primfunc(body: str) -> Any:
    return tvmscript.from_source(
        f"""@T.prim_func
def f(X: T.Buffer((16,), "float32"), Y: T.Buffer((16,), "float32")):
    for i in range(16):
        {body}
"""
    )


def _nested_tags() -> None:
    with te.tag_scope("a"), te.tag_scope("b"):
        pass


def _changing() -> Any:
    """Return a function whose conditions are other ones in each run."""
    runs: list[Any] = []

    def element(i: Any) -> Any:
        runs.append(i)
        return te.sum(M[i, k] for k in range(8) if len(runs) > 1 or k > 2)

    return te.compute((16,), element)


def _reduced(value: Callable[[Any, Any], Any], name: str = "compute") -> Any:
    """Return what a function makes of an index and a reduction axis of 8."""
    k = te.reduce_axis((0, 8), name="k")
    return te.compute((16,), lambda i: value(i, k), name=name)


def _difference(value: Any, axis: Any) -> Any:
    return te.comm_reducer(lambda a, b: a - b, lambda dtype: tir.const(0, dtype))(value, axis=axis)


def _prim_func_of_scan() -> object:
    out, step, _ = _scan()
    return te.create_prim_func([*step.op.input_tensors, out])


#: what is written -> the reason
WRITTEN: dict[str, tuple[Callable[[], Any], str]] = {
    "nested tags": (_nested_tags, "tag scopes are not nested"),
    "thread without a tag": (lambda: te.thread_axis((0, 4)), "a tag such as threadIdx.x"),
    "domain of three": (lambda: te.reduce_axis(TRIPLE), r"a pair \(begin, end\), but got \(0, 4, 2\)"),
    "names of varargs": (
        lambda: te.compute((4, 4), lambda *i: A[i[0]], varargs_names=["a"]),
        "1 varargs_names.* 2 dimensions for them",
    ),
    "reduced in part": (
        lambda: _reduced(lambda i, k: (A[i], te.sum(M[i, k], axis=k))),
        "some outputs are reductions, others are not",
    ),
    "reduction inside": (
        lambda: _reduced(lambda i, k: te.sum(M[i, k], axis=k) + 1.0),
        "a reduction is a part of an expression",
    ),
    "two reductions": (
        lambda: _reduced(lambda i, k: (te.sum(M[i, k], axis=k), te.max(M[i, k], axis=k))),
        "are not the results of one reduction",
    ),
    "no tensors": (lambda: te.extern((4,), [TEXT], _no_store), "te.extern takes tensors, but got 'B'"),
    "no statement": (lambda: te.extern((16,), [A], lambda *_: TEXT), "takes a statement or an expression, but got 'B'"),
    "dtypes of extern": (lambda: te.extern((16,), [A, N], _no_store), "the inputs have several dtypes"),
    "numbers of dtypes": (
        lambda: te.extern([(4,), (4,)], [A], _no_store, dtype=["int8"]),
        "the numbers of outputs and dtypes differ: 2 and 1",
    ),
    "numbers of buffers": (
        lambda: te.extern((4,), [A], _no_store, in_buffers=[]),
        "the numbers of inputs and in_buffers differ: 1 and 0",
    ),
    "buffers of another rank": (
        lambda: te.extern((4,), [A], _no_store, in_buffers=[tir.decl_buffer((4, 4), "float32")]),
        "the buffer of A has another dtype or rank",
    ),
    "buffers of another dtype": (
        lambda: te.extern((4,), [A], _no_store, in_buffers=[tir.decl_buffer((16,), "int8")]),
        "the buffer of A has another dtype or rank",
    ),
    "writes nothing": (lambda: te.extern_primfunc([A], _primfunc("T.evaluate(X[i])")), "the function writes no buffer"),
    "reads nothing": (lambda: te.extern_primfunc([A], _primfunc("Y[i] = 1.0")), "the function reads no buffer"),
    "number of tensors": (
        lambda: te.extern_primfunc([A, A], _primfunc("Y[i] = X[i]")),
        "2 tensors are given for the 1 buffers that it reads",
    ),
    "shapes of tensors": (
        lambda: te.extern_primfunc([M], _primfunc("Y[i] = X[i]")),
        "M and X differ in shape",
    ),
    "dtypes of states": (
        lambda: te.scan(
            te.compute((1,), lambda _: 0.0),
            te.compute((4,), lambda _: 0.0),
            te.placeholder((4,), dtype="int8", name="s"),
        ),
        "the dtypes of s and its values differ",
    ),
    "ranks of states": (
        lambda: te.scan(
            te.compute((1,), lambda _: 0.0), te.compute((4,), lambda _: 0.0), te.placeholder((4, 4), name="s")
        ),
        "the ranks of s and its values differ",
    ),
    "numbers of states": (lambda: te.scan([_twice()], [_twice(), _twice()], [A]), "differ in length"),
    "reducer of one": (
        lambda: _reduced(lambda i, k: te.comm_reducer(ONE_OPERAND, lambda dtype: tir.const(0, dtype))(M[i, k], axis=k)),
        "a function of two values",
    ),
    "one value": (lambda: te.sum(tir.const(1, "int32")), "axes, or two or more values, but got one value"),
    "conditions that change": (_changing, "its conditions differ from one run to the next"),
    "conditions of integers": (
        lambda: te.compute((16,), lambda i: te.sum(M[i, k] for k in range(8) if k)),
        "a condition of a generator",
    ),
    "a short head": (lambda: te.gradient(_twice(), A, te.placeholder((), name="h")), "h has 1 dimension"),
    "a gradient of extern": (
        lambda: te.gradient(te.extern((16,), [A], _no_store, name="E"), A),
        "differentiate E: it is a ExternOp, not a te.compute",
    ),
    "a gradient of a reduction": (
        lambda: te.gradient(_reduced(lambda i, k: _difference(M[i, k], k)), M),
        "its reduction is no sum, product, maximum or minimum",
    ),
    "scan as a function": (lambda: _prim_func_of_scan(), "takes compute and extern operations"),
    "no tensor": (lambda: te.create_prim_func([A, TEXT]), "takes tensors and variables, but got 'B'"),
    "no operation": (lambda: te.create_schedule(TEXT), "takes operations, but got 'B'"),
    "no stage": (lambda: te.create_schedule(_twice().op)["B"], "takes a tensor or an operation, but got 'B'"),
    "an output too many": (lambda: _twice().op.output(1), "the 1 outputs of B"),
    "an output below": (lambda: _twice().op.output(-1), "the 1 outputs of B"),
    "no operation of an intrinsic": (lambda: te.decl_tensor_intrin(_twice(), _no_store), "an operation, such as C.op"),
    "an intrinsic of two stages": (
        lambda: te.decl_tensor_intrin(te.compute((16,), lambda i: b[i] + 1.0).op, _no_store) if (b := _twice()) else 0,
        "the input B is no placeholder",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_written(name: str) -> None:
    action, reason = WRITTEN[name]
    with pytest.raises(TVMScriptError, match=reason):
        action()


def _scheduled(output: Any) -> tuple[Any, Any]:
    return te.create_schedule(output.op), output


def _on_rows(action: Callable[[Any, Any], object]) -> object:
    """Schedule the sums of rows."""
    s, S = _scheduled(_row_sum())
    return action(s, S)


def _on_scan(action: Callable[[Any, Any, Any, Any], object]) -> object:
    """Schedule a scan: what is scanned, its step, its first states."""
    out, step, first = _scan()
    return action(te.create_schedule(out.op), out, step, first)


def _on_chain(action: Callable[[Any, Any, Any], object]) -> object:
    """Schedule two stages, of which one reads the other."""
    B = _twice()
    C = te.compute((16,), lambda i: B[i] + 1.0, name="C")
    return action(te.create_schedule(C.op), B, C)


def _on_threads(action: Callable[[Any, Any, Any], object]) -> object:
    """Schedule the steps of a scan inside of threads: the stage, the threads, the steps."""
    out, _, _ = _scan()
    threads = te.thread_axis((0, 4), "threadIdx.x")
    return action(te.create_schedule(out.op)[out].env_threads(threads), threads, out.op.scan_axis)


def _lowered(s: Any, *args: Any) -> object:
    return tvmscript.lower(s, list(args))


def _intrinsic(value: Any, extent: int = 8) -> Any:
    x = te.placeholder((extent,), name="x")
    z = te.compute((extent,), lambda i: value(x[i]), name="z")
    return te.decl_tensor_intrin(z.op, lambda *_: tir.call_extern("int32", "f"), "it")


#: what is done with a schedule -> the reason
SCHEDULED: dict[str, tuple[Callable[[], object], str]] = {
    "no axis": (lambda: _on_rows(lambda s, S: s[S].unroll("i")), "unroll of stage S takes an axis, but got 'i'"),
    "split of a thread": (lambda: _on_threads(lambda s, t, i: s.split(t, 2)), "threadIdx.x is a THREAD_INDEX axis"),
    "order of threads": (lambda: _on_threads(lambda s, t, i: s.reorder(i, t)), "threadIdx.x is a THREAD_INDEX axis"),
    "fused threads": (lambda: _on_threads(lambda s, t, i: s.fuse(t, i)), "threadIdx.x is a THREAD_INDEX axis"),
    "fuse across a loop": (
        lambda: _on_rows(
            lambda s, S: s[S].fuse(s[S].split(S.op.axis[0], 4)[0], S.op.reduce_axis[0]),
        ),
        "k is not the loop inside of i.outer",
    ),
    "buffers of an output": (
        lambda: _on_rows(lambda s, S: s[S].double_buffer()),
        "double_buffer of stage S: it is an output",
    ),
    "buffers of a scan": (
        lambda: _on_scan(lambda s, out, step, first: s[step].rolling_buffer()),
        "rolling_buffer of stage step: its tensor is a part of a scan",
    ),
    "threads of a computation": (
        lambda: _on_rows(lambda s, S: s[S].env_threads(te.thread_axis("threadIdx.x"))),
        "env_threads of stage S: it is no scan",
    ),
    "several groups": (
        lambda: _on_chain(
            lambda s, B, C: (s.create_group(B, B, True), s.create_group(C, B, True)),
        ),
        "its stages are in several groups",
    ),
    "cache_write of extern": (
        lambda: te.create_schedule((E := te.extern((16,), [A], _no_store, name="E")).op).cache_write(E, "local"),
        "E is no compute operation",
    ),
    "cache_write of one output": (
        lambda: te.create_schedule((T := _two_outputs())[0].op).cache_write(T[0], "local"),
        "give all outputs of the operation",
    ),
    "cache_write behind a fused reduction": (
        lambda: _on_rows(lambda s, S: (s[S].fuse(S.op.axis[0], S.op.reduce_axis[0]), s.cache_write(S, "local"))),
        "a loop of it is fused with a reduction",
    ),
    "rfactor of no reduction": (
        lambda: _on_chain(lambda s, B, C: s.rfactor(B, te.reduce_axis((0, 4)))),
        "B is no reduction",
    ),
    "rfactor of a fused axis": (
        lambda: _on_rows(lambda s, S: s.rfactor(S, s[S].fuse(S.op.axis[0], S.op.reduce_axis[0]))),
        "is fused with an axis that is not reduced",
    ),
    "rfactor to the second place": (
        lambda: _on_rows(lambda s, S: s.rfactor(S, S.op.reduce_axis[0], 2)),
        "there is no place 2 for the axis",
    ),
    "rfactor to a place before the first": (
        lambda: _on_rows(lambda s, S: s.rfactor(S, S.op.reduce_axis[0], -3)),
        "there is no place -3 for the axis",
    ),
    "layout of a scan": (
        lambda: _on_scan(lambda s, out, *_: s[out].transform_layout(lambda i, j: [j, i])),
        "it is a scan",
    ),
    "layout of two outputs": (
        lambda: te.create_schedule((T := _two_outputs())[0].op)[T[0]].transform_layout(lambda i: [i]),
        "it has several outputs",
    ),
    "layout of a step": (
        lambda: _on_scan(lambda s, out, step, first: s[step].transform_layout(lambda i, j: [j, i])),
        "its tensor is a part of a scan",
    ),
    "layout behind a split": (
        lambda: _on_rows(lambda s, S: (s[S].split(S.op.axis[0], 4), s[S].transform_layout(lambda i: [i // 4, i % 4]))),
        "its loops were changed before",
    ),
    "inlined reduction": (
        lambda: _on_chain_of_sum(lambda s, S, C: (s[S].compute_inline(), _lowered(s, M, C))),
        "it is no elementwise computation",
    ),
    "read by extern": (lambda: _inlined_into_extern(), "E reads it, which is no compute operation"),
    "output under a loop of itself": (
        lambda: _on_chain(lambda s, B, C: (s[B].compute_at(s[B], B.op.axis[0]), _lowered(s, A, C))),
        "it is computed under a loop of itself",
    ),
    "first states in the steps": (
        lambda: _on_scan(
            lambda s, out, step, first: (s[first].compute_at(s[out], out.op.scan_axis), _lowered(s, X, out))
        ),
        "it begins scan, but is computed in its steps",
    ),
    "thread of another kind": (
        lambda: _on_rows(
            lambda s, S: (s[S].bind(S.op.axis[0], te.thread_axis("warpIdx.x")), _lowered(s, M, S)),
        ),
        "blockIdx, threadIdx or vthread, but got 'warpIdx.x'",
    ),
    "threads that reduce along a row, too": (
        lambda: _on_rows(
            lambda s, S: (
                s[S].bind(s[S].fuse(S.op.axis[0], S.op.reduce_axis[0]), te.thread_axis("threadIdx.x")),
                _lowered(s, M, S),
            ),
        ),
        "a loop that is fused with one of the result",
    ),
    "no argument": (lambda: _on_chain(lambda s, B, C: _lowered(s, C)), "A, which is no argument"),
    "argument of another kind": (
        lambda: _on_chain(lambda s, B, C: _lowered(s, A, "C")),
        "takes tensors, buffers and variables, but got 'C'",
    ),
    "two intrinsics": (
        lambda: _on_chain(
            lambda s, B, C: (
                [s[B].tensorize(loop, _intrinsic(lambda x: x * 2.0)) for loop in s[B].split(B.op.axis[0], 8)],
                _lowered(s, A, C),
            ),
        ),
        "two loops are tensorized",
    ),
    "thread inside of an intrinsic": (
        lambda: _on_chain(
            lambda s, B, C: (
                s[B].tensorize(B.op.axis[0], _intrinsic(lambda x: x * 2.0)),
                s[B].bind(B.op.axis[0], te.thread_axis("threadIdx.x")),
                _lowered(s, A, C),
            ),
        ),
        "i, inside of it, is bound to a thread",
    ),
    "intrinsic without inputs": (
        lambda: _on_chain(
            lambda s, B, C: (
                s[B].tensorize(B.op.axis[0], _intrinsic(lambda x: tir.const(1.0, "float32"))),
                _lowered(s, A, C),
            ),
        ),
        "it has another number of inputs",
    ),
    "intrinsic that combines otherwise": (lambda: _tensorized_sum(te.max), "it combines values in another way"),
    "region with a step": (
        lambda: _intrinsic(lambda x: x)(te.placeholder((8,), name="P")[0:8:2]),
        "a slice without a step",
    ),
}


def _on_chain_of_sum(action: Callable[[Any, Any, Any], object]) -> object:
    S = _row_sum()
    C = te.compute((16,), lambda i: S[i] + 1.0, name="C")
    return action(te.create_schedule(C.op), S, C)


def _inlined_into_extern() -> object:
    B = _twice()
    E = te.extern((16,), [B], _no_store, name="E")
    s = te.create_schedule(E.op)
    s[B].compute_inline()
    return _lowered(s, A, E)


def _tensorized_sum(combine: Any) -> object:
    """Tensorize sums of rows by an intrinsic that combines 8 elements in some way."""
    x = te.placeholder((8,), name="x")
    k = te.reduce_axis((0, 8), name="k")
    z = te.compute((1,), lambda _: combine(x[k], axis=k), name="z")
    it = te.decl_tensor_intrin(z.op, _no_store, "it")
    s, S = _scheduled(_row_sum())
    s[S].tensorize(s[S].split(S.op.axis[0], 1)[1], it)
    return _lowered(s, M, S)


@pytest.mark.parametrize("name", SCHEDULED)
def test_scheduled(name: str) -> None:
    action, reason = SCHEDULED[name]
    with pytest.raises(TVMScriptError, match=reason):
        action()
