"""Graph functions as host functions: the calls, the plan, what cannot be lowered."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core import GlobalVar, nodes
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.lowering.graph_values import NotLowered
from tvmscript.ir.relax.lowering.host_function import HostFunction, lower_graph_function


def _lower(params: str, body: str) -> HostFunction:
    lines = "\n        ".join(line.strip() for line in body.strip().splitlines())
    module = tvmscript.from_source(f"""
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def exp(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32")):
        for i in range(4):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                B[vi] = T.exp(A[vi])

    @R.function
    def main({params}):
        cls = Module
        {lines}
""")
    func = module["main"]
    assert isinstance(func, Function)
    return lower_graph_function("main", func)


_EXP = 'R.call_tir(cls.exp, ({},), out_sinfo=R.Tensor((4,), "float32"))'


def test_chain_of_constant_sizes() -> None:
    host = _lower(
        'x: R.Tensor((4,), "float32")',
        f"a = {_EXP.format('x')}\nb = {_EXP.format('a')}\nc = {_EXP.format('b')}\nd = {_EXP.format('c')}\nreturn d",
    )
    assert [param.name for param in host.func.params] == ["x", "output_0", "workspace"]
    assert sum(isinstance(part, GlobalVar) for part in nodes(host.func.body)) == host.num_calls == 4
    assert host.plan is not None
    assert (host.plan.offsets, host.plan.size) == ((0, 64, 0), 128)
    assert host.sizes is None


def test_constants_lie_in_one_block() -> None:
    host = _lower(
        'x: R.Tensor((4,), "float32")',
        f'w = R.const([1.0, 2.0, 3.0, 4.0], "float32")\na = {_EXP.format("w")}\nreturn (a, w, x)',
    )
    assert len(host.constants) == 64
    assert host.func.params[-1].name == "constants"


def test_sizes_of_arguments_are_computed() -> None:
    host = _lower(
        'x: R.Tensor(("n", 2), "float32"), s: R.Shape(["m"])',
        "n = T.int64()\nm = T.int64()\n"
        "y = R.reshape(x, R.shape([n * 2]))\nreturn (y, R.shape([n + m]), R.prim_value(m))",
    )
    assert host.sizes is not None
    assert host.num_sizes == 3
    assert host.arguments == (None, 1)


@pytest.mark.parametrize(
    ("params", "body", "reason"),
    [
        ("x: R.Object", "return x", "the parameter x of R.Object"),
        ('x: R.Tensor(ndim=-1, dtype="float32")', "return x", "the parameter x of unknown rank or dtype"),
        ('x: R.Tensor((4,), "float32")', "y = R.nn.relu(x)\nreturn y", "a call of R.nn.relu"),
        ('x: R.Tensor((4,), "float32")', 'y = R.str("a")\nreturn y', "a string"),
        (
            'x: R.Tensor(ndim=1, dtype="float32"), s: R.Shape(ndim=1)',
            'y = R.reshape(x, s)\nreturn y',
            "a shape that is known only when the function runs",
        ),
        (
            "x: R.Prim('float32')",
            "y = x\nreturn y",
            "the result x, a scalar of float32",
        ),
    ],
)  # fmt: skip
def test_not_lowered(params: str, body: str, reason: str) -> None:
    with pytest.raises(NotLowered) as caught:
        _lower(params, body)
    assert str(caught.value) == reason
