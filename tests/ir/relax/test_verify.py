"""Verifier of graph functions: violations of each rule, and valid neighbours."""

from __future__ import annotations

from typing import Any

import pytest

from tvmscript.ir.core.module import GlobalVar, IRModule
from tvmscript.ir.relax import errors
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    DataflowBlock,
    DataflowVar,
    ExternFunc,
    If,
    MatchCast,
    SeqExpr,
    ShapeExpr,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.binary import add
from tvmscript.ir.relax.op.call_tir import call_tir, call_tir_inplace
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo, ShapeStructInfo, TensorStructInfo
from tvmscript.ir.relax.verify import find_errors, verify
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Evaluate
from tvmscript.ir.tir.var import Var as SizeVar

N, K = SizeVar("n", "int64"), SizeVar("k", "int64")
X = Var("x", TensorStructInfo([N, 4], "float32"))
C = Var("c", TensorStructInfo([], "bool"))
X2 = Var("x2", X.struct_info)
KERNEL: Any = PrimFunc((), Evaluate(IntImm("int32", 0)))
V1 = Var("v1", TensorStructInfo(None, "float32", ndim=1))
SHAPE = Var("shape", ShapeStructInfo(ndim=1))
SAME = TensorStructInfo([N, 4], "float32")
PACKED = Call(ExternFunc("f"), (X,), sinfo_args=(SAME,))


def _bind(value: Any, name: str = "v", info: Any = None, cls: type[Var] = Var) -> VarBinding:
    return VarBinding(cls(name, info or value.struct_info), value)


def _seq(*bindings: Any, body: Any = None, cls: type[BindingBlock] = BindingBlock) -> SeqExpr:
    return SeqExpr((cls(bindings),), body or bindings[-1].var)


def _func(body: SeqExpr, *params: Var, **options: Any) -> Function:
    return Function(params or (X, C), body, **options)


def _kernel_call(*args: Any, op: Any = call_tir, out: Any = None, sizes: Any = (), **attrs: Any) -> IRModule:
    """A module with a kernel `f(x, y)` of a vector and a matrix, and a function that calls it."""
    params = SizeVar("x", "handle"), SizeVar("y", "handle")
    four = IntImm("int64", 4)
    buffers = {params[0]: make_buffer((N,), "float32", "x"), params[1]: make_buffer((four, four), "float32", "y")}
    kernel = PrimFunc(params, Evaluate(IntImm("int32", 0)), None, buffers)
    name = GlobalVar("f")
    given = (name, Tuple(args), *sizes)
    call = Call(op, given, attrs, (out or TensorStructInfo([4, 4], "float32"),))
    return IRModule({name: kernel, "main": _func(_seq(_bind(call)), VECTOR, MATRIX)})


VECTOR, MATRIX = Var("v", TensorStructInfo([4], "float32")), Var("m", TensorStructInfo([4, 4], "float32"))


def _names(program: Any) -> list[str]:
    return [type(error).__name__ for error in find_errors(program)]


SUM = _bind(Call(add, (X, X)))
INNER = _bind(Call(add, (X, X)), "lv", cls=DataflowVar)
CAST = MatchCast(Var("m", TensorStructInfo([K, 4])), X, TensorStructInfo([K, 4]))


RIGHT: dict[str, Any] = {
    "a binding": _func(_seq(SUM)),
    "a dataflow block": _func(_seq(INNER, _bind(INNER.var, "gv"), cls=DataflowBlock)),
    "a cast": _func(_seq(CAST, _bind(ShapeExpr([K, N]), "s"))),
    "tuples of leaves": _func(_seq(_bind(Tuple((X, Tuple((C,))))))),
    "an if": _func(_seq(_bind(If(C, SeqExpr((), X), _seq(SUM))))),
    "an impure function": _func(_seq(_bind(PACKED)), is_pure=False),
    "forced": _func(_seq(_bind(PACKED)), attrs={"relax.force_pure": True}),
    "a condition of one float": _func(_seq(_bind(If(V1, SeqExpr((), X), SeqExpr((), X)))), V1, X),
    "an annotation that says less": _func(_seq(_bind(Call(add, (X, X)), info=ObjectStructInfo()))),
    "an annotation that says more": _func(
        _seq(_bind(PACKED, info=TensorStructInfo([7, 4], "float32")), body=X), is_pure=False
    ),
    "sizes defined by a later parameter": _func(
        SeqExpr((), X), Var("a", TensorStructInfo([N + 1])), Var("b", TensorStructInfo([N])), X
    ),
    "a kernel": _kernel_call(VECTOR),
    "a kernel that writes into its arguments": _kernel_call(VECTOR, MATRIX, op=call_tir_inplace, inplace_indices=[1]),
}
WRONG: dict[str, tuple[str, Any]] = {
    "no binding": ("UndefinedValue", _func(SeqExpr((), SUM.var))),
    "a binding further down": ("UndefinedValue", _func(_seq(_bind(SUM.var, "w"), SUM))),
    "a binding of a branch": (
        "UndefinedValue",
        _func(_seq(_bind(If(C, _seq(SUM), SeqExpr((), X)), "i"), _bind(SUM.var, "w"))),
    ),
    "a dataflow variable outside": ("DataflowVarOutside", _func(_seq(INNER, cls=DataflowBlock))),
    "one variable twice": ("DuplicateBinding", _func(_seq(SUM, SUM))),
    "a size that nothing defines": ("UndefinedSizeVar", _func(_seq(_bind(ShapeExpr([K]))))),
    "a size in an annotation": ("UndefinedSizeVar", _func(_seq(_bind(X, info=TensorStructInfo([K, 4]))))),
    "a size that an expression uses": (
        "UndefinedSizeVar",
        _func(SeqExpr((), X), X, Var("a", TensorStructInfo([K + 1]))),
    ),
    "a call in a call": ("NotInNormalForm", _func(_seq(_bind(Call(add, (X, Call(add, (X, X)))))))),
    "an item as an argument": ("NotInNormalForm", _func(_seq(_bind(Call(add, (X, TupleGetItem(Tuple((X, X)), 0))))))),
    "a kernel inside": ("NestedKernel", _func(SeqExpr((BindingBlock((VarBinding(X2, KERNEL),)),), X2), X)),
    "a call as the result": ("NotInNormalForm", _func(SeqExpr((), Call(add, (X, X))))),
    "a packed call in a pure function": ("ImpureCall", _func(_seq(_bind(PACKED)))),
    "a packed call in a dataflow block": (
        "ImpureCall",
        _func(_seq(_bind(PACKED), cls=DataflowBlock), is_pure=False),
    ),
    "an unknown variable": ("MissingStructInfo", _func(_seq(VarBinding(Var("u"), X)))),
    "another dtype": ("StructInfoMismatch", _func(_seq(_bind(X, info=TensorStructInfo([N, 4], "float16"))))),
    "another rank": ("StructInfoMismatch", _func(_seq(_bind(X, info=TensorStructInfo(ndim=3))))),
    "an if in a dataflow block": (
        "ControlFlowInDataflow",
        _func(_seq(_bind(If(C, SeqExpr((), X), SeqExpr((), X))), cls=DataflowBlock)),
    ),
    "a shape as condition": (
        "WrongCondition",
        _func(_seq(_bind(If(SHAPE, SeqExpr((), X), SeqExpr((), X)))), SHAPE, X),
    ),
    "forced, and not pure": ("ImpureForcePure", _func(_seq(SUM), is_pure=False, attrs={"relax.force_pure": True})),
    "another result": ("ResultMismatch", _func(_seq(SUM), ret_struct_info=TensorStructInfo([4, 4], "int8"))),
    "another symbol": ("GlobalSymbolMismatch", IRModule({"f": _func(SeqExpr((), X), attrs={"global_symbol": "g"})})),
    "a size of two functions": (
        "SharedSizeVar",
        IRModule({name: _func(SeqExpr((), ShapeExpr([N])), Var("a", SAME)) for name in "fg"}),
    ),
    "a condition of floats": ("WrongCondition", _func(_seq(_bind(If(X, SeqExpr((), X), SeqExpr((), X)))))),
    "a function that the module has not": (
        "UndefinedGlobal",
        IRModule({"main": _func(_seq(_bind(Call(GlobalVar("gone", struct_info=FuncStructInfo((), SAME)), ()))))}),
    ),
    "a kernel with too many arguments": ("WrongKernelCall", _kernel_call(VECTOR, MATRIX)),
    "a kernel with too few arguments": ("WrongKernelCall", _kernel_call()),
    "a kernel with a size that it does not take": ("WrongKernelCall", _kernel_call(VECTOR, sizes=[ShapeExpr([4])])),
    "a kernel with another rank": ("WrongKernelCall", _kernel_call(MATRIX)),
    "a kernel with another extent": ("WrongKernelCall", _kernel_call(VECTOR, out=TensorStructInfo([4, 5], "float32"))),
    "a kernel with another dtype": ("WrongKernelCall", _kernel_call(VECTOR, out=TensorStructInfo([4, 4], "int32"))),
    "a kernel that is none": (
        "WrongKernelCall",
        IRModule(
            {
                "f": _func(SeqExpr((), X2), X2),
                "main": _func(
                    _seq(
                        _bind(
                            Call(call_tir, (GlobalVar("f"), Tuple((VECTOR,))), {}, (TensorStructInfo([4], "float32"),))
                        )
                    ),
                    VECTOR,
                ),
            }
        ),
    ),
    "a kernel that writes another dtype into an argument": (
        "WrongKernelCall",
        _kernel_call(VECTOR, MATRIX, op=call_tir_inplace, out=TensorStructInfo([4, 4], "int32"), inplace_indices=[1]),
    ),
    "a kernel that writes into too many arguments": (
        "WrongKernelCall",
        _kernel_call(VECTOR, MATRIX, VECTOR, op=call_tir_inplace, inplace_indices=[1]),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right(name: str) -> None:
    assert _names(RIGHT[name]) == []


@pytest.mark.parametrize("name", WRONG)
def test_wrong(name: str) -> None:
    expected, program = WRONG[name]
    assert _names(program) == [expected]
    with pytest.raises(getattr(errors, expected)):
        verify(program)


def test_every_rule_is_tested() -> None:
    rules = {name for name, value in vars(errors).items() if getattr(value, "code", "").startswith("TS13")}
    assert {expected for expected, _ in WRONG.values()} == rules


def test_all_errors_are_told() -> None:
    func = _func(_seq(_bind(PACKED), _bind(Call(add, (X, SUM.var)), "w")))
    assert _names(func) == ["ImpureCall", "UndefinedValue"]


def test_functions_inside_see_what_is_outside() -> None:
    inner_x = Var("a", SAME)
    inner = _func(_seq(_bind(Call(add, (inner_x, X)), "r")), inner_x)
    name = Var("f", inner.struct_info)
    func = _func(_seq(VarBinding(name, inner), _bind(Call(name, (X,)), "out")))
    assert _names(func) == []


def test_a_function_may_call_itself() -> None:
    inner_x = Var("a", SAME)
    name = Var("f", FuncStructInfo((SAME,), SAME))
    inner = _func(_seq(_bind(Call(name, (inner_x,)), "r")), inner_x)
    assert _names(_func(_seq(VarBinding(name, inner), body=X))) == []


def test_calls_of_kernels_may_be_left_out_as_in_tvm_0_17() -> None:
    assert find_errors(_kernel_call(VECTOR, MATRIX), kernel_calls=False) == []


def test_results_may_be_left_out_as_in_tvm() -> None:
    func = _func(_seq(SUM), ret_struct_info=TensorStructInfo([4, 4], "int8"))
    assert find_errors(func, results=False) == []
