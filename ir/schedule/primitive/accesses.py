"""What blocks say that they read and write, changed by hand; the values are for the caller to know."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.ir.schedule.base import Recorder, primitive
from tvmscript.ir.schedule.buffers import Side, regions
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.random_variables import BlockRV

_SIDES: dict[str, Side] = {"read": "read", "write": "write"}


class BufTypeError(ScheduleError):
    """Buffers of a block are read or written."""

    code = "TS4166"
    message = "the kind of a buffer access is read or write, not {kind}"


class InvalidIndexError(ScheduleError):
    """An index in the list is not one of the buffers that the block reads, or writes."""

    code = "TS4167"
    message = "block {block} has {count} {side} regions, so there is no index {index}"


class Accesses(Recorder):
    """unsafe_hide_buffer_access, ..."""

    @primitive("UnsafeHideBufferAccess", inputs=("block", "buf_type", "buf_index_array"))
    def unsafe_hide_buffer_access(self, block: BlockRV | str, buf_type: str, buf_index_array: Sequence[int]) -> None:
        """Let a block say nothing of some buffers that it reads, or writes.

        Raises `BufTypeError`, `InvalidIndexError`.
        """
        ref = self.block(block)
        if buf_type not in _SIDES:
            raise BufTypeError(kind=repr(buf_type), at=[ref.block])
        side, stmt = _SIDES[buf_type], ref.block
        known = regions(stmt, side)
        for index in buf_index_array:
            if not 0 <= index < len(known):
                raise InvalidIndexError(block=stmt.name_hint, count=len(known), side=side, index=index, at=[stmt])
        left = tuple(region for place, region in enumerate(known) if place not in buf_index_array)
        made = stmt.replace(reads=left) if side == "read" else stmt.replace(writes=left)
        ref.tree.replace(ref, made, {made: stmt})
