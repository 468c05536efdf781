"""What holds in every well-formed program: an error for each rule. `verify` checks them all."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core.errors import IRError


class UndefinedVariable(IRError):
    """A variable is used outside of the part of the program that gives it a value, or nothing gives it one. `x =
    T.int32()` alone makes a variable without a value.
    """

    code = "TS1101"
    message = "the variable {name} is used where it is not defined"
    advice = "give it a value around its use: with T.let({name}, value):"


class DefinedTwice(IRError):
    """Each variable gets its value in one place. Two statements define the same one; each of them needs a variable of
    its own.
    """

    code = "TS1102"
    message = "the variable {name} is defined twice"
    advice = "make a variable of its own for each"


class LoopVariableInBlock(IRError):
    """A block with axes depends on the loops around it through the values of its axes alone, so that loops can be
    changed without looking into it. The variable of a loop may stand in `T.axis...` and `T.where`, nowhere else.
    """

    code = "TS1103"
    message = "block {block} uses the variable {name} of a loop around it; only the bindings of its axes may"


class UndeclaredBuffer(IRError):
    """A buffer is read or written, and nothing says where its memory is: it is no parameter, it is not allocated, and
    its `data` is not that of another buffer.
    """

    code = "TS1104"
    message = "the buffer {name} is used where its memory is not defined"


class UndefinedFunction(IRError):
    """A function is called by its name, and the module has no function of that name."""

    code = "TS1105"
    message = "the function {name} is called, but the module does not define it"


class SameSymbol(IRError):
    """The global symbol is the name that a function has when it is compiled. Two public functions of one module
    cannot share it.
    """

    code = "TS1106"
    message = "the functions {first} and {second} have the same global symbol {symbol}"
    advice = "name them differently, or make one private: @T.prim_func(private=True)"


class WrongCall(IRError):
    """A function of the module is called with more or fewer arguments than it has parameters, or with a number where
    a pointer is meant, or the other way round. Buffers are handed over as `A.data`.
    """

    code = "TS1107"
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
