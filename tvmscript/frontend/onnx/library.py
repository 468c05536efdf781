"""The one place that imports onnx, an optional dependency."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.errors import MissingLibrary


def onnx_library() -> Any:
    """Return the package `onnx`. Raises `MissingLibrary`."""
    try:
        import onnx  # pyright: ignore[reportMissingImports]  # optional
    except ImportError as error:
        raise MissingLibrary(what="from_onnx", library="onnx") from error
    return onnx
