"""Whether TVM reads our texts as the programs that it printed: `oracle.py exec compare.py CORPUS OURS`. See README.md.

OURS holds one file for each text of the corpus; the answer is `OURS/verdicts.json`: path -> what TVM says.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import tvm
from store import last_line


def verdict(program: object, text: str) -> str:
    """`equal`, `different`, or why TVM does not read the text."""
    try:
        read = tvm.script.from_source(text, check_well_formed=False)
    except BaseException as error:  # noqa: BLE001  (diagnostics arrive as several classes)
        return f"not read: {last_line(error)}"
    return "equal" if tvm.ir.structural_equal(read, program) else "different"


def main(corpus: str, ours: str) -> None:
    """Compare every file of ours."""
    found: dict[str, str] = {}
    for path in sorted(Path(ours).rglob("*.py")):
        name = path.relative_to(ours).with_suffix("").as_posix()
        stored = Path(corpus) / f"{name}.json"
        if not stored.exists():
            continue
        try:
            program = tvm.ir.load_json(stored.read_text())
        except tvm.error.TVMError:  # TVM writes infinities that it does not read
            continue
        found[name] = verdict(program, path.read_text())
    (Path(ours) / "verdicts.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
