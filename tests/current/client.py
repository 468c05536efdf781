"""Real apache-tvm 0.27 as a separate process, kept for all tests."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

PYTHON = Path(os.environ.get("TVMSCRIPT_TVM27", "/opt/tvm27/bin/python"))
WORKER = Path(__file__).with_name("worker.py")


class Refused(Exception):
    """What that TVM did not take."""


class CurrentTVM:
    """Asks the other process."""

    def __init__(self) -> None:
        environment = {key: item for key, item in os.environ.items() if not key.startswith(("PYTHON", "COV_"))}
        self.process = subprocess.Popen(
            [str(PYTHON), "-W", "ignore", str(WORKER)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()

    def ask(self, **question: Any) -> Any:
        """The answer. Raises `Refused` with TVM's own words."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(question), file=self.process.stdin, flush=True)
        for line in self.process.stdout:
            if line.startswith("@@"):
                found = json.loads(line[2:])
                if "error" in found:
                    raise Refused(found["error"])
                return found
        raise Refused("the process ended")

    def script(self, text: str) -> str:
        """What it prints of a text."""
        found: str = self.ask(op="print", text=text)["text"]
        return found

    def run(self, text: str, inputs: list[Any], dtypes: list[str]) -> list[Any]:
        """The arrays after a call of `main`."""
        given = [
            {"data": base64.b64encode(np.ascontiguousarray(item).tobytes()).decode(), "shape": list(item.shape),
             "dtype": dtype, "storage": str(item.dtype)}
            if isinstance(item, np.ndarray) else {"value": item}
            for item, dtype in zip(inputs, dtypes, strict=True)
        ]  # fmt: skip
        outputs = iter(self.ask(op="run", text=text, inputs=given)["outputs"])
        return [
            np.frombuffer(base64.b64decode(next(outputs)), dtype=item.dtype).reshape(item.shape)
            for item in inputs
            if isinstance(item, np.ndarray)
        ]  # fmt: skip
