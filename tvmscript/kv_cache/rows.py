"""`RowCache`: rows of keys or of values of one sequence, TVM's `vm.builtin.attention_kv_cache_*` of `nn.KVCache`."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.backends.runtime.array import NDArray, empty
from tvmscript.backends.vm.values import OpaqueValue
from tvmscript.kv_cache.errors import WrongCacheCall


class RowCache(OpaqueValue):
    """Rows of one shape; the room grows by half where it is full."""

    def __init__(self, init: NDArray, reserve_shape: Sequence[int], init_fill_count: int) -> None:
        """Make room for the rows of `reserve_shape`; the first `init_fill_count` rows are those of `init`."""
        self._rows = empty(tuple(reserve_shape), init.dtype, init.device)
        self._count = init_fill_count
        _part(self._rows, 0, self._count).set_elements(_part(init, 0, self._count))

    def append(self, rows: NDArray) -> RowCache:
        """Add rows, and return the cache. Raises `WrongCacheCall` for rows of another shape or dtype."""
        if rows.shape[1:] != self._rows.shape[1:] or rows.dtype is not self._rows.dtype:
            expected = f"rows of {self._rows.dtype} {self._rows.shape[1:]}"
            raise WrongCacheCall(method="append", reason=f"it holds {expected}, not {rows.dtype} {rows.shape[1:]}")
        count = self._count + rows.shape[0]
        if count > len(self._rows):
            room = empty((count + count // 2, *self._rows.shape[1:]), self._rows.dtype, self._rows.device)
            _part(room, 0, self._count).set_elements(_part(self._rows, 0, self._count))
            self._rows = room
        _part(self._rows, self._count, count).set_elements(rows)
        self._count = count
        return self

    def view(self, shape: Sequence[int]) -> NDArray:
        """Return the rows as a tensor of a shape. Raises `WrongCacheCall` where there are fewer or more rows."""
        if tuple(shape) != (self._count, *self._rows.shape[1:]):
            raise WrongCacheCall(method="view", reason=f"it has {self._count} rows, not {tuple(shape)}")
        return _part(self._rows, 0, self._count).copyto(self._rows.device)


def _part(rows: NDArray, begin: int, end: int) -> NDArray:
    """Return the memory of some rows."""
    row_bytes = rows.nbytes // max(rows.shape[0], 1)
    return rows.view((end - begin, *rows.shape[1:]), None, begin * row_bytes)
