"""Snapshots of a program after every pass, with an HTML index of the differences.

    with PassContext(instruments=[Snapshots("passes")]):
        tvmscript.build(program)

writes `000_input.py`, `001_tir.LowerInitBlock.py`, ... and `index.html` to the folder. Every file parses back to its
program. `tvmscript lower FILE --dump DIR` does the same.
"""

from __future__ import annotations

from tvmscript.snapshots.folder import Snapshots as Snapshots
