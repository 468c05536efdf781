"""Times single passes of Apache TVM 0.27: a request per line on stdin, an answer per line on stdout, both JSON.

`{"text": ..., "before": [...]}` reads a program and runs passes on it; `{"name": ..., "args": [...]}` is answered by
the CPU seconds that this pass takes on it, null where it fails.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import tvm
from tvm.s_tir import transform as of_blocks
from tvm.script import from_source
from tvm.tirx import transform as of_loops

#: passes that had other names in 0.17
_NAMES = {"Simplify": "StmtSimplify", "CommonSubexprElimTIR": "CommonSubexprElim"}


def made(name: str, args: list[Any]) -> Any:
    """A pass out of one of the two places where they are."""
    name = _NAMES.get(name, name)
    return getattr(of_loops if hasattr(of_loops, name) else of_blocks, name)(*args)


def main() -> None:
    """Answer until the input ends."""
    sys.setrecursionlimit(1_000_000)
    module: Any = None
    for line in sys.stdin:
        request = json.loads(line)
        answer: float | None = None
        if "text" in request:
            program = from_source(request["text"], check_well_formed=False)
            module = program if isinstance(program, tvm.IRModule) else tvm.IRModule({"main": program})
            for name in request["before"]:
                module = made(name, [])(module)
        else:
            measured = made(request["name"], request["args"])
            start = time.process_time()
            try:
                measured(module)
            except (tvm.error.InternalError, RuntimeError):
                answer = None  # what its pass does not take
            else:
                answer = time.process_time() - start
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
