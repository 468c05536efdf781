"""Errors in building programs of the graph level."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class NoStructInfo(IRError):
    """A value of which nothing is known is to be bound to a variable: its operator has no rule, or an argument of it
    is not known either.
    """

    code = "TS1201"
    message = "nothing is known of {what}, so that no variable can hold it"
    advice = "give the call its struct_info, or match_cast an argument"


class NotHere(IRError):
    """A method of the BlockBuilder is called where it has nothing to work on: `emit` outside of a function,
    `emit_output` outside of a dataflow block, `emit_func_output` twice or with no parameters.
    """

    code = "TS1202"
    message = "{method} {where}"


class NoFunctionOutput(IRError):
    """A function of the BlockBuilder ended without `emit_func_output`, which says what it returns."""

    code = "TS1203"
    message = "the function {name} ends without emit_func_output"
    advice = "call emit_func_output(value) as the last statement of the function"


class NoTensorExpressions(IRError):
    """A kernel is to be made of a Python function over tensor expressions (TE), which this package does not have: write
    it as a `@T.prim_func`, add it with `bb.add_func`, and call it by `R.call_tir`.
    """

    code = "TS1205"
    message = "{method} needs tensor expressions, which are not here"
    advice = "add a T.prim_func with bb.add_func and emit R.call_tir of it"
