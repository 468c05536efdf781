"""Infer calls of operators of graphs, one by one, and observe what the rules of each operator say of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product

from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.ir.core import TVMScriptError, nodes
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.layout_rules import LAYOUT_RULES, Layouts
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.transform.registry import get_pass
from tvmscript.parser import from_source

#: layouts of an argument, and of all arguments together
_MOST_LAYOUTS, _MOST_CHOICES = 6, 12


def check_graph_calls(parameters: Sequence[str], calls: Sequence[str], *, is_lowered: bool = False) -> None:
    """Read each call, `R.squeeze(x)`, inside of functions with these parameters, and observe its result.

    Also the axes that it carries on, and the calls over permuted tensors; where it `is_lowered`, its kernel.
    """
    for each, text in product(parameters, calls):
        try:
            module = from_source(
                f"@I.ir_module\nclass Module:\n    @R.function\n    def main({each}):\n"
                f"        result = {text}\n        return result\n"
            )
            observe("inferred", module.script)
            for call in nodes(module):
                if isinstance(call, Call) and isinstance(call.op, Operator):
                    _ask(call, call.op)
            if is_lowered:
                observe("lowered", get_pass("relax.LegalizeOps")(module).script)
        except TVMScriptError as error:
            observe_error(error)


def _ask(call: Call, op: Operator) -> None:
    if op.mapped_axes is not None:
        observe("axes", str, [*op.mapped_axes(call)])
    if op.layout is not None:
        infer, answers = LAYOUT_RULES[op.layout], list[str]()
        for layouts in islice(product(*(_layouts(each.struct_info) for each in call.args)), _MOST_CHOICES):
            for desired in ((), ("NHWC", "OHWI")):
                try:
                    answers.append(str(infer(call, layouts, desired)))
                except TVMScriptError as error:
                    answers.append(error.text)
        observe("layouts", "\n".join, answers)


def _layouts(info: StructInfo | None) -> Sequence[Layouts]:
    """Return layouts that an argument may have."""
    if isinstance(info, TupleStructInfo):
        return [[*each] for each in islice(product(*map(_layouts, info.fields)), _MOST_LAYOUTS)]
    if not isinstance(info, TensorStructInfo) or info.ndim < 0:
        return [None]
    return [*_permutations(info.ndim), None]


def _permutations(ndim: int) -> Iterator[Layouts]:
    """Yield the order of the program, its reverse, and others in between."""
    every = [*permutations(range(ndim))]
    yield from every[:: max(len(every) // _MOST_LAYOUTS, 1)]
    yield every[-1]
