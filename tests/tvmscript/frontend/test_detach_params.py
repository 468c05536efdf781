from __future__ import annotations

import numpy as np

from tvmscript import relax
from tvmscript.ir.core import IRModule
from tvmscript.relax.frontend import detach_params


def test_weights_are_taken_out_with_the_dtypes_of_the_parameters() -> None:
    x, weight = (relax.Var(name, relax.TensorStructInfo((2,), "bfloat16")) for name in ("x", "w"))
    builder = relax.BlockBuilder()
    attrs = {"num_input": 1, "params": [np.array([0x3F80, 0x4000], "uint16")]}
    with builder.function("main", [x, weight], attrs=attrs):
        builder.emit_func_output(builder.emit(relax.op.add(x, weight)))
    module, params = detach_params(builder.get())
    assert "params" not in module["main"].attrs
    assert module["main"].attrs["num_input"] == 1
    (array,) = params["main"]
    assert str(array.dtype) == "bfloat16"
    assert array.numpy().tolist() == [1.0, 2.0]


def test_a_module_without_weights_stays() -> None:
    module = IRModule()
    assert detach_params(module) == (module, {})
