"""LLVM's objects of a target."""

from __future__ import annotations

import re
import sys
from functools import cache, lru_cache, partial
from typing import Any

import llvmlite.binding as llvm
from llvmlite.binding import ffi

from tvmscript.backends.llvm import elf_object
from tvmscript.backends.llvm.host import host
from tvmscript.backends.llvm.output_text import OutputText, text_of
from tvmscript.backends.llvm.standard_error import with_messages
from tvmscript.backends.llvm.target import CPUS, Target
from tvmscript.ir.core import closest
from tvmscript.ir.core.targets.target import InvalidTarget

#: triples, processors and features that LLVM knows
_KNOWN: set[tuple[str, str, str]] = set()
UNRECOGNIZED = re.compile(r"'(\S+)' is not a recognized (processor|feature)")
#: a line of LLVM's list of processors and features
_LISTED = re.compile(r"^ +(\S+) +- ", re.MULTILINE)
_OPTIONS = {"processor": "cpu", "feature": "attr"}


@cache
def initialize() -> None:
    """Make LLVM ready for this machine."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    _set_options()


@cache
def _initialize_all() -> None:
    """Make LLVM ready for every machine it knows."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    _set_options()


@cache
def _set_options() -> None:
    """Set options of LLVM's code generator, which hold for the process.

    Constants of an epilogue stay in its loops: hoisted before registers are allocated, they take these from the sums of
    the loop before it. A later pass hoists what has a register of its own.
    """
    llvm.set_option("tvmscript", "-disable-machine-licm")


def target_machine(target: Target) -> llvm.TargetMachine:
    """Return a new target machine of LLVM. Raises `InvalidTarget` for an unknown triple, processor or feature."""
    if target.is_host:
        initialize()
    else:
        _initialize_all()
    with OutputText() as problem:
        pointer = ffi.lib.LLVMPY_GetTargetFromTriple(target.triple.encode(), problem)
    if not pointer:
        raise InvalidTarget(text=repr(f"-mtriple={target.triple}"), reason="LLVM knows no such machine")
    description: Any = llvm.Target(pointer)
    description._triple = target.triple
    # LLVM's loader puts sections far from each other, ours does not
    place = {} if target.is_host and not elf_object.IS_SUPPORTED else {"reloc": "pic", "codemodel": "default"}

    def create(cpu: str = target.cpu) -> llvm.TargetMachine:
        return description.create_target_machine(cpu=cpu, features=target.tuned_features, opt=target.opt_level, **place)

    key = target.triple, target.cpu, target.features
    if key == host() or key in _KNOWN:
        return create()
    machine, messages = with_messages(create)
    unknown = UNRECOGNIZED.search(messages)
    if unknown is None:
        _KNOWN.add(key)
        sys.stderr.write(messages)  # of other threads
        return machine
    name, kind = unknown[1], unknown[2]
    _, listed = with_messages(lambda: create("help"))  # LLVM lists them once in a process
    processors, _, features = listed.partition("Available features")
    if kind == "feature":
        names = [f"{name[0]}{feature}" for feature in _LISTED.findall(features)]
    else:
        names = _LISTED.findall(processors) or [cpu for cpu in CPUS if not with_messages(partial(create, cpu))[1]]
    reason = f"LLVM knows no {kind} {name} for {target.triple}"
    raise InvalidTarget(text=repr(f"-m{_OPTIONS[kind]}={name}"), reason=reason, hint=closest(name, names))


@lru_cache(maxsize=8)
def shared_machine(target: Target) -> llvm.TargetMachine:
    """Return a target machine that modules share: a new one takes a millisecond to describe its processor.

    Modules take turns, as llvmlite lets one call into LLVM at a time. Raises `InvalidTarget`.
    """
    return target.machine()


def data_layout(machine: llvm.TargetMachine) -> str:
    """Return how a machine lays out data, as modules say it."""
    return text_of(ffi.lib.LLVMPY_CopyStringRepOfTargetData, machine.target_data)
