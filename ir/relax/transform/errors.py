"""Errors of passes over graphs (TS42xx)."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class CannotFuseKernels(IRError, code="TS4210"):
    """A function with the attribute `Primitive` cannot become one kernel: it has bindings other than calls of kernels,
    tuples and their items, or calls a kernel whose body is not a block.
    """

    message = "cannot make the function {name} one kernel: {reason}"
    advice = "remove the attribute Primitive, or run relax.FuseTIR before kernels are lowered"


class TooManyRuntimeInputs(IRError, code="TS4211"):
    """The attribute `num_input` of a function is negative or exceeds the number of its parameters."""

    message = "the function {name} has {params} parameters, but its attribute num_input is {count}"


class DifferentWeights(IRError, code="TS4212"):
    """Functions that share one transformation of their weights have different weights, or no attribute `num_input`."""

    message = "{first} and {second} cannot share a transformation of weights: {reason}"
    advice = "give the functions the attribute num_input and weights of the same struct info, in the same order"


class BadCodegenResult(IRError, code="TS4220"):
    """A code generator returns too few or too many implementations, or one that is neither a PrimFunc nor callable."""

    message = "the code generator {name} must return {expected}, got {got}"


class NotLoweredBefore(IRError, code="TS4230"):
    """A pass of the virtual machine meets what an earlier pass of `default_build` lowers: run that one before."""

    message = "{pass_name} cannot lower {what}: run {before} before"


class CannotReplaceKernel(IRError, code="TS4215"):
    """The replacement of a kernel takes another number of parameters, or the layouts of its buffers are not given for
    each of them.
    """

    message = "cannot replace the kernels of {name}: {reason}"


class ShardingConflict(IRError, code="TS4240"):
    """Annotations of a graph shard a tensor over two meshes, shard two of its axes along one dimension of a mesh, or
    shard a constant.
    """

    message = "the annotations shard {name} in two ways: {reason}"
    advice = "annotate the value in between, or remove one of the annotations"


class NotOnMesh(IRError, code="TS4241"):
    """No annotation reaches a tensor of a function whose other tensors are distributed."""

    message = "{name} is on no device mesh: no annotation reaches it"
    advice = "annotate it with R.dist.annotate_sharding"


class NotDivisible(IRError, code="TS4242"):
    """The extent of a sharded axis is not divisible by the number of its shards, or not known to be."""

    message = "cannot split {what} of extent {extent} into {count} equal shards"
    advice = "pad the tensor, or shard another axis"


class CannotDistribute(IRError, code="TS4243"):
    """A pass over distributed tensors meets a value that it cannot compute shard by shard."""

    message = "cannot distribute {what}: {reason}"
