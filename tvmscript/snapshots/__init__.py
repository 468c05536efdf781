"""A folder with the program after every pass, and a page with what each changed.

    with PassContext(instruments=[Snapshots("passes")]):
        tvmscript.build(program)

leaves `000_input.py`, `001_tir.LowerInitBlock.py`, ... in the folder, each a program that reads back, and `index.html`.
`tvmscript lower FILE --dump DIR` does the same.
"""

from __future__ import annotations

from tvmscript.snapshots.folder import Snapshots as Snapshots
