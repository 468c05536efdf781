"""Errors of oracles."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class OtherValues(TVMScriptError, AssertionError):
    """Two ways to run a program give different results: one is wrong, or the program reads uninitialized memory."""

    code = "TS8060"
    message = "{way}, {function} computes other values: {buffer}{index} is {after} instead of {before}"


class DoesNotRun(TVMScriptError, AssertionError):
    """A program runs in one way and fails in another."""

    code = "TS8061"
    message = "{way}, {function} does not run: {reason}"


class InputChanged(TVMScriptError, AssertionError):
    """A function changed its argument; programs are immutable."""

    code = "TS8062"
    message = "{function} changed its input\nbefore:\n{before}\nafter:\n{after}"


class NotIdempotent(TVMScriptError, AssertionError):
    """A second run of a function changes the result of the first."""

    code = "TS8063"
    message = "a second run of {function} changes {path}: {reason}\n{changes}"


class NotCommuting(TVMScriptError, AssertionError):
    """Two functions do not commute."""

    code = "TS8068"
    message = "{first} and {second} do not commute: the programs differ at {path}: {reason}\n{changes}"


class NotDeterministic(TVMScriptError, AssertionError):
    """Another process compiles a program to another text: a result depends on the order of a set or on an address."""

    code = "TS8064"
    message = "with the hash seed {seed}, the text of the {what} differs\n{changes}"


class NoTVM(TVMScriptError):
    """`apache-tvm` is installed neither in this Python nor in the one that `TVMSCRIPT_TVM` names."""

    code = "TS8065"
    message = "apache-tvm is not installed"
    advice = "pip install apache-tvm, or set TVMSCRIPT_TVM to a Python that has it"


class RefusedByTVM(TVMScriptError, AssertionError):
    """Real TVM refuses the text of a program, or fails to run it."""

    code = "TS8066"
    message = "TVM refuses {function}: {reason}"


class NotRun(TVMScriptError):
    """An oracle needs a kernel to call, and the module has none."""

    code = "TS8067"
    message = "the program has no kernel to run"
