"""BlockBuilder: modules agree with TVM's; misuse raises errors."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tvmscript as tvmscript  # installs the printer: sizes are compared as text
from tests.ir.relax import builds
from tests.ir.relax.builds import BUILDS, Library, built
from tests.ir.relax.peer import check_kept_answers, kept_answers
from tvmscript import te, topi
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.name_supply import NameSupply
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.relax import expr, struct_info
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.errors import (
    BuilderMisuse,
    NoFunctionOutput,
    NoKernel,
    StructInfoMismatch,
    UnknownStructInfo,
)
from tvmscript.ir.relax.expr import BindingBlock, Call, Constant, DataflowBlock, Var
from tvmscript.ir.relax.op.binary import add, multiply
from tvmscript.ir.relax.struct_info import FuncStructInfo, TensorStructInfo
from tvmscript.ir.relax.verify import find_errors
from tvmscript.ir.tir.var import Var as SizeVar


def _const(number: Any) -> Constant:
    dtype = "bool" if isinstance(number, bool) else "float32"
    return Constant(np.array(number, dtype), dtype)


def _library() -> Library:
    return Library(
        SimpleNamespace(**{**vars(struct_info), **vars(expr), "BlockBuilder": BlockBuilder}),
        SizeVar,
        lambda left, right: Call(add, (left, right)),
        lambda left, right: Call(multiply, (left, right)),
        _const,
    )


@pytest.fixture(scope="module")
def theirs() -> dict[str, Any]:
    return dict(kept_answers(builds.__file__))


@pytest.mark.oracle
def test_the_kept_answers_are_those_of_tvm(oracle: Any) -> None:
    check_kept_answers(builds.__file__)


@pytest.fixture(scope="module")
def ours() -> dict[str, Any]:
    return dict(json.loads(json.dumps(built(_library))))


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.__name__)
def test_same_as_tvm(ours: dict[str, Any], theirs: dict[str, Any], build: Callable[[Library], Any]) -> None:
    assert ours[build.__name__] == theirs[build.__name__]


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.__name__)
def test_what_is_built_is_well_formed(build: Callable[[Library], Any]) -> None:
    module = build(_library())
    actual = [type(error).__name__ for var in module for error in find_errors(module[var])]
    assert actual == []


def test_names_as_tvm_makes_them() -> None:
    asked = ["a", "a1", "a_1", "a2", "a", "lv", "lv", "lv1", "lv2", "a.b", "2x", "a1"]
    given = ["a", "a1", "a_1", "a2", "a3", "lv", "lv1", "lv11", "lv2", "a_b", "2x", "a11"]
    names = NameSupply()
    assert [names.fresh(name) for name in asked] == given


def test_lookup_and_current() -> None:
    lib, bb = _library(), BlockBuilder()
    with bb.function("main", lib.x):
        assert BlockBuilder.current() is bb
        value = Call(add, (lib.x, lib.x))
        var = bb.emit(value)
        assert bb.lookup_binding(var) is value
        assert bb.lookup_binding(lib.x) is None
        assert not bb.current_block_is_dataflow()
        bb.emit_func_output(var)
    assert BlockBuilder.current() is None


def test_branches_see_the_sizes_outside() -> None:
    lib, bb = _library(), BlockBuilder()
    cast_of_x = expr.MatchCast(Var("c", lib.tensor(lib.k, 4)), lib.x, lib.tensor(lib.k, 4))
    cast = expr.SeqExpr((expr.BindingBlock((cast_of_x,)),), cast_of_x.var)
    with bb.function("main", lib.x):
        same = bb.emit(expr.If(_const(True), expr.SeqExpr((), lib.x), expr.SeqExpr((), lib.x)))
        inside = bb.emit(expr.If(_const(True), cast, cast))
        bb.emit_func_output([same, inside])
    assert isinstance(same.struct_info, TensorStructInfo)
    assert same.struct_info.extents == (lib.m, lib.n)
    assert isinstance(inside.struct_info, TensorStructInfo)
    assert inside.struct_info.extents is None  # the cast in the branch defines k


def test_testing_scope() -> None:
    lib, bb = _library(), BlockBuilder()
    with bb.testing_scope([lib.m, lib.n]):
        assert bb.emit(Call(add, (lib.x, lib.x))).name_hint == "lv"
    with pytest.raises(WrongType):
        bb.testing_scope(["n"])  # type: ignore[list-item]  # what is tested


def test_global_variables_know_their_functions() -> None:
    lib, bb = _library(), BlockBuilder()
    with bb.function("main", lib.x):
        var = bb.emit_func_output(lib.x)
    assert isinstance(var.struct_info, FuncStructInfo)
    func = bb.get()[var]
    bb.update_func(var, func.replace(is_pure=False))
    assert not var.struct_info.purity
    assert bb.get()[var].is_pure is False


def test_the_module_of_get_stays_as_it_is() -> None:
    lib, bb = _library(), BlockBuilder()
    before = bb.get()
    with bb.function("main", lib.x):
        bb.emit_func_output(lib.x)
    assert len(before) == 0
    assert len(bb.finalize()) == 1


@pytest.mark.parametrize(
    ("method", "arguments"),
    [("emit", 1), ("match_cast", 2), ("emit_output", 1), ("emit_func_output", 1), ("emit_normalized", 1)],
)
def test_nothing_is_emitted_outside_of_a_function(method: str, arguments: int) -> None:
    lib = _library()
    given = [lib.x, lib.tensor(4)][:arguments]
    with pytest.raises(BuilderMisuse, match=method):
        getattr(BlockBuilder(), method)(*given)


def test_output_outside_of_dataflow() -> None:
    lib, bb = _library(), BlockBuilder()
    with pytest.raises(BuilderMisuse, match="outside of a dataflow block"), bb.function("main", lib.x):
        bb.emit_output(lib.x)
    assert BlockBuilder.current() is None


def test_a_function_returns_once() -> None:
    lib, bb = _library(), BlockBuilder()
    with bb.function("main", lib.x):
        bb.emit_func_output(lib.x)
        with pytest.raises(BuilderMisuse, match="twice"):
            bb.emit_func_output(lib.x)
    with pytest.raises(NoFunctionOutput, match="main"), bb.function("main", lib.x):
        bb.emit(lib.x)


def test_parameters_are_given_once() -> None:
    lib, bb = _library(), BlockBuilder()
    with pytest.raises(BuilderMisuse, match="already"), bb.function("main", lib.x):
        bb.emit_func_output(lib.x, [lib.x])
    with pytest.raises(BuilderMisuse, match="needs the parameters"), bb.function("main"):
        bb.emit_func_output(lib.x)
    with pytest.raises(WrongType):
        bb.function("main", [lib.n])


def test_what_nobody_knows_has_no_variable() -> None:
    lib, bb = _library(), BlockBuilder()
    unknown = Call(Op.get("tir.exp"), (lib.x,))
    with pytest.raises(UnknownStructInfo, match="exp"), bb.function("main", lib.x):
        bb.emit(unknown)


def test_equal_functions_are_one() -> None:
    lib, bb = _library(), BlockBuilder()
    actual: list[Any] = []
    for name in ("f", "g"):
        n = SizeVar("n", "int64")
        x = Var("x", TensorStructInfo([n], "float32"))
        with bb.function(name, x, private=True):
            actual.append(bb.emit_func_output(Call(add, (x, x))))
    assert actual[0] is actual[1]
    assert lib.relax.BlockBuilder(bb.get()).add_func(bb.get()["f"], "h").name_hint == "f"


def test_dataflow_blocks_in_a_row_are_one() -> None:
    """As in TVM, whose text could not tell them apart."""
    bb = BlockBuilder()
    x = Var("x", TensorStructInfo([2], "float32"))
    with bb.function("main", [x]):
        with bb.dataflow():
            first = bb.emit_output(bb.emit(Call(add, (x, x))))
        with bb.dataflow():
            second = bb.emit_output(Call(add, (first, x)))
        bb.emit_func_output(second)
    (block,) = bb.get()["main"].body.blocks
    assert [binding.var.name_hint for binding in block.bindings] == ["lv", "gv", "gv1"]


KERNEL_CALLS = """
@R.function
def main(x: R.Tensor(("n", 4), dtype="float32"), k: R.Prim("float32")) -> R.Tensor(("n", 8), dtype="float32"):
    n = T.int64()
    cls = Module
    with R.dataflow():
        lv = R.call_tir(cls.scaled, (x, k), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        lv1 = R.call_tir(cls.scaled, (lv, k), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        lv2 = R.call_tir(cls.scaled1, (lv, k), out_sinfo=R.Tensor((n, 4), dtype="float32"))
        gv = R.call_tir(cls.joined, (lv1, lv2), out_sinfo=R.Tensor((n, 8), dtype="float32"))
        R.output(gv)
    return gv
"""


def test_kernels_of_functions_of_tensors() -> None:
    """Sizes are deduced through kernels; a kernel that is there is called again, another one has another name."""

    def scaled(data: Any, factor: Any, offset: float = 0.0) -> Any:
        return te.compute(data.shape, lambda *i: data(*i) * factor + offset, "scaled")

    n = SizeVar("n", "int64")
    x, k = Var("x", TensorStructInfo([n, 4], "float32")), Var("k", struct_info.PrimStructInfo("float32"))
    bb = BlockBuilder()
    with bb.function("main", [x, k]):
        with bb.dataflow():
            first = bb.emit_te(scaled, x, k)
            second = bb.emit_te(scaled, first, k)
            third = bb.emit(bb.call_te(scaled, first, k, offset=1.0, primfunc_attrs={"op_pattern": 0}))
            joined = bb.call_te(topi.concatenate, [second, third], 1, primfunc_name_hint="joined")
            result = bb.emit_output(joined)
        bb.emit_func_output(result)
    mod = bb.finalize()
    assert sorted(var.name_hint for var in mod) == ["joined", "main", "scaled", "scaled1"]
    assert mod["scaled1"].attrs["op_pattern"] == 0
    text = mod.script().partition("    @R.function\n")[2]
    assert text.strip() == textwrap.indent(KERNEL_CALLS.strip().partition("\n")[2], "    ").strip()


def test_calls_with_gradients() -> None:
    x = Var("x", TensorStructInfo([4], "float32"))
    call = BlockBuilder().call_te_with_grad(topi.exp, x, te_grad_name="exp_grad", te_grad_kwargs={"k": 1})
    assert call.attrs["te_grad_name"] == "exp_grad"
    assert str(call.struct_info) == str(x.struct_info)


@pytest.mark.parametrize(
    ("arg", "reason"),
    [
        (Var("x", TensorStructInfo(None, "float32", 2)), "shape or dtype of an argument are unknown"),
        (Var("x", struct_info.ObjectStructInfo()), "an argument has the struct info R.Object"),
        ({1, 2}, "it has the argument {1, 2}"),
    ],
)
def test_arguments_that_no_kernel_takes(arg: Any, reason: str) -> None:
    with pytest.raises(NoKernel, match=f"TS1205.*exp cannot become a kernel: {reason}"):
        BlockBuilder().call_te(topi.exp, arg)


def test_results_that_are_no_tensors() -> None:
    with pytest.raises(NoKernel, match="its result is 4, no tensor"):
        BlockBuilder().call_te(lambda: 4)


def test_scopes_end_once() -> None:
    bb = BlockBuilder()
    bb.begin_scope()
    bb.end_scope()
    with pytest.raises(BuilderMisuse, match="without begin_scope"):
        bb.end_scope()


def test_casts_to_what_a_value_cannot_be() -> None:
    bb = BlockBuilder()
    x = Var("x", TensorStructInfo([2, 3], "float32"))
    with pytest.raises(StructInfoMismatch, match=r"TS1307.*\(2, 2\)"), bb.function("main", [x]):
        bb.match_cast(x, TensorStructInfo([2, 2], "float32"))


def test_blocks_outside_of_functions() -> None:
    bb: Any = BlockBuilder()
    x = Var("x", TensorStructInfo([2], "float32"))
    bb._begin_binding_block()
    first = bb.emit(Call(add, (x, x)))
    bb._begin_dataflow_block()
    inner = bb.emit(Call(add, (first, x)))
    output = bb.emit_output(Call(add, (inner, x)))
    flow = bb._end_block()
    last = bb.emit(Call(add, (output, x)))
    block = bb._end_block()
    assert [binding.var for binding in flow.bindings] == [inner, output]
    assert [binding.var for binding in block.bindings] == [first, last]
    assert (type(flow), type(block)) == (DataflowBlock, BindingBlock)
    bb._begin_dataflow_block()
    assert type(bb._end_block()) is DataflowBlock
    with pytest.raises(BuilderMisuse, match="_end_block"):
        bb._end_block()


def test_functions_of_the_module_are_called_by_their_names() -> None:
    bb = BlockBuilder()
    x = Var("x", TensorStructInfo([2], "float32"))
    with bb.function("f", [x], private=True):
        bb.emit_func_output(Call(add, (x, x)))
    y = Var("y", TensorStructInfo([2], "float32"))
    call = bb.get().get_global_var("f")(y)
    assert (call.op.name_hint, call.args, str(call.struct_info)) == ("f", (y,), str(x.struct_info))


def test_a_nested_value_is_bound_once_in_a_block() -> None:
    """As in TVM: one object used twice is computed once; two equal objects are computed twice."""
    bb = BlockBuilder()
    x = Var("x", TensorStructInfo([2], "float32"))
    twice = Call(add, (x, x))
    with bb.function("f", [x]):
        with bb.dataflow():
            square = bb.emit(Call(multiply, (twice, twice)))
            equal = bb.emit(Call(multiply, (Call(add, (x, x)), square)))
            output = bb.emit_output(equal)
        bb.emit(Call(add, (twice, output)))
        bb.emit_func_output(output)
    flow, after = bb.get()["f"].body.blocks
    operators = [getattr(binding.value, "op", None) for binding in flow.bindings]
    assert operators == [add, multiply, add, multiply, None]
    assert len(after.bindings) == 2  # another block computes it again


def test_a_kernel_that_captures_a_size_of_the_graph_takes_it() -> None:
    """TVM passes it in `tir_vars`; the kernel has a variable of its own."""
    n = SizeVar("n", "int64")
    x = Var("x", TensorStructInfo((n, 4), "float32"))
    builder = BlockBuilder()
    with builder.function("main", [x]):
        flat = builder.emit(builder.call_te(lambda t: topi.reshape(t, (n * 4,)), x, primfunc_name_hint="flatten"))
        builder.emit_func_output(flat)
    mod = builder.get()
    text = mod.script()
    assert "def flatten(var_x: T.handle, var_T_reshape: T.handle, n: T.int64):" in text
    assert 'R.call_tir(cls.flatten, (x,), out_sinfo=R.Tensor((n * 4,), dtype="float32"), tir_vars=R.shape([n]))' in text
    (kernel,) = [func for var, func in mod.functions.items() if var.name_hint == "flatten"]
    assert n not in nodes(kernel)
    assert not find_errors(mod)
