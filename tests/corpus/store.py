"""Where the corpus lies: one text per program, what TVM itself makes of it, and TVM's own copy of the IR.

Runs inside TVM's environment (see README.md).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import tvm

#: (family, name, what makes the programs)
Job = tuple[str, str, Callable[[], Any]]


class Store:
    """Writes every different text once: `family/name.py` the text, `family/name.json` the IR, `index.jsonl` the facts."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.seen: set[str] = set()
        self.names: set[str] = set()
        self.failures: list[str] = []
        self.index: Any = None
        self.count = 0

    def __enter__(self) -> Store:
        self.root.mkdir(parents=True, exist_ok=True)
        self.index = (self.root / "index.jsonl").open("w")
        return self

    def __exit__(self, *_: object) -> None:
        self.index.close()

    def add(self, family: str, name: str, program: Any) -> None:
        """Keep a PrimFunc or an IRModule, printed as TVM prints it."""
        if isinstance(program, tvm.IRModule) and not len(program.functions):
            return
        self.keep(family, name, text_of(program), program)

    def source(self, family: str, name: str, text: str, program: Any) -> None:
        """Keep a text that a person wrote, and what TVM read from it."""
        self.keep(family, name, text, program, TVM=text_of(program))

    def keep(self, family: str, name: str, text: str, program: Any, **more: Any) -> None:
        if not self.is_new(text):
            return
        path = self.unused(f"{family}/{re.sub(r'[^A-Za-z0-9_.]+', '-', name)}")
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / f"{path}.py").write_text(text)
        printed = more.pop("TVM", None)
        if printed is not None:
            (self.root / f"{path}.printed").write_text(printed)
        facts = {"path": path, "family": family, "lines": text.count("\n") + 1, "source": printed is not None}
        try:
            (self.root / f"{path}.json").write_text(tvm.ir.save_json(program))
        except tvm.error.TVMError:
            facts["json"] = False
        self.index.write(json.dumps({**facts, **own_round_trip(printed or text, program)}) + "\n")
        self.count += 1

    def is_new(self, text: str) -> bool:
        """Whether the text is not there yet, which it is from now on."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        is_new = digest not in self.seen
        self.seen.add(digest)
        return is_new

    def apart(self, jobs: Sequence[Job], seconds: int = 60) -> None:
        """`attempt` all of them where TVM may end its process, or never end: in other processes, as many as it takes."""
        done = 0
        while done < len(jobs):
            self.index.flush()  # or the child would write it again
            reader, writer = os.pipe()
            child = os.fork()
            if not child:
                os.close(reader)
                self._work(jobs[done:], seconds, writer)
            os.close(writer)
            with os.fdopen(reader) as pipe:
                for line in pipe:
                    seen, names, failures, count = json.loads(line)
                    self.seen.update(seen)
                    self.names.update(names)
                    self.failures += failures
                    self.count += count
                    done += 1
            status = os.waitpid(child, 0)[1]
            if done < len(jobs):
                family, name, _ = jobs[done]
                self.failures.append(f"{family}/{name}: the process ended: {status}")
                done += 1

    def _work(self, jobs: Sequence[Job], seconds: int, writer: int) -> None:
        """The child's part: after each job, what has changed of the store goes through the pipe."""
        try:
            with os.fdopen(writer, "w") as pipe:
                for job in jobs:
                    seen, names, failures, count = set(self.seen), set(self.names), len(self.failures), self.count
                    signal.alarm(seconds)
                    self.attempt(*job)
                    self.index.flush()
                    more = [*(self.seen - seen)], [*(self.names - names)]
                    pipe.write(json.dumps([*more, self.failures[failures:], self.count - count]) + "\n")
                    pipe.flush()
        finally:
            os._exit(0)

    def unused(self, path: str) -> str:
        number, found = 1, path
        while found in self.names:
            number += 1
            found = f"{path}-{number}"
        self.names.add(found)
        return found

    def attempt(self, family: str, name: str, make: Callable[[], Any]) -> Any:
        """Keep what `make` returns (a program or several by name); what TVM refuses to make is noted."""
        try:
            made = make()
        except Exception as error:  # noqa: BLE001  (whatever TVM raises: the corpus is what it does make)
            self.failures.append(f"{family}/{name}: {type(error).__name__}: {last_line(error)}")
            return None
        for part, program in made.items() if isinstance(made, dict) else [("", made)]:
            if program is None:
                continue
            try:
                self.add(family, f"{name}{'-' if part else ''}{part}", program)
            except Exception as error:  # noqa: BLE001  # whatever TVM raises is an answer
                self.failures.append(f"{family}/{name}-{part}: printing: {last_line(error)}")
        return made


def last_line(error: BaseException) -> str:
    """The end of TVM's message, without its stack."""
    lines = [line for line in "".join(traceback.format_exception_only(error)).splitlines() if line.strip()]
    return lines[-1][:200] if lines else type(error).__name__


def text_of(program: Any) -> str:
    """How TVM prints a program, with the values of its constants."""
    return str(program.script(show_meta=not isinstance(program, tvm.tir.PrimFunc)))


def own_round_trip(text: str, program: Any) -> dict[str, Any]:
    """What TVM makes of its own text: whether it reads it, finds the same program, prints the same text."""
    try:
        again = tvm.script.from_source(text, check_well_formed=False)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return {"tvm_reads": False, "tvm_error": last_line(error)}
    try:
        equal = bool(tvm.ir.structural_equal(again, program))
        stable = text_of(again) == text
    except Exception as error:  # noqa: BLE001  # whatever TVM raises is an answer
        return {"tvm_reads": True, "tvm_equal": False, "tvm_error": last_line(error)}
    return {"tvm_reads": True, "tvm_equal": equal, "tvm_stable": stable}


class Recorder:
    """A pass instrument that keeps the module as it stands after every pass that changed it."""

    def __init__(self, only: Iterable[str] | None = None) -> None:
        self.steps: dict[str, Any] = {}
        self.only = set(only) if only is not None else None
        record = self

        @tvm.instrument.pass_instrument
        class Instrument:
            def run_before_pass(self, mod: Any, info: Any) -> None:
                if not record.steps:
                    record.steps["00-before"] = mod

            def run_after_pass(self, mod: Any, info: Any) -> None:
                if record.only is None or info.name in record.only:
                    record.steps[f"{len(record.steps):02}-{info.name}"] = mod

        self.instrument = Instrument()
