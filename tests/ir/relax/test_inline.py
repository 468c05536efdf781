"""Inlined functions are well-formed, and compute what the calls compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.core import GlobalVar, IRModule
from tvmscript.ir.relax.errors import RecursiveInlining
from tvmscript.ir.relax.expr import Call, Constant, If, MatchCast, SeqExpr, ShapeExpr, Tuple, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.verify import verify
from tvmscript.ir.tir import Expr, IntImm

MODULE = """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4, 8), "float32"), n: R.Tensor(("k",), "float32"), p: R.Tensor((), "bool")):
        k = T.int64()
        cls = M
        with R.dataflow():
            a = R.add(x, x)
            b = cls.sub(a)
            c = cls.sub(R.multiply(b, x))
            R.output(c)
        d = cls.choose(c, p)
        e: R.Tensor((k,), "float32") = cls.sym(n)
        f: R.Tensor(dtype="float32", ndim=1) = cls.any(n)
        return (d, e, f)
    @R.function
    def sub(y: R.Tensor((4, 8), "float32")) -> R.Tensor((4, 8), "float32"):
        cls = M
        with R.dataflow():
            lv = R.add(y, R.const(1, "float32"))
            gv = cls.inner(lv)
            R.output(gv)
        return gv
    @R.function
    def inner(y: R.Tensor((4, 8), "float32")) -> R.Tensor((4, 8), "float32"):
        return R.nn.relu(y)
    @R.function
    def choose(y: R.Tensor(("m", 8), "float32"), p: R.Tensor((), "bool")) -> R.Tensor(("m", 8), "float32"):
        m = T.int64()
        if p:
            w = R.add(y, R.zeros((m, 8), "float32"))
        else:
            w = R.negative(y)
        return w
    @R.function
    def sym(y: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        m = T.int64()
        w: R.Tensor((m,), "float32") = R.add(y, R.ones((m,), "float32"))
        return w
    @R.function
    def any(y: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        cls = M
        m = T.int64()
        z = R.match_cast(y, R.Tensor((m,), "float32"))
        w: R.Tensor((m,), "float32") = cls.sym(z)
        return w
    @R.function
    def loop(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = M
        w: R.Tensor((4,), "float32") = cls.back(y)
        return w
    @R.function
    def back(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = M
        w: R.Tensor((4,), "float32") = cls.loop(y)
        return w
"""


def module() -> IRModule:
    program = tvmscript.from_source(MODULE)
    assert isinstance(program, IRModule)
    return program


class Evaluator:
    """Evaluates the operators of `MODULE` with NumPy."""

    def __init__(self, program: IRModule) -> None:
        self.program = program

    def call(self, func: Function, args: list[Any]) -> Any:
        values: dict[Any, Any] = {}
        for param, arg in zip(func.params, args, strict=True):
            self.define(param.struct_info, arg, values)
            values[param] = arg
        return self.sequence(func.body, values)

    @staticmethod
    def define(info: Any, value: Any, values: dict[Any, Any]) -> None:
        for size, extent in zip(info.extents or (), np.shape(value), strict=False):
            known = size.value if isinstance(size, IntImm) else values.setdefault(size, extent)
            assert known == extent

    def sequence(self, body: SeqExpr, values: dict[Any, Any]) -> Any:
        for block in body.blocks:
            for binding in block.bindings:
                assert isinstance(binding, (VarBinding, MatchCast))
                value = values[binding.var] = self.value(binding.value, values)
                if isinstance(binding, MatchCast):
                    self.define(binding.struct_info, value, values)
        return self.value(body.body, values)

    def value(self, node: Any, values: dict[Any, Any]) -> Any:
        if isinstance(node, (Var, Expr)):
            return node.value if isinstance(node, IntImm) else values[node]
        if isinstance(node, Constant):
            return node.data.numpy()
        if isinstance(node, (Tuple, ShapeExpr)):
            return tuple(self.value(item, values) for item in (node.fields if isinstance(node, Tuple) else node.values))
        if isinstance(node, If):
            taken = node.true_branch if self.value(node.cond, values) else node.false_branch
            return self.sequence(taken, dict(values))
        assert isinstance(node, Call)
        args = [self.value(arg, values) for arg in node.args]
        if isinstance(node.op, GlobalVar):
            callee = self.program[node.op]
            assert isinstance(callee, Function)
            return self.call(callee, args)
        return OPERATORS[node.op.name](*args)


OPERATORS: dict[str, Any] = {
    "relax.add": np.add,
    "relax.multiply": np.multiply,
    "relax.negative": np.negative,
    "relax.nn.relu": lambda x: np.maximum(x, np.float32(0)),
    "relax.ones": lambda shape: np.ones(shape, "float32"),
    "relax.zeros": lambda shape: np.zeros(shape, "float32"),
}


def run(program: IRModule, *args: Any) -> Any:
    (main,) = functions(program, "main").values()
    return Evaluator(program).call(main, list(args))


def functions(program: IRModule, *names: str) -> dict[str, Function]:
    chosen: dict[str, Function] = {}
    for name in names:
        func = program[name]
        assert isinstance(func, Function)
        chosen[name] = func
    return chosen


@pytest.mark.parametrize(
    "names", ["sub", "sub inner", "inner", "choose", "sym", "any", "any sym", "sub inner choose sym any"]
)
@pytest.mark.parametrize("condition", [True, False])
def test_values_stay(names: str, condition: bool) -> None:
    program = module()
    (main,) = functions(program, "main").values()
    inlined = main.inline_functions(functions(program, *names.split()))
    changed = program.clone()
    changed.update_func(changed.get_global_var("main"), inlined)
    verify(changed)
    tvmscript.from_source(changed.script())
    for name in names.split():
        assert f"cls.{name}(" not in str(changed["main"].script())
    rng = np.random.default_rng(0)
    args = rng.uniform(-1, 1, (4, 8)).astype("float32"), np.arange(5, dtype="float32"), np.array(condition)
    expected, actual = run(program, *args), run(changed, *args)
    for one, other in zip(expected, actual, strict=True):
        np.testing.assert_array_equal(one, other)


def test_callees_by_global_variable_and_functions_without_calls() -> None:
    program = module()
    main, sym = functions(program, "main", "sym").values()
    assert "R.ones" in main.inline_functions({program.get_global_var("sym"): sym}).script()
    assert main.inline_functions({}) is main
    assert main.inline_functions({"nope": sym}) is main


def test_recursion_is_refused() -> None:
    program = module()
    every = functions(program, "loop", "back")
    with pytest.raises(RecursiveInlining, match="back calls itself and cannot be inlined"):
        every["loop"].inline_functions(every)
    assert "cls" not in every["loop"].inline_functions({"back": every["back"]}).script()
