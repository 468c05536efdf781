"""TVM's front door `tvm.relax.frontend.tflite`."""

from __future__ import annotations

from tvmscript.frontend.tflite import from_tflite

# other paths of TVM are found by `tvm_names`
__path__: list[str] = []

__all__ = ["from_tflite"]
