"""Stubs of `T`, `I` and `R` for type checkers and editors: every name with its signature and its meaning."""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tools.reference.graph_level import stub_of_r
from tools.reference.kernel_types import (
    DECORATORS,
    DTYPE,
    IMPORTS,
    MODULE_OF_I,
    NOTICE,
    OPTIONS,
    POINTER,
    TYPES,
    VALUES,
    WORDS,
)
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import InvalidDType
from tvmscript.language import I, T
from tvmscript.language.tirx import T as TIRX
from tvmscript.parser.names.namespace import Builtin, Decorator, Namespace, SubscriptBuiltin
from tvmscript.parser.names.script_signatures import TypeText

#: Names of `T` that kernels use as types: classes, together with those of dtypes.
POINTERS = ("handle", "Ptr")
#: Names that are classes of `kernel_types` by themselves.
_OWN_CLASSES = ("Buffer",)


def is_dtype(name: str) -> bool:
    """Whether `T.<name>` is the constructor of a dtype."""
    if name == "void":
        return True
    try:
        return str(DType(name)) == name and name not in POINTERS
    except InvalidDType:
        return False


def stub_of_types() -> str:
    """`kernel_types.pyi`: what values in a kernel are for a checker."""
    dtypes = _dtypes()
    classes = [DTYPE.format(name=name, doc=_doc(getattr(T, name))) for name in dtypes]
    classes += [POINTER.format(name=name, doc=_doc(getattr(T, name))) for name in POINTERS]
    bases = ",\n    ".join([*dtypes, *POINTERS])
    return _file(NOTICE, IMPORTS, TYPES, *classes, VALUES.format(bases=bases))


def stub_of_t(space: Any = T) -> str:
    """`T.pyi`, `TIRX.pyi`: the names of `T` as a TVM understands it."""
    classes = [*_dtypes(), *POINTERS, *_OWN_CLASSES]
    exported = [f"from tvmscript.language.kernel_types import {name} as {name}" for name in classes]
    aliases = {name: value.name[2:] for name in dir(space) if _is_dtype_alias(name, value := getattr(space, name))}
    exported += [f"{alias}: TypeAlias = {name}" for alias, name in aliases.items()]
    names = [name for name in dir(space) if name not in classes and name not in aliases]
    return _stub("\n".join(exported), space, names)


def _is_dtype_alias(name: str, value: Any) -> bool:
    """Whether a name is another one for the constructor of a dtype: `T.boolean`, `T.f32`."""
    return isinstance(value, Builtin) and value.name[2:] != name and is_dtype(value.name[2:])


def stub_of_i() -> str:
    """`I.pyi`: the names of `I`."""
    return _stub(MODULE_OF_I, I, [name for name in dir(I) if name != "Module"])


def _dtypes() -> list[str]:
    return [name for name in dir(T) if is_dtype(name)]


def _stub(start: str, space: Any, names: list[str]) -> str:
    """A stub of names of `T` or `I`, with the imports that it needs."""
    own = frozenset([*names, *re.findall(r"^class (\w+)", start, re.MULTILINE)])
    shown = {*re.findall(r" as (\w+)$", start, re.MULTILINE)}
    body = "\n\n".join(_entry(name, getattr(space, name), own).strip("\n") for name in names)
    used = {word for word in WORDS.keys() - shown if re.search(rf"\b_?{word}\b", f"{body} {start}")}
    imports = [
        f"from {WORDS[word]} import {word}" + (f" as _{word}" if word in own else "")
        for word in sorted(used, key=lambda each: (WORDS[each], each))
    ]
    return _file(NOTICE, "\n".join(["import builtins", *imports]), start, body)


def _entry(name: str, value: Any, taken: frozenset[str]) -> str:
    """One name of `T` or `I` as a stub has it."""
    if isinstance(value, Decorator):
        options = ", ".join(OPTIONS.get(option, f"{option}: Any = ...") for option in value.options)
        made = (
            DECORATORS[name if name in DECORATORS else value.kind].replace("{options}", options).replace("{name}", name)
        )
        return _words(made, taken).replace("{doc}", _doc(value))
    if isinstance(value, SubscriptBuiltin):
        subscript = f"    def __getitem__(self, index: Any) -> Any:\n        {_doc(value)}"
        return f"class _SubscriptOf{name}:\n{subscript}\n\n{name}: _SubscriptOf{name}"
    if isinstance(value, Builtin):
        return f"def {name}{_signature(value, taken)}:\n    {_doc(value)}"
    if isinstance(value, Namespace):
        return _namespace(name, value, taken)
    return f"{name}: Any"


def _namespace(name: str, value: Namespace, taken: frozenset[str]) -> str:
    """Names behind a second dot: a class that nobody makes an object of."""
    lines = [f"class {name}:"]
    for key in dir(value):
        item = getattr(value, key)
        if isinstance(item, Builtin):
            lines += ["    @staticmethod", f"    def {key}{_signature(item, taken)}:", f"        {_doc(item)}", ""]
        else:
            lines.append(f"    {key}: Any")
    return "\n".join(lines).rstrip() if len(lines) > 1 else f"{name}: Any"


def _signature(value: Builtin, taken: frozenset[str]) -> str:
    """Parameters and result, on one line or one parameter in each."""
    made: inspect.Signature = inspect.signature(value)
    parameters = [
        item.replace(
            name=f"{item.name}_" if keyword.iskeyword(item.name) else item.name,
            annotation=_words(str(item.annotation), taken),
        )
        for item in made.parameters.values()
    ]
    return str(made.replace(parameters=parameters, return_annotation=_words(str(made.return_annotation), taken)))


def _words(text: str, taken: frozenset[str]) -> TypeText:
    """A type without names that mean something else in the stub."""
    text = re.sub(r"\bbool\b", "builtins.bool", text)
    return TypeText(
        re.sub(r"\b\w+\b", lambda found: f"_{found[0]}" if found[0] in taken & WORDS.keys() else found[0], text)
    )


def _doc(value: Any) -> str:
    lines = inspect.cleandoc(value.__doc__ or "").splitlines()
    text = "\n    ".join(lines).replace("\\", "\\\\").replace('"""', "'''")
    end = " " if text.endswith('"') else ""
    return f'"""{text}{end}"""'


def _file(*parts: str) -> str:
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


#: path of a generated stub in the package -> its text
STUBS: Mapping[str, Any] = {
    "language/kernel_types.pyi": stub_of_types,
    "language/T.pyi": stub_of_t,
    "language/TIRX.pyi": lambda: stub_of_t(TIRX),
    "language/I.pyi": stub_of_i,
    "language/R.pyi": stub_of_r,
}


def stubs() -> Iterator[tuple[str, str]]:
    """Paths in the package, and texts."""
    for path, make in STUBS.items():
        yield path, make()
