"""Operators of images, sequences and matrices in NumPy, under the names of TVM's `topi.testing`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, {})
