"""Call a function of the package, and observe what it returns; run checks while a limit has other values."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any
from unittest.mock import patch

from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.records.outcomes import describe
from tvmscript.ir.core import TVMScriptError


def check_function(path: str, *args: Any, **options: Any) -> None:
    """Call a function, `ir.arith.deduce_bound:deduce_bound`, or a method, whose object is the first argument."""
    module, _, name = path.partition(":")
    try:
        function: Any = attrgetter(name)(importlib.import_module(f"tvmscript.{module}"))
    except (ImportError, AttributeError) as error:
        observe("unknown", str, error)
        return
    try:
        call: Any = function.fget if isinstance(function, property) else function
        result = call(*args, **options)
        observe(name, describe, [*result] if isinstance(result, Iterator) else result)
    except TVMScriptError as error:
        observe_error(error)
    except (TypeError, ValueError) as error:
        observe(type(error).__name__, str, "")  # the texts are Python's, and differ between versions


def check_limits(path: str, values: Iterable[int], check: Callable[..., None], *args: Any, **options: Any) -> None:
    """Run a check for each value of a limit, `parser.python.literals:MAX_PARTS`, which programs reach only if low."""
    module, _, name = path.partition(":")
    for value in values:
        try:
            limited = patch(f"tvmscript.{module}.{name}", value)
            limited.start()
        except (ImportError, AttributeError) as error:
            observe("unknown", str, error)
            return
        try:
            check(*args, **options)
        finally:
            limited.stop()
