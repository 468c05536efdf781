"""Errors of ill-formed programs, one for each rule that `verify` checks."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import IRError, WrongType


class AmbiguousDivision(WrongType):
    """`/` of integers, which may be rounded in two ways."""


class UndefinedVariable(IRError, code="TS1101"):
    """A variable is used outside of the scope of its definition, or is not defined. `x = T.int32()` alone creates a
    variable without a definition.
    """

    message = "the variable {name} is used where it is not defined"
    advice = "give it a value around its use: with T.let({name}, value):"


class DefinedTwice(IRError, code="TS1102"):
    """Two statements define the same variable. Each definition needs its own variable."""

    message = "the variable {name} is defined twice"
    advice = "make a variable of its own for each"


class LoopVariableInBlock(IRError, code="TS1103"):
    """A block with axes uses the variable of an enclosing loop. It may depend on loops only by the bindings of its axes
    (`T.axis...`) and its predicate (`T.where`), so that loops can be transformed without changing the block.
    """

    message = "block {block} uses the variable {name} of a loop around it; only the bindings of its axes may"


class UndeclaredBuffer(IRError, code="TS1104"):
    """A buffer is accessed whose memory is not defined: it is not a parameter, it is not allocated, and its `data` does
    not belong to another buffer. A parameter that is matched with a buffer is an array; its memory is `A.data`.
    """

    message = "the buffer {name} is used where its memory is not defined"


class UndefinedFunction(IRError, code="TS1105"):
    """The callee is not a function of the module."""

    message = "the function {name} is called, but the module does not define it"


class SameSymbol(IRError, code="TS1106"):
    """Two public functions of a module have the same global symbol, the name of the compiled function."""

    message = "the functions {first} and {second} have the same global symbol {symbol}"
    advice = "name them differently, or make one private: @T.prim_func(private=True)"


class WrongCall(IRError, code="TS1107"):
    """A function of the module is called with the wrong number of arguments, or with a number instead of a pointer, or
    the reverse. Pass buffers as `A.data`.
    """

    message = "the function {name} takes {expected}, but got {got}"


#: Every rule: the error that is raised where it is broken -> what it demands.
RULES: Final[dict[type[IRError], str]] = {
    UndefinedVariable: "a variable is defined before it is used, and used in the scope of its definition",
    DefinedTwice: "a variable is defined in one place",
    LoopVariableInBlock: "a block with axes depends on the loops around it through its bindings alone",
    UndeclaredBuffer: "a buffer is a parameter, allocated, declared, matched, or a view of memory that is",
    UndefinedFunction: "functions that are called by name are in the module",
    SameSymbol: "public functions of a module have different symbols",
    WrongCall: "calls between functions have as many arguments as there are parameters, of their kinds",
}


class UndetectableAccess(IRError, code="TS1040"):
    """A block without T.reads and T.writes takes the address of a buffer, so its accesses cannot be inferred. State
    them by T.reads and T.writes.
    """

    message = "block {block} uses the address of {buffer}: what it reads and writes there cannot be seen"
