"""Draw mutants, judge each in processes of its own, keep the verdicts in a file, print the score."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path

from tests.mutation.generated.areas import AREAS, draw
from tests.mutation.generated.equivalent import EQUIVALENT
from tests.mutation.generated.executed import FuzzerLines
from tests.mutation.generated.judge import Verdict, copy_repository, judge, judge_by_tests
from tests.mutation.generated.marks import run_marked
from tests.mutation.generated.mutators import Mutant
from tests.mutation.patch import ROOT

#: an area and a mutant of it
Task = tuple[str, Mutant]


def spread(areas: Sequence[str], count: int, seed: int, root: Path) -> list[Task]:
    """Draw `count` mutants in all, as many of each area as of the others, in turns: a run may be stopped."""
    shares = [count // len(areas) + (place < count % len(areas)) for place in range(len(areas))]
    drawn = {area: draw(area, share, seed, root) for area, share in zip(areas, shares, strict=True)}
    rounds = zip_longest(*([(area, mutant) for mutant in mutants] for area, mutants in drawn.items()))
    return [task for tasks in rounds for task in tasks if task is not None]


def controls(areas: Sequence[str], seed: int, root: Path) -> list[Task]:
    """Return a change of nothing for each area: who finds something there finds what is no mutant."""
    return [
        (area, Mutant(mutant.file, 0, 0, "", "control", "unchanged"))
        for area in areas
        for mutant in draw(area, 1, seed, root)
    ]


def judge_mutants(
    tasks_of: Callable[[Path], list[Task]],
    record: Path,
    *,
    seed: int,
    minutes: float,
    jobs: int,
    has_tests: bool = True,
    has_fuzzers: bool = True,
) -> list[Verdict]:
    """Judge the mutants that are drawn from a copy of the repository: all by fuzzers, then those that live by tests.

    `record` has a verdict a line, as JSON, the last one of a mutant counts; what it has is not judged again. The lines
    and marks that were executed are kept beside it. All mutants are of the files as they are at the start.
    """
    verdicts = {verdict.mutant: verdict for verdict in read(record)}
    kept = record.with_suffix(".lines")
    with (
        tempfile.TemporaryDirectory(prefix="mutants-") as folder,
        record.open("a", encoding="utf-8") as file,
        ThreadPoolExecutor(jobs) as pool,
    ):
        root = Path(folder)
        copy_repository(ROOT, root)
        drawn = tasks_of(root)
        fuzzers = FuzzerLines(root, kept)

        def note(verdict: Verdict) -> None:
            file.write(json.dumps(asdict(verdict)) + "\n")
            file.flush()
            verdicts[verdict.mutant] = verdict
            print(
                f"{verdict.by:7}{verdict.seconds:7.0f} s  {verdict.area:10} {verdict.mutant}  {verdict.cause}",
                flush=True,
            )

        def judge_one(task: Task) -> None:
            note(judge(*task, root, fuzzers, seed=seed, minutes=minutes, is_fuzzed=has_fuzzers))

        list(pool.map(judge_one, (task for task in drawn if task[1].name not in verdicts)))
        alive = {
            number: mutant
            for number, (_, mutant) in enumerate(drawn)
            if verdicts[mutant.name].by == "nobody" and verdicts[mutant.name].tests is None
        }
        if has_tests and alive:
            marks = run_marked(root, alive, kept, jobs)

            def judge_again(number: int) -> None:
                mutant = alive[number]
                note(judge_by_tests(mutant, root, verdicts[mutant.name], marks.tests(number, mutant.file)))

            list(pool.map(judge_again, alive))
    return [verdicts[mutant.name] for _, mutant in drawn]


def read(record: Path) -> list[Verdict]:
    """Read the verdicts of an earlier run; none where the file is not there."""
    if not record.exists():
        return []
    return [Verdict(**json.loads(line)) for line in record.read_text("utf-8").splitlines()]


def score(verdicts: Sequence[Verdict]) -> str:
    """Return a table in Markdown: a row for each area, and one for all; shares leave equivalent mutants out."""
    lines = ["| area | mutants | equivalent | smoke | fuzzers | fuzzers and tests |", "|---|---|---|---|---|---|"]
    for area in [*(name for name in AREAS if any(each.area == name for each in verdicts)), ""]:
        here = [each for each in verdicts if area in ("", each.area)]
        judged = [each for each in here if each.mutant not in EQUIVALENT]
        smoke, fuzz, tests = (_share(judged, by) for by in (["smoke"], ["smoke", "fuzz"], ["smoke", "fuzz", "tests"]))
        lines.append(f"| {area or '**all**'} | {len(here)} | {len(here) - len(judged)} | {smoke} | {fuzz} | {tests} |")
    return "\n".join(lines) + "\n"


def _share(verdicts: Sequence[Verdict], by: Sequence[str]) -> str:
    count = sum(verdict.by in by for verdict in verdicts)
    return f"{count} ({100 * count / len(verdicts):.0f} %)" if verdicts else "-"


def survivors(verdicts: Sequence[Verdict]) -> str:
    """Return a line for each mutant that nobody found, with the argument where it is equivalent."""
    alive = (verdict for verdict in verdicts if verdict.by == "nobody")
    return "".join(f"{each.area}: {each.mutant}{_note(each)}\n" for each in alive)


def _note(verdict: Verdict) -> str:
    """Return why nobody found a mutant, empty where that is not known."""
    if verdict.mutant in EQUIVALENT:
        return f" (equivalent: {EQUIVALENT[verdict.mutant]})"
    idle = [who for who, is_idle in (("fuzzer", verdict.is_unfuzzed), ("test", verdict.tests == 0)) if is_idle]
    return f" (executed by no {' and no '.join(idle)})" if idle else ""
