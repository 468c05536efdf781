"""Definitions of tensors: their parts, operators, and what is refused."""

from __future__ import annotations

from typing import Any, assert_type

import pytest

import tvmscript
from tvmscript import te, topi
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.core.errors import WrongRank, WrongType
from tvmscript.ir.te.broadcast import broadcast_binary
from tvmscript.ir.te.errors import InvalidCompute, InvalidOperation
from tvmscript.ir.tir import Expr

n: Any = te.var("n")
A = te.placeholder((n, 4), name="A")


def test_parts_of_tensors() -> None:
    k = te.reduce_axis((0, 4), "k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B", tag="reduction", attrs={"level": 1})
    kept = B.op.attrs
    assert kept["level"] == 1
    assert (B.name, B.dtype, B.ndim, B.op.name, B.op.tag, kept) == (
        "B",
        "float32",
        1,
        "B",
        "reduction",
        B.op.attrs,
    )
    assert [axis.var.name for axis in (*B.op.axis, *B.op.reduce_axis)] == ["i", "k"]
    assert B.op.reduce_axis[0] is k
    assert B.op.input_tensors == [A]
    assert B.op.output(0) is B
    assert A.shape[0] is n
    assert str(A) == "Tensor(shape=[n, 4], op.name=A)"
    C, D = te.compute((n,), lambda i: (B[i], B[i] + 1), name="C")
    assert (C.name, D.name, D.value_index, C.op is D.op) == ("C.v0", "C.v1", 1, True)


def test_elements() -> None:
    i, j = te.var("i"), te.var("j")
    k = te.reduce_axis((0, 4), "k")
    assert str(A[i][j]) == str(A[i, j]) == str(A(i, j)) == "A[i, j]"
    assert str(A[k + 1, k]) == "A[k + 1, k]"
    assert str(te.exp(te.placeholder((), name="x")())) == "T.exp(x[()])"


def test_operators_on_tensors() -> None:
    B = te.placeholder((4,), name="B")
    forms = {
        A + B: ("T_add", "A[ax0, ax1] + B[ax1]"),
        A - 1: ("T_subtract", "A[ax0, ax1] - T.float32(1)"),
        2.0 * A: ("T_multiply", "T.float32(2) * A[ax0, ax1]"),
        A / B: ("T_divide", "A[ax0, ax1] / B[ax1]"),
        -B: ("T_multiply", "B[ax0] * T.float32(-1)"),
        n.astype("float32") + B: ("T_add", 'T.Cast("float32", n) + B[ax0]'),
        B.astype("int32"): ("compute", 'T.Cast("int32", B[i0])'),
    }
    for tensor, (name, text) in forms.items():
        assert (tensor.op.name, str(tensor.op.body[0])) == (name, text)
    with pytest.raises(InvalidOperation, match="extents 4 and 3 are not broadcast"):
        _ = A + te.placeholder((3,), name="C")
    with pytest.raises(WrongType, match="sum takes a tensor"):
        broadcast_binary("sum", lambda x, y: x + y, 1, 2)


def test_errors_point_at_the_function() -> None:
    with pytest.raises(WrongRank) as caught:
        te.compute((n,), lambda i: A[i, 0] + A[i, 0, 0])
    span = caught.value.span
    assert span is not None
    assert span.source.line(span.line)[span.column - 1 : span.end_column - 1] == "A[i, 0, 0]"
    with pytest.raises(InvalidCompute, match="takes 2 indices, but the tensor has 1 dimensions") as wrong:
        te.compute((n,), lambda i, j: A[i, j])
    assert wrong.value.span is not None
    with pytest.raises(InvalidCompute, match="parameters with defaults"):
        te.compute((n,), lambda i, j=0: A[i, j])


def test_types() -> None:
    """Type checkers know what calls return: `assert_type` is theirs."""
    k = te.reduce_axis((0, 4), "k")
    B = assert_type(te.compute((n,), lambda i: assert_type(te.sum(A(i, k), axis=k), Expr)), te.Tensor)
    pair = assert_type(te.compute((n,), lambda i: (B(i), B(i) + 1)), tuple[te.Tensor, ...])
    results = [assert_type(1 - B, te.Tensor), assert_type(-B, te.Tensor), assert_type(topi.add(B, 1.0), te.Tensor)]
    assert {type(tensor) for tensor in (B, *pair, *results)} == {te.Tensor}
    assert isinstance(assert_type(topi.add(B(0), 1.0), Expr), Expr)
    assert isinstance(assert_type(A[0:2], te.TensorSlice), te.TensorSlice)


def test_tags() -> None:
    with te.tag_scope("elemwise"):
        assert te.compute((4,), lambda i: A[i, 0]).op.tag == "elemwise"
        with pytest.raises(InvalidOperation, match="has the tag 'mine' of its own"):
            te.compute((4,), lambda i: A[i, 0], tag="mine")
    with pytest.raises(InvalidOperation, match="init, update and state_placeholder differ in length"):
        te.scan([], A, A)


def test_an_extern_operation_has_a_dtype_for_each_output() -> None:
    with pytest.raises(InvalidOperation, match="the numbers of outputs and dtypes differ: 2 and 1"):
        te.extern([(4,), (4,)], [A], lambda _ins, _outs: A[0, 0], dtype=["float32"])


IN_PLACE = """@T.prim_func
def f(W: T.Buffer((16,), "float32"), X: T.Buffer((16,), "float32"), Y: T.Buffer((16,), "float32")):
    for i in range(16):
        X[i] = X[i] * 2.0 + W[i]
        Y[i] = Y[i] * {}
"""


@pytest.mark.parametrize(("factor", "inputs"), [("2.0", ["W", "X"]), ("X[i]", ["W", "X"])])
def test_the_last_buffer_that_is_written_in_place_is_the_output(factor: str, inputs: list[str]) -> None:
    first, second = (te.placeholder((16,), name=name) for name in "BC")
    function: Any = tvmscript.from_source(IN_PLACE.format(factor))
    output: Any = te.extern_primfunc([first, second], function)
    assert [tensor.name for tensor in output.op.inputs] == ["B", "C"]
    made: Any = te.create_prim_func([first, second, output])
    assert [made.buffer_map[param].name for param in made.params] == [*inputs, "Y"]
    with pytest.raises(InvalidOperation, match="1 tensors are given for the 2 buffers"):
        te.extern_primfunc([first], function)


def test_fractions_are_no_extents() -> None:
    assert [str(extent) for extent in te.placeholder((4.0, 3)).shape] == ["4", "3"]
    with pytest.raises(WrongType, match="integers as extents"):
        te.placeholder((4.5,))


def test_tensors_are_equal_if_they_are_the_same() -> None:
    a, b = te.placeholder((4,), name="A"), te.placeholder((4,), name="A")
    assert [a, b].index(b) == 1
    assert (a == a.op.output(0)) is True
    assert (a != b) is True
    assert (a == 5) is False


def test_operations_are_hashed_by_their_names() -> None:
    one, other = (te.compute((4,), lambda i: A[i, 0], name=name).op for name in ("one", "other"))
    assert structural_hash(one) == structural_hash(one) != structural_hash(other)


def test_stages_that_are_added_are_in_the_group_of_their_stage() -> None:
    b = te.compute((8, 4), lambda i, j: A[i, j] + 1.0, name="B")
    c = te.compute((8, 4), lambda i, j: b[i, j] * 2.0, name="C")
    d = te.compute((8, 4), lambda i, j: c[i, j] - 1.0, name="D")
    s = te.create_schedule(d.op)
    group = s.create_group(c, A)
    assert group.num_child_stages == 2
    cache = s.cache_write(c, "local")
    assert group.num_child_stages == 3
    s.cache_read(b, "local", [cache])
    s.cache_read(c, "local", [d])
    names = [stage.op.name for stage in s.stages if stage.group is group]
    assert names == ["B", "B.local", "C.local", "C", "C.local"]
    assert group.num_child_stages == 5


def test_an_expression_of_several_lines_is_shown_by_its_first_one() -> None:
    A = te.placeholder((4, 4), name="A")
    # fmt: off
    with pytest.raises(WrongRank) as caught:
        te.compute((4,), lambda i: A[
            i, 0, i])
    # fmt: on
    span = caught.value.span
    assert span is not None
    line = span.source.line(span.line)
    assert line[span.column - 1 : span.end_column - 1] == line.strip() == "te.compute((4,), lambda i: A["
