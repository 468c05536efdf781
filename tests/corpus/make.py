"""Let real TVM print programs: `python oracle.py exec tests/corpus/make.py FOLDER [family ...]`. See README.md."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path

from store import Store

FAMILIES = (
    "te_operators",
    "te_schedules",
    "lowering",
    "relax_ops",
    "graph_operators",
    "graph_passes",
    "intrinsics",
    "tir_schedules",
    "handmade",
    "sources",
)


def main(folder: str, *wanted: str) -> None:
    """Write the corpus of the wanted families (all by default) into a folder."""
    with Store(Path(folder)) as store:
        for family in wanted or FAMILIES:
            start, before = time.time(), store.count
            importlib.import_module(family).run(store)
            print(f"{family}: {store.count - before} texts, {time.time() - start:.0f} s", flush=True)
    (Path(folder) / "failures.txt").write_text("\n".join(store.failures))
    print(f"{store.count} texts; {len(store.failures)} cases that TVM did not make: {folder}/failures.txt")


if __name__ == "__main__":
    main(*sys.argv[1:])
