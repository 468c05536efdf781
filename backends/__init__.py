"""Backends: the reference interpreter and LLVM, over a common runtime. Imported as `tvmscript.backends`."""

from __future__ import annotations

if __name__ == "backends":
    raise ImportError("import this package as tvmscript.backends: the bare name 'backends' would be a second copy")
