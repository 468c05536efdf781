"""Errors that passes raise."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class InitNotLowered(IRError, code="TS4001"):
    """A pass requires blocks without init. `tir.LowerInitBlock` lowers an init to a branch."""

    message = "block {block} has an init; run tir.LowerInitBlock first"


class BlockNotOpaque(IRError, code="TS4002"):
    """A pass requires opaque blocks. `tir.ConvertBlocksToOpaque` replaces axes by the values that they are bound to."""

    message = "block {block} has axes; run tir.ConvertBlocksToOpaque first"


class MatchNotLowered(IRError, code="TS4003"):
    """A pass requires blocks without match_buffer. `tir.LowerMatchBuffer` replaces matched buffers by their sources."""

    message = "block {block} has match_buffers; run tir.LowerMatchBuffer first"


class CannotMatch(IRError, code="TS4004"):
    """A matched buffer declares a dtype, scope, strides, offset or shape that its region does not have."""

    message = "buffer {buffer} does not match the region of {source}: {reason}"


class TensorLevelLeft(IRError, code="TS4006"):
    """A pass requires loops over buffers, but a node of a TE schedule is left: a realized region or a prefetch.
    `tir.StorageFlatten` lowers them.
    """

    message = "{name} requires loops over buffers, but {what} of a TE schedule is left"


class TileLevelLeft(IRError, code="TS4007"):
    """A pass requires buffers without a layout and without a fixed address, which are of the tile level of 0.27."""

    message = "{name} requires row-major buffers, but {buffer} has {what}"


class NoThreadAxis(IRError, code="TS4008"):
    """An id of a scope of TVM 0.27 is none of the ids of blocks and threads."""

    message = "{name} has no thread axis: {reason}"


class BlockInLoops(IRError, code="TS4005"):
    """A pass requires loops without blocks. `tir.LowerOpaqueBlock` lowers blocks."""

    message = "{name} requires loops without blocks, but block {block} is left; run tir.LowerOpaqueBlock first"


class SharedCondition(IRError, code="TS4060"):
    """The condition of a `while` reads memory that threads share. Each iteration would need barriers around it that all
    threads reach. Load the element to a local buffer in the loop, and test that.
    """

    message = "the condition of a while loop reads {scope} memory, which other threads may write"


class UndefLeft(IRError, code="TS4030"):
    """`T.undef()` is used for something other than a stored value, such as an index or a condition. Only stores of it
    can be removed.
    """

    message = "T.undef() is used for something other than the value of a store"


class UndefWithEffect(IRError, code="TS4031"):
    """A stored value that depends on `T.undef()` has a side effect, so the store cannot be removed."""

    message = "a value that depends on T.undef() must have no side effect"


class NarrowFloatParameter(IRError, code="TS4070"):
    """A pass that stores narrow floats as integers cannot change the dtype of a buffer parameter. `tir.MakePackedAPI`
    lowers such parameters to pointers.
    """

    message = "{name} cannot change the dtype {dtype} of parameter {buffer}; run tir.MakePackedAPI first"


class NarrowFloatComputed(IRError, code="TS4071"):
    """A pass that stores narrow floats as integers found arithmetic on them. The pass in the message computes in a
    wider float.
    """

    message = "{name} cannot lower {what}; run {legalize} first"


class NoTarget(IRError, code="TS4061"):
    """A pass requires the target of a function. `tir.BindTarget` sets it for all functions of a module."""

    message = "{name} requires a target of {function}; run tir.BindTarget first"


class UnknownCallee(IRError, code="TS4062"):
    """A function calls one that is not in the module, so its device is unknown."""

    message = "{function} is called, but is not a function of the module"


class KernelReturns(IRError, code="TS4063"):
    """A launched kernel has no result. It may only return 0, which is removed."""

    message = "kernel {function} returns a value, but a launch has no result"


class TwoDynamicAllocations(IRError, code="TS4064"):
    """A launch specifies one size of dynamic shared memory. `tir.MergeSharedMemoryAllocations` merges several
    allocations into one.
    """

    message = "kernel {function} allocates dynamic shared memory twice; run tir.MergeSharedMemoryAllocations first"


class WideBuffer(IRError, code="TS4072"):
    """`tir.ForceNarrowIndexToInt32` cannot change the elements of a buffer of 64-bit integers."""

    message = "buffer {buffer} holds {dtype}, which cannot be narrowed to int32"


class ConstantTooWide(IRError, code="TS4073"):
    """`tir.ForceNarrowIndexToInt32` found a constant that needs more than 32 bits."""

    message = "the constant {value} does not fit in int32"


class AxisOutsideOfBlock(IRError, code="TS4020"):
    """The bindings and the predicate of a block are evaluated before the block is entered, so they cannot use its own
    axes, only loop variables and axes of enclosing blocks.
    """

    message = "axis {axis} of block {block} is used in a binding or the predicate of the same block"


class InvalidAllreduce(IRError, code="TS4065"):
    """A reduction over threads cannot be lowered. `tvm_thread_allreduce` must be in a `reduce_scope`, reduce over
    threads of the block with constant extents, and store its results to local buffers.
    """

    message = "a reduction over threads cannot be lowered: {reason}"


class InvalidWarpMemory(IRError, code="TS4066"):
    """Warp memory cannot be distributed over the threads. Its size must be constant, the extent of threadIdx.x must
    divide the warp size, and stores must be at `m * threadIdx.x` plus an offset that does not depend on the thread.
    """

    message = "warp memory {name} cannot be distributed over threads: {reason}"


class NotFlat(IRError, code="TS4058"):
    """A pass requires flat buffers. `tir.FlattenBuffer` flattens buffers."""

    message = "{name} requires buffers of one dimension, but {buffer} has several; run tir.FlattenBuffer first"


class UnknownDevice(IRError, code="TS4067"):
    """The device of an allocation, array or copy is unknown. The attributes `device_type` and `device_id` state it;
    `tir.MakePackedAPI` adds them for the arrays among the arguments.
    """

    message = "{what} requires a device, but there is no enclosing attribute {part}"


class UnknownConvention(IRError, code="TS4068"):
    """The convention of packed calls is neither `tvm-ffi` nor `tvm-0.17`."""

    message = "unknown convention {name} of packed calls; expected tvm-ffi or tvm-0.17"


class ThreadsDiffer(IRError, code="TS4021"):
    """Loops of a kernel that are bound to the same thread axis have different domains, but they share one launch."""

    message = "loops bound to {tag} in one kernel have different domains: {first} and {other}"


class VirtualThreadsUnknown(IRError, code="TS4040"):
    """The number of virtual threads is not constant. Virtual threads are expanded to copies; real threads are not."""

    message = "the extent {extent} of the virtual thread {thread} is not constant"


class UnboundVariables(IRError, code="TS4069"):
    """A function uses variables without a definition: they are not parameters, and no extent of an array is exactly
    such a variable.
    """

    message = "{function} uses {names}, which no argument defines"


class ReturnInParallel(IRError, code="TS4018"):
    """A function returns from a parallel loop, whose other iterations cannot be stopped."""

    message = "a return inside of a parallel loop is not supported"


class ContradictoryArgument(IRError, code="TS4019"):
    """The requirements of a signature on an argument contradict each other."""

    message = "{message}, which is impossible"


class CannotDoubleBuffer(IRError, code="TS4041"):
    """A double buffer is filled outside of any loop, from memory that the same iteration computes, or its size depends
    on the loop that fills it.
    """

    message = "the double buffer {memory} {reason}"


class UnevenSplit(IRError, code="TS4042"):
    """`split_loop` of `tir.InjectDoubleBuffer` must be even, so that each unrolled step uses a fixed half."""

    message = "split_loop must be 0, 1 or even, got {split}"


class CannotReduceAcrossThreads(IRError, code="TS4022"):
    """A reduction over threads cannot be lowered. Its reducer must be known (sum, product, min, ...), its loops must be
    innermost and bound to threadIdx.x, .y or .z only, and the block must be the last one in them.
    """

    message = "the reduction of block {block} cannot be lowered across threads: {why}"


class CannotRoll(IRError, code="TS4043"):
    """A buffer cannot be a ring buffer. Its region must begin at a multiple of a loop variable and have a constant
    extent.
    """

    message = "{buffer} cannot be a rolling buffer: {reason}"


class WhileInVectorizedLoop(IRError, code="TS4032"):
    """A vectorized loop contains a `while`, which lanes may leave at different times. With
    `tir.VectorizeLoop(is_lenient=True)` such loops become serial.
    """

    message = "a while loop inside of the vectorized loop {var} is not supported"


class CannotVectorize(IRError, code="TS4033"):
    """The extent of a vectorized loop is not constant. The number of lanes must be constant, or a multiple of
    `T.vscale()` if the target has scalable vectors. With `tir.VectorizeLoop(is_lenient=True)` such loops become serial.
    """

    message = "the extent {extent} of the vectorized loop {var} is not a number of lanes"


class NoLocalStage(IRError, code="TS4023"):
    """A copy to shared memory cannot be staged through registers. It must store one element of a buffer that the
    enclosing block allocates, and the loops between the two blocks must contain nothing else.
    """

    message = "block {block} cannot be staged through registers: {why}"


class UnknownMemory(IRError, code="TS4016"):
    """The storage scope belongs to a special device, whose sizes and addresses are unknown."""

    message = "{name} is in the unknown storage scope {scope}"


class WrongArgumentsOfCall(IRError, code="TS4017"):
    """A function of the module is called with the wrong number of arguments."""

    message = "{function} takes {expected} arguments, but got {got}"


class NoWeightLayout(IRError, code="TS4024"):
    """A block that changes the layout of a weight cannot be removed. It must copy each element of a parameter or
    constant that is not read elsewhere.
    """

    message = "block {block} cannot be applied to the weight in advance: {why}"


class CannotUnroll(IRError, code="TS4034"):
    """The extent of an unrolled loop is not constant. Make the loop serial, or split it by a constant and unroll the
    inner loop. With `tir.UnrollLoop(is_lenient=True)` such loops become serial.
    """

    message = "the extent {extent} of the unrolled loop {var} is not constant"


class NoTargetForSchedule(IRError, code="TS4025"):
    """A default GPU schedule requires a target with `max_num_threads`. Bind one with `tir.BindTarget`, or run the pass
    in `with Target(...):`.
    """

    message = "function {function} cannot be scheduled for a GPU: {reason}"


class PrefetchOutsideLoop(IRError, code="TS4044"):
    """A prefetch for a later iteration is outside of any loop."""

    message = "a prefetch of {buffer} is outside of any loop"


class TooMuchVTCM(IRError, code="TS4045"):
    """The live VTCM allocations of a function exceed the limit."""

    message = "{function} allocates {used} bytes of global.vtcm at the same time, and the limit is {limit}"


class NoCopy(IRError, code="TS4046"):
    """The statement under the attribute of `tir.InjectCopyIntrin`, or in a block of `tir.LowerAutoCopy`, is not a copy:
    loops from 0 around a store of a loaded element, with indices that are linear in the loop variables.
    """

    message = "the statement under {key} is not a copy: {reason}"


class NotATexture(IRError, code="TS4047"):
    """A buffer in texture memory must have at least three axes, with 1 or 4 channels in the last one."""

    message = "{buffer} cannot be a texture: {reason}"


class CannotSpecialize(IRError, ValueError, code="TS4048"):
    """`PrimFunc.specialize` has an invalid argument: a key is not a parameter, a value has the wrong type or dtype, or
    two values contradict each other.
    """

    message = "the function cannot be specialized for {key}: {reason}"
