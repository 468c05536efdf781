"""Passes of Python functions and classes; what TVM 0.17 does with the same."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript as tvm
from tvmscript.ir.core.errors import WrongArgumentCount, WrongType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import Pass, PrimFuncPass
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.decorators import ModulePass, module_pass, prim_func_pass
from tvmscript.ir.transform.functions.apply import Apply
from tvmscript.ir.transform.functions.apply_pass_to_function import ApplyPassToFunction, NoFunctionMatches
from tvmscript.ir.transform.functions.filter import Filter

TEXT = """
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)

    @T.prim_func
    def main2(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(2)

    @T.prim_func
    def amain(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(3)

    @R.function
    def graph(x: R.Tensor((4,), "float32")):
        return x
"""


@pytest.fixture
def mod() -> IRModule:
    made = tvm.from_source(TEXT)
    assert isinstance(made, IRModule)
    return made


def marked(mod: IRModule) -> list[str]:
    return [var.name_hint for var, func in mod.items() if isinstance(func, PrimFunc) and "x" in func.attrs]


@prim_func_pass(opt_level=1)
def mark(func: PrimFunc, mod: IRModule, ctx: PassContext) -> PrimFunc | None:
    """Functions are marked.

    More of it.
    """
    assert isinstance(mod, IRModule)
    assert ctx is PassContext.current()
    return None if func.attrs["global_symbol"] == "main2" else func.with_attr("x", 1)


def test_a_function_that_is_a_pass(mod: IRModule) -> None:
    assert isinstance(mark, PrimFuncPass)
    assert (mark.info.name, mark.info.opt_level, mark.info.summary) == ("mark", 1, "Functions are marked.")
    made = mark(mod)
    assert marked(made) == ["main", "amain"]
    assert "main2" not in made, "None takes a function away"
    assert made["graph"] is mod["graph"]
    assert not marked(mod)
    assert mark(mod["main"]).attrs["x"].value == 1


class Numbered:
    """Functions have a number."""

    def __init__(self, number: int = 3, *, key: str = "number") -> None:
        self.number, self.key = number, key

    def transform_function(self, func: PrimFunc, mod: IRModule, ctx: PassContext) -> PrimFunc:
        return func.with_attr(self.key, self.number)


Named: Any = prim_func_pass(Numbered, opt_level=0)


def test_a_class_that_makes_passes(mod: IRModule) -> None:
    assert Named(5)(mod)["main"].attrs["number"].value == 5
    assert Named(key="k")(mod)["main"].attrs["k"].value == 3
    assert (Named.__name__, Named.__doc__, Named(4).number) == ("Numbered", "Functions have a number.", 4)
    assert Named().info.name == "Numbered"
    assert isinstance(Named(), PrimFuncPass)
    assert Named(4) != Named(4), "what they do is not known"


class KeepsOne:
    def transform_module(self, mod: IRModule, ctx: PassContext) -> IRModule:
        return IRModule({"main": mod["main"]})


KeepOne: Any = module_pass(KeepsOne, opt_level=2, name="Keep", required=["tir.Simplify"])


def test_module_passes(mod: IRModule) -> None:
    assert [var.name_hint for var in KeepOne()(mod)] == ["main"]
    assert (KeepOne().info.name, KeepOne().info.opt_level, KeepOne().info.required) == ("Keep", 2, ("tir.Simplify",))
    assert isinstance(KeepOne(), ModulePass)
    same = module_pass(lambda mod, ctx: mod, opt_level=0)
    assert same(mod) is mod
    assert KeepOne.name == "Keep"
    assert "Keep" not in Pass.registry


def test_nothing_changed(mod: IRModule) -> None:
    assert prim_func_pass(lambda func, mod, ctx: func, opt_level=0)(mod) is mod


def test_what_is_no_pass(mod: IRModule) -> None:
    number: Any = 3
    with pytest.raises(WrongType, match=r"the result of the pass .* takes a module, but got 3"):
        module_pass(lambda mod, ctx: number, opt_level=0)(mod)
    with pytest.raises(WrongType, match="the result of the pass n takes a PrimFunc, or None, but got 3"):
        prim_func_pass(lambda func, mod, ctx: number, opt_level=0, name="n")(mod)
    with pytest.raises(WrongType, match="prim_func_pass takes an opt_level"):
        prim_func_pass(lambda func, mod, ctx: func)
    with pytest.raises(WrongType, match="prim_func_pass takes a function or a class, but got 3"):
        prim_func_pass(number, opt_level=0)
    with pytest.raises(WrongType, match="required takes a list of names"):
        module_pass(lambda mod, ctx: mod, opt_level=0, required="tir.Simplify")
    with pytest.raises(WrongType, match="takes a method transform_module, but got none in IRModule"):
        module_pass(opt_level=0)(IRModule)


def test_apply(mod: IRModule) -> None:
    assert marked(Apply(lambda func: func.with_attr("x", 1))(mod)) == ["main", "main2", "amain"]
    assert Apply(lambda func: func)(mod) is mod
    nothing: Any = None
    with pytest.raises(WrongType, match=r"the result of the function of tir\.Apply takes a PrimFunc, but got None"):
        Apply(lambda func: nothing)(mod)
    assert isinstance(tvm.tir.transform.Apply(lambda func: func), PrimFuncPass)
    with pytest.raises(WrongArgumentCount, match=r"tir\.Apply takes a value for ftransform"):
        tvm.transform.get_pass("tir.Apply")


def test_filter(mod: IRModule) -> None:
    made = Filter(lambda func: func.attrs["global_symbol"] != "main2")(mod)
    assert [var.name_hint for var in made] == ["main", "amain", "graph"]
    assert Filter(lambda func: True)(mod) is mod
    assert len(tvm.tir.transform.Filter(lambda func: False)(mod)) == 1


def test_a_pass_for_some_functions(mod: IRModule) -> None:
    mark_all = Apply(lambda func: func.with_attr("x", 1))
    assert marked(ApplyPassToFunction(mark_all, "main")(mod)) == ["main", "main2"]
    assert marked(ApplyPassToFunction(mark_all, ".*main")(mod)) == ["main", "main2", "amain"]
    assert marked(ApplyPassToFunction(mark_all, "main$")(mod)) == ["main"]
    assert len(ApplyPassToFunction(mark_all, "main")(mod)) == 4
    assert ApplyPassToFunction(mark_all, "nope")(mod) is mod
    assert ApplyPassToFunction(mark_all, "main").info.name == "ApplyPassTomain"
    with pytest.raises(
        NoFunctionMatches, match="no function of the module matches 'nope'; its functions are main,"
    ) as caught:
        ApplyPassToFunction(mark_all, "nope", True)(mod)
    assert caught.value.code == "TS4083"


def test_print_ir(mod: IRModule, capsys: pytest.CaptureFixture[str]) -> None:
    assert tvm.transform.PrintIR("here")(mod) is mod
    assert capsys.readouterr().out == f"PrintIR(here):\n{mod.script()}\n"


def test_passes_over_graph_functions(mod: IRModule) -> None:
    @tvm.relax.transform.function_pass(opt_level=1)
    def rename(func: Function, mod: IRModule, ctx: PassContext) -> Function:
        return func.with_attr("x", 1)

    made = rename(mod)
    assert "x" in made["graph"].attrs
    assert made["main"] is mod["main"]
    assert isinstance(rename, tvm.relax.transform.FunctionPass)
    assert rename.info.opt_level == 1


def test_passes_of_no_module_have_no_summary() -> None:
    """Text of a notebook, or of `exec`, is no module; since Python 3.13, None has a docstring."""

    @prim_func_pass(opt_level=0)
    def keep(func: PrimFunc, mod: IRModule, ctx: PassContext) -> PrimFunc:
        return func

    type(keep).__module__ = "nowhere"
    assert not keep.summary()
