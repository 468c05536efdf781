"""Errors of analyses."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class NotPure(IRError):
    """A function was expected to do nothing but return a value, and it writes memory that others can see, or calls
    something that may. Memory that it allocates itself is its own.
    """

    code = "TS4090"
    message = "the function is not pure: it {what}"


class AccessOutOfBounds(IRError):
    """An element is accessed that a buffer does not have. It was proven: the note says for which iteration; where it
    names none, it is so whenever the access runs.
    """

    code = "TS4091"
    message = "{buffer} has no element at index {index} of dimension {dimension}: {reason}"


class NotSSA(IRError):
    """A variable is defined in two places. Most passes expect that each definition has a variable of its own;
    `tir.ConvertSSA` renames the others.
    """

    code = "TS4092"
    message = "{name} is defined twice"


class HostAccess(IRError):
    """A function for a GPU reads or writes memory outside of any thread: the host would have to do it, and cannot.
    Bind the loops around it to threads; `tir.DefaultGPUSchedule` does so for whole functions.
    """

    code = "TS4093"
    message = "{buffer} is accessed by the host: no loop around is bound to a thread"
    advice = "bind loops to threads, or let tir.DefaultGPUSchedule do it"


class LimitExceeded(IRError):
    """A kernel needs more than a GPU offers: threads, shared or local memory, or a vector that is too wide."""

    code = "TS4094"
    message = "{found} {what} are more than the {limit} of {name}"


class DataRace(IRError):
    """Two iterations that may run at the same time access one element, and one of them writes it: the result depends
    on which comes first. The note names the iterations. Make the loop serial, give each iteration elements of its own,
    or add up in parts (`rfactor`).
    """

    code = "TS4095"
    message = "iterations of {loop} race: {buffer}[{index}] is {what}"


class BoundsUnknown(IRError):
    """It could not be proven that an access stays inside of its buffer, and no iteration was found that leaves it.
    The interpreter checks it when the program runs, and so does a program after `tir.AssertBounds`.
    """

    code = "TS4096"
    message = "cannot tell whether {what}: {reason}"


class RaceUnknown(IRError):
    """It could not be proven that the iterations of a loop access different elements, and no two were found that
    access the same one.
    """

    code = "TS4097"
    message = "cannot tell whether iterations of {loop} race: {reason}"


class LaunchesDiffer(IRError):
    """A kernel launches one thread axis with two extents. A GPU launches a kernel once: give the axis the larger
    extent, with a condition where there is less to do (`tir.UnifyThreadBinding`).
    """

    code = "TS4098"
    message = "the kernel launches {thread} with {first} threads and with {second}"
