"""Layers of diffusion models: attention, embeddings of timesteps."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.nn import op
from tvmscript.frontend.nn.errors import UnsupportedLayerOption
from tvmscript.frontend.nn.layers.activation import SiLU
from tvmscript.frontend.nn.layers.linear import Linear
from tvmscript.frontend.nn.layers.norm import GroupNorm
from tvmscript.frontend.nn.module import Module, ModuleList
from tvmscript.frontend.nn.tensor import Tensor


class TimestepEmbedding(Module):
    """Two linear layers with SiLU between them."""

    def __init__(
        self,
        in_channels: int,
        time_embed_dim: int,
        act_fn: str = "silu",
        out_dim: int | None = None,
        post_act_fn: str | None = None,
        cond_proj_dim: int | None = None,
    ) -> None:
        for option, value in (("act_fn", act_fn), ("post_act_fn", post_act_fn)):
            if value not in ("silu", None if option == "post_act_fn" else "silu"):
                raise UnsupportedLayerOption(name="TimestepEmbedding", option=f"{option}={value!r}, only silu")
        self.linear_1 = Linear(in_channels, time_embed_dim)
        self.cond_proj = Linear(cond_proj_dim, in_channels, bias=False) if cond_proj_dim is not None else None
        self.act = SiLU()
        self.linear_2 = Linear(time_embed_dim, time_embed_dim if out_dim is None else out_dim)
        self.post_act = SiLU() if post_act_fn is not None else None

    def forward(self, sample: Tensor, condition: Tensor | None = None) -> Any:
        if condition is not None:
            if self.cond_proj is None:
                raise UnsupportedLayerOption(name="TimestepEmbedding", option="a condition without cond_proj_dim")
            sample = sample + self.cond_proj(condition)
        embedded = self.linear_2(self.act(self.linear_1(sample)))
        return embedded if self.post_act is None else self.post_act(embedded)


class Timesteps(Module):
    """Sines and cosines of timesteps."""

    def __init__(self, num_channels: int, flip_sin_to_cos: bool = False, downscale_freq_shift: float = 1) -> None:
        self.num_channels = num_channels
        self.flip_sin_to_cos = flip_sin_to_cos
        self.downscale_freq_shift = downscale_freq_shift

    def forward(self, x: Tensor) -> Tensor:
        return op.get_timestep_embedding(
            x, self.num_channels, self.flip_sin_to_cos, downscale_freq_shift=self.downscale_freq_shift
        )


class Attention(Module):
    """Attention of several heads, to the states themselves or to those of an encoder."""

    def __init__(
        self,
        query_dim: int,
        cross_attention_dim: int | None = None,
        heads: int = 8,
        dim_head: int = 64,
        bias: bool = False,
        norm_num_groups: int | None = None,
        out_bias: bool = True,
        scale_qk: bool = True,
    ) -> None:
        self.query_dim = query_dim
        self.cross_attention_dim = cross_attention_dim or query_dim
        self.heads, self.dim_head = heads, dim_head
        self.scale = dim_head**-0.5 if scale_qk else 1.0
        self.inner_dim = dim_head * heads
        self.to_q = Linear(query_dim, self.inner_dim, bias=bias)
        self.to_k = Linear(self.cross_attention_dim, self.inner_dim, bias=bias)
        self.to_v = Linear(self.cross_attention_dim, self.inner_dim, bias=bias)
        self.group_norm = GroupNorm(norm_num_groups, query_dim) if norm_num_groups is not None else None
        self.to_out = ModuleList([Linear(self.inner_dim, query_dim, bias=out_bias)])

    def forward(
        self,
        hidden_states: Tensor,
        encoder_hidden_states: Tensor | None = None,
        attention_mask: Tensor | None = None,
        **cross_attention_kwargs: Any,
    ) -> Any:
        if attention_mask is not None:
            raise UnsupportedLayerOption(name="Attention", option="attention_mask")
        if self.group_norm is not None:
            hidden_states = self.group_norm(hidden_states, channel_axis=2, axes=[1])
        source = hidden_states if encoder_hidden_states is None else encoder_hidden_states
        projected = [self.to_q(hidden_states), self.to_k(source), self.to_v(source)]
        query, key, value = [op.reshape(states, [0, -1, self.heads, self.dim_head]) for states in projected]
        attended = op.scaled_dot_product_attention(query, key, value, is_causal=False)
        return self.to_out[0](op.reshape(attended, (0, -1, self.heads * self.dim_head)))
