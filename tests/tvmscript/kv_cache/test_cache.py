"""The paged KV cache against dense attention of NumPy."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import relax
from tvmscript.kv_cache.errors import WrongCacheCall

LAYERS, QUERY_HEADS, KV_HEADS, WIDTH = 2, 4, 2, 8
Array = Any


def find_builtin(name: str) -> Any:
    return tvm.get_global_func(f"vm.builtin.{name}")


def create_cache(rope_mode: int = 0, dtype: Any = "float32", pages: int = 16, slides: bool = False) -> Any:
    config = (4, pages * 4, 16, 4, int(slides))
    init = tvm.nd.array(np.zeros(1, dtype))
    create = find_builtin("paged_attention_kv_cache_create")
    return create(config, LAYERS, QUERY_HEADS, KV_HEADS, WIDTH, rope_mode, 1.0, 10000.0, init)


class Dense:
    """The same tokens without pages: (queries, keys, values) of each sequence and layer."""

    def __init__(self, rotates: bool = False) -> None:
        self.rotates = rotates
        self.keys: dict[int, list[Array]] = {}
        self.values: dict[int, list[Array]] = {}

    def add(self, seq_id: int) -> None:
        empty = np.zeros((0, KV_HEADS, WIDTH), "float32")
        self.keys[seq_id], self.values[seq_id] = [empty] * LAYERS, [empty] * LAYERS

    def fork(self, parent: int, child: int, position: int) -> None:
        self.keys[child] = [part[:position] for part in self.keys[parent]]
        self.values[child] = [part[:position] for part in self.values[parent]]

    def pop(self, seq_id: int, count: int) -> None:
        self.fork(seq_id, seq_id, len(self.keys[seq_id][0]) - count)

    def slide(self, seq_id: int, window_size: int, sink_size: int) -> None:
        for parts in (self.keys[seq_id], self.values[seq_id]):
            for layer, part in enumerate(parts):
                if len(part) > window_size:
                    parts[layer] = np.concatenate([part[:sink_size], part[sink_size - window_size :]])

    def attend(self, seq_id: int, layer: int, qkv: Array) -> Array:
        q, k, v = np.split(qkv.astype("float32"), [QUERY_HEADS, QUERY_HEADS + KV_HEADS], axis=1)
        start = len(self.keys[seq_id][layer])
        positions = np.arange(start, start + len(q))
        keys = self.keys[seq_id][layer] = np.concatenate([self.keys[seq_id][layer], k])
        values = self.values[seq_id][layer] = np.concatenate([self.values[seq_id][layer], v])
        if self.rotates:
            q, keys = _rotated(q, positions), _rotated(keys, np.arange(len(keys)))
        keys, values = (np.repeat(part, QUERY_HEADS // KV_HEADS, axis=1) for part in (keys, values))
        scores = np.einsum("qhd,khd->hqk", q, keys) / np.sqrt(WIDTH)
        scores[:, positions[:, None] < np.arange(len(keys))] = -np.inf
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return np.einsum("hqk,khd->qhd", weights / weights.sum(-1, keepdims=True), values)


def _rotated(x: Array, positions: Array) -> Array:
    half = WIDTH // 2
    angles = positions[:, None] * 10000.0 ** (-np.arange(half) / half)
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    low, high = x[..., :half], x[..., half:]
    return np.concatenate([low * cos - high * sin, high * cos + low * sin], -1).astype("float32")


def run_forward(cache: Any, dense: Dense, steps: dict[int, int], rng: Any, dtype: Any = "float32") -> None:
    """Append random tokens to sequences, and compare attention of each layer."""
    find_builtin("paged_attention_kv_cache_begin_forward")(cache, tuple(steps), tuple(steps.values()))
    for layer in range(LAYERS):
        total = sum(steps.values())
        qkv = rng.uniform(-1, 1, (total, QUERY_HEADS + 2 * KV_HEADS, WIDTH)).astype(dtype)
        result = tvm.nd.array(np.zeros((total, QUERY_HEADS, WIDTH), dtype))
        find_builtin("paged_attention_kv_cache_attention_with_fused_qkv")(cache, layer, 1.0, tvm.nd.array(qkv), result)
        parts = np.split(qkv, np.cumsum(list(steps.values()))[:-1])
        expected = [dense.attend(seq_id, layer, part) for seq_id, part in zip(steps, parts, strict=True)]
        tolerance = {"float32": 1e-4, "float16": 1e-2}.get(dtype, 2e-2)
        np.testing.assert_allclose(result.numpy(), np.concatenate(expected), rtol=tolerance, atol=tolerance)
    find_builtin("paged_attention_kv_cache_end_forward")(cache)


@pytest.mark.parametrize(("rope_mode", "dtype"), [(0, "float32"), (1, "float32"), (0, "float16")])
def test_sequences(rope_mode: int, dtype: str) -> None:
    """Prefill, decode, forks that share a page and write to it, popped tokens, removed sequences."""
    rng = np.random.default_rng(0)
    cache, dense = create_cache(rope_mode, dtype), Dense(rope_mode != 0)
    for seq_id in (0, 7):
        find_builtin("kv_state_add_sequence")(cache, seq_id)
        dense.add(seq_id)
    run_forward(cache, dense, {0: 6, 7: 3}, rng, dtype)
    run_forward(cache, dense, {7: 1, 0: 1}, rng, dtype)
    find_builtin("kv_state_fork_sequence")(cache, 0, 3, 6)
    dense.fork(0, 3, 6)
    run_forward(cache, dense, {3: 2, 0: 1}, rng, dtype)
    find_builtin("kv_state_popn")(cache, 0, 5)
    dense.pop(0, 5)
    find_builtin("kv_state_remove_sequence")(cache, 7)
    run_forward(cache, dense, {0: 4, 3: 1}, rng, dtype)
    assert find_builtin("attention_kv_cache_get_total_sequence_length")(cache) == 7 + 9
    keys, values = (tvm.nd.array(np.zeros((LAYERS, 3, KV_HEADS, WIDTH), dtype)) for _ in range(2))
    find_builtin("attention_kv_cache_debug_get_kv")(cache, 3, 4, 7, keys, values)
    for layer in range(LAYERS):
        expected = dense.keys[3][layer][4:7]
        expected = _rotated(expected, np.arange(4, 7)) if rope_mode else expected
        np.testing.assert_allclose(keys.numpy()[layer], expected, rtol=1e-2, atol=1e-2)
        np.testing.assert_allclose(values.numpy()[layer], dense.values[3][layer][4:7], rtol=1e-2, atol=1e-2)
    for seq_id in (0, 3):
        find_builtin("kv_state_remove_sequence")(cache, seq_id)
    assert find_builtin("attention_kv_cache_get_num_available_pages")(cache) == 16
    find_builtin("kv_state_clear")(cache)


@pytest.mark.parametrize("rope_mode", [0, 2])
def test_sliding_windows(rope_mode: int) -> None:
    """Free pages after each step are those of TVM 0.17; another sequence of the cache does not slide."""
    rng = np.random.default_rng(0)
    cache, dense = create_cache(rope_mode, pages=30, slides=True), Dense(rope_mode != 0)
    for seq_id in (0, 1):
        find_builtin("kv_state_add_sequence")(cache, seq_id)
        dense.add(seq_id)
    find_builtin("attention_kv_cache_enable_sliding_window_for_seq")(cache, 0, 10, 3)
    run_forward(cache, dense, {1: 17 - 1}, rng)
    for count, free in ((7, 24), (7, 22), (1, 23), (1, 23), (9, 22), (1, 22)):
        run_forward(cache, dense, {0: count}, rng)
        dense.slide(0, 10, 3)
        assert find_builtin("attention_kv_cache_get_num_available_pages")(cache) == free
    run_forward(cache, dense, {1: 2, 0: 1}, rng)
    dense.slide(0, 10, 3)
    assert find_builtin("attention_kv_cache_get_total_sequence_length")(cache) == 18 + 10
    keys, values = (tvm.nd.array(np.zeros((LAYERS, 10, KV_HEADS, WIDTH), "float32")) for _ in range(2))
    find_builtin("attention_kv_cache_debug_get_kv")(cache, 0, 0, 10, keys, values)
    np.testing.assert_array_equal(keys.numpy(), dense.keys[0])
    np.testing.assert_array_equal(values.numpy(), dense.values[0])
    for count in (2, 6, 2):
        find_builtin("kv_state_popn")(cache, 0, count)
        dense.pop(0, count)
    run_forward(cache, dense, {0: 3}, rng)
    find_builtin("kv_state_remove_sequence")(cache, 0)
    assert find_builtin("attention_kv_cache_get_num_available_pages")(cache) == 30 - 5


def test_rotated_windows_of_bfloat16() -> None:
    """Keys are rotated as numbers, not as the patterns that store them."""
    rng = np.random.default_rng(0)
    cache, dense = create_cache(2, ml_dtypes.bfloat16, slides=True), Dense(rotates=True)
    find_builtin("kv_state_add_sequence")(cache, 0)
    dense.add(0)
    run_forward(cache, dense, {0: 5}, rng, ml_dtypes.bfloat16)
    run_forward(cache, dense, {0: 1}, rng, ml_dtypes.bfloat16)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("attention_kv_cache_enable_sliding_window_for_seq", (0, 8, 1), "sequence 0 has a sliding window"),
        ("attention_kv_cache_enable_sliding_window_for_seq", (1, 4, 4), "sink of 4 tokens is not in the window of 4"),
        ("attention_kv_cache_enable_sliding_window_for_seq", (1, 4, -1), "sink of -1 tokens is not in the window of 4"),
        ("kv_state_fork_sequence", (0, 2, 0), "sequence 0 has a sliding window"),
        ("paged_attention_kv_cache_create", None, "rope_mode 1 rotates keys once, but windows slide"),
    ],
)
def test_wrong_windows(name: str, args: tuple[int, ...] | None, message: str) -> None:
    cache = create_cache(rope_mode=2, slides=True)
    for seq_id in (0, 1):
        find_builtin("kv_state_add_sequence")(cache, seq_id)
    find_builtin("attention_kv_cache_enable_sliding_window_for_seq")(cache, 0, 8, 1)
    with pytest.raises(WrongCacheCall, match=message):
        create_cache(rope_mode=1, slides=True) if args is None else find_builtin(name)(cache, *args)


STEP = """
@I.ir_module
class Module:
    @R.function(pure=False)
    def create(init: R.Tensor((1,), "float32")) -> R.Object:
        return R.call_packed(
            "vm.builtin.paged_attention_kv_cache_create", R.shape([4, 64, 16, 4, 0]), R.prim_value(2), R.prim_value(4),
            R.prim_value(2), R.prim_value(8), R.prim_value(0), R.prim_value(T.float64(1)),
            R.prim_value(T.float64(10000)), init, sinfo_args=R.Object,
        )

    @R.function
    def step(cache: R.Object, x: R.Tensor(("n", 8, 8), "float32")) -> R.Tensor(("n", 4, 8), "float32"):
        n = T.int64()
        y = R.add(x, x)
        z = R.call_dps_packed(
            "vm.builtin.attention_kv_cache_attention_with_fused_qkv",
            (cache, R.prim_value(1), R.prim_value(T.float64(1)), y), R.Tensor((n, 4, 8), "float32"),
        )
        return R.add(z, z)
"""


def test_graphs() -> None:
    vm = relax.VirtualMachine(relax.build(tvm.from_source(STEP)), tvm.cpu())
    cache, dense = vm["create"](np.zeros(1, "float32")), Dense()
    find_builtin("kv_state_add_sequence")(cache, 5)
    dense.add(5)
    x = np.random.default_rng(0).uniform(-1, 1, (3, 8, 8)).astype("float32")
    find_builtin("kv_state_begin_forward")(cache, (5,), (3,))
    np.testing.assert_array_equal(find_builtin("attention_kv_cache_get_query_positions")(cache).numpy(), [0, 1, 2])
    np.testing.assert_allclose(vm["step"](cache, x).numpy(), 2 * dense.attend(5, 1, 2 * x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("kv_state_add_sequence", (0,), "there is a sequence 0"),
        ("kv_state_remove_sequence", (9,), "there is no sequence 9"),
        ("kv_state_fork_sequence", (0, 1, 3), "sequence 0 has 2 tokens, no position 3"),
        ("kv_state_popn", (0, 3), "sequence 0 has 2 tokens, not 3"),
        ("kv_state_begin_forward", ((0,), (17,)), "17 tokens are more than prefill_chunk_size, 16"),
        ("kv_state_begin_forward", ((0,), (1, 2)), "there are 1 sequences and 2 lengths"),
        ("kv_state_begin_forward", ((0, 0), (1, 2)), "there are 1 sequences and 2 lengths"),
        ("kv_state_begin_forward", ((0,), (8,)), "it needs 2 pages more, but 1 of 2 are free"),
        ("attention_kv_cache_get_query_positions", (), "it comes before begin_forward"),
        ("attention_kv_cache_enable_sliding_window_for_seq", (0, 4, 1), "created without sliding windows"),
    ],
)
def test_wrong_calls(name: str, args: tuple[Any, ...], message: str) -> None:
    cache = create_cache(pages=2)
    find_builtin("kv_state_add_sequence")(cache, 0)
    find_builtin("kv_state_begin_forward")(cache, (0,), (2,))
    find_builtin("kv_state_end_forward")(cache)
    with pytest.raises(WrongCacheCall, match=message):
        find_builtin(name)(cache, *args)


def test_wrong_shapes() -> None:
    cache = create_cache()
    find_builtin("kv_state_add_sequence")(cache, 0)
    find_builtin("kv_state_begin_forward")(cache, (0,), (2,))
    qkv, result = tvm.nd.array(np.zeros((2, 8, 8), "float32")), tvm.nd.array(np.zeros((1, 4, 8), "float32"))
    attend = find_builtin("attention_kv_cache_attention_with_fused_qkv")
    with pytest.raises(WrongCacheCall, match=r"it takes float32 of shape \(2, 4, 8\), not float32 of"):
        attend(cache, 0, 1.0, qkv, result)
    with pytest.raises(WrongCacheCall, match="there are 2 layers, no layer 2"):
        attend(cache, 2, 1.0, qkv, tvm.nd.array(np.zeros((2, 4, 8), "float32")))
