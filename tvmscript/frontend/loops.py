"""Loops whose number of steps is known at run time, as functions of a graph that call themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, If, SeqExpr, Tuple, TupleGetItem, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TupleStructInfo


def while_loop(
    builder: BlockBuilder,
    carried: Sequence[RelaxExpr],
    others: Sequence[RelaxExpr],
    condition: Callable[[Sequence[Var]], RelaxExpr],
    body: Callable[[Sequence[Var]], Sequence[RelaxExpr]],
) -> list[RelaxExpr]:
    """Emit a loop, and return the carried values after its last step.

    `others` are values around the loop that it uses. `condition` and `body` take the parameters of the loop's function,
    for the carried values and then for the others; the body returns the next carried values.
    """
    arguments = [value if isinstance(value, Var) else builder.emit(value) for value in (*carried, *others)]
    params = tuple([Var(f"state_{place}", value.struct_info) for place, value in enumerate(arguments)])
    count = len(carried)
    state = Tuple(params[:count])
    result = TupleStructInfo(tuple([param.struct_info for param in params[:count] if param.struct_info is not None]))
    # unlike the stub of a loop around this one, which the builder would take for the same function
    attrs = {"stub": builder.get_unique_name("stub")}
    function = builder.add_func(Function(params, SeqExpr((), state), result, attrs=attrs), "loop")

    def advance() -> RelaxExpr:
        return Call(function, [*body(params), *params[count:]])

    def step() -> RelaxExpr:
        flag = condition(params)
        stay = builder.sequence(lambda: state)
        return builder.emit(If(flag, builder.sequence(advance), stay))

    builder.update_func(function, Function(params, builder.sequence(step, params), result))
    whole = builder.emit(Call(function, arguments), "loop_result")
    return [builder.emit(TupleGetItem(whole, place)) for place in range(count)]
