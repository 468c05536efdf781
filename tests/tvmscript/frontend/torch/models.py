"""Models with random weights: torchvision's ResNet, MobileNetV3 and ViT, BERT, GPT-2, Llama, a UNet block, Whisper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch", reason="torch is optional")
nn: Any = torch.nn
F: Any = nn.functional
_Base: Any = nn.Module


class Module(_Base):  # type: ignore[misc]  # torch has no types here
    """A module of torch."""


# ---- ResNet (K. He et al., 2016)


def _convolution(inputs: int, outputs: int, size: int, stride: int = 1, groups: int = 1) -> Any:
    return nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False)


class BasicBlock(Module):
    """Two convolutions and a shortcut."""

    expansion = 1

    def __init__(self, inplanes: int, planes: int, stride: int, downsample: Any) -> None:
        super().__init__()
        self.conv1, self.bn1 = _convolution(inplanes, planes, 3, stride), nn.BatchNorm2d(planes)
        self.conv2, self.bn2 = _convolution(planes, planes, 3), nn.BatchNorm2d(planes)
        self.relu, self.downsample = nn.ReLU(inplace=True), downsample

    def forward(self, x: Any) -> Any:
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += identity
        return self.relu(out)


class Bottleneck(Module):
    """A convolution of fewer channels between two of size 1, and a shortcut."""

    expansion = 4

    def __init__(self, inplanes: int, planes: int, stride: int, downsample: Any) -> None:
        super().__init__()
        self.conv1, self.bn1 = _convolution(inplanes, planes, 1), nn.BatchNorm2d(planes)
        self.conv2, self.bn2 = _convolution(planes, planes, 3, stride), nn.BatchNorm2d(planes)
        self.conv3, self.bn3 = _convolution(planes, 4 * planes, 1), nn.BatchNorm2d(4 * planes)
        self.relu, self.downsample = nn.ReLU(inplace=True), downsample

    def forward(self, x: Any) -> Any:
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += identity
        return self.relu(out)


class ResNet(Module):
    """A stem, four stages of blocks, a classifier; `width` is the number of channels of the first stage."""

    def __init__(self, block: Any, layers: tuple[int, ...], width: int = 64, num_classes: int = 1000) -> None:
        super().__init__()
        self.inplanes = width
        self.conv1, self.bn1 = nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width)
        self.relu, self.maxpool = nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)
        stages = enumerate(layers)
        self.layer1, self.layer2, self.layer3, self.layer4 = (
            self._stage(block, width << stage, count, 1 if stage == 0 else 2) for stage, count in stages
        )
        self.avgpool, self.fc = nn.AdaptiveAvgPool2d((1, 1)), nn.Linear(8 * width * block.expansion, num_classes)

    def _stage(self, block: Any, planes: int, count: int, stride: int) -> Any:
        outputs = planes * block.expansion
        downsample = None
        if stride != 1 or self.inplanes != outputs:
            downsample = nn.Sequential(_convolution(self.inplanes, outputs, 1, stride), nn.BatchNorm2d(outputs))
        blocks = [block(self.inplanes, planes, stride, downsample)]
        self.inplanes = outputs
        return nn.Sequential(*blocks, *[block(outputs, planes, 1, None) for _ in range(1, count)])

    def forward(self, x: Any) -> Any:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


# ---- MobileNetV3 small (A. Howard et al., 2019)


class SqueezeExcitation(Module):
    """Channels scaled by what their means say."""

    def __init__(self, channels: int, squeezed: int) -> None:
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1, self.fc2 = nn.Conv2d(channels, squeezed, 1), nn.Conv2d(squeezed, channels, 1)
        self.activation, self.scale_activation = nn.ReLU(), nn.Hardsigmoid()

    def forward(self, x: Any) -> Any:
        scale = self.fc2(self.activation(self.fc1(self.avgpool(x))))
        return self.scale_activation(scale) * x


def _layer(inputs: int, outputs: int, size: int, stride: int, groups: int, activation: Any) -> list[Any]:
    norm = nn.BatchNorm2d(outputs, eps=0.001, momentum=0.01)
    return [_convolution(inputs, outputs, size, stride, groups), norm, *([activation()] if activation else [])]


class InvertedResidual(Module):
    """A depthwise convolution of more channels between two of size 1."""

    def __init__(
        self, inputs: int, size: int, expanded: int, outputs: int, se: bool, activation: Any, stride: int
    ) -> None:
        super().__init__()
        self.use_res_connect = stride == 1 and inputs == outputs
        layers = _layer(inputs, expanded, 1, 1, 1, activation) if expanded != inputs else []
        layers += _layer(expanded, expanded, size, stride, expanded, activation)
        layers += [SqueezeExcitation(expanded, max(8, expanded // 32 * 8))] if se else []
        self.block = nn.Sequential(*layers, *_layer(expanded, outputs, 1, 1, 1, None))

    def forward(self, x: Any) -> Any:
        return self.block(x) + x if self.use_res_connect else self.block(x)


#: kernel size, expanded channels, channels, squeeze and excitation, hard swish, stride
_MOBILENET = (
    (3, 16, 16, True, False, 2), (3, 72, 24, False, False, 2), (3, 88, 24, False, False, 1), (5, 96, 40, True, True, 2),
    (5, 240, 40, True, True, 1), (5, 240, 40, True, True, 1), (5, 120, 48, True, True, 1), (5, 144, 48, True, True, 1),
    (5, 288, 96, True, True, 2), (5, 576, 96, True, True, 1), (5, 576, 96, True, True, 1),
)  # fmt: skip


class MobileNetV3(Module):
    """MobileNetV3 small, or its first `depth` blocks."""

    def __init__(self, depth: int = len(_MOBILENET), num_classes: int = 1000) -> None:
        super().__init__()
        layers = _layer(3, 16, 3, 2, 1, nn.Hardswish)
        channels = 16
        for size, expanded, outputs, se, is_hard_swish, stride in _MOBILENET[:depth]:
            activation = nn.Hardswish if is_hard_swish else nn.ReLU
            layers.append(InvertedResidual(channels, size, expanded, outputs, se, activation, stride))
            channels = outputs
        layers += _layer(channels, 6 * channels, 1, 1, 1, nn.Hardswish)
        self.features, self.avgpool = nn.Sequential(*layers), nn.AdaptiveAvgPool2d(1)
        last = nn.Linear(1024, num_classes)
        self.classifier = nn.Sequential(nn.Linear(6 * channels, 1024), nn.Hardswish(), nn.Dropout(0.2), last)

    def forward(self, x: Any) -> Any:
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


# ---- Transformers


class VisionTransformer(Module):
    """ViT (A. Dosovitskiy et al., 2021): tokens of patches and one of the class."""

    def __init__(self, image: int, patch: int, layers: int, heads: int, hidden: int, num_classes: int = 1000) -> None:
        super().__init__()
        self.conv_proj = nn.Conv2d(3, hidden, patch, patch)
        self.class_token = nn.Parameter(torch.randn(1, 1, hidden))
        self.pos_embedding = nn.Parameter(torch.randn(1, (image // patch) ** 2 + 1, hidden) * 0.02)
        layer = nn.TransformerEncoderLayer(
            hidden, heads, 4 * hidden, activation="gelu", batch_first=True, norm_first=True, dropout=0.0
        )
        self.encoder = nn.TransformerEncoder(layer, layers, nn.LayerNorm(hidden), enable_nested_tensor=False)
        self.head = nn.Linear(hidden, num_classes)

    def forward(self, x: Any) -> Any:
        x = self.conv_proj(x).flatten(2).permute(0, 2, 1)
        x = torch.cat([self.class_token.expand(x.shape[0], -1, -1), x], dim=1)
        return self.head(self.encoder(x + self.pos_embedding)[:, 0])


class SelfAttention(Module):
    """Attention of several heads over itself."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(hidden, hidden) for _ in range(3))
        self.out = nn.Linear(hidden, hidden)

    def forward(self, x: Any, mask: Any = None, is_causal: bool = False) -> Any:
        batch, length, hidden = x.shape
        q, k, v = (
            part(x).view(batch, length, self.heads, hidden // self.heads).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        context = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=is_causal)
        return self.out(context.transpose(1, 2).reshape(batch, length, hidden))


class Bert(Module):
    """BERT (J. Devlin et al., 2019): an encoder of token, position and segment embeddings, with a mask of padding."""

    def __init__(self, vocabulary: int, length: int, layers: int, heads: int, hidden: int) -> None:
        super().__init__()
        self.word, self.position, self.segment = (nn.Embedding(count, hidden) for count in (vocabulary, length, 2))
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.attention = nn.ModuleList(SelfAttention(hidden, heads) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(hidden, eps=1e-12) for _ in range(2 * layers))
        self.intermediate = nn.ModuleList(nn.Linear(hidden, 4 * hidden) for _ in range(layers))
        self.output = nn.ModuleList(nn.Linear(4 * hidden, hidden) for _ in range(layers))
        self.pooler = nn.Linear(hidden, hidden)

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
        positions = torch.arange(input_ids.shape[1]).unsqueeze(0)
        x = self.norm(self.word(input_ids) + self.position(positions) + self.segment(token_type_ids))
        mask = attention_mask[:, None, None, :] != 0
        for layer, attention in enumerate(self.attention):
            x = self.norms[2 * layer](x + attention(x, mask))
            inner = F.gelu(self.intermediate[layer](x))
            x = self.norms[2 * layer + 1](x + self.output[layer](inner))
        return x, torch.tanh(self.pooler(x[:, 0]))


class Gpt2(Module):
    """GPT-2 (A. Radford et al., 2019): a decoder whose last layer shares the weights of the embedding."""

    def __init__(self, vocabulary: int, length: int, layers: int, heads: int, hidden: int) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, hidden), nn.Embedding(length, hidden)
        self.attention = nn.ModuleList(SelfAttention(hidden, heads) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(2 * layers + 1))
        self.fc = nn.ModuleList(nn.Linear(hidden, 4 * hidden) for _ in range(layers))
        self.proj = nn.ModuleList(nn.Linear(4 * hidden, hidden) for _ in range(layers))

    def forward(self, tokens: Any) -> Any:
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for layer, attention in enumerate(self.attention):
            x = x + attention(self.norms[2 * layer](x), is_causal=True)
            inner = F.gelu(self.fc[layer](self.norms[2 * layer + 1](x)), approximate="tanh")
            x = x + self.proj[layer](inner)
        return self.norms[-1](x) @ self.wte.weight.T


class RmsNorm(Module):
    """Division by the root mean square."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.rand(hidden) + 0.5)

    def forward(self, x: Any) -> Any:
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


class LlamaBlock(Module):
    """A block of Llama (H. Touvron et al., 2023): rotated queries and keys, groups of heads, a gated layer."""

    def __init__(self, hidden: int, heads: int, groups: int, inner: int) -> None:
        super().__init__()
        self.heads, self.groups, self.width = heads, groups, hidden // heads
        self.q_proj, self.o_proj = nn.Linear(hidden, hidden, bias=False), nn.Linear(hidden, hidden, bias=False)
        self.k_proj, self.v_proj = (nn.Linear(hidden, groups * self.width, bias=False) for _ in range(2))
        self.gate_proj, self.up_proj = (nn.Linear(hidden, inner, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(inner, hidden, bias=False)
        self.input_norm, self.post_norm = RmsNorm(hidden), RmsNorm(hidden)

    def _rotate(self, x: Any) -> Any:
        half = self.width // 2
        frequencies = 10000.0 ** (-torch.arange(half) / half)
        angles = torch.outer(torch.arange(x.shape[2], dtype=torch.float32), frequencies).repeat(1, 2)
        turned = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
        return x * angles.cos() + turned * angles.sin()

    def _attention(self, x: Any) -> Any:
        batch, length, hidden = x.shape
        q = self.q_proj(x).view(batch, length, self.heads, self.width).transpose(1, 2)
        k = self.k_proj(x).view(batch, length, self.groups, self.width).transpose(1, 2)
        v = self.v_proj(x).view(batch, length, self.groups, self.width).transpose(1, 2)
        k, v = (part.repeat_interleave(self.heads // self.groups, dim=1) for part in (self._rotate(k), v))
        y = F.scaled_dot_product_attention(self._rotate(q), k, v, is_causal=True)
        return self.o_proj(y.transpose(1, 2).reshape(batch, length, hidden))

    def forward(self, x: Any) -> Any:
        x = x + self._attention(self.input_norm(x))
        y = self.post_norm(x)
        return x + self.down_proj(F.silu(self.gate_proj(y)) * self.up_proj(y))


class WhisperEncoder(Module):
    """The encoder of Whisper (A. Radford et al., 2022): two convolutions over time, then transformer layers."""

    def __init__(self, mels: int, length: int, layers: int, heads: int, hidden: int) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv1d(mels, hidden, 3, padding=1), nn.Conv1d(hidden, hidden, 3, 2, 1)
        half = hidden // 2
        angles = torch.outer(torch.arange(length // 2), 10000.0 ** (-torch.arange(half) / (half - 1)))
        self.register_buffer("positional_embedding", torch.cat([angles.sin(), angles.cos()], dim=1))
        self.attention = nn.ModuleList(SelfAttention(hidden, heads) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(2 * layers + 1))
        self.mlp = nn.ModuleList(
            nn.Sequential(nn.Linear(hidden, 4 * hidden), nn.GELU(), nn.Linear(4 * hidden, hidden))
            for _ in range(layers)
        )

    def forward(self, x: Any) -> Any:
        x = F.gelu(self.conv2(F.gelu(self.conv1(x)))).permute(0, 2, 1) + self.positional_embedding
        for layer, attention in enumerate(self.attention):
            x = x + attention(self.norms[2 * layer](x))
            x = x + self.mlp[layer](self.norms[2 * layer + 1](x))
        return self.norms[-1](x)


# ---- a block of a diffusion UNet (R. Rombach et al., 2022)


class UnetBlock(Module):
    """A residual block with the time, attention over places and over a text, half and double resolution."""

    def __init__(self, channels: int, time: int, text: int, heads: int) -> None:
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (nn.GroupNorm(8, channels) for _ in range(3))
        self.conv1, self.conv2 = (nn.Conv2d(channels, channels, 3, padding=1) for _ in range(2))
        self.time_emb_proj = nn.Linear(time, channels)
        self.attn1 = SelfAttention(channels, heads)
        self.attn2 = nn.MultiheadAttention(channels, heads, kdim=text, vdim=text, batch_first=True)
        self.proj = nn.Linear(channels, 2 * 4 * channels)
        self.proj_out = nn.Linear(4 * channels, channels)
        self.down, self.up = nn.Conv2d(channels, channels, 3, 2, 1), nn.Conv2d(2 * channels, channels, 3, padding=1)

    def forward(self, x: Any, time: Any, text: Any) -> Any:
        h = self.conv1(F.silu(self.norm1(x))) + self.time_emb_proj(F.silu(time))[:, :, None, None]
        x = x + self.conv2(F.silu(self.norm2(h)))
        batch, channels, height, width = x.shape
        tokens = self.norm3(x).permute(0, 2, 3, 1).reshape(batch, height * width, channels)
        tokens = tokens + self.attn1(tokens)
        tokens = tokens + self.attn2(tokens, text, text, need_weights=False)[0]
        value, gate = self.proj(tokens).chunk(2, dim=-1)
        tokens = tokens + self.proj_out(value * F.gelu(gate))
        skip = x + tokens.reshape(batch, height, width, channels).permute(0, 3, 1, 2)
        low = self.down(skip)
        return self.up(torch.cat([skip, F.interpolate(low, scale_factor=2.0, mode="nearest")], dim=1))


# ---- the table


@dataclass(frozen=True)
class Case:
    """A model and its inputs; the small one has the structure of the large one, in smaller sizes."""

    small: Callable[[], Any]
    small_inputs: Callable[[], tuple[Any, ...]]
    large: Callable[[], Any]
    large_inputs: Callable[[], tuple[Any, ...]]


def _image(size: int) -> Callable[[], tuple[Any, ...]]:
    return lambda: (torch.randn(1, 3, size, size),)


def _tokens(vocabulary: int, length: int) -> Callable[[], tuple[Any, ...]]:
    return lambda: (torch.randint(0, vocabulary, (1, length)),)


def _padded(vocabulary: int, length: int) -> Callable[[], tuple[Any, ...]]:
    def inputs() -> tuple[Any, ...]:
        places = torch.arange(length)
        return (*_tokens(vocabulary, length)(), (places < length - 3).long()[None], (places > length // 2).long()[None])

    return inputs


def _random(*shapes: tuple[int, ...]) -> Callable[[], tuple[Any, ...]]:
    return lambda: tuple([torch.randn(*shape) for shape in shapes])


_SHORT, _LONG = (2, 2, 2, 2), (3, 4, 6, 3)
CASES = {
    "ResNet-18": Case(
        lambda: ResNet(BasicBlock, _SHORT, 8, 10), _image(32),
        lambda: ResNet(BasicBlock, _SHORT), _image(224),
    ),
    "ResNet-50": Case(
        lambda: ResNet(Bottleneck, (1, 2, 1, 1), 8, 10), _image(32),
        lambda: ResNet(Bottleneck, _LONG), _image(224),
    ),
    "MobileNetV3": Case(lambda: MobileNetV3(5, 10), _image(32), MobileNetV3, _image(224)),
    "ViT": Case(
        lambda: VisionTransformer(32, 8, 2, 2, 16, 10), _image(32),
        lambda: VisionTransformer(224, 16, 12, 12, 768), _image(224),
    ),
    "BERT": Case(
        lambda: Bert(50, 16, 2, 2, 16), _padded(50, 12),
        lambda: Bert(30522, 512, 12, 12, 768), _padded(30522, 128),
    ),
    "GPT-2": Case(
        lambda: Gpt2(50, 16, 2, 2, 16), _tokens(50, 9),
        lambda: Gpt2(50257, 1024, 12, 12, 768), _tokens(50257, 64),
    ),
    "Llama block": Case(
        lambda: LlamaBlock(32, 4, 2, 48), _random((1, 7, 32)),
        lambda: LlamaBlock(2048, 32, 4, 5632), _random((1, 64, 2048)),
    ),
    "UNet block": Case(
        lambda: UnetBlock(16, 12, 10, 2), _random((1, 16, 8, 8), (1, 12), (1, 5, 10)),
        lambda: UnetBlock(320, 1280, 768, 8), _random((1, 320, 32, 32), (1, 1280), (1, 77, 768)),
    ),
    "Whisper encoder": Case(
        lambda: WhisperEncoder(8, 20, 2, 2, 16), _random((1, 8, 20)),
        lambda: WhisperEncoder(80, 3000, 4, 6, 384), _random((1, 80, 3000)),
    ),
}  # fmt: skip


def with_statistics(model: Any) -> Any:
    """Return a model for inference whose norms have random statistics."""
    for part in model.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.running_mean.uniform_(-0.5, 0.5)
            part.running_var.uniform_(0.5, 1.5)
    return model.eval()
