"""The LLVM backend: lowered modules to native code."""

from __future__ import annotations

from tvmscript.backends.llvm.build import build as build
