"""Sampling of tokens from probabilities; the kernels take rows of any number."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.frontend.nn.op.create import arange
from tvmscript.frontend.nn.op.external import tensor_expr_op, tensor_ir_op
from tvmscript.frontend.nn.op.reduce import cumsum
from tvmscript.frontend.nn.op.reduce import sum as sum_over
from tvmscript.frontend.nn.op.shape import unsqueeze
from tvmscript.frontend.nn.tensor import Tensor
from tvmscript.ir.core import WrongType
from tvmscript.ir.te.construct import compute
from tvmscript.ir.tir import Select, const
from tvmscript.language import T


def _rows(name: str, prob: Tensor, samples: Tensor, indices: Tensor | None) -> Tensor:
    """Return the row of `prob` for each sample: `indices`, or one after the other. Raises `WrongType`."""
    counted = prob.shape[0] if indices is None else indices.shape[0]
    if counted is not samples.shape[0] and counted != samples.shape[0]:
        raise WrongType(where=name, expected=f"{counted} uniform samples", got=samples.shape[0])
    if indices is not None:
        return indices
    if isinstance(counted, int):
        return Tensor.from_const(np.arange(counted).reshape(counted, 1))
    return unsqueeze(arange(0, counted, dtype="int64"), 1)


def multinomial_from_uniform(
    prob: Tensor,
    uniform_sample: Tensor,
    sample_indices: Tensor | None = None,
    dtype: str = "int64",
    name: str = "multinomial_from_uniform",
) -> Tensor:
    """Return, for each uniform sample, the first index whose cumulative probability exceeds it."""
    rows = _rows(name, prob, uniform_sample, sample_indices)
    prob_dtype, sample_dtype, row_dtype = prob.dtype, uniform_sample.dtype, rows.dtype

    @T.prim_func(private=True)
    def get_sample_index(A: T.handle, B: T.handle, C: T.handle, D: T.handle) -> None:
        batch, vocab_size = T.int64(), T.int64()
        prob = T.match_buffer(A, (batch, vocab_size), prob_dtype)
        out_batch = T.int64()
        usample = T.match_buffer(B, (out_batch, 1), sample_dtype)
        sample_indices = T.match_buffer(C, (out_batch, 1), row_dtype)
        output_index = T.match_buffer(D, (out_batch, 1), dtype)
        for ax0, ax1 in T.grid(out_batch, vocab_size):
            with T.block("T_get_sample_index"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.writes(output_index[v_ax0, 0])
                if (
                    usample[v_ax0, T.int64(0)] < prob[sample_indices[v_ax0, T.int64(0)], v_ax1]
                    or v_ax1 + 1 == vocab_size
                ):
                    if v_ax1 == 0:
                        output_index[v_ax0, 0] = 0
                    elif usample[v_ax0, T.int64(0)] >= prob[sample_indices[v_ax0, T.int64(0)], v_ax1 - 1]:
                        output_index[v_ax0, 0] = v_ax1

    result = Tensor.placeholder([uniform_sample.shape[0], 1], dtype)
    sums = cumsum(prob, axis=1, exclusive=False)
    return tensor_ir_op(get_sample_index, "get_sample_index", [sums, uniform_sample, rows], result)


def sample_top_p_top_k_from_sorted_prob(
    sorted_prob: Tensor,
    sorted_index: Tensor,
    top_p: Tensor,
    top_k: Tensor,
    uniform_sample: Tensor,
    sample_indices: Tensor | None = None,
) -> Tensor:
    """Return the indices that uniform samples choose among the first `top_k` of probability `top_p` together."""
    rows = _rows("sample_top_p_top_k_from_sorted_prob", sorted_prob, uniform_sample, sample_indices)
    prob_dtype, index_dtype, row_dtype = sorted_prob.dtype, sorted_index.dtype, rows.dtype

    @T.prim_func(private=True)
    def get_renorm_prob(A: T.handle, B: T.handle, C: T.handle, D: T.handle) -> None:
        batch, vocab_size = T.int64(), T.int64()
        cumsum_sorted = T.match_buffer(A, (batch, vocab_size), prob_dtype)
        top_p = T.match_buffer(B, (batch, 1), prob_dtype)
        top_k = T.match_buffer(C, (batch, 1), index_dtype)
        renorm_prob = T.match_buffer(D, (batch, 1), prob_dtype)
        for ax0, ax1 in T.grid(batch, vocab_size):
            with T.block("T_get_renorm_prob"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                if _is_kept(cumsum_sorted, top_p, top_k, v_ax0, 0) == 0:
                    renorm_prob[v_ax0, 0] = cumsum_sorted[v_ax0, 0]
                elif _is_kept(cumsum_sorted, top_p, top_k, v_ax0, v_ax1) == 1:
                    if v_ax1 + 1 == vocab_size:
                        renorm_prob[v_ax0, 0] = cumsum_sorted[v_ax0, v_ax1]
                    elif _is_kept(cumsum_sorted, top_p, top_k, v_ax0, v_ax1 + 1) == 0:
                        renorm_prob[v_ax0, 0] = cumsum_sorted[v_ax0, v_ax1 + 1]

    @T.prim_func(private=True)
    def get_index_from_sorted(A: T.handle, B: T.handle, C: T.handle, D: T.handle, E: T.handle, F: T.handle) -> None:
        batch, vocab_size = T.int64(), T.int64()
        out_batch = T.int64()
        cumsum_sorted = T.match_buffer(A, (batch, vocab_size), prob_dtype)
        indices = T.match_buffer(B, (batch, vocab_size), index_dtype)
        renorm_prob = T.match_buffer(C, (batch, 1), prob_dtype)
        usample = T.match_buffer(D, (out_batch, 1), prob_dtype)
        sample_indices = T.match_buffer(E, (out_batch, 1), row_dtype)
        output_index = T.match_buffer(F, (out_batch, 1), index_dtype)
        for ax0, ax1 in T.grid(out_batch, vocab_size):
            with T.block("T_get_index_from_sorted"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.writes(output_index[v_ax0, 0])
                if (
                    usample[v_ax0, T.int64(0)]
                    < cumsum_sorted[sample_indices[v_ax0, T.int64(0)], v_ax1]
                    / renorm_prob[sample_indices[v_ax0, T.int64(0)], 0]
                    or v_ax1 + 1 == vocab_size
                ):
                    if v_ax1 == 0:
                        output_index[v_ax0, 0] = indices[sample_indices[v_ax0, T.int64(0)], 0]
                    elif (
                        usample[v_ax0, T.int64(0)]
                        >= cumsum_sorted[sample_indices[v_ax0, T.int64(0)], v_ax1 - 1]
                        / renorm_prob[sample_indices[v_ax0, T.int64(0)], 0]
                    ):
                        output_index[v_ax0, 0] = indices[sample_indices[v_ax0, T.int64(0)], v_ax1]

    sums = cumsum(sorted_prob, axis=1)
    kept = Tensor.placeholder([sorted_prob.shape[0], 1], prob_dtype)
    kept = tensor_ir_op(get_renorm_prob, "get_renorm_prob", [sums, top_p, top_k], kept)
    result = Tensor.placeholder([uniform_sample.shape[0], 1], index_dtype)
    arguments = [sums, sorted_index, kept, uniform_sample, rows]
    return tensor_ir_op(get_index_from_sorted, "get_index_from_sorted", arguments, result)


def renormalize_top_p_top_k_prob(prob: Tensor, sorted_prob: Tensor, top_p: Tensor, top_k: Tensor) -> Tensor:
    """Return the probabilities of the first `top_k` of probability `top_p` together, zero elsewhere, with the sum 1."""
    prob_dtype, top_k_dtype = prob.dtype, top_k.dtype

    @T.prim_func(private=True)
    def get_renorm_cutoff(A: T.handle, B: T.handle, C: T.handle, D: T.handle, E: T.handle) -> None:
        batch, vocab_size = T.int64(), T.int64()
        sorted_prob = T.match_buffer(A, (batch, vocab_size), prob_dtype)
        cumsum_sorted = T.match_buffer(B, (batch, vocab_size), prob_dtype)
        top_p = T.match_buffer(C, (batch, 1), prob_dtype)
        top_k = T.match_buffer(D, (batch, 1), top_k_dtype)
        cutoff = T.match_buffer(E, (batch, 1), prob_dtype)
        for ax0, ax1 in T.grid(batch, vocab_size):
            with T.block("T_get_renorm_cutoff"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                if _is_kept(cumsum_sorted, top_p, top_k, v_ax0, 0) == 0:
                    cutoff[v_ax0, 0] = sorted_prob[v_ax0, 0]
                elif _is_kept(cumsum_sorted, top_p, top_k, v_ax0, v_ax1) == 1:
                    if v_ax1 + 1 == vocab_size:
                        cutoff[v_ax0, 0] = sorted_prob[v_ax0, v_ax1]
                    elif _is_kept(cumsum_sorted, top_p, top_k, v_ax0, v_ax1 + 1) == 0:
                        cutoff[v_ax0, 0] = sorted_prob[v_ax0, v_ax1 + 1]

    sums = cumsum(sorted_prob, axis=1)
    cutoff = Tensor.placeholder([sorted_prob.shape[0], 1], prob_dtype)
    cutoff = tensor_ir_op(get_renorm_cutoff, "get_renorm_cutoff", [sorted_prob, sums, top_p, top_k], cutoff)
    filtered: Tensor = tensor_expr_op(_filter, "filter_with_top_p_top_k", [prob, cutoff])
    return filtered / sum_over(filtered, axis=1, keepdims=True)


def _is_kept(sums: Any, top_p: Any, top_k: Any, row: Any, column: Any) -> Any:
    """Return whether the elements up to a column are among the first `top_k`, and below `top_p` together."""
    return T.And(sums[row, column] < top_p[row, 0], column + 1 < top_k[row, 0])


def _filter(prob: Any, cutoff: Any) -> Any:
    """Return the probabilities that are not below the cutoff of their row."""
    return compute(
        prob.shape,
        lambda i, j: Select(prob[i, j] >= cutoff[i, 0], prob[i, j], const(0, prob.dtype)),
        name="filter_with_top_p_top_k",
    )
