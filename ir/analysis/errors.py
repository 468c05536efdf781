"""Errors of analyses."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class NotPure(IRError):
    """A function that must be pure writes memory that is visible outside of it, or calls a function that may. Memory
    that the function allocates itself is not visible outside.
    """

    code = "TS4090"
    message = "the function is not pure: it {what}"


class AccessOutOfBounds(IRError):
    """An access is provably out of bounds. The note names the iteration; without one, every execution of the access is
    out of bounds.
    """

    code = "TS4091"
    message = "{buffer} has no element at index {index} of dimension {dimension}: {reason}"


class NotSSA(IRError):
    """A variable is defined twice. Most passes require programs in SSA form; `tir.ConvertSSA` renames further
    definitions.
    """

    code = "TS4092"
    message = "{name} is defined twice"


class HostAccess(IRError):
    """A function for a GPU accesses device memory outside of any thread, which the host cannot do. Bind the enclosing
    loops to threads; `tir.DefaultGPUSchedule` does so for whole functions.
    """

    code = "TS4093"
    message = "{buffer} is accessed by the host: no loop around is bound to a thread"
    advice = "bind loops to threads, or let tir.DefaultGPUSchedule do it"


class LimitExceeded(IRError):
    """A kernel exceeds a limit of the GPU: threads per block, shared or local memory, or the width of a vector."""

    code = "TS4094"
    message = "{found} {what} are more than the {limit} of {name}"


class DataRace(IRError):
    """Two iterations that may run concurrently access the same element, and at least one of them writes it. The note
    names the iterations. Make the loop serial, let each iteration write different elements, or split the reduction
    with `rfactor`.
    """

    code = "TS4095"
    message = "iterations of {loop} race: {buffer}[{index}] is {what}"


class BoundsUnknown(IRError):
    """An access is neither provably in bounds nor provably out of bounds. The interpreter checks it at run time;
    `tir.AssertBounds` adds such checks to the program.
    """

    code = "TS4096"
    message = "cannot tell whether {what}: {reason}"


class RaceUnknown(IRError):
    """The iterations of a loop are neither provably free of races nor provably racing."""

    code = "TS4097"
    message = "cannot tell whether iterations of {loop} race: {reason}"


class LaunchesDiffer(IRError):
    """A kernel launches one thread axis with two extents, but a launch has one extent for each axis. Launch the larger
    extent, and guard the part with fewer iterations by a condition (`tir.UnifyThreadBinding`).
    """

    code = "TS4098"
    message = "the kernel launches {thread} with {first} threads and with {second}"


class SpatialAxisRepeats(IRError):
    """Iterations of a spatial axis store different values to one element: they may run in any order, or in parallel.
    Sums and other reductions need `T.axis.reduce` ("R" in `T.axis.remap`).
    """

    code = "TS4085"
    message = "axis {axis} of block {block} is spatial, but its iterations store to the same element of {buffer}"
    advice = 'if they update it, make the axis a reduction: T.axis.reduce, or "R" in T.axis.remap'


class RegionTooSmall(IRError):
    """`T.reads` or `T.writes` of a block do not contain an access of its body. Schedules and passes rely on them: they
    move or drop accesses that are not stated. Without the two statements the regions are inferred.
    """

    code = "TS4086"
    message = "block {block} {verb} {region}, which its T.{verb} does not contain"
    advice = "leave T.reads and T.writes out: they are inferred"


class LossyStore(IRError):
    """A float is stored to a buffer of integers, which drops its fraction. Write the cast if that is meant."""

    code = "TS4087"
    message = "a store to {buffer} converts {source} to {target}"
    advice = 'write it, if it is meant: T.Cast("{target}", ...)'
