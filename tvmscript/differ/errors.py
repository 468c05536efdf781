"""Errors of comparing programs and of applying differences."""

from __future__ import annotations

from tvmscript.ir.core.errors import TVMScriptError


class DoesNotFit(TVMScriptError):
    """A difference was applied to a program that it was not made for.

    A diff names parts of the program it starts from. It can be applied to that program, or to one that is
    structurally equal to it; `diff(old, new)` applies to `old`, not to `new`.
    """

    code = "TS3201"
    message = "the difference does not fit this program: {reason}"


class InvalidDiff(TVMScriptError):
    """A text is not the JSON form of a difference, or it was damaged.

    The form is described in grammar_docs/diff.md; `Diff.json()` writes it.
    """

    code = "TS3202"
    message = "this is not a difference in JSON: {reason}"


class NotComparable(TVMScriptError):
    """`diff` was given something that is no program.

    It takes modules, functions, statements, expressions and texts of any of them.
    """

    code = "TS3203"
    message = "diff takes programs and their texts, but got {got}"


class NotStorable(TVMScriptError):
    """A value in a program has no form in JSON, so that the difference cannot be written down."""

    code = "TS3204"
    message = "{value} of type {kind} cannot be part of a difference"
