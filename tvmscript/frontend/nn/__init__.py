"""Models as Python classes of layers, exported to graph modules.

class Model(nn.Module):
    def __init__(self):
        self.fc1 = nn.Linear(784, 256)

    def forward(self, x):
        return nn.relu(self.fc1(x))

mod, params = Model().export_tvm({"forward": {"x": nn.spec.Tensor((1, 784), "float32")}})
"""

from __future__ import annotations

from tvmscript.frontend.nn import layers as modules
from tvmscript.frontend.nn import op, spec
from tvmscript.frontend.nn.containers import ModuleDict, ParameterDict, ParameterList
from tvmscript.frontend.nn.effect import Effect, IOEffect
from tvmscript.frontend.nn.exporter import Exporter, add_extern
from tvmscript.frontend.nn.extern import ExternModule, ObjectModule, SourceModule
from tvmscript.frontend.nn.layers import (
    GELU,
    Attention,
    Conv1D,
    Conv2D,
    Conv3D,
    ConvTranspose1D,
    Embedding,
    GroupNorm,
    Identity,
    KVCache,
    LayerNorm,
    Linear,
    MultiLinear,
    ReLU,
    RMSNorm,
    SiLU,
    TimestepEmbedding,
    Timesteps,
)
from tvmscript.frontend.nn.module import Module, ModuleList
from tvmscript.frontend.nn.mutator import Mutator
from tvmscript.frontend.nn.op import *  # noqa: F403  # its __all__ has what is public
from tvmscript.frontend.nn.parameter import Parameter, get_default_dtype, set_default_dtype
from tvmscript.frontend.nn.subroutine import SubroutineMixin
from tvmscript.frontend.nn.tensor import Object, Tensor
from tvmscript.ir.relax.builder import BlockBuilder

__all__ = [
    "GELU",
    "Attention",
    "BlockBuilder",
    "Conv1D",
    "Conv2D",
    "Conv3D",
    "ConvTranspose1D",
    "Effect",
    "Embedding",
    "Exporter",
    "ExternModule",
    "GroupNorm",
    "IOEffect",
    "Identity",
    "KVCache",
    "LayerNorm",
    "Linear",
    "Module",
    "ModuleDict",
    "ModuleList",
    "MultiLinear",
    "Mutator",
    "Object",
    "ObjectModule",
    "Parameter",
    "ParameterDict",
    "ParameterList",
    "RMSNorm",
    "ReLU",
    "SiLU",
    "SourceModule",
    "SubroutineMixin",
    "Tensor",
    "TimestepEmbedding",
    "Timesteps",
    "add_extern",
    "get_default_dtype",
    "modules",
    "op",
    "set_default_dtype",
    "spec",
]
__all__ += op.__all__
