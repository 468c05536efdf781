"""Structural differences between programs: views on the script, and patches.

d = tvmscript.diff(before, after)
print(d)                  # unified view of the scripts
d.changes                 # changes: kinds, paths, reasons
d.apply(before)           # a program that is structurally equal to `after`
"""

from __future__ import annotations

from tvmscript.differ.change import Change as Change
from tvmscript.differ.change import TextSpan as TextSpan
from tvmscript.differ.diff import Diff as Diff
from tvmscript.differ.diff import diff as diff
from tvmscript.differ.errors import DoesNotFit as DoesNotFit
from tvmscript.differ.errors import InvalidDiff as InvalidDiff
from tvmscript.differ.errors import NotComparable as NotComparable
from tvmscript.differ.errors import NotStorable as NotStorable
from tvmscript.differ.side_by_side import Row as Row
