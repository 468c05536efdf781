"""What is written out of the tables of `R`: its stub, and the page of its operators."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from tools.reference.graph_examples import example
from tools.reference.kernel_types import NOTICE as STUB_NOTICE
from tools.reference.kernel_types import OPTIONS
from tools.reference.markdown import NOTICE, table
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.op.script_functions import signature_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.language.relax import R
from tvmscript.parser.names.namespace import Builtin, Decorator, Namespace
from tvmscript.parser.names.script_signatures import TypeText
from tvmscript.parser.relax.builtins.struct_info import STRUCT_INFOS

#: What stands before the names: none of these words is a name of `R`.
_START = '''
import builtins
import collections.abc
import typing
from typing import ParamSpec, TypeAlias, TypeVar, overload

import tvmscript.ir.core.module as _module
import tvmscript.ir.relax.base as _base
import tvmscript.ir.relax.function as _function
import tvmscript.ir.relax.transform.rewriters.pattern_matching_rewriter as _rewriter
import tvmscript.ir.tir.base as _tir

class Operators(_base.RelaxExpr):
    """A value of the graph level, with its operators."""

    def __add__(self, other: typing.Any) -> Expr: ...
    def __radd__(self, other: typing.Any) -> Expr: ...
    def __sub__(self, other: typing.Any) -> Expr: ...
    def __rsub__(self, other: typing.Any) -> Expr: ...
    def __mul__(self, other: typing.Any) -> Expr: ...
    def __rmul__(self, other: typing.Any) -> Expr: ...
    def __truediv__(self, other: typing.Any) -> Expr: ...
    def __rtruediv__(self, other: typing.Any) -> Expr: ...
    def __floordiv__(self, other: typing.Any) -> Expr: ...
    def __rfloordiv__(self, other: typing.Any) -> Expr: ...
    def __mod__(self, other: typing.Any) -> Expr: ...
    def __rmod__(self, other: typing.Any) -> Expr: ...
    def __pow__(self, other: typing.Any) -> Expr: ...
    def __rpow__(self, other: typing.Any) -> Expr: ...
    def __lt__(self, other: typing.Any) -> Expr: ...
    def __le__(self, other: typing.Any) -> Expr: ...
    def __gt__(self, other: typing.Any) -> Expr: ...
    def __ge__(self, other: typing.Any) -> Expr: ...
    def __neg__(self) -> Expr: ...
    def __getitem__(self, index: builtins.int) -> Expr: ...
    def __iter__(self) -> collections.abc.Iterator[Expr]: ...
    def astype(self, dtype: builtins.str) -> Expr:
        """The tensor converted to another dtype."""
'''
#: What stands behind the classes of struct info.
_ALIASES = '''
class Expr({bases}):
    """A value. What is known of it, such as its shape, is found when the program is read: it may be of any kind."""

P = ParamSpec("P")
M = TypeVar("M")
#: An operand: a value, or what stands for one: a number, a string, several values.
Value: TypeAlias = (
    _base.RelaxExpr
    | _module.GlobalVar
    | _tir.Expr
    | builtins.float
    | builtins.str
    | collections.abc.Sequence[typing.Any]
)
#: An integer, also as an expression that is a constant.
Int: TypeAlias = builtins.int | _tir.Expr
#: Integers, or one that stands for as many as are wanted.
Ints: TypeAlias = Int | collections.abc.Sequence[Int]
'''
#: word of a signature -> what a checker is told; any other is `typing.Any`. The kinds of operators are those of
#: `ir.relax.op.script_functions.KINDS`; those of values are all `Value`, which the reader tells apart.
_WORDS = {
    **dict.fromkeys(("Expr", "Tuple", "Shape", "Prim", "Str", "DType", "Const", "Func"), "Value"),
    **dict.fromkeys(("ints", "padding", "sections"), "Ints"),
    "floats": "builtins.float | collections.abc.Sequence[typing.Any]",
    "immediate": "builtins.float | _tir.Expr",
    "int": "Int",
    "bool": "builtins.bool",
    "float": "builtins.float",
    "str": "builtins.str",
    "dtype": "builtins.str",
}
_DECORATOR = """
@overload
def {name}(func: collections.abc.Callable[..., typing.Any], /, *, {options}) -> _function.Function:
    {doc}
@overload
def {name}(*, {options}) -> collections.abc.Callable[
    [collections.abc.Callable[..., typing.Any]], _function.Function
]:
    {doc}
"""
_MACRO = """
@overload
def {name}(func: collections.abc.Callable[P, M], /, *, {options}) -> collections.abc.Callable[P, M]:
    {doc}
@overload
def {name}(*, {options}) -> collections.abc.Callable[
    [collections.abc.Callable[P, M]], collections.abc.Callable[P, M]
]:
    {doc}
"""
_REWRITER = """
@overload
def {name}(rewriter_mod: type | _module.IRModule, /, *, {options}) -> _rewriter.PatternMatchingRewriter:
    {doc}
@overload
def {name}(*, {options}) -> collections.abc.Callable[[type], _rewriter.PatternMatchingRewriter]:
    {doc}
"""
#: kind of a decorator -> its declaration
_DECORATORS = {"function": _DECORATOR, "macro": _MACRO, "ir_module": _REWRITER}


# the stub


def stub_of_r() -> str:
    """`R.pyi`: the names of the graph level."""
    types = {name: value for name, value in STRUCT_INFOS.items() if name in dir(R)}
    parts = [
        STUB_NOTICE,
        _START.strip("\n"),
        *(_class_of(name, value) for name, value in types.items()),
        _ALIASES.strip("\n").format(bases=", ".join(types)),
        *(_entry(name, getattr(R, name)) for name in dir(R) if name not in types),
    ]
    return "\n\n".join(parts) + "\n"


def _class_of(name: str, value: Builtin) -> str:
    """Struct info: a type in `Annotated[R.Tensor, ...]`, which is called in other places."""
    shown = str(_shown(value, [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)], "None"))
    called = (
        "\n    def __call__(self, *args: typing.Any, **kwargs: typing.Any) -> Expr: ..." if name == "Callable" else ""
    )
    return f"class {name}(Operators):\n    {_doc(value, '    ')}\n\n    def __init__{shown}: ...{called}"


def _entry(name: str, value: Any) -> str:
    if isinstance(value, Decorator):
        said = {"pure": "pure: bool = True", **OPTIONS}
        options = re.sub(r"\b(bool|str)\b", r"builtins.\1", ", ".join(said[option] for option in value.options))
        return _DECORATORS[value.kind].strip().format(name=name, options=options, doc=_doc(value, "    "))
    if isinstance(value, Namespace):
        own_name = value.name.removeprefix("R.")
        if name != own_name:
            return f"{name} = {own_name}"
        inner = [_function_of(key, getattr(value, key), "    ") for key in dir(value)]
        return f"class {name}:\n" + "\n\n".join(inner)
    return _function_of(name, value, "")


def _function_of(name: str, value: Builtin, indent: str) -> str:
    """A name that is called; behind a second dot it is a static method."""
    shown = str(_shown(value, [], _result(value)))
    start = f"{indent}@staticmethod\n" if indent else ""
    return f"{start}{indent}def {name}{shown}:\n{indent}    {_doc(value, f'{indent}    ')}"


def _shown(value: Builtin, before: list[inspect.Parameter], result: str) -> inspect.Signature:
    """The signature of a name in the words that a checker is told."""
    made = inspect.signature(value)
    parameters = [item.replace(annotation=TypeText(_word(item))) for item in made.parameters.values()]
    return made.replace(parameters=[*before, *parameters], return_annotation=TypeText(result))


def _word(parameter: inspect.Parameter) -> str:
    """What a parameter takes, for a checker."""
    match = re.fullmatch(r"(\w+)(?:\(\d+\))?( \| None)?", str(parameter.annotation))
    word = _WORDS.get(match[1]) if match is not None else None
    if match is None or word is None:
        return "typing.Any"
    return f"{word} | None" if match[2] or parameter.default is None else word


def _result(value: Builtin) -> str:
    said = str(inspect.signature(value).return_annotation)
    if getattr(value.function, "__annotations__", {}).get("return") in _VALUES:
        return "Expr"
    return said if said in ("Expr", "None") else "typing.Any"


#: what constructs in our source give that is a value of the graph in a program; numbers, texts and dtypes as values may
#: stand where plain ones do
_VALUES = frozenset(("Constant", "ExternFunc", "MatchedCast", "RelaxExpr", "ShapeExpr", "Tuple"))


def _doc(value: Any, indent: str) -> str:
    lines = inspect.cleandoc(value.__doc__ or "").splitlines()
    text = "\n".join(f"{indent}{line}".rstrip() for line in lines).strip().replace("\\", "\\\\")
    return f'"""{text}{" " if text.endswith(chr(34)) else ""}"""'


# the page of operators


def operators() -> str:
    """operators.md: every operator of the graph level, by family, with what it takes, is and gives."""
    families: dict[str, list[tuple[str, ...]]] = {}
    for operator in all_operators():
        family = operator.script_name.rpartition(".")[0]
        families.setdefault(family, []).append(_row(operator))
    parts = [
        "# Operators of the graph level",
        NOTICE,
        "Kinds with a capital are arguments, values of the program: `Expr`, `Tuple`, `Shape`, `Prim` (a scalar), "
        "`Str`, `DType`, `Const`, `Func`. The others are attributes, plain values, printed as keywords; `ints(2)` is "
        "two integers, or one that stands for both. **Pure** calls have no side effects. **float16** is what "
        "conversion to mixed precision does: `always` computes in float16, `follow` in what the arguments are. **What "
        "is inferred** is an example: `float32[n, 4]` is a tensor of this dtype and shape. What programs say around "
        "the calls is in [relax.md](relax.md).",
    ]  # fmt: skip
    for family in sorted(families):
        parts += [f"## `{family}`", table(_COLUMNS, families[family])]
    others = [_other_row(name, value) for name in dir(R) if isinstance(value := getattr(R, name), Builtin)]
    parts += ["## Other names", table(("name", "arguments", "meaning"), [*filter(None, others)])]
    return "\n\n".join(parts) + "\n"


def all_operators() -> Iterator[Operator]:
    """The operators of `R`, by name."""
    assert dir(R)  # they have registered themselves
    return (op for _, op in sorted(Op.registry.items()) if isinstance(op, Operator))


def _row(operator: Operator) -> tuple[str, ...]:
    meaning = inspect.cleandoc(operator.doc).split("\n\n")[0].replace("\n", " ")
    arguments = operator.signature if operator.script_function is None else _plain(signature_of(operator))
    return (
        f"`{operator.script_name}`",
        f"`{arguments}`" if arguments else "",
        "yes" if operator.pure else "no",
        operator.mixed_precision or "",
        meaning,
        example(operator),
    )


_COLUMNS = ("name", "arguments", "pure", "float16", "what it gives", "what is inferred")


def _other_row(name: str, value: Builtin) -> tuple[str, ...]:
    """A row for struct info, values and statements; nothing for operators."""
    if f"relax.{name}" in Op.registry:
        return ()
    arguments = _plain(inspect.signature(value))
    meaning = inspect.cleandoc(value.__doc__ or "").split("\n\n")[0].replace("\n", " ")
    return f"`R.{name}`", f"`{arguments}`" if arguments else "", meaning


def _plain(made: inspect.Signature) -> str:
    """The parameters of a signature, without types, which are those of this package's source."""
    shown = [item.replace(annotation=inspect.Parameter.empty) for item in made.parameters.values()]
    text = str(made.replace(parameters=shown, return_annotation=inspect.Signature.empty))
    return text[1:-1]
