"""The names of `tvm.contrib` that are here: `contrib.utils.tempdir()`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, {})
