"""What every pass promises, checked with random programs: `python -m tests.ir.transform.laws -n 1000 [NAME...]`.

For each pass and each program of a form that it takes: the input is left alone; what comes out is well formed, reads
back, and computes the same values in the reference interpreter (the same bits where the pass is exact); a second run
changes nothing where it says so. For each target, the same of every step of its pipeline. Prints how many programs ran.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from typing import Any, Final

import tvmscript
from tvmscript.driver import as_module
from tvmscript.ir.core.equal import first_difference
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.target import Target
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.expr import IterKind, IterVar, Var
from tvmscript.ir.transform.base import Form, Pass
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.record import PassRecord
from tvmscript.ir.transform.registry import FILES, get_pass, pass_class
from tvmscript.testing.pass_values import SameValues
from tvmscript.testing.programs.blocks import random_blocks
from tvmscript.testing.programs.features import random_features
from tvmscript.testing.programs.loops import random_program
from tvmscript.testing.programs.pipelines import pipeline
from tvmscript.testing.verify import RoundTrips, WellFormed

#: for passes that need arguments
ARGUMENTS: Final[dict[str, tuple[Any, ...]]] = {
    "tir.Apply": (lambda func: func,),
    "tir.BindTarget": ("llvm",),
    "tir.Filter": (lambda func: True,),
    "tir.NarrowDataType": (32,),
    "tir.RemapThreadAxis": ({"threadIdx.x": IterVar(None, Var("tx", "int32"), IterKind.THREAD_INDEX, "threadIdx.y")},),
    "tir.ThreadSync": ("shared",),
}
#: what whole pipelines are checked for
TARGETS: Final = ("llvm", "cuda")

#: pass -> writes programs made for it
_MADE_FOR: Final[dict[str, Callable[[int], str]]] = {"tir.InjectSoftwarePipeline": pipeline}
#: form of programs -> what makes it of the form before
_LOWERING: Final = {
    Form.OPAQUE_BLOCKS: "tir.LowerCrossThreadReduction,tir.LowerInitBlock,tir.PlanAndUpdateBufferAllocationLocation,"
    "tir.ConvertBlocksToOpaque,tir.LiftThreadBinding",
    Form.LOOPS: "tir.CompactBufferAllocation,tir.UnifyThreadBinding,tir.LowerMatchBuffer,tir.LowerOpaqueBlock",
    Form.FLAT: "tir.FlattenBuffer,tir.Simplify",
    Form.KERNELS: "",
}
#: passes that look for threads: most of their programs have them
_ON_GPU: Final = {
    "tir.AnnotateDeviceRegions",
    "tir.InferFragment",
    "tir.LiftThreadBinding",
    "tir.LowerCrossThreadReduction",
    "tir.LowerDeviceKernelLaunch",
    "tir.LowerThreadAllreduce",
    "tir.LowerWarpMemory",
    "tir.MergeSharedMemoryAllocations",
    "tir.RemapThreadAxis",
    "tir.SplitHostDevice",
    "tir.ThreadSync",
    "tir.UnifyThreadBinding",
    "tir.VerifyGPUCode",
    "tir.VerifyMemory",
}
#: passes after which, or before which, threads read what others wrote without waiting for them: what is computed then
#: depends on the order in which they run. `tir.ThreadSync` makes it certain.
_WITHOUT_BARRIERS: Final = {"tir.LiftThreadBinding", "tir.ThreadSync", "tir.UnifyThreadBinding"}
#: pass -> what runs before, where programs would be refused, or never changed
_BEFORE: Final = {
    "tir.AnnotateDeviceRegions": "",
    "tir.BF16StorageLegalize": "tir.BF16ComputeLegalize,tir.MakePackedAPI",
    "tir.FP8StorageLegalize": "tir.FP8ComputeLegalize,tir.MakePackedAPI",
    "tir.LowerDeviceKernelLaunch": "tir.AnnotateDeviceRegions,tir.SplitHostDevice",
    "tir.LowerIntrin": "",
    "tir.LowerTVMBuiltin": "tir.MakePackedAPI",
    "tir.LowerThreadAllreduce": "",
    "tir.LowerWarpMemory": "",
    "tir.MakePackedAPI": "",
    "tir.MakeUnpackedAPI": "",
    "tir.SplitHostDevice": "tir.AnnotateDeviceRegions",
    "tir.VerifyMemory": "",
}
_FORMS: Final = list(Form)


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
        super().__init__(f"{what}: {reason}\nthe program:\n{given.script()}")


def make(name: str) -> Pass:
    """The pass, with arguments where it needs some."""
    return get_pass(name, *ARGUMENTS.get(name, ()))


@functools.lru_cache(maxsize=256)
def program(form: Form, seed: int, on_gpu: bool | None = None, shares: bool = True) -> IRModule:
    """A random program of a form; some are bound to a target. What is said is about threads: see `random_blocks`."""
    if form is Form.BLOCKS:
        made = as_module(tvmscript.from_source(random_blocks(seed, on_gpu, shares)))
        return _bound(made) if seed % 4 == 3 else made
    if form in (Form.LOOPS, Form.FLAT) and seed % 3 and not on_gpu:
        write = random_features if seed % 3 == 1 else random_program
        made = as_module(tvmscript.from_source(write(seed)))
        return _bound(made) if seed % 4 == 3 else made
    return _lowered(program(_FORMS[_FORMS.index(form) - 1], seed, on_gpu, shares), _LOWERING[form])


def _lowered(mod: IRModule, names: str) -> IRModule:
    """What the passes make of a program, those that there are."""
    for name in names.split(","):
        if name in FILES:
            mod = make(name)(mod)
    return mod


#: with what TVM adds by itself
_CPU: Final = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu"}


def _bound(mod: IRModule) -> IRModule:
    """The program bound to a target that it can run on."""
    has_threads = any(
        getattr(node, "thread_binding", None) is not None or getattr(node, "attr_key", "") == "thread_extent"
        for node in nodes(mod)
    )
    target = Target.make({"kind": "cuda", "host": _CPU} if has_threads else {**_CPU, "host": _CPU})
    made: IRModule = get_pass("tir.BindTarget", target)(mod)
    return made


def programs(name: str, seeds: range) -> Iterator[IRModule]:
    """Random programs for a pass, of all forms that it takes."""
    forms = _FORMS[_FORMS.index(pass_class(name).takes) :]
    for seed in seeds:
        try:
            if name in _MADE_FOR and seed % 2:
                given = as_module(tvmscript.from_source(_MADE_FOR[name](seed)))
            else:
                form = forms[seed // 3 % len(forms)]
                shares = form is Form.BLOCKS or name in _WITHOUT_BARRIERS
                given = program(form, seed, True if name in _ON_GPU and seed % 4 else None, shares)
            if name in _BEFORE:
                given = _lowered(_bound(given), _BEFORE[name])
        except IRError:
            continue  # what runs before refuses it
        yield given


def check_pass(name: str, seeds: range, count: Count) -> None:
    """Check the laws of a pass. Raises `LawBroken`."""
    each = make(name)
    for given in programs(name, seeds):
        check(each, given, count)


_VALUES: Final = SameValues()


def check(each: Pass, given: IRModule, count: Count) -> None:
    """Check the laws of a pass with one program. Raises `LawBroken`."""
    text = given.script()
    compared = _VALUES.compared
    count.programs += 1
    try:
        values = () if each.name in _WITHOUT_BARRIERS else (_VALUES,)
        with PassContext(instruments=[WellFormed(), RoundTrips(), *values]), redirect_stdout(io.StringIO()):
            made: IRModule = each(given)
    except IRError:
        count.refused += 1
        return
    except Exception as error:
        raise LawBroken(each.info.text, given, error) from error
    finally:
        if given.script() != text:
            raise LawBroken(each.info.text, given, "its input is another program now")
    count.values += _VALUES.compared - compared
    count.changed += made is not given
    if each.is_idempotent:
        with redirect_stdout(io.StringIO()):
            again: IRModule = each(made)
        found = first_difference(made, again, map_free_vars=True)
        if found is not None:
            reason = f"a second run changes {found.path}: {found.reason}\n{made.script()}\n{again.script()}"
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

    names = names or [*sorted(FILES), *TARGETS]
    broken = list(check_all(names, range(options.first, options.first + options.n), tell))
    for error in broken:
        print(f"\n{error}")
    figures = ", ".join(f"{value} {key}" for key, value in total.items())
    print(f"\n{len(names)} names, {len(broken)} with broken laws: {figures}")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
