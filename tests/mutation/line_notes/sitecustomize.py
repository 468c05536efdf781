"""Python imports this at its start where the folder is in `PYTHONPATH`: note what of the package runs.

`MUTATION_LINES` names the file to append lines to, once for each process; processes that are started by others note
theirs, too. `MUTATION_ROOT` is the copy of the repository. Needs Python 3.12.
`MUTATION_MARKS` names the file to append marks to (see `generated/marks.py`), each with the test that is running;
`mark_notes` appends the tests.
"""

from __future__ import annotations

import os
import sys
from types import CodeType
from typing import Any

#: file and number of the lines that ran in this process
lines: set[tuple[str, int]] = set()


if sys.version_info >= (3, 12):

    def _start(record: str, root: str) -> None:
        folders = tuple(os.path.join(root, name, "") for name in ("tvmscript", "ir", "backends"))
        output = os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        monitoring = sys.monitoring

        def note(code: CodeType, line: int) -> object:
            if code.co_filename.startswith(folders) and (code.co_filename, line) not in lines:
                lines.add((code.co_filename, line))
                os.write(output, f"{code.co_filename}:{line}\n".encode())  # at once: the process may end in any way
            return monitoring.DISABLE

        monitoring.use_tool_id(monitoring.COVERAGE_ID, "mutation")
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, note)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)

    if "MUTATION_LINES" in os.environ:
        _start(os.environ["MUTATION_LINES"], os.environ["MUTATION_ROOT"])


def _write_marks(record: str) -> None:
    output = os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    noted: set[tuple[int, str]] = set()

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "mutation.mark":
            mark = (arguments[0], os.environ.get("PYTEST_CURRENT_TEST", ""))
            if mark not in noted:
                noted.add(mark)
                test = mark[1].rpartition(" (")[0]  # without the step
                os.write(output, f"{mark[0]}\t{test}\n".encode())

    sys.addaudithook(note)


if "MUTATION_MARKS" in os.environ:
    _write_marks(os.environ["MUTATION_MARKS"])
