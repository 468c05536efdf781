"""Errors of oracles."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class OtherValues(TVMScriptError, AssertionError, code="TS8060"):
    """Two ways to run a program give different results: one is wrong, or the program reads uninitialized memory."""

    message = "{way}, {function} computes other values: {buffer}{index} is {after} instead of {before}"


class DoesNotRun(TVMScriptError, AssertionError, code="TS8061"):
    """A program runs in one way and fails in another."""

    message = "{way}, {function} does not run: {reason}"


class InputChanged(TVMScriptError, AssertionError, code="TS8062"):
    """A function changed its argument; programs are immutable."""

    message = "{function} changed its input\nbefore:\n{before}\nafter:\n{after}"


class NotIdempotent(TVMScriptError, AssertionError, code="TS8063"):
    """A second run of a function changes the result of the first."""

    message = "a second run of {function} changes {path}: {reason}\n{changes}"


class NotCommuting(TVMScriptError, AssertionError, code="TS8068"):
    """Two functions do not commute."""

    message = "{first} and {second} do not commute: the programs differ at {path}: {reason}\n{changes}"


class NotDeterministic(TVMScriptError, AssertionError, code="TS8064"):
    """Another process compiles a program to another text: a result depends on the order of a set or on an address."""

    message = "with the hash seed {seed}, the text of the {what} differs\n{changes}"


class NoTVM(TVMScriptError, code="TS8065"):
    """`apache-tvm` is installed neither in this Python nor in the one that `TVMSCRIPT_TVM` names."""

    message = "apache-tvm is not installed"
    advice = "pip install apache-tvm, or set TVMSCRIPT_TVM to a Python that has it"


class RefusedByTVM(TVMScriptError, AssertionError, code="TS8066"):
    """Real TVM refuses the text of a program, or fails to run it."""

    message = "TVM refuses {function}: {reason}"


class NotRun(TVMScriptError, code="TS8067"):
    """An oracle needs a kernel to call, and the module has none."""

    message = "the program has no kernel to run"
