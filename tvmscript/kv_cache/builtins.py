"""The functions of the KV cache that graphs call: names of TVM 0.17 and of the releases before and after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.vm.builtins import more_builtins
from tvmscript.backends.vm.values import Value
from tvmscript.kv_cache.cache import CacheLimits, PagedKVCache, Rotation
from tvmscript.kv_cache.errors import WrongCacheCall
from tvmscript.kv_cache.kernels import HeadShape
from tvmscript.kv_cache.rows import RowCache


def create(
    config: Sequence[int],
    num_layers: int,
    num_qo_heads: int,
    num_kv_heads: int,
    head_dim: int,
    rope_mode: int,
    rotary_scale: float,
    rotary_theta: float,
    init: NDArray,
    *kernels: object,
) -> PagedKVCache:
    """Return an empty cache of the dtype of `init`, on its device.

    `config` is (max_sequences, max_tokens, prefill_chunk_size, page_size, support_sliding_window), `rope_mode` 0 for no
    rotation; 1 rotates keys when they are appended, 2 when they are read where windows slide. The kernels that TVM
    takes are not called: the cache has its own. Raises `WrongCacheCall` for a sliding window of keys that are rotated
    when they are appended, an odd head dimension or groups of heads of unequal size.
    """
    max_sequences, max_tokens, prefill_chunk_size, page_size, slides = (*config, 0) if len(config) == 4 else config
    if slides and rope_mode == 1:
        raise WrongCacheCall(method="create", reason="rope_mode 1 rotates keys once, but windows slide: use 2")
    if num_qo_heads % num_kv_heads or head_dim % 2:
        reason = f"{num_qo_heads} query heads are no multiple of {num_kv_heads}, or {head_dim} is odd"
        raise WrongCacheCall(method="create", reason=reason)
    sizes = CacheLimits(max_sequences, max_tokens, prefill_chunk_size, page_size, bool(slides))
    shape = HeadShape(num_qo_heads, num_kv_heads, head_dim, sizes.page_size, str(init.dtype))
    return PagedKVCache(sizes, num_layers, shape, Rotation(rope_mode != 0, rotary_scale, rotary_theta), init.device)


#: names of functions on the sequences of a cache, which are its methods
_STATE: Final = (
    "clear", "add_sequence", "remove_sequence", "fork_sequence", "popn", "begin_forward", "end_forward"
)  # fmt: skip
#: name of a function on the contents of a cache -> function
_CONTENTS: Final[Mapping[str, Callable[..., Value]]] = {
    "attention_with_fused_qkv": PagedKVCache.attention,
    "enable_sliding_window_for_seq": PagedKVCache.enable_sliding_window,
    "get_query_positions": PagedKVCache.query_positions,
    "debug_get_kv": PagedKVCache.get_kv,
    "get_num_available_pages": lambda cache: cache.num_available_pages,
    "get_total_sequence_length": lambda cache: cache.total_sequence_length,
}


@more_builtins.fill
def functions() -> Mapping[str, Callable[..., Value]]:
    """Return the functions by their full names."""
    paged, plain = "vm.builtin.paged_attention_kv_cache", "vm.builtin.attention_kv_cache"
    state: dict[str, Callable[..., Value]] = {name: getattr(PagedKVCache, name) for name in _STATE}
    contents = {**state, **_CONTENTS}
    return {
        f"{paged}_create": create,
        f"{paged}_create_reduced": create,
        f"{plain}_create": RowCache,
        f"{plain}_append": RowCache.append,
        f"{plain}_view": RowCache.view,
        **{f"vm.builtin.kv_state_{name}": function for name, function in state.items()},
        **{f"{prefix}_{name}": function for prefix in (paged, plain) for name, function in contents.items()},
    }
