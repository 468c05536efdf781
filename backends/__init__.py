"""How a program runs. Imported as `tvmscript.backends`; backends do not know each other."""

from __future__ import annotations

if __name__ == "backends":
    raise ImportError("import this package as tvmscript.backends: the bare name 'backends' would be a second copy")
