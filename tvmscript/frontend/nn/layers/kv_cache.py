"""`KVCache`: keys or values of the tokens so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.frontend.nn.effect import Effect
from tvmscript.frontend.nn.parameter import get_default_dtype
from tvmscript.frontend.nn.tensor import Tensor, current_builder
from tvmscript.ir.core import WrongType
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import PrimValue, Var
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TensorStructInfo
from tvmscript.language import R


class KVCache(Effect):
    """A cache of rows of the shape `unit_shape`, with room for `init_seq_len` of them at first."""

    def __init__(self, init_seq_len: int, unit_shape: Sequence[int], dtype: str | None = None) -> None:
        self.init_seq_len = init_seq_len
        self.unit_shape = [int(size) for size in unit_shape]
        self.dtype = dtype or get_default_dtype()
        self.cache: Any = None

    def emit_init(self, name_hint: str, builder: BlockBuilder) -> list[Var]:
        shape = R.shape([self.init_seq_len, *self.unit_shape])
        call = R.call_pure_packed(
            "vm.builtin.attention_kv_cache_create",
            R.zeros(shape, self.dtype),
            shape,
            PrimValue(0),
            sinfo_args=ObjectStructInfo(),
        )
        return [builder.emit(call, name_hint)]

    def create(self, name_hint: str) -> list[Var]:
        return [Var(name_hint, ObjectStructInfo())]

    def set_state(self, state_vars: list[Var]) -> None:
        (self.cache,) = state_vars

    def finalize(self) -> list[Var]:
        state, self.cache = self.cache, None
        return [state]

    def to(self, dtype: str | None = None) -> None:
        self.dtype = dtype or self.dtype

    def view(self, seq_len: Any) -> Tensor:
        """Return the last `seq_len` rows."""
        shape: Any = R.shape([seq_len, *self.unit_shape])
        info = TensorStructInfo(shape, self.dtype)
        call = R.call_pure_packed("vm.builtin.attention_kv_cache_view", self.cache, shape, sinfo_args=info)
        return Tensor(_expr=current_builder().emit(call))

    def append(self, new_element: Tensor) -> None:
        """Add rows. Raises `WrongType` for another dtype."""
        if new_element.dtype != self.dtype:
            raise WrongType(where="KVCache.append", expected=self.dtype, got=new_element.dtype)
        call = R.call_inplace_packed(
            "vm.builtin.attention_kv_cache_append",
            self.cache,
            new_element.expr,
            inplace_indices=[0],
            sinfo_args=ObjectStructInfo(),
        )
        self.cache = current_builder().emit(call)
