"""The functions of the KV cache that graphs call: names of TVM 0.17 and of the releases before and after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn

from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.vm.builtins import more_builtins
from tvmscript.backends.vm.values import Value
from tvmscript.kv_cache.cache import CacheLimits, PagedKVCache, Rotation
from tvmscript.kv_cache.errors import WrongCacheCall
from tvmscript.kv_cache.kernels import HeadShape
from tvmscript.kv_cache.rows import RowCache

_NO_SLIDING: Final = "sliding windows are not supported: a sequence keeps its tokens until popn removes the last"


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
    """Return an empty cache of the dtype of `init`.

    `config` is (max_sequences, max_tokens, prefill_chunk_size, page_size, support_sliding_window), `rope_mode` 0 for no
    rotation; 1 and 2 rotate keys when they are appended. The kernels that TVM takes are not called: the cache has its
    own. Raises `WrongCacheCall` for a sliding window, an odd head dimension or groups of heads of unequal size.
    """
    *limits, slides = (*config, 0) if len(config) == 4 else config
    if slides:
        raise WrongCacheCall(method="create", reason=_NO_SLIDING)
    if num_qo_heads % num_kv_heads or head_dim % 2:
        reason = f"{num_qo_heads} query heads are no multiple of {num_kv_heads}, or {head_dim} is odd"
        raise WrongCacheCall(method="create", reason=reason)
    sizes = CacheLimits(*limits)
    shape = HeadShape(num_qo_heads, num_kv_heads, head_dim, sizes.page_size, str(init.dtype))
    return PagedKVCache(sizes, num_layers, shape, Rotation(rope_mode != 0, rotary_scale, rotary_theta))


def enable_sliding_window(cache: PagedKVCache, seq_id: int, window_size: int, sink_size: int) -> NoReturn:
    """Refuse to slide, as TVM does for a cache that was made without sliding windows. Raises `WrongCacheCall`."""
    raise WrongCacheCall(method="enable_sliding_window_for_seq", reason=_NO_SLIDING)


#: names of functions on the sequences of a cache, which are its methods
_STATE: Final = (
    "clear", "add_sequence", "remove_sequence", "fork_sequence", "popn", "begin_forward", "end_forward"
)  # fmt: skip
#: name of a function on the contents of a cache -> function
_CONTENTS: Final[Mapping[str, Callable[..., Value]]] = {
    "attention_with_fused_qkv": PagedKVCache.attention,
    "enable_sliding_window_for_seq": enable_sliding_window,
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
