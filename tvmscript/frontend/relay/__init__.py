"""The names of TVM's Relay over graph functions: `relay.var`, `relay.build`, `relay.vm.compile`.

x = relay.var("x", shape=(1, 784))
func = relay.Function([x], relay.nn.relu(x))
lib = relay.build(func, target="llvm")

There is no second IR: expressions are those of `R`, and modules print as scripts.
"""

from __future__ import annotations

from tvmscript.frontend.relay import frontend, nn, op, vm
from tvmscript.frontend.relay.build import GraphExecutorFactory, build
from tvmscript.frontend.relay.expr import (
    Call,
    Constant,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    TensorType,
    Tuple,
    TupleGetItem,
    TupleType,
    Var,
    const,
    free_vars,
    scalar_type,
    var,
)
from tvmscript.frontend.relay.expr import unknown_size as Any
from tvmscript.frontend.relay.op import *  # noqa: F403  # its __all__ has what is public
from tvmscript.frontend.relay.params import load_param_dict, save_param_dict
from tvmscript.frontend.relay.vm import VMCompiler, VMExecutor, create_executor

__all__ = [
    "Any",
    "Call",
    "Constant",
    "Expr",
    "Function",
    "GlobalVar",
    "GraphExecutorFactory",
    "If",
    "Let",
    "TensorType",
    "Tuple",
    "TupleGetItem",
    "TupleType",
    "VMCompiler",
    "VMExecutor",
    "Var",
    "build",
    "const",
    "create_executor",
    "free_vars",
    "frontend",
    "load_param_dict",
    "nn",
    "op",
    "save_param_dict",
    "scalar_type",
    "var",
    "vm",
]
__all__ += op.__all__
