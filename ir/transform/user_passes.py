"""User-defined passes by name: `import_passes("my_passes")` registers the passes of a module or a file."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

from tvmscript.ir.core.errors import DuplicateName, IRError
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.decorators import UserPass
from tvmscript.ir.transform.registry import pass_modules

#: name of a registered pass -> the module or file that defines it
USER_PASSES: Final[dict[str, str]] = {}


class NoPasses(IRError, code="TS4088"):
    """A module that should define passes cannot be imported, or defines none. `@prim_func_pass(opt_level=0)` and
    `@module_pass(opt_level=0)` of tvmscript.transform make passes of functions and classes.
    """

    message = "no passes in {source}: {reason}"


def import_passes(source: str) -> list[str]:
    """Import a module, or execute a file, and register its passes; return their names.

    Raises `NoPasses`, and `DuplicateName` for the name of a pass of the package or of another module.
    """
    before = set(Pass.registry)
    try:
        module = _execute(Path(source)) if source.endswith(".py") else importlib.import_module(source)
    except (ImportError, SyntaxError, OSError) as error:
        raise NoPasses(source=source, reason=str(error)) from error
    classes = {name: cls for name, cls in Pass.registry.items() if name not in before and name not in pass_modules()}
    for item in vars(module).values():
        cls = type(item) if isinstance(item, UserPass) else item
        if isinstance(cls, type) and issubclass(cls, UserPass) and "name" in vars(cls):
            if cls.name in pass_modules() or USER_PASSES.get(cls.name, source) != source:
                raise DuplicateName(kind="pass", name=cls.name)
            classes[cls.name] = cls
    if not classes:
        raise NoPasses(source=source, reason="none is defined", hint="decorate them: @prim_func_pass(opt_level=0)")
    Pass.registry.update(classes)
    USER_PASSES.update(dict.fromkeys(classes, source))
    return sorted(classes)


def _execute(path: Path) -> ModuleType:
    """Execute a Python file as a module of its name."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module
