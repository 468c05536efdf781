"""RelaxRewriter, and analyses of variables."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.visit import on
from tvmscript.ir.relax.anf import Normalizer, is_leaf
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    DataflowVar,
    ExternFunc,
    MatchCast,
    SeqExpr,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.binary import add, multiply
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TensorStructInfo
from tvmscript.ir.relax.variables import (
    all_global_vars,
    all_vars,
    bound_vars,
    contains_impure_call,
    defined_symbolic_vars,
    free_symbolic_vars,
    free_vars,
    get_var2val,
    name_to_binding,
    udchain,
)
from tvmscript.ir.relax.verify import find_errors
from tvmscript.ir.tir.var import Var as SizeVar

N, K = SizeVar("n", "int64"), SizeVar("k", "int64")
X = Var("x", TensorStructInfo([N, 4], "float32"))


def _program() -> Function:
    bb = BlockBuilder()
    with bb.function("main", X):
        with bb.dataflow():
            lv = bb.emit(Call(add, (X, X)))
            out = bb.emit_output(Call(multiply, (lv, X)))
        gv = bb.emit(Call(multiply, (out, out)))
        bb.emit_func_output(gv)
    program: Function = bb.get()["main"]
    return program


class _Doubled(RelaxRewriter):
    """x * y  ->  (x + x) * y"""

    @on(Call)
    def call(self, node: Call) -> Call:
        result = self.descend(node)
        if result.op is not multiply:
            return result
        return result.replace(args=(Call(add, (result.args[0], result.args[0])), result.args[1]))


class _Halved(RelaxRewriter):
    """The sum becomes a call that gives float16."""

    @on(Call)
    def call(self, node: Call) -> Any:
        result = self.descend(node)
        half = TensorStructInfo([N, 4], "float16")
        return Call(ExternFunc("half"), result.args, sinfo_args=(half,)) if result.op is add else result


class _Same(RelaxRewriter):
    """Nothing changes."""


def test_what_does_not_change_is_returned_as_it_is() -> None:
    func = _program()
    assert _Same().rewrite(func) is func


def test_what_rules_make_is_normalized_in_its_block() -> None:
    result = _Doubled().rewrite(_program())
    assert find_errors(result) == []
    blocks = result.body.blocks
    assert [len(block.bindings) for block in blocks] == [3, 2]
    assert [binding.value.op for block in blocks for binding in block.bindings] == [add, add, multiply, add, multiply]
    assert isinstance(blocks[0].bindings[1].var, DataflowVar)


def test_what_is_known_follows_a_change() -> None:
    func = _program()
    lv = func.body.blocks[0].bindings[0]
    narrow = func.replace(body=_seq_of(lv, func))
    result = _Halved().rewrite(narrow)
    binding = result.body.blocks[0].bindings[0]
    assert binding.var.struct_info.dtype == "float16"
    assert result.body.body is binding.var
    assert result.ret_struct_info.dtype == "float16"


def _seq_of(binding: Any, func: Function) -> SeqExpr:
    var = Var("v", binding.var.struct_info)
    return SeqExpr((BindingBlock((VarBinding(var, binding.value),)),), var)


def test_leaves() -> None:
    assert is_leaf(Tuple((X, Tuple((X,)))))
    assert not is_leaf(Tuple((X, TupleGetItem(Tuple((X,)), 0))))
    builder = BlockBuilder()
    normal = Call(add, (X, X))
    assert Normalizer(builder).value(normal) is normal


def test_variables() -> None:
    func = _program()
    names = [var.name_hint for var in all_vars(func)]
    assert sorted(names) == ["gv", "gv1", "lv", "x"]
    assert {var.name_hint for var in bound_vars(func)} == set(names)
    assert free_vars(func) == []
    assert free_vars(func.body) == [X]
    assert all_global_vars(func) == []
    lv = func.body.blocks[0].bindings[0]
    assert get_var2val(func)[lv.var] is lv.value  # type: ignore[attr-defined]  # a VarBinding
    assert name_to_binding(func)["lv"] == [lv]
    block: Any = func.body.blocks[0]
    assert [var.name_hint for var in udchain(block)[lv.var]] == ["gv"]  # type: ignore[attr-defined]


def test_size_variables() -> None:
    func = _program()
    assert defined_symbolic_vars(func) == [N]
    assert free_symbolic_vars(func) == []
    cast = MatchCast(Var("c", TensorStructInfo([K])), X, TensorStructInfo([K]))
    body = SeqExpr((BindingBlock((cast,)),), cast.var)
    assert defined_symbolic_vars(func.replace(body=body)) == [N, K]
    inside = func.replace(params=(), body=SeqExpr((), X))
    assert free_symbolic_vars(inside) == [N]


def test_impure_calls() -> None:
    packed = Call(ExternFunc("f"), (X,))
    assert contains_impure_call(packed)
    assert not contains_impure_call(_program())
    inner = Function((X,), SeqExpr((BindingBlock((VarBinding(Var("v", ObjectStructInfo()), packed),)),), X))
    outer = SeqExpr((BindingBlock((VarBinding(Var("f"), inner),)),), X)
    assert contains_impure_call(inner)
    assert not contains_impure_call(outer)
