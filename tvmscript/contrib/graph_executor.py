"""TVM's `contrib.graph_executor`: `GraphModule(lib["default"](dev))`."""

from __future__ import annotations

from tvmscript.frontend.relay.graph_executor import GraphModule, create

__all__ = ["GraphModule", "create"]
