"""TVM's spelling of the graph level reaches the same things; operators are those of `R`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
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
    array = np.arange(6, dtype="float32").reshape(2, 3)
    assert relax.const(array).data.numpy().tolist() == relax.const(array).data.asnumpy().tolist() == array.tolist()
    assert np.shares_memory(relax.const(array).data, array)
    assert tvm.ir.structural_equal(relax.const([1, 2]).struct_info, relax.TensorStructInfo([2], "int32"))


def test_struct_info_is_in_order() -> None:
    relax = tvm.relax
    n = SizeVar("n", "int64")
    vector, tensor = relax.TensorStructInfo([n], "float32"), relax.TensorStructInfo(None, "float32")
    assert relax.ObjectStructInfo().is_base_of(vector)
    assert tensor.is_base_of(vector)
    assert not vector.is_base_of(tensor)


def test_arrays_have_the_dtypes_of_numbers_where_nobody_asks_for_another() -> None:
    relax = tvm.relax
    made = [np.arange(2), np.zeros(2), np.int64(3), np.float64(0.5), np.zeros(2, "uint64"), np.zeros(2, "float16")]
    assert [str(relax.const(value).dtype) for value in made] == ["int32", "float32"] * 2 + ["uint64", "float16"]
    assert [str(relax.const(value, "int64").dtype) for value in made[:2]] == ["int64", "int64"]
    assert relax.const(np.arange(3)).data.tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", ["int64", "float64", "int32"])
def test_large_arrays_are_saved_with_their_dtypes(dtype: str, tmp_path: Path) -> None:
    builder = tvm.relax.BlockBuilder()
    with builder.function("main", []):
        builder.emit_func_output(tvm.relax.const(np.arange(300), dtype))
    tvm.save(builder.get(), tmp_path / "main.py")
    tvm.ir.assert_structural_equal(tvm.load(tmp_path / "main.py"), builder.get())


def test_functions_know_what_their_bodies_know() -> None:
    relax: Any = tvm.relax
    x = relax.Var("x", relax.TensorStructInfo([2], "float32"))
    body = relax.SeqExpr([relax.BindingBlock([]), relax.DataflowBlock([])], x)
    func = relax.Function([x], body, relax.TensorStructInfo(None, "float32"))
    assert (func.body.blocks, func.ret_struct_info) == ((), x.struct_info)
    tvm.ir.assert_structural_equal(tvm.from_source(func.script()), func)
    assert relax.BlockBuilder().normalize(body).body is x
    assert relax.Function([x], x, relax.TensorStructInfo(None, "float32")).ret_struct_info is x.struct_info
