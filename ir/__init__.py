"""What a program is, what can be known about it, and how it is changed. Imported as `tvmscript.ir`."""

from __future__ import annotations

if __name__ == "ir":
    raise ImportError("import this package as tvmscript.ir: the bare name 'ir' would be a second copy")
