"""What shows a bug, made as small as it can be while it still shows it.

`programs`: modules and functions (`reduce`). `traces`: the steps of a schedule (`reduce_trace`).
`smaller`: what may stand in the place of a node.
"""

from __future__ import annotations
