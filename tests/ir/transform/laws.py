"""What every pass promises, checked with random programs: `python -m tests.ir.transform.laws -n 1000 [NAME...]`.

For each pass and each program of a form that it takes: the input is left alone; what comes out is well formed, reads
back, and computes the same values in the reference interpreter (the same bits where the pass is exact); a second run
changes nothing where it says so. For each target, the same of every step of its pipeline. Prints how many programs ran.
"""

from __future__ import annotations

import argparse
import dataclasses
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from typing import Final

import tvmscript
from tvmscript.fuzz.passes.programs import OF_PARAMETERS, WITHOUT_BARRIERS, make, program, programs
from tvmscript.ir.core.equality.equal import first_difference
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.base import Form, Pass
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.pass_record import PassRecord
from tvmscript.ir.transform.registry import pass_class, pass_modules
from tvmscript.testing.same_values import SameValues
from tvmscript.testing.verify import RoundTrips, WellFormed

#: what whole pipelines are checked for
TARGETS: Final = ("llvm", "cuda")


@dataclasses.dataclass
class Count:
    """What happened to the programs that a pass was given."""

    programs: int = 0
    changed: int = 0
    refused: int = 0
    #: how many kernels ran before and after
    values: int = 0


class LawBroken(AssertionError):
    """A pass that does not do what it promises; shows the program."""

    def __init__(self, what: str, given: IRModule, reason: object) -> None:
        super().__init__(f"{what}: {reason}\nthe program:\n{given}")


def check_pass(name: str, seeds: range, count: Count) -> None:
    """Check the laws of a pass. Raises `LawBroken`."""
    each = make(name)
    for given in programs(name, seeds):
        check(each, given, count)


_VALUES: Final = SameValues()


def check(each: Pass, given: IRModule, count: Count) -> None:
    """Check the laws of a pass with one program. Raises `LawBroken`."""
    text = str(given)
    compared = _VALUES.compared
    count.programs += 1
    try:
        has_values = each.name not in WITHOUT_BARRIERS and not any(word in text for word in OF_PARAMETERS)
        values = (_VALUES,) if has_values else ()
        with PassContext(instruments=[WellFormed(), RoundTrips(), *values]), redirect_stdout(io.StringIO()):
            made: IRModule = each(given)
    except IRError:
        count.refused += 1
        return
    except Exception as error:
        raise LawBroken(each.info.text, given, error) from error
    finally:
        if str(given) != text:
            raise LawBroken(each.info.text, given, "its input is another program now")
    count.values += _VALUES.compared - compared
    count.changed += made is not given
    if each.is_idempotent:
        with redirect_stdout(io.StringIO()):
            again: IRModule = each(made)
        found = first_difference(made, again, map_free_vars=True)
        if found is not None:
            reason = f"a second run changes {found.path}: {found.reason}\n{made}\n{again}"
            raise LawBroken(each.info.text, given, reason)


def check_pipeline(target: str, seeds: range, count: Count) -> None:
    """Check what can be said about every step of the way to a target. Raises `LawBroken`."""
    for seed in seeds:
        on_gpu = target == "cuda"
        given = program(Form.LOOPS if seed % 3 == 1 and not on_gpu else Form.BLOCKS, seed, on_gpu, shares=not on_gpu)
        compared, record = _VALUES.compared, PassRecord()
        count.programs += 1
        try:
            with PassContext(instruments=[WellFormed(), RoundTrips(), _VALUES, record]):
                tvmscript.lower(given, target)
        except IRError:
            count.refused += 1
        except Exception as error:
            failed = [ran for _, ran in record if ran.error is error and not ran.inside]
            raise LawBroken(target, failed[-1].before if failed else given, error) from error
        count.values += _VALUES.compared - compared
        count.changed += sum(ran.changed for _, ran in record if not ran.inside)


def check_all(names: list[str], seeds: range, told: Callable[[str, Count], None]) -> Iterator[LawBroken]:
    """Check passes and targets, and tell what was done; gives what is wrong, the first of each."""
    for name in names:
        count = Count()
        try:
            (check_pipeline if name in TARGETS else check_pass)(name, seeds, count)
        except LawBroken as error:
            yield error
        told(name, count)


def main(arguments: list[str]) -> int:
    """Check passes; 1 where one breaks a law."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="passes, and targets for their whole pipelines")
    parser.add_argument("-n", type=int, default=100, help="programs for each (default 100)")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args(arguments)
    names = [name if name in TARGETS else pass_class(name).name for name in options.names]
    total: Counter[str] = Counter()

    def tell(name: str, count: Count) -> None:
        total.update(dataclasses.asdict(count))
        figures = ", ".join(f"{value:>6} {key}" for key, value in dataclasses.asdict(count).items())
        print(f"{name:<44}{figures}", flush=True)

    names = names or [*sorted(pass_modules()), *TARGETS]
    broken = list(check_all(names, range(options.first, options.first + options.n), tell))
    for error in broken:
        print(f"\n{error}")
    figures = ", ".join(f"{value} {key}" for key, value in total.items())
    print(f"\n{len(names)} names, {len(broken)} with broken laws: {figures}")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
