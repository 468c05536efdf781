"""TVM's front door `tvm.relay`: `relay.var`, `relay.build`, `relay.create_executor`, `relay.frontend`.

It has no IR of its own: see `tvmscript.frontend.relay`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.frontend import relay as _names
from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:
    from tvmscript.frontend.relay import *  # noqa: F403

# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, dict.fromkeys(_names.__all__, "tvmscript.frontend.relay"))
