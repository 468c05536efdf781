"""The score as tables of Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.mutation.patch import Patch
from tests.mutation.trial import Outcome

README = Path(__file__).parent / "README.md"
_BETWEEN = re.compile(r"(<!-- score -->\n).*(<!-- end of score -->\n)", re.DOTALL)
_ROW = re.compile(r"\| (\w+)/([\w-]+) \| (.*?) \| (?:not within )?([\d.]+) s \| (.*) \|")


@dataclass(frozen=True)
class Scored:
    """A bug and what was found of it."""

    part: str
    patch: Patch | None
    outcome: Outcome

    @property
    def name(self) -> str:
        return f"{self.part}/{self.outcome.name}"


def table(scores: Sequence[Scored]) -> str:
    """A row for each part: how many were found, and how soon."""
    lines = ["| part | planted | found | seconds: median | longest |", "|---|---|---|---|---|"]
    for part in [*dict.fromkeys(each.part for each in scores), ""]:
        here = [each.outcome for each in scores if part in ("", each.part)]
        times = [each.seconds for each in here if each.is_found]
        shown = f"{median(times):.1f} | {max(times):.1f}" if times else "- | -"
        lines.append(f"| {part or '**all**'} | {len(here)} | {len(times)} | {shown} |")
    return "\n".join(lines) + "\n"


def details(scores: Sequence[Scored]) -> str:
    """A row for each bug."""
    lines = ["| bug | what is wrong | found after | as |", "|---|---|---|---|"]
    for each in scores:
        found = each.outcome
        after = f"{found.seconds:.1f} s" if found.is_found else f"not within {found.seconds:.0f} s"
        cause = found.cause.replace("|", "\\|")
        lines.append(f"| {each.name} | {each.patch.what if each.patch else ''} | {after} | {cause} |")
    return "\n".join(lines) + "\n"


def read_details(page: str) -> list[Scored]:
    """The bugs of the rows of `details`, in order."""
    return [
        Scored(part, Patch(name, "", "", "", what), Outcome(name, cause.replace("\\|", "|"), float(seconds)))
        for part, name, what, seconds, cause in _ROW.findall(page)
    ]


def with_table(page: str, scores: Sequence[Scored]) -> str:
    """The page with these scores in place of the ones that it has."""
    made = f"{table(scores)}\n{details(scores)}"
    return _BETWEEN.sub(lambda match: f"{match[1]}\n{made}\n{match[2]}", page)
