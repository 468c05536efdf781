"""Finding loops and blocks."""

from __future__ import annotations

from collections.abc import Iterator

from tvmscript.ir.schedule.analysis.block_properties import enclosing_scope, is_output_block
from tvmscript.ir.schedule.analysis.block_scope import consumers, producers
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef, blocks_below, loops_above


class Get(Recorder):
    """work_on, get_block, get_loops, ..."""

    def work_on(self, func_name: str) -> None:
        """Let `get_block` look in this function from here on. Raises `UnknownName`."""
        self.func_working_on = self.mod.get_global_var(func_name).name_hint

    @primitive("GetBlock", attrs=("name", "func_name"), pure=True)
    def get_block(self, name: str, func_name: str | None = None) -> BlockRV:
        """The block of this name in a function: by default the one that is worked on.

        Raises `NotSingleResult` where there is none or more than one, `UnknownName`, `NotSchedulable`.
        """
        return self.new_block(self.named_block(name, func_name))

    @primitive("GetLoops", inputs=("block",), pure=True)
    def get_loops(self, block: BlockRV | str) -> list[LoopRV]:
        """The loops around a block up to the block around them, outermost first."""
        return self.new_loops(loops_above(self.block(block)))

    @primitive("GetChildBlocks", inputs=("block_or_loop",), pure=True)
    def get_child_blocks(self, block_or_loop: BlockRV | LoopRV) -> list[BlockRV]:
        """The blocks in a block or loop that are in no other block of it, in the order of the text."""
        return self.new_blocks(blocks_below(self.place(block_or_loop)))

    @primitive("GetProducers", inputs=("block",), pure=True)
    def get_producers(self, block: BlockRV | str) -> list[BlockRV]:
        """The blocks before a block, in its scope, that write what it reads or writes.

        Raises `RootBlockError`.
        """
        ref = self.block(block)
        enclosing_scope(ref, "get_producers")
        return self.new_blocks(producers(ref))

    @primitive("GetConsumers", inputs=("block",), pure=True)
    def get_consumers(self, block: BlockRV | str) -> list[BlockRV]:
        """The blocks behind a block, in its scope, that read or write what it writes.

        Raises `RootBlockError`.
        """
        ref = self.block(block)
        enclosing_scope(ref, "get_consumers")
        return self.new_blocks(consumers(ref))

    @primitive("GetOutputBlocks", inputs=("scope_block",), pure=True)
    def get_output_blocks(self, scope_block: BlockRV | str) -> list[BlockRV]:
        """The blocks in a block, at any depth, that write a buffer which the block around them does not allocate."""
        return self.new_blocks([ref for ref in _nested_blocks(self.block(scope_block)) if is_output_block(ref)])


def _nested_blocks(block: StmtRef) -> Iterator[StmtRef]:
    """All blocks in a block, each before those in it."""
    stack = blocks_below(block)[::-1]
    while stack:
        ref = stack.pop()
        yield ref
        stack += blocks_below(ref)[::-1]
