"""List the programs whose machine code is cached, tell why one is compiled again, or remove all."""

from __future__ import annotations

import argparse
import time

from tvmscript.backends.llvm import object_cache
from tvmscript.backends.llvm.object_cache import Entry, Key
from tvmscript.cli.errors import InvalidOption
from tvmscript.cli.named_programs import one_program
from tvmscript.cli.report import FINDINGS, Report
from tvmscript.driver import cache_key

#: part of a key -> what it is when it differs
_REASONS = {
    "program": "another program",
    "target": "another target",
    "features": "other processor features",
    "options": "other options of build",
    "passes": "another pass context",
    "versions": "another version of the compiler",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tvmscript cache`."""
    parser.add_argument("action", choices=("ls", "why", "clear"), help="list, explain a miss, or remove all")
    parser.add_argument("path", nargs="?", metavar="FILE", help="why: a file; FILE:NAME is one of its programs")
    parser.add_argument("--target", default="llvm", help='why: such as "llvm -mcpu=skylake-avx512" (default llvm)')
    parser.add_argument("--limit", type=int, default=20, metavar="N", help="ls: how many (default 20; 0: all)")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")


def main(options: argparse.Namespace) -> int:
    """Do what is asked; `why` returns 1 where the program is not cached."""
    report = Report(options)
    if (options.action == "why") != (options.path is not None):
        raise InvalidOption(option="FILE", reason="`why` takes a file, `ls` and `clear` take none")
    if options.action == "ls":
        if options.limit < 0:
            raise InvalidOption(option="--limit", reason=f"{options.limit} is negative")
        _list(report, options.limit)
    elif options.action == "clear":
        removed = object_cache.clear()
        report.facts = {"removed": removed}
        report.line(f"removed {removed} programs")
    else:
        _explain(report, options)
    return report.finish()


def _list(report: Report, limit: int) -> None:
    """Print the entries that were used last, and how many there are."""
    entries = object_cache.entries()
    shown = entries[:limit] if limit else entries
    folder, total = object_cache.folder(), sum(entry.bytes for entry in entries)
    report.facts = {
        "folder": str(folder),
        "count": len(entries),
        "bytes": total,
        "programs": [_facts(entry) for entry in shown],
    }
    for entry in shown:
        names = ", ".join(entry.functions) or "of the runtime"
        seconds = time.time() - entry.last_use
        report.line(
            f"{entry.key.digest[:12]}  {entry.bytes / 1024:7.1f} KiB  compiled in {entry.compile_seconds * 1e3:7.1f} ms"
            f"  used {_age(seconds)} ago  {names}"
        )
    rest = f" ({len(entries) - len(shown)} not shown)" if len(shown) < len(entries) else ""
    place = folder or "no folder: it is turned off"
    report.line(f"{len(entries)} programs, {total / (1 << 20):.1f} MiB in {place}{rest}")


def _facts(entry: Entry) -> dict[str, object]:
    return {
        "key": entry.key.digest,
        "functions": list(entry.functions),
        "bytes": entry.bytes,
        "compile_seconds": entry.compile_seconds,
        "last_use": entry.last_use,
        **dict(entry.key.parts),
    }


def _age(seconds: float) -> str:
    """Return a time span in its largest unit."""
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 0):.0f} seconds"


def _explain(report: Report, options: argparse.Namespace) -> None:
    """Print whether a program is cached, else in what it differs from the entry that is most like it."""
    key = cache_key(one_program(options.path), options.target)
    entries = [entry for entry in object_cache.entries() if entry.functions]
    same = next((entry for entry in entries if key is not None and entry.key == key), None)
    if same is not None:
        reason = f"cached: {same.key.digest[:12]}, compiled in {same.compile_seconds * 1e3:.1f} ms"
    elif key is None:
        reason = "not cached: the cache is turned off"
    elif not entries:
        reason = "not cached: the cache is empty"
    else:
        closest = min(entries, key=lambda entry: len(_differences(key, entry.key)))
        differs = [_REASONS[part] for part in _differences(key, closest.key)]
        reason = f"not cached: {closest.key.digest[:12]} ({', '.join(closest.functions)}) is of {', '.join(differs)}"
    report.facts = {"is_cached": same is not None, "reason": reason}
    report.exit_code = max(report.exit_code, 0 if same is not None else FINDINGS)
    report.line(reason)


def _differences(key: Key, other: Key) -> list[str]:
    """Return the parts in which keys differ."""
    return sorted(name for name, value in {*key.parts} ^ {*other.parts} if (name, value) in key.parts)
