"""Errors of analyses."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class NotPure(IRError, code="TS4090"):
    """A function that must be pure writes memory that is visible outside of it, or calls a function that may. Memory
    that the function allocates itself is not visible outside.
    """

    message = "the function is not pure: it {what}"


class AccessOutOfBounds(IRError, code="TS4091"):
    """An access is provably out of bounds. The note names the iteration; without one, every execution of the access is
    out of bounds.
    """

    message = "{buffer} has no element at index {index} of dimension {dimension}: {reason}"


class NotSSA(IRError, code="TS4092"):
    """A variable is defined twice. Most passes require programs in SSA form; `tir.ConvertSSA` renames further
    definitions.
    """

    message = "{name} is defined twice"


class HostAccess(IRError, code="TS4093"):
    """A function for a GPU accesses device memory outside of any thread, which the host cannot do. Bind the enclosing
    loops to threads; `tir.DefaultGPUSchedule` does so for whole functions.
    """

    message = "{buffer} is accessed by the host: no loop around is bound to a thread"
    advice = "bind loops to threads, or let tir.DefaultGPUSchedule do it"


class LimitExceeded(IRError, code="TS4094"):
    """A kernel exceeds a limit of the GPU: threads per block, shared or local memory, or the width of a vector."""

    message = "{found} {what} are more than the {limit} of {name}"


class DataRace(IRError, code="TS4095"):
    """Two iterations that may run concurrently access the same element, and at least one of them writes it. The note
    names the iterations. Make the loop serial, let each iteration write different elements, or split the reduction
    with `rfactor`.
    """

    message = "iterations of {loop} race: {buffer}[{index}] is {what}"


class BoundsUnknown(IRError, code="TS4096"):
    """An access is neither provably in bounds nor provably out of bounds. The interpreter checks it at run time;
    `tir.AssertBounds` adds such checks to the program.
    """

    message = "cannot tell whether {what}: {reason}"


class RaceUnknown(IRError, code="TS4097"):
    """The iterations of a loop are neither provably free of races nor provably racing."""

    message = "cannot tell whether iterations of {loop} race: {reason}"


class LaunchesDiffer(IRError, code="TS4098"):
    """A kernel launches one thread axis with two extents, but a launch has one extent for each axis. Launch the larger
    extent, and guard the part with fewer iterations by a condition (`tir.UnifyThreadBinding`).
    """

    message = "the kernel launches {thread} with {first} threads and with {second}"


class SpatialAxisRepeats(IRError, code="TS4085"):
    """Iterations of a spatial axis store different values to one element: they may run in any order, or in parallel.
    Sums and other reductions need `T.axis.reduce` ("R" in `T.axis.remap`).
    """

    message = "axis {axis} of block {block} is spatial, but its iterations store to the same element of {buffer}"
    advice = 'if they update it, make the axis a reduction: T.axis.reduce, or "R" in T.axis.remap'


class RegionTooSmall(IRError, code="TS4086"):
    """`T.reads` or `T.writes` of a block do not contain an access of its body. Schedules and passes rely on them: they
    move or drop accesses that are not stated. Without the two statements the regions are inferred.
    """

    message = "block {block} {verb} {region}, which its T.{verb} does not contain"
    advice = "leave T.reads and T.writes out: they are inferred"


class LossyStore(IRError, code="TS4087"):
    """A float is stored to a buffer of integers, which drops its fraction. Write the cast if that is meant."""

    message = "a store to {buffer} converts {source} to {target}"
    advice = 'write it, if it is meant: T.Cast("{target}", ...)'
