"""Replay the Python lines of a trace on a schedule. The text is read as a syntax tree and never executed."""

from __future__ import annotations

import ast
import operator
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, Final

from tvmscript.ir.schedule.instruction import InstructionKind
from tvmscript.ir.schedule.trace.program_variables import variables_by_name
from tvmscript.ir.schedule.trace.to_json import BadTrace
from tvmscript.ir.tir import PrimFunc, Var
from tvmscript.schedule import Schedule

#: operator class -> its meaning
_OPERATORS: Final[dict[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Div: operator.truediv, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.USub: operator.neg,
    ast.Invert: operator.invert, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
#: floats that Python writes as names
_FLOATS: Final = {"nan": float("nan"), "inf": float("inf")}


def replay_lines(lines: Sequence[str], sch: Schedule, language: Any) -> None:
    """Apply the lines that `Trace.as_python` returns; `language` is the `T` of the expressions in them.

    Other names are variables of the program. Raises the errors of the primitives, and `BadTrace` for lines of another
    form.
    """
    values: dict[str, Any] = {**_program_variables(sch), **_FLOATS, "T": language}
    for number, line in enumerate(lines, 1):
        try:
            _replay(line, sch, values)
        except (SyntaxError, _OtherForm) as error:
            raise BadTrace(where=f"line {number}", problem=str(error)) from error


def _program_variables(sch: Schedule) -> dict[str, Var]:
    """Return the variables of the program whose names are unique."""
    named: defaultdict[str, list[Var]] = defaultdict(list)
    for function in sch.mod.values():
        if isinstance(function, PrimFunc):
            for name, variables in variables_by_name(function).items():
                named[name] += variables
    return {name: variables[0] for name, variables in named.items() if len(variables) == 1}


class _OtherForm(Exception):
    """The text is not one that `as_python` writes."""


def _replay(line: str, sch: Schedule, values: dict[str, Any]) -> None:
    (statement,) = ast.parse(line.strip()).body or [ast.Pass()]
    match statement:
        case ast.Pass():
            return
        case ast.Expr(call) | ast.Assign([_], call):
            pass
        case _:
            raise _OtherForm("it is no call of a primitive")
    match call:
        case ast.Call(ast.Attribute(ast.Name("sch"), method)) if method in _methods():
            results = _call(getattr(sch, method), call, values)
        case _:
            raise _OtherForm("it is no call of a primitive")
    match statement:
        case ast.Assign([ast.Name(name)]):
            values[name] = results
        case ast.Assign([ast.Tuple(targets)]) if isinstance(results, list) and len(targets) == len(results):
            values.update({ast.unparse(target): result for target, result in zip(targets, results, strict=True)})
        case ast.Assign():
            raise _OtherForm("it assigns another number of results")
        case _:
            pass


def _methods() -> set[str]:
    """Return the names of the primitives."""
    return {kind.method for kind in InstructionKind.registry.values()}


def _call(function: Callable[..., Any], call: ast.Call, values: Mapping[str, Any]) -> Any:
    words = {str(word.arg): _value(word.value, values) for word in call.keywords}
    return function(*[_value(arg, values) for arg in call.args], **words)


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    """Compute an argument."""
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name) if name in values:
            return values[name]
        case ast.List(elements):
            return [_value(item, values) for item in elements]
        case ast.Tuple(elements):
            return tuple([_value(item, values) for item in elements])
        case ast.Dict(keys, items) if None not in keys:
            return {_value(key, values): _value(item, values) for key, item in zip(keys, items, strict=True) if key}
        case ast.UnaryOp(op, operand) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(operand, values))
        case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, values), _value(right, values))
        case ast.Compare(left, [op], [right]) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_value(left, values), _value(right, values))
        case ast.Call(ast.Attribute(ast.Name("T"), name)) if not name.startswith("_"):
            return _call(getattr(values["T"], name), node, values)
        case ast.Lambda(parameters, body):
            return _Function([item.arg for item in parameters.args], body, values)
        case _:
            raise _OtherForm(f"{ast.unparse(node)} is no argument of a primitive")


class _Function:
    """The function of a lambda. Its parameters name the variables of an index map."""

    def __init__(self, names: Sequence[str], body: ast.expr, values: Mapping[str, Any]) -> None:
        self.names, self.body, self.values = names, body, values
        self.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names])

    def __call__(self, *arguments: Any) -> Any:
        return _value(self.body, {**self.values, **dict(zip(self.names, arguments, strict=True))})
