"""Analyses of graph functions against expected results and TVM's."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

import tvmscript as tvm
from tests.ir.relax.analysis import questions
from tests.ir.relax.analysis.questions import PROGRAM, answers
from tests.ir.relax.peer import check_kept_answers, kept_answers
from tvmscript import R, T, relax
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.analysis.static_type import DynTensorType, ObjectType, PackedFuncType, ShapeType
from tvmscript.relax import FuncType, analysis


def module() -> Any:
    return tvm.from_source(PROGRAM)


def program(text: str) -> Any:
    return tvm.from_source(dedent(text))


def names(result: Any) -> list[str]:
    return [each.name_hint for each in result]


def test_answers_are_those_of_tvm() -> None:
    assert answers(module(), analysis) == dict(kept_answers(questions.__file__))


@pytest.mark.oracle
def test_the_kept_answers_are_those_of_tvm(oracle: Any) -> None:
    check_kept_answers(questions.__file__)


def test_recursion() -> None:
    assert [names(group) for group in analysis.detect_recursion(module())] == [["g", "h"], ["k"]]
    assert analysis.detect_recursion(IRModule()) == []


def test_recursion_of_a_long_chain() -> None:
    """No group is found twice, and a chain is as long as it likes to be."""
    bb = relax.BlockBuilder()
    chain = [tvm.ir.GlobalVar(f"f{number}") for number in range(3000)]
    for var, other in zip(chain, [*chain[1:], chain[0]], strict=True):
        x = relax.Var("x", relax.ObjectStructInfo())
        body = relax.SeqExpr((), relax.Call(other, (x,)))
        bb.add_func(relax.Function((x,), body, relax.ObjectStructInfo()), var.name_hint)
    (group,) = analysis.detect_recursion(bb.get())
    assert len(group) == 3000


def test_what_follows_from_weights() -> None:
    func = module()["main"]
    assert names(analysis.computable_at_compile_time(func)) == ["w", "b", "wt", "lv"]
    assert names(analysis.computable_at_compile_time(func.without_attr("num_input"))) == []


def test_unused_bindings_go() -> None:
    func = module()["main"]
    result: Any = analysis.remove_all_unused(func)
    (block,) = result.body.blocks
    assert names(binding.var for binding in block.bindings) == ["lv0", "mc", "y"]
    assert analysis.remove_all_unused(result) is result
    assert analysis.well_formed(result)


def test_effects_are_a_use() -> None:
    func = module()["imp"]
    result: Any = analysis.remove_all_unused(func)
    assert names(binding.var for block in result.body.blocks for binding in block.bindings) == ["_", "p"]


def test_what_a_branch_does_not_need() -> None:
    func = program("""
        @R.function
        def main(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
            if c:
                a = R.exp(x)
                b = R.abs(x)
                y = R.add(b, b)
            else:
                y = R.sin(x)
            return y
    """)
    result: Any = analysis.remove_all_unused(func)
    branch = result.body.blocks[0].bindings[0].value.true_branch
    assert names(binding.var for block in branch.blocks for binding in block.bindings) == ["b", "y_then"]


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        (R.Tensor((1, 2), "float32"), DynTensorType(2, DType("float32"))),
        (R.Tensor("float32", ndim=3), DynTensorType(3, DType("float32"))),
        (R.Shape([1, 2]), ShapeType(2)),
        (R.Tuple(R.Object, R.Prim("int64")), tvm.ir.TupleType((ObjectType(), tvm.ir.PrimType(DType("int64"))))),
        (R.Callable((R.Object,), R.Object), FuncType((ObjectType(),), ObjectType())),
        (R.Callable(None, R.Object), PackedFuncType()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_static_types(info: Any, expected: Any) -> None:
    tvm.ir.assert_structural_equal(analysis.get_static_type(info), expected)


def copies(load: str, shapes: tuple[str, str] = ("8, 3", "2, 4, 3")) -> Any:
    return program(f"""
        @T.prim_func
        def main(A: T.Buffer(({shapes[0]}), "float32"), B: T.Buffer(({shapes[1]}), "float32")):
            for i, j, k in T.grid(2, 4, 3):
                with T.block("B"):
                    vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                    B[vi, vj, vk] = {load}
    """)


def test_kernels_that_reshape() -> None:
    assert analysis.has_reshape_pattern(copies("A[vi * 4 + vj, vk]"))
    assert analysis.has_reshape_pattern(copies("A[(vi * 12 + vj * 3 + vk) // 3, (vi * 12 + vj * 3 + vk) % 3]"))
    assert not analysis.has_reshape_pattern(copies("A[vj * 2 + vi, vk]"))
    assert not analysis.has_reshape_pattern(copies("A[vi * 4 + vj, vk] + T.float32(1)"))
    assert not analysis.has_reshape_pattern(copies("B[vi, vj, vk]"))


def test_kernels_without_two_buffers_reshape_nothing() -> None:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):  # type: ignore[no-untyped-def,valid-type]
        A[0] = A[1]

    assert not analysis.has_reshape_pattern(main)


def test_shapes_in_annotations_are_used() -> None:
    """A variable that is a shape, of a tensor that is computed elsewhere."""
    x = relax.Var("x", relax.TensorStructInfo([2, 3], "float32"))
    s = relax.DataflowVar("s", relax.ShapeStructInfo(ndim=2))
    t = relax.DataflowVar("t", relax.ShapeStructInfo(ndim=2))
    y = relax.Var("y", relax.TensorStructInfo(s, "float32"))
    shape = R.shape_of(x)
    bindings = (relax.VarBinding(s, shape), relax.VarBinding(t, shape), relax.VarBinding(y, x))
    body = relax.SeqExpr((relax.DataflowBlock(bindings),), y)
    func: Any = relax.Function((x,), body, relax.ObjectStructInfo())
    result: Any = analysis.remove_all_unused(func)
    assert names(binding.var for binding in result.body.blocks[0].bindings) == ["s", "y"]
