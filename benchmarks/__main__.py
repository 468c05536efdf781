"""`python -m benchmarks NAME ...`: run the benchmark of a file of this folder, such as `models` or `run`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
#: a file of this name would hide a package
ALIASES = {"cuda": "cuda_kernels"}


def main() -> None:
    """Run the named file as a program with the other arguments."""
    names = sorted(path.stem for path in FOLDER.glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))
    sys.argv[1:2] = [ALIASES.get(name, name) for name in sys.argv[1:2]]
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        sys.exit(f"python -m benchmarks NAME, one of {', '.join(name for name in names if name != '__main__')}")
    sys.path.insert(0, str(FOLDER))
    sys.argv = sys.argv[1:]
    runpy.run_path(str(FOLDER / f"{sys.argv[0]}.py"), run_name="__main__")


if __name__ == "__main__":
    main()
