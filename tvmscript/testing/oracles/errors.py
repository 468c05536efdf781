"""What the oracles find."""

from __future__ import annotations

from tvmscript.ir.core.errors import TVMScriptError


class OtherValues(TVMScriptError, AssertionError):
    """Two ways to run a program that give different results: one of them is wrong, or the program reads what it never
    wrote.
    """

    code = "TS8060"
    message = "{way}, {function} computes other values: {buffer}{index} is {after} instead of {before}"


class DoesNotRun(TVMScriptError, AssertionError):
    """A program that runs in one way and fails in another."""

    code = "TS8061"
    message = "{way}, {function} does not run: {reason}"


class InputChanged(TVMScriptError, AssertionError):
    """A function that changed its argument: programs are values, which nothing may change."""

    code = "TS8062"
    message = "{function} changed its input\nbefore:\n{before}\nafter:\n{after}"


class NotIdempotent(TVMScriptError, AssertionError):
    """A function that says it is done after one run, and changes its own result in a second one."""

    code = "TS8063"
    message = "a second run of {function} changes {path}: {reason}\n{changes}"


class NotCommuting(TVMScriptError, AssertionError):
    """Two functions that say that their order does not matter, and it does."""

    code = "TS8068"
    message = "{first} before {second} makes another program than after it, first at {path}: {reason}\n{changes}"


class NotDeterministic(TVMScriptError, AssertionError):
    """A program that another process compiles to another text: something depends on the order of a set, or on an
    address.
    """

    code = "TS8064"
    message = "with the hash seed {seed}, the {what} is another text\n{changes}"


class NoTVM(TVMScriptError):
    """No real TVM to ask. `apache-tvm` may be installed in this Python, or in one that `TVMSCRIPT_TVM` names."""

    code = "TS8065"
    message = "there is no apache-tvm here"
    advice = "pip install apache-tvm, or set TVMSCRIPT_TVM to a Python that has it"


class RefusedByTVM(TVMScriptError, AssertionError):
    """Real TVM does not take the text of a program, or fails on it."""

    code = "TS8066"
    message = "TVM refuses {function}: {reason}"


class NotRun(TVMScriptError):
    """An oracle that needs a kernel which can be called, and a module that has none."""

    code = "TS8067"
    message = "the program has no kernel to run"
