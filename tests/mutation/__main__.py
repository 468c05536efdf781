"""`python -m tests.mutation`: plant bugs one after the other, by hand or generated, and say which are found."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.mutation.generated.areas import AREAS
from tests.mutation.generated.equivalent import EQUIVALENT
from tests.mutation.generated.run import controls, judge_mutants, score, spread, survivors
from tests.mutation.patch import ROOT, Patch
from tests.mutation.planted import PARTS
from tests.mutation.score import README, Scored, read_details, table, with_table
from tests.mutation.trial import copy_package, try_out


def chosen(only: list[str]) -> Iterator[tuple[str, Patch]]:
    """The bugs with their part: all, or those of some parts or names."""
    for name, part in PARTS.items():
        for patch in part.patches:
            if not only or {name, patch.name, f"{name}/{patch.name}"} & set(only):
                yield name, patch


def _tell(scored: Scored) -> None:
    found = scored.outcome
    cause = found.cause or f"{found.examples} examples"
    print(f"{'found' if found.is_found else 'MISSED':7}{found.seconds:6.1f} s  {scored.name:45} {cause}", flush=True)


def main() -> int:
    """Judge generated mutants; return 1 where a bug was missed, or something was found where none was planted."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="PART|NAME", help="some of the bugs")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many at once")
    parser.add_argument("--minutes", type=float, default=1.0, metavar="N", help="how long one is looked for")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument(
        "--pointed", action="store_true", help="point the areas at the passes that the file of a bug belongs to"
    )
    parser.add_argument("--unpatched", action="store_true", help="look where nothing is planted")
    parser.add_argument("--scripts", type=Path, metavar="DIR", help="write the scripts that show what was found")
    parser.add_argument("--write", action="store_true", help="write these rows of the table in README.md")
    generated = parser.add_argument_group("mutants made by a tool")
    generated.add_argument("--generated", action="store_true", help="judge mutants that are drawn from the package")
    generated.add_argument("--area", nargs="+", choices=AREAS, default=list(AREAS), help="draw from some of the areas")
    generated.add_argument("--count", type=int, default=300, metavar="K", help="mutants in all areas together")
    alone = generated.add_mutually_exclusive_group()
    alone.add_argument("--fuzzers-alone", action="store_true", help="run no tests: what do the fuzzers find?")
    alone.add_argument("--tests-alone", action="store_true", help="run no fuzzers: what do the tests find?")
    generated.add_argument(
        "--record", type=Path, metavar="FILE", help="keep the verdicts here, and judge only what it does not have"
    )
    options = parser.parse_args()
    if options.generated:
        return _judge_generated(options)
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copy_package(ROOT, Path(folder))  # the same for all of them, whatever is edited meanwhile

        def run(part: str, patch: Patch | None) -> Scored:
            areas = PARTS[part].pointed(patch) if options.pointed else PARTS[part].areas
            found = try_out(patch, areas, seed=options.seed, minutes=options.minutes, root=Path(folder))
            scored = Scored(part, patch, found)
            _tell(scored)
            if options.scripts and found.script:
                options.scripts.mkdir(parents=True, exist_ok=True)
                (options.scripts / f"{found.name.replace(' ', '-')}-{part}.py").write_text(found.script, "utf-8")
            return scored

        bugs: list[tuple[str, Patch | None]] = list(chosen(options.only))
        controls: list[tuple[str, Patch | None]] = [(part, None) for part in options.only or PARTS]
        scores = _each(run, controls if options.unpatched else bugs, options.jobs)
    if options.unpatched:
        return int(any(each.outcome.is_found for each in scores))
    print(table(scores))
    if options.write:
        page = README.read_text("utf-8")
        rows = {each.name: each for each in (*read_details(page), *scores)}
        names = [f"{part}/{patch.name}" for part, patch in chosen([])]
        README.write_text(with_table(page, [rows[name] for name in names if name in rows]), "utf-8")
    return int(not all(each.outcome.is_found for each in scores))


def _judge_generated(options: argparse.Namespace) -> int:
    """Judge generated mutants; return 1 where a mutant lives that is not equivalent, or a control is found."""
    chosen_tasks = controls if options.unpatched else partial(spread, count=options.count)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        verdicts = judge_mutants(
            lambda root: chosen_tasks(options.area, seed=options.seed, root=root),
            options.record or Path(folder) / "verdicts.jsonl",
            seed=options.seed,
            minutes=options.minutes,
            jobs=options.jobs,
            has_tests=not options.fuzzers_alone,
            has_fuzzers=not options.tests_alone,
        )
    if options.unpatched:
        return int(any(verdict.by != "nobody" for verdict in verdicts))
    print(score(verdicts))
    print(survivors(verdicts))
    return int(any(verdict.by == "nobody" and verdict.mutant not in EQUIVALENT for verdict in verdicts))


def _each(run: Callable[[str, Patch | None], Scored], tasks: list[tuple[str, Patch | None]], jobs: int) -> list[Scored]:
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda task: run(*task), tasks))


sys.exit(main())
