"""TVM's `contrib.debugger.debug_executor`: graph executors that print the time of each kernel."""

from __future__ import annotations

from tvmscript.frontend.relay.graph_executor import GraphModuleDebug
from tvmscript.frontend.relay.graph_executor import create_debug as create

__all__ = ["GraphModuleDebug", "create"]
