"""What a pass over graphs must not leave: `EFFECTS`, functions that describe what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from tvmscript.ir.core import IRModule, nodes
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.expr import Call, DataflowBlock, DataflowVar, SeqExpr, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir
from tvmscript.ir.relax.op.memory import kill_storage, kill_tensor
from tvmscript.ir.relax.operator import Operator

#: module -> what is left, None where it is as it should be
Effect = Callable[[IRModule], str | None]


def _blocks(mod: IRModule) -> Iterator[list[VarBinding]]:
    """Yield the bindings of each dataflow block."""
    for func in mod.functions.values():
        for part in nodes(func) if isinstance(func, Function) else ():
            if isinstance(part, DataflowBlock):
                yield [binding for binding in part.bindings if isinstance(binding, VarBinding)]


def _unused(mod: IRModule) -> str | None:
    for func in mod.functions.values():
        if isinstance(func, Function) and remove_all_unused(func) is not func:
            return "unused bindings"
    return None


def _equal_calls(mod: IRModule) -> str | None:
    for bindings in _blocks(mod):
        calls = [binding.value for binding in bindings if isinstance(binding.value, Call)]
        if any(structural_equal(a, b, map_free_vars=False) for at, a in enumerate(calls) for b in calls[:at]):
            return "equal calls in a block"
    return None


def _copies(mod: IRModule) -> str | None:
    for bindings in _blocks(mod):
        if any(isinstance(each.value, DataflowVar) and isinstance(each.var, DataflowVar) for each in bindings):
            return "copies of variables"
    return None


def _operators(mod: IRModule) -> str | None:
    """Operators that have a kernel, and all of whose shapes are known."""
    for part in nodes(mod):
        if isinstance(part, Call) and isinstance(part.op, Operator) and part.op.legalize is not None:
            return f"a call of {part.op.script_name}"
    return None


def _dataflow(mod: IRModule) -> str | None:
    return "dataflow blocks" if any(True for _ in _blocks(mod)) else None


def _kernel_calls(mod: IRModule) -> str | None:
    calls = (part for part in nodes(mod) if isinstance(part, Call) and part.op is call_tir)
    return "calls of kernels that allocate" if any(True for _ in calls) else None


def _private_functions(mod: IRModule) -> str | None:
    for func in mod.functions.values():
        if isinstance(func, Function) and "global_symbol" not in func.attrs:
            return "a private function"
    return None


def _uses_after_ends(mod: IRModule) -> str | None:
    """Uses of tensors and storage behind the calls that end their lifetimes."""
    for part in nodes(mod):
        if not isinstance(part, SeqExpr):
            continue
        ended: set[Any] = set()
        for block in part.blocks:
            for binding in block.bindings:
                value: Any = binding.value if isinstance(binding, VarBinding) else None
                if value is not None and any(use in ended for use in nodes(value)):
                    return f"a use of {next(use for use in nodes(value) if use in ended)} after its end"
                if isinstance(value, Call) and value.op in (kill_tensor, kill_storage):
                    ended.add(value.args[0])
        if any(use in ended for use in nodes(part.body)):
            return "a result after its end"
    return None


EFFECTS: Final[dict[str, Effect]] = {
    "relax.DeadCodeElimination": _unused,
    "relax.EliminateCommonSubexpr": _equal_calls,
    "relax.CanonicalizeBindings": _copies,
    "relax.LegalizeOps": _operators,
    "relax.ToNonDataflow": _dataflow,
    "relax.CallTIRRewrite": _kernel_calls,
    "relax.InlinePrivateFunctions": _private_functions,
    "relax.KillAfterLastUse": _uses_after_ends,
}
