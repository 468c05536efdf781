"""What holds at the graph level, and what is refused there.

`modules`: laws of modules of graph functions. `faults`: modules with one thing wrong, and the error that tells it.
`operators`: laws of right calls of operators, and of nearly right ones. `known`: what they are told of their arguments,
`mistakes`: what may be wrong with a call, `refusals`: which of that has to be refused.
`struct_info`: laws of what is known of values.
"""

from __future__ import annotations
