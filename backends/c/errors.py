"""Errors of the C backend: unsupported programs, and the C compiler's."""

from __future__ import annotations

from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.ir.core import IRError


class NotSupportedByC(IRError, code="TS6020"):
    """The program has something that standard C has no counterpart for: vectors that are no accesses, narrow floats,
    threads of devices, packed functions.
    """

    message = "the C backend cannot compile {what}"


class NoCCompiler(ExecutionError, IRError, code="TS6021"):
    """A function of a module that was built for C is called, and there is no C compiler to make machine code with: none
    of $CC, cc, gcc and clang. `get_source` and `save` need none.
    """

    message = "there is no C compiler ({tried}) to make {function} callable"
    advice = "install one, or build for LLVM, which is part of the package; get_source shows the C text without one"


class RefusedByCompiler(ExecutionError, IRError, code="TS6022"):
    """The C compiler refuses the text of a program: it does not know a type of it (`_Float16`), or an external function
    is called with other types than its header declares.
    """

    message = "the C compiler {compiler} refuses the program: {reason}"
