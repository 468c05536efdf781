"""Ten families of `transformers`, small and with random weights: how many torch.export and the importer take.

python -m benchmarks transformers_families          # in an environment with torch and transformers
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import transformers as tf

import tvmscript
from tvmscript import relax
from tvmscript.ir.core import TVMScriptError
from tvmscript.relax.frontend.torch import from_exported_program

Tensors = tuple[Any, ...]
_WIDTH = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
_TEXT = {**_WIDTH, "vocab_size": 100}
_GROUPS = {**_TEXT, "num_key_value_heads": 2}
_CODER = {"vocab_size": 100, "pad_token_id": 0, "d_model": 32, "max_source_positions": 20, "num_mel_bins": 8,
          "encoder_layers": 2, "encoder_attention_heads": 4, "encoder_ffn_dim": 64,
          "decoder_layers": 1, "decoder_attention_heads": 4, "decoder_ffn_dim": 64}  # fmt: skip


def _tokens() -> Tensors:
    return (torch.randint(0, 100, (1, 9)),)


def _images() -> Tensors:
    return (torch.randn(1, 3, 32, 32),)


def _sounds() -> Tensors:
    return (torch.randn(1, 8, 40),)


#: family -> what makes its model and its inputs
FAMILIES: dict[str, tuple[Callable[[], Any], Callable[[], Tensors]]] = {
    "BERT": (lambda: tf.BertModel(tf.BertConfig(**_TEXT)), _tokens),
    "RoBERTa": (lambda: tf.RobertaModel(tf.RobertaConfig(**_TEXT)), _tokens),
    "DistilBERT": (
        lambda: tf.DistilBertModel(tf.DistilBertConfig(vocab_size=100, dim=32, hidden_dim=64, n_layers=2, n_heads=4)),
        _tokens,
    ),
    "GPT-2": (
        lambda: tf.GPT2LMHeadModel(tf.GPT2Config(vocab_size=100, n_embd=32, n_layer=2, n_head=4, use_cache=False)),
        _tokens,
    ),
    "Llama": (lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**_GROUPS, use_cache=False)), _tokens),
    "Mistral": (lambda: tf.MistralForCausalLM(tf.MistralConfig(**_GROUPS, use_cache=False)), _tokens),
    "Qwen2": (lambda: tf.Qwen2ForCausalLM(tf.Qwen2Config(**_GROUPS, use_cache=False)), _tokens),
    "T5": (
        lambda: tf.T5EncoderModel(tf.T5Config(vocab_size=100, d_model=32, d_ff=64, d_kv=8, num_layers=2, num_heads=4)),
        _tokens,
    ),
    "ViT": (lambda: tf.ViTModel(tf.ViTConfig(**_WIDTH, image_size=32, patch_size=8)), _images),
    "Whisper": (lambda: tf.WhisperModel(tf.WhisperConfig(**_CODER)).encoder, _sounds),
}


def difference(model: Any, inputs: Tensors) -> float:
    """Return the largest difference from torch's first result, beside the largest element of it."""
    with torch.no_grad():
        expected = model(*inputs)[0].numpy()
        program = torch.export.export(model, inputs)
    executable = relax.build(from_exported_program(program), "llvm")
    result = relax.VirtualMachine(executable, tvmscript.cpu())["main"](*[tensor.numpy() for tensor in inputs])
    first = result[0] if isinstance(result, list) else result
    return float(np.abs(first.numpy() - expected).max() / np.abs(expected).max())


def main() -> None:
    """Print a line for each family, and the number of those that agree with torch."""
    warnings.simplefilter("ignore")
    count = 0
    for name in sys.argv[1:] or FAMILIES:
        torch.manual_seed(0)
        make, inputs = FAMILIES[name]
        try:
            error = difference(make().eval(), inputs())
        except (TVMScriptError, RuntimeError, ValueError, TypeError, AttributeError, KeyError) as reason:
            lines = str(reason).strip().splitlines() or [""]
            print(f"{name}: {type(reason).__name__}: {lines[0]}", flush=True)
            continue
        count += error < 1e-4
        print(f"{name}: differs from torch by {error:.1e}", flush=True)
    print(f"{count} agree with torch")


if __name__ == "__main__":
    main()
