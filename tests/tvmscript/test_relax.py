"""TVM's spelling of the graph level reaches the same things; operators are those of `R`."""

from __future__ import annotations

import pytest

import tvmscript as tvm
from tvmscript.ir.relax.op.binary import add
from tvmscript.ir.tir.var import Var as SizeVar


def test_a_module_as_tvm_builds_it() -> None:
    relax = tvm.relax
    n = SizeVar("n", "int64")
    x = relax.Var("x", relax.TensorStructInfo([n, 4], "float32"))
    bb = relax.BlockBuilder()
    with bb.function("main", [x]):
        with bb.dataflow():
            gv = bb.emit_output(relax.op.nn.relu(relax.op.add(x, x)))
        bb.emit_func_output(gv)
    func = bb.get()["main"]
    assert relax.analysis.well_formed(func)
    assert relax.analysis.free_vars(func) == []
    assert [binding.value.op.name for binding in func.body.blocks[0].bindings] == ["relax.add", "relax.nn.relu"]
    assert not relax.analysis.well_formed(func.replace(params=()))
    info = relax.analysis.derive_call_ret_struct_info(func.struct_info, relax.Call(tvm.GlobalVar("f"), [x]))
    assert tvm.ir.structural_equal(info, x.struct_info)


def test_operators_by_name() -> None:
    op = tvm.relax.op
    assert "nn" in dir(op)
    assert "relu" in dir(op.nn)
    x = tvm.relax.Var("x", tvm.relax.TensorStructInfo([4], "float32"))
    assert op.add(x, x).op is add
    with pytest.raises(AttributeError, match=r"relax\.nn\.gone"):
        _ = op.nn.gone


def test_unknown_variables_are_a_question_of_their_own() -> None:
    relax = tvm.relax
    x, unknown = relax.Var("x", relax.ObjectStructInfo()), relax.Var("u")
    body = relax.SeqExpr((relax.BindingBlock((relax.VarBinding(unknown, x),)),), x)
    func = relax.Function((x,), body)
    assert not relax.analysis.well_formed(func)
    assert relax.analysis.well_formed(func, check_struct_info=False)


def test_constants() -> None:
    relax = tvm.relax
    assert str(relax.const(1.5, "float16")) == 'R.const(1.5, "float16")'
    assert tvm.ir.structural_equal(relax.const([1, 2]).struct_info, relax.TensorStructInfo([2], "int32"))
