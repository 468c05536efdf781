"""Passes beside TVM's: `python -m tests.ir.transform.versus_tvm -n 100 [PASS...]`.

Random programs of the forms that a pass takes are given to our pass and to TVM's, through the oracle. Prints for each
pass how many programs were tried, came out equal, were refused by both, by one of them; for passes that are named, the
first program of each kind that came out different, or with `--all` every one.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import tvmscript
from tvmscript.fuzz.passes import programs
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.registry import pass_class, pass_modules

_ORACLE: Final = Path(os.environ.get("TVMSCRIPT_ORACLE", Path(__file__).parents[4] / "shared" / "oracle"))
#: passes that TVM has not, or that take what has no text
_OURS: Final = {"PrintIR", "tir.Apply", "tir.AssertBounds", "tir.Filter"}
#: the oracle's worker, with the passes that TVM registers in C++ alone
_WORKER: Final = """
import sys
sys.path.insert(0, {folder!r})
import worker

load = worker.load_peer

def load_peer():
    load()
    passes = worker.tvm.tir.transform
    for name in {names!r}:
        made = worker.tvm.get_global_func("tir.transform." + name, allow_missing=True)
        if made is not None and not hasattr(passes, name):
            setattr(passes, name, made)
    passes.OOBChecker = worker.tvm.get_global_func("tir.analysis.OOBChecker")

worker.load_peer = load_peer
worker.main()
"""
_OUTCOMES: Final = ("equal", "different", "both refuse", "we refuse", "TVM refuses", "not read")


def _oracle() -> Any:
    """The module of the oracle's client."""
    spec = importlib.util.spec_from_file_location("tvmscript_oracle", _ORACLE / "oracle.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tvmscript_oracle"] = module
    spec.loader.exec_module(module)
    return module


def compare(tvm: Any, lost: type[Exception], name: str, given: IRModule) -> tuple[str, str]:
    """What came out of one program, and what is to be seen of it."""
    arguments = programs.ARGUMENTS.get(name, ())
    is_target = name == "tir.BindTarget"
    words = ", ".join(repr(each) for each in arguments)
    ours: IRModule | None = None
    reason = ""
    try:
        # TVM computes constants while it reads: both get what it read
        text = tvm.print(given.script(), check=False)
        given = tvmscript.from_source(text, check_well_formed=False)
    except (lost, TVMScriptError) as error:
        return "not read", f"{error}\n{given.script()}"
    try:
        ours = programs.make(name)(given)
    except TVMScriptError as error:
        reason = error.text
    try:
        theirs = tvm.apply(
            [f"{name}({words})" if words and not is_target else name],
            text,
            target=str(arguments[0]) if is_target else None,
            check=False,
        )
    except lost as error:
        if getattr(error, "kind", "") == "bad-input":
            return "not read", f"{error}\n{text}"
        if ours is None:
            return "both refuse", ""
        return "TVM refuses", f"{str(error)[:400]}\n{text}"
    if ours is None:
        return "we refuse", f"{reason}\n{text}\nTVM gives\n{theirs}"
    try:
        read = tvmscript.from_source(theirs, check_well_formed=False)
    except TVMScriptError as error:
        return "not read", f"{error}\n{theirs}"
    if structural_equal(ours, read, map_free_vars=True):
        return "equal", ""
    try:
        same, where = tvm.equal(theirs, ours.script(), check=False)
    except lost as error:
        same, where = False, f"{error}"
    if same:
        return "equal", ""
    return "different", f"at {where}\n{text}\nTVM gives\n{theirs}\nwe give\n{ours.script()}"


def main(arguments: list[str]) -> int:
    """Compare passes and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="PASS")
    parser.add_argument("-n", type=int, default=100, help="programs for each pass (default 100)")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--all", action="store_true", help="print every program that came out different")
    options = parser.parse_args(arguments)
    names = [pass_class(name).name for name in options.names] or sorted(set(pass_modules()) - _OURS)
    client = _oracle()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        client.WORKER = str(Path(folder) / "worker_with_more.py")
        leaves = [name.removeprefix("tir.") for name in pass_modules()]
        Path(client.WORKER).write_text(_WORKER.format(folder=str(_ORACLE), names=leaves), encoding="utf-8")
        tvm = stack.enter_context(client.Oracle(timeout=120))
        for name in names:
            counts: Counter[str] = Counter()
            shown: list[str] = []
            for given in programs.programs(name, range(options.first, options.first + options.n)):
                outcome, details = compare(tvm, client.OracleError, name, given)
                counts[outcome] += 1
                if details and (options.all or counts[outcome] == 1):
                    shown.append(f"--- {name}: {outcome}\n{details}")
            figures = ", ".join(f"{counts[each]} {each}" for each in _OUTCOMES if counts[each])
            print(f"{name:<44}{sum(counts.values()):>5} programs: {figures}", flush=True)
            if options.names:
                print("\n".join(shown))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
