"""Default schedule of convolutions of narrow numbers: products of matrices, whose rows are the patches of the data.

A row of the product is a pixel, a column is an output channel, and terms are positions in the kernel by input channels:
channels are the innermost dimension of the data, so that terms that follow each other are neighbours. Instructions for
dot products add them up (`dot_product.py`). Tile registers read patches that are gathered for a tile at a time, other
instructions read a copy of all of them.

Source: K. Chellapilla, S. Puri, P. Simard: High Performance Convolutional Neural Networks for Document Processing
(2006).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.schedule.default.cpu.dot_product import choose_schedule, schedule_dot_product
from tvmscript.ir.schedule.default.cpu.dot_tiles import Patches
from tvmscript.ir.schedule.default.cpu.injective import schedule_injective
from tvmscript.ir.schedule.default.cpu.inlining import is_injective
from tvmscript.ir.schedule.default.cpu.packed_weights import is_unpacking
from tvmscript.ir.schedule.default.cpu.panel_layout import PanelLayout, WeightLayout
from tvmscript.ir.schedule.default.cpu.pointwise import flat_index
from tvmscript.ir.schedule.default.cpu.steps import Order, find_epilogue, read_index
from tvmscript.ir.schedule.default.cpu.windows import Convolution, match_convolution
from tvmscript.ir.schedule.intrinsics.dot import DotInstruction, dot_instructions
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import Buffer, Var, uses

#: neighbouring terms are a multiple of so many, and output channels are no less: else copying patches takes too long
RUN: Final = 16


def schedule_narrow_convolution(sch: Schedule, block: BlockRV, model: MachineModel) -> str | None:
    """Schedule a block; return what was chosen, None if the rule is not for it. Raises `ScheduleError`."""
    conv = match_convolution(sch.get(block))
    dots = () if conv is None else instructions_for(conv, model)
    if conv is None or not dots:
        return None
    for copy in _put_channels_last(sch, block, conv):
        schedule_injective(sch, copy, model)
    conv = match_convolution(sch.get(block))
    assert conv is not None
    patches, output = _make_product(sch, block, conv, model)
    if dots[0].uses_tiles:
        _fuse_epilogue(sch, output, conv)
    choice = schedule_dot_product(sch, block, model, patches)
    return None if choice is None else f"convolution of {conv.size(*conv.channels)} channels: {choice}"


def choose_layout(sch: Schedule, block: BlockRV, model: MachineModel) -> tuple[Buffer, WeightLayout] | None:
    """Return the weights of a convolution and the layout that its schedule packs them in; None if it is another rule's.

    Where they are padded there, only their terms are put in the order of patches.
    """
    conv = match_convolution(sch.get(block))
    if conv is None or not instructions_for(conv, model):
        return None
    channels, terms = (
        [conv.weight_axes.index(axis) for axis in axes] for axes in (conv.channels, (*conv.kernel, *conv.inputs))
    )
    trial = sch.copy()
    patches, _ = _make_product(trial, block, conv, model)
    schedule = choose_schedule(trial, block, model, patches)
    layout = None if schedule is None else schedule.layout_of_b(conv.weights.buffer.shape, (), channels, terms)
    *outer, last = terms
    width = conv.extents[(*conv.kernel, *conv.inputs)[-1]]
    return conv.weights.buffer, layout or PanelLayout(tuple(channels), last, tuple(outer), width)


def instructions_for(conv: Convolution, model: MachineModel) -> Sequence[DotInstruction]:
    """Return the instructions that add up the products of a convolution, none if copying patches costs too much."""
    if conv.divisors or conv.groups or None in conv.weight_axes or not conv.uses_most_data:
        return ()
    if _run_of(conv) % RUN or conv.size(*conv.channels) < RUN:
        return ()
    return dots_of(conv, model)


def _run_of(conv: Convolution) -> int:
    """Return the number of neighbouring terms: input channels, else the last dimension of the kernel."""
    return conv.size(*(conv.inputs or conv.kernel[-1:]))


def dots_of(conv: Convolution, model: MachineModel) -> Sequence[DotInstruction]:
    """Return the instructions for the dtypes of a convolution."""
    data, weights, total = (str(access.buffer.dtype) for access in (conv.data, conv.weights, conv.output))
    return dot_instructions(data, weights, total, model.dot_features)


def _put_channels_last(sch: Schedule, block: BlockRV, conv: Convolution) -> list[BlockRV]:
    """Make the input channels the innermost dimensions of the data; return the blocks that copy and pad it.

    It is copied before it is padded.
    """
    places = [place for place, index in enumerate(conv.data.indices) if index in conv.inputs]
    others = [place for place in range(len(conv.data.indices)) if place not in places]
    if others == [*range(len(others))]:
        return []

    def reorder(*axes: Any) -> list[Any]:
        return [axes[place] for place in (*others, *places)]

    producers = [each for each in sch.get_producers(block) if sch.get(each).writes[0].buffer is conv.data.buffer]
    padding = [each for each in producers if is_injective(sch.get(each)) and len(sch.get(each).reads) == 1]
    if not padding or len(sch.get_consumers(padding[0])) > 1:
        copy = sch.cache_read(block, read_index(sch, block, conv.data.buffer), "global")
        sch.transform_layout(copy, ("write", 0), reorder)
        return [copy]
    copy = sch.cache_read(padding[0], 0, "global")
    for each in (copy, padding[0]):
        sch.transform_layout(each, ("write", 0), reorder)
    sch.transform_block_layout(padding[0], reorder)
    return [copy, padding[0]]


def _make_product(sch: Schedule, block: BlockRV, conv: Convolution, model: MachineModel) -> tuple[Patches, BlockRV]:
    """Make a convolution a product of patches and weights; return the patches, and the block that copies the result."""
    rows, columns, terms = conv.pixels, conv.channels, (*conv.kernel, *conv.inputs)
    axes = [*conv.extents]
    used = [uses(access.indices) for access in (conv.data, conv.weights, conv.output)]
    in_data, in_weights, in_output = ([axis for axis in axes if axis in names] for names in used)
    data, weights = (read_index(sch, block, load.buffer) for load in (conv.data, conv.weights))
    of_weights = [axis for axis in (*columns, *terms) if axis in in_weights]
    packed = sch.reindex_cache_read(block, weights, "global", _index_map(conv, axes, *[[axis] for axis in of_weights]))
    unpacking = [each for each in sch.get_producers(packed) if is_unpacking(sch, sch.get(each))]
    if unpacking:
        sch.compute_inline(unpacking[0])
        names = [axis.var.name for axis in sch.get(packed).iter_vars]
        places = [names.index(axis.name) for axis in of_weights]
        sch.transform_block_layout(packed, lambda *values: [values[place] for place in places])
    else:
        schedule_injective(sch, packed, model)
    sch.transform_layout(block, ("read", weights), _index_map(conv, of_weights, columns, terms))
    patches = sch.reindex_cache_read(block, data, "global", _index_map(conv, axes, rows, terms, only=in_data))
    output = sch.reindex_cache_write(block, 0, "global", _index_map(conv, axes, rows, columns, only=in_output))
    sch.transform_block_layout(block, _index_map(conv, axes, rows, columns, terms))
    return Patches(patches, _run_of(conv), conv.output.indices[-1] in conv.pixels), output


def _fuse_epilogue(sch: Schedule, output: BlockRV, conv: Convolution) -> None:
    """Compute what one epilogue computes from each element where a tile is stored."""
    epilogue = find_epilogue(sch, output, Order.ANY)
    if epilogue is None:
        named = {axis.name: axis for axis in conv.extents}
        axes: Sequence[Any] = [named[axis.var.name] for axis in sch.get(output).iter_vars]
    else:
        sch.compute_inline(output)
        axes = conv.output.indices
    sch.transform_block_layout(epilogue or output, _index_map(conv, axes, conv.pixels, conv.channels))


def _index_map(
    conv: Convolution, axes: Sequence[Any], *groups: Sequence[Var], only: Collection[Var] | None = None
) -> Callable[..., list[Any]]:
    """Return the function of axes to one index for each group: the place among all elements of its axes.

    What is not among the axes, or `only` some, has one element.
    """
    indexed = {*axes} if only is None else {*only}

    def index(*values: Any) -> list[Any]:
        value = dict(zip(axes, values, strict=True))
        parts = [[axis for axis in group if axis in indexed] for group in groups]
        return [flat_index([value[axis] for axis in part], [conv.extents[axis] for axis in part]) for part in parts]

    return index
