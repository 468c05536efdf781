"""The core of tvm-ffi: functions, tensors and errors.

Importing the whole package takes four times as long, and calls need nothing else of it. It is imported when anything
else imports `tvm_ffi`, when a compiled function raises an error, and where an argument needs its conversions.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final

_PACKAGE: Final = "tvm_ffi"
_CORE: Final = f"{_PACKAGE}.core"


class _PackageFinder:
    """Finds tvm-ffi's package when it is imported after its core, which it then has as an attribute."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != _PACKAGE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                vars(module)["core"] = sys.modules[_CORE]
                execute(module)

            vars(spec.loader)["exec_module"] = exec_module
        return spec


def _import_core() -> Any:
    """Import tvm-ffi's core alone, or with its package where that is imported already or of an unknown form."""
    package = None if _PACKAGE in sys.modules or os.name != "posix" else importlib.util.find_spec(_PACKAGE)
    spec = PathFinder.find_spec(_CORE, package.submodule_search_locations) if package is not None else None
    if spec is None or spec.loader is None or _CORE in sys.modules:
        return importlib.import_module(_CORE)
    module: Any = importlib.util.module_from_spec(spec)
    sys.modules[_CORE] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[_CORE]
        raise
    sys.meta_path.insert(0, _PackageFinder())
    if getattr(module, _BACKTRACE, module) is None:
        setattr(module, _BACKTRACE, _with_backtrace)
    else:  # another version
        import_package()
    return module


#: what the package sets in the core: the function that gives an error of compiled code its traceback
_BACKTRACE: Final = "_WITH_APPEND_BACKTRACE"


def _with_backtrace(error: BaseException, backtrace: str) -> BaseException:
    import_package()
    completed: BaseException = getattr(core, _BACKTRACE)(error, backtrace)
    return completed


def is_complete() -> bool:
    """Return whether the package is imported."""
    return _PACKAGE in sys.modules


def import_package() -> None:
    """Import the package, which completes its core."""
    importlib.import_module(_PACKAGE)


core: Any = _import_core()


def library() -> ctypes.CDLL:
    """Return tvm-ffi's library."""
    if os.name == "posix":  # symbols of the core are also those of what it depends on
        return ctypes.CDLL(core.__file__)
    from tvm_ffi import libinfo

    return ctypes.CDLL(libinfo.find_libtvm_ffi())
