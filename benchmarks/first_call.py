"""CPU milliseconds of the first call of a kernel in a new process that finds its machine code in the cache, by stage.

    python benchmarks/first_call.py [--rounds 10]

Each stage is the fastest of some processes. NumPy's threads are off: they spin while they wait.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

KERNEL = """
import time
stages = {"python": time.process_time()}
import numpy as np
stages["NumPy"] = time.process_time()
import tvmscript
from tvmscript import T
stages["import"] = time.process_time()

@T.prim_func
def matmul(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    for i, j, k in T.grid(64, 64, 64):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

stages["decorator"] = time.process_time()
arrays = [np.ones((64, 64), "float32") for _ in range(3)]
matmul(*arrays)
stages["first call"] = time.process_time()
assert arrays[2].max() == 64
import json
print(json.dumps(stages))
"""


def main() -> None:
    """Print the milliseconds of each stage, and of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args().rounds
    fastest: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "kernel.py"
        script.write_text(KERNEL)
        environment = {**os.environ, "TVMSCRIPT_CACHE_DIR": folder, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        for number in range(rounds + 1):
            command = [sys.executable, str(script)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            ends: dict[str, float] = json.loads(done.stdout)
            begins = dict(zip(ends, [0.0, *ends.values()], strict=False))
            times = {stage: end - begins[stage] for stage, end in ends.items()} | {"all": max(ends.values())}
            if number:  # the first one fills the cache
                fastest = {stage: min(seconds, fastest.get(stage, seconds)) for stage, seconds in times.items()}
    for stage, seconds in fastest.items():
        print(f"{stage:<12}{seconds * 1e3:7.1f} ms")


if __name__ == "__main__":
    main()
