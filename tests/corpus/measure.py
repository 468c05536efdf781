"""What share of TVM's texts this package reads, prints the same and brings back: `python measure.py CORPUS`. See README.md."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tvmscript
from tvmscript.ir import assert_structural_equal

#: The questions, in the order of the table's columns.
QUESTIONS = ("parsed", "same text", "round trip", "stable")


@dataclass
class Outcome:
    """The answers for one text, and why an answer is no."""

    path: str
    answers: dict[str, bool] = field(default_factory=dict)
    causes: dict[str, str] = field(default_factory=dict)
    printed: str | None = None

    def no(self, question: str, cause: str) -> Outcome:
        self.answers[question] = False
        self.causes[question] = cause
        return self


def measure(path: str, text: str, expected: str) -> Outcome:
    """Read a text, print it, read that again; `expected` is how TVM prints the program."""
    outcome = Outcome(path)
    try:
        return answered(outcome, text, expected)
    except Exception as error:  # noqa: BLE001  (a defect of ours: it is what is looked for)
        question = next(question for question in QUESTIONS if question not in outcome.answers)
        return outcome.no(question, f"CRASH {type(error).__name__}: {error}")


def answered(outcome: Outcome, text: str, expected: str) -> Outcome:
    """The same, where nothing of ours breaks."""
    try:
        program = tvmscript.from_source(text)
    except tvmscript.TVMScriptError as error:
        return outcome.no("parsed", cause_of(error))
    outcome.answers["parsed"] = True
    # a person's comments are kept, which TVM does not do
    printed = outcome.printed = program.script(comments=False)
    outcome.answers["same text"] = without_data(printed) == without_data(expected)
    if not outcome.answers["same text"]:
        outcome.causes["same text"] = first_changed_line(without_data(expected), without_data(printed))
    try:
        again = tvmscript.from_source(printed)
    except tvmscript.TVMScriptError as error:
        return outcome.no("round trip", cause_of(error))
    try:
        assert_structural_equal(program, again)
        outcome.answers["round trip"] = True
    except tvmscript.TVMScriptError as error:
        outcome.no("round trip", cause_of(error))
    second = again.script(comments=False)
    outcome.answers["stable"] = second == printed
    if second != printed:
        outcome.causes["stable"] = first_changed_line(printed, second)
    return outcome


def without_data(text: str) -> str:
    """The text without the values of its constants, which TVM writes in front, as JSON, and we behind, as calls."""
    text = re.sub(r'\Ametadata = tvm\.ir\.load_json\("""\{.*?\n\}"""\)\n', "", text, flags=re.DOTALL)
    return re.split(r"\n\n(?:# Metadata omitted|metadata = )", text)[0].rstrip()


def cause_of(error: tvmscript.TVMScriptError) -> str:
    """The error in one line, with the line that it points at."""
    span = getattr(error, "span", None)
    lines = span.source.text.splitlines() if span is not None and span.source is not None else []
    place = lines[span.line - 1].strip()[:160] if span is not None and 0 < span.line <= len(lines) else ""
    return f"{type(error).__name__}: {str(error).splitlines()[0]}  <<  {place}"


def first_changed_line(expected: str, found: str) -> str:
    """The first pair of lines that differ, around where they differ."""
    left, right = expected.splitlines(), found.splitlines()
    for a, b in zip([*left, "(end)"], [*right, "(end)"], strict=False):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            start = max(0, at - 40)
            return f"TVM  {a[start : at + 80].strip()}\n           ours {b[start : at + 80].strip()}"
    return "the end of the text"


def general(cause: str) -> str:
    """A cause without its numbers and names, to count by."""
    head = cause.split("  <<  ")[0]
    return re.sub(r"\d+", "N", head)


def records(corpus: Path) -> list[dict[str, Any]]:
    """The index of the corpus."""
    return [json.loads(line) for line in (corpus / "index.jsonl").read_text().splitlines()]


def write_ours(folder: Path, outcomes: Iterable[Outcome]) -> None:
    """Our texts, for TVM to read."""
    for outcome in outcomes:
        if outcome.printed is not None:
            path = folder / f"{outcome.path}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(outcome.printed)


def ask_tvm(corpus: Path, folder: Path, oracle: Path) -> dict[str, str]:
    """What TVM says about our texts."""
    script = Path(__file__).parent / "compare.py"
    command = [sys.executable, str(oracle), "exec", str(script), str(corpus), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    verdicts: dict[str, str] = json.loads((folder / "verdicts.json").read_text())
    return verdicts


def table(index: list[dict[str, Any]], outcomes: list[Outcome], verdicts: dict[str, str]) -> str:
    """Shares by family, in Markdown."""
    families: dict[str, list[tuple[dict[str, Any], Outcome]]] = defaultdict(list)
    for facts, outcome in zip(index, outcomes, strict=True):
        families[facts["family"]].append((facts, outcome))
        families["**all**"].append((facts, outcome))
    families["**all**"] = families.pop("**all**")
    heads = ["family", "texts", *QUESTIONS, "TVM reads ours", "TVM's own round trip"]
    rows = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for family, members in families.items():
        counts = [str(sum(o.answers.get(question, False) for _, o in members)) for question in QUESTIONS]
        equal = str(sum(verdicts.get(o.path) == "equal" for _, o in members)) if verdicts else "-"
        own = str(sum(bool(f.get("tvm_equal") and f.get("tvm_stable", True)) for f, _ in members))
        rows.append(f"| {' | '.join([family, str(len(members)), *counts, equal, own])} |")
    return "\n".join(rows)


def report(outcomes: list[Outcome], verdicts: dict[str, str], index: list[dict[str, Any]]) -> list[str]:
    """Every failure, by question and cause."""
    lines: list[str] = []
    for question in QUESTIONS:
        causes: dict[str, list[Outcome]] = defaultdict(list)
        for outcome in outcomes:
            if not outcome.answers.get(question, True):
                causes[general(outcome.causes[question])].append(outcome)
        for _, members in sorted(causes.items(), key=lambda item: -len(item[1])):
            lines.append(f"{len(members):5} {question}: {members[0].causes[question]}")
            lines.append(f"           in {', '.join(outcome.path for outcome in members[:4])}")
    own = {facts["path"]: facts for facts in index}
    refused = {path: said for path, said in verdicts.items() if said != "equal"}
    for said, count in Counter(refused.values()).most_common():
        paths = [path for path, other in refused.items() if other == said]
        lines.append(f"{count:5} TVM on our text: {said}")
        marks = [f"{path}{'' if own[path].get('tvm_equal') else ' (own text neither)'}" for path in paths[:4]]
        lines.append(f"           in {', '.join(marks)}")
    return lines


def main() -> None:
    """Measure a folder and print the shares and the causes of failures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", default="", help="paths that begin so")
    parser.add_argument("--oracle", type=Path, help="shared/oracle/oracle.py: ask TVM about our texts too")
    parser.add_argument("--ours", type=Path, default=Path("/tmp/corpus17-ours"))
    parser.add_argument("--causes", type=int, default=60, help="lines of causes to print")
    options = parser.parse_args()
    index = [facts for facts in records(options.corpus) if facts["path"].startswith(options.only)]
    outcomes: list[Outcome] = []
    start = time.perf_counter()
    for facts in index:
        path = options.corpus / f"{facts['path']}.py"
        text = path.read_text()
        expected = path.with_suffix(".printed").read_text() if facts["source"] else text
        outcomes.append(measure(facts["path"], text, expected))
    seconds = time.perf_counter() - start
    verdicts: dict[str, str] = {}
    if options.oracle:
        write_ours(options.ours, outcomes)
        verdicts = ask_tvm(options.corpus, options.ours, options.oracle)
    print(table(index, outcomes, verdicts))
    print(f"\n{sum(facts['lines'] for facts in index)} lines in {seconds:.1f} s\n")
    print("\n".join(report(outcomes, verdicts, index)[: options.causes]))


if __name__ == "__main__":
    main()
