"""Passes by name: a pass is loaded when it is first requested.

A pass registers itself: the file `<family>/unroll_loop.py`, or `<family>/unroll_loop/unroll_loop.py`, holds
`tir.UnrollLoop`. Passes over kernels are files of `tvmscript.ir.transform`, those over graphs (`relax.Normalize`) of
`tvmscript.ir.relax.transform`.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Final

from tvmscript.ir.core import closest
from tvmscript.ir.core.errors import UnknownName, WrongArgumentCount
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.options import default_of
from tvmscript.ir.transform.pass_text import BadPassText, read_passes

#: the packages of passes; each of their folders is a family
_KERNELS: Final = "tvmscript.ir.transform"
_GRAPHS: Final = "tvmscript.ir.relax.transform"
_FOLDERS: Final = {
    _KERNELS: Path(__file__).parent,
    _GRAPHS: Path(__file__).parents[1] / "relax" / "transform",
}
#: prefix of the names of graph passes
_RELAX: Final = "relax."
#: passes of other packages: name -> module
_ELSEWHERE: Final = {"tir.DefaultGPUSchedule": "tvmscript.ir.schedule.default.default_gpu_schedule"}
#: the line of a pass that states its name
_NAME: Final = re.compile(r'^    name = "((?:tir\.|relax\.(?:distributed\.)?)?\w+)"$', re.MULTILINE)
#: passes whose option is another pass: they have no text form
_OF_PASSES: Final = frozenset({"ApplyPassToFunction"})


@cache
def _files(package: str) -> dict[str, Path]:
    """Map the name of each file of a family, lower case without underscores, to the file."""
    return {path.stem.replace("_", ""): path for path in sorted(_FOLDERS[package].glob("*/**/*.py"))}


def _module(package: str, path: Path) -> str:
    return ".".join((package, *path.relative_to(_FOLDERS[package]).with_suffix("").parts))


@cache
def _modules(package: str) -> dict[str, str]:
    return {
        name: _module(package, path)
        for path in _files(package).values()
        for name in _NAME.findall(path.read_text(encoding="utf-8"))
        if name not in _OF_PASSES
    }


@cache
def pass_modules() -> Mapping[str, str]:
    """Return the module of every pass over kernels by TVM's name of the pass. Reads the files, and imports none."""
    return dict(sorted({**_modules(_KERNELS), **_ELSEWHERE}.items()))


@cache
def graph_pass_modules() -> Mapping[str, str]:
    """Return the module of every pass over graphs by TVM's name of the pass. Reads the files, and imports none."""
    return dict(sorted(_modules(_GRAPHS).items()))


#: names of TVM 0.27 that differ from 0.17
_V0_27: Final = {
    "tir.CommonSubexprElim": "tir.CommonSubexprElimTIR",
    "tir.StmtSimplify": "tir.Simplify",
    "relax.LowerRuntimeBuiltin": "relax.VMBuiltinLower",
}


def pass_name(name: str) -> str:
    """Return TVM 0.17's name of a pass: the prefixes `tirx.`, `s_tir.` and `tir.transform.` become `tir.`,
    `relax.transform.` becomes `relax.`.
    """
    prefix, _, leaf = name.rpartition(".")
    prefix = prefix.removesuffix(".transform")
    is_graph_pass = prefix in ("relax", "relax.distributed")
    old_name = f"tir.{leaf}" if prefix in ("tirx", "s_tir", "tir") else f"{prefix}.{leaf}" if is_graph_pass else name
    return _V0_27.get(old_name, old_name)


def pass_class(name: str) -> type[Pass]:
    """Return the class of the pass of this name. Raises `UnknownName`."""
    key = pass_name(name)
    if key not in Pass.registry or Pass.registry[key].__module__ not in sys.modules:  # its import was interrupted
        package = _GRAPHS if key.startswith(_RELAX) else _KERNELS
        path = _files(package).get(key.rpartition(".")[2].lower())
        module = _module(package, path) if path else _ELSEWHERE.get(key)
        if module:
            importlib.import_module(module)
    if key not in Pass.registry:
        raise UnknownName(
            kind="pass", name=name, hint=closest(key, {*pass_modules(), *graph_pass_modules(), *Pass.registry})
        )
    return Pass.registry[key]


def get_pass(name: str, *args: object, **options: object) -> Pass:
    """Return the pass of this name, such as `tir.Simplify`, with these options.

    The name may contain options, as in `tir.UnrollLoop{auto_max_step=16}`. Raises `UnknownName` for an unknown pass or
    option, `WrongArgumentCount`, `WrongType` and `BadPassText`.
    """
    if "{" in name or "(" in name:
        spelled, *others = read_passes(name)
        if others:
            raise BadPassText(text=repr(name), reason="expected one pass, got several")
        return get_pass(spelled.name, *spelled.arguments, *args, **spelled.options, **options)
    cls = pass_class(name)
    if _has_own_constructor(cls):
        try:
            inspect.signature(cls).bind(*args, **options)
        except TypeError as error:
            raise WrongArgumentCount(where=cls.name, expected=f"{inspect.signature(cls)}", got=str(error)) from error
        return cls(*args, **options)
    by_name = {field.name: field for field in fields(cls) if field.init}
    if len(args) > len(by_name):
        raise WrongArgumentCount(where=cls.name, expected=f"{len(by_name)} options", got=len(args))
    values = {**dict(zip(by_name, args, strict=False)), **options}
    for key in values:
        if key not in by_name:
            hint = closest(key, by_name) or f"it has {', '.join(by_name) or 'no options'}"
            raise UnknownName(kind=f"option of {cls.name}", name=key, hint=hint)
    missing = [key for key, field in by_name.items() if key not in values and default_of(field) is MISSING]
    if missing:
        raise WrongArgumentCount(where=cls.name, expected=f"a value for {', '.join(missing)}", got="none")
    return cls(*args, **options)


def _has_own_constructor(cls: type[Pass]) -> bool:
    """Return whether a user's class has a constructor; other passes are data classes."""
    first = next(base for base in cls.__mro__ if "__init__" in vars(base))
    return "__dataclass_fields__" not in vars(first)


def get_passes(text: str) -> tuple[Pass, ...]:
    """Return the passes of a text such as `tir.Simplify,tir.UnrollLoop{auto_max_step=16}`. Raises as `get_pass`."""
    return tuple(get_pass(spelled.name, *spelled.arguments, **spelled.options) for spelled in read_passes(text))
