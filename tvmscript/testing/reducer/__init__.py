"""Delta debugging: reduce programs and traces while they still fail.

`programs`: modules and functions (`reduce`). `traces`: the steps of a schedule (`reduce_trace`).
`candidates`: replacements of a node.
"""

from __future__ import annotations
