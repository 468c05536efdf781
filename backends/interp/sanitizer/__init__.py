"""A sanitizer for kernels: races, barriers, asynchronous copies, uninitialized memory, costs of memory requests.

`run_sanitized` runs a kernel in the interpreter, which checks bounds, with a monitor that looks at every access.
"""

from __future__ import annotations

from tvmscript.backends.interp.sanitizer.run import SanitizerReport as SanitizerReport
from tvmscript.backends.interp.sanitizer.run import run_sanitized as run_sanitized
