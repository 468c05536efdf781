"""Libraries that take turns: each has a process that stays alive, and builds and calls models when it is asked.

All are measured under the same conditions of the host this way. Questions and answers are lines of JSON on pipes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np

Call = Callable[[], Any]

#: seconds of calls in a turn, and the most calls
_SECONDS, _CALLS = 0.5, 100


class Builds(Enum):
    """Which builds of a model count."""

    ALL = "all"
    FIRST = "first"
    NONE = "none"


@dataclass(frozen=True)
class Subject:
    """What a library measures of a model."""

    #: builds the model, returns a call of it
    build: Callable[[], Call]
    #: figures that are no times, once the model is built
    figures: Callable[[Call], dict[str, float]]
    #: all in turns, the first one where a build takes long, none where nothing is compiled
    builds: Builds = Builds.ALL


class _Worker:
    """The questions that a process answers."""

    def __init__(self, load: Callable[[str], Subject]) -> None:
        self._load = load
        self._subject: Subject | None = None
        self._call: Call | None = None

    def load(self, name: str) -> dict[str, Any]:
        """Load and build a model; the first build of a process imports modules."""
        self._subject = self._call = None  # frees the last one
        self._subject = self._load(name)
        seconds = self.build()
        assert self._call is not None
        return {"seconds": seconds, "builds": self._subject.builds.value, **self._subject.figures(self._call)}

    def build(self) -> tuple[float, float]:
        """Return CPU seconds and seconds on the clock of a build."""
        assert self._subject is not None
        start, begin = time.process_time(), time.perf_counter()
        self._call = self._subject.build()
        return time.process_time() - start, time.perf_counter() - begin

    def latencies(self) -> list[float]:
        """Return the seconds of calls, after one that is not counted where they are short."""
        assert self._call is not None
        times: list[float] = []
        end = time.perf_counter() + _SECONDS
        while not times or (len(times) <= _CALLS and time.perf_counter() < end):
            start = time.perf_counter()
            self._call()
            times.append(time.perf_counter() - start)
        return times[1:] or times


def serve(load: Callable[[str], Subject]) -> None:
    """Answer questions of standard input until it ends; what libraries print goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = _Worker(load)
    questions: dict[str, Callable[..., Any]] = {
        "load": worker.load,
        "build": worker.build,
        "latencies": worker.latencies,
    }
    for line in sys.stdin:
        question, *arguments = json.loads(line)
        answers.write(json.dumps(questions[question](*arguments)) + "\n")
        answers.flush()


@dataclass
class Times:
    """Seconds of a library for a model."""

    latencies: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    def add_build(self, cpu: float, clock: float) -> None:
        """Add the seconds of a build."""
        self.cpu.append(cpu)
        self.clock.append(clock)


class Side:
    """The process of a library, asked over pipes."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *question: str) -> Any:
        """Return the answer to a question. Exits where the process fails, which prints its error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        return json.loads(answer) if answer else sys.exit(f"{self.name} failed")

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def take_turns(sides: Sequence[Side], model: str, rounds: int) -> dict[str, Times]:
    """Return the times of a model; rounds go back and forth."""
    times: dict[str, Times] = {}
    builders: list[Side] = []
    for side in sides:
        figures = side.ask("load", model)
        seconds, builds = figures.pop("seconds"), Builds(figures.pop("builds"))
        times[side.name] = Times(figures=figures)
        if builds is Builds.FIRST:
            times[side.name].add_build(*seconds)
        elif builds is Builds.ALL:
            builders.append(side)
    for number in range(rounds):
        step = 1 if number % 2 == 0 else -1
        for side in builders[::step]:
            times[side.name].add_build(*side.ask("build"))
        for side in sides[::step]:
            times[side.name].latencies += side.ask("latencies")
    return times


def check_sums(times: dict[str, Times], model: str) -> None:
    """Exit where the sums of results differ."""
    sums = {name: each.figures["sum"] for name, each in times.items() if "sum" in each.figures}
    if sums and not np.allclose(list(sums.values()), next(iter(sums.values())), rtol=1e-3):
        sys.exit(f"{model}: the sums of the result differ: {sums}")
