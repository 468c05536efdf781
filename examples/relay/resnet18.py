# type: ignore  # torch has no stubs here
"""The tutorial "from a PyTorch model to a compiled one": ResNet-18, traced, imported, built, run.

Local stand-ins replace what the page downloads: a network of the same structure with random weights, a drawn image,
names of classes.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch import nn

import tvmscript as tvm
from tvmscript import relay
from tvmscript.contrib import graph_executor
from tvmscript.contrib.download import download_testdata

# ---- stand-ins

folder = Path(tempfile.mkdtemp())
os.environ["TEST_DATA_ROOT_PATH"] = str(folder)
(folder / "data").mkdir()
keys = [f"n{number:08}" for number in range(1000)]
(folder / "data" / "imagenet_classes.txt").write_text("\n".join(keys))
(folder / "data" / "imagenet_synsets.txt").write_text("\n".join(f"{key} class {key[-3:]}" for key in keys))
np.save(folder / "data" / "cat.npy", np.random.default_rng(0).random((224, 224, 3), dtype="float32"))


class BasicBlock(nn.Module):
    """Two convolutions, and the input added to their result."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(out)) + identity)


def resnet18():
    """ResNet-18 as a sequence."""
    widths = [64, 128, 256, 512]
    blocks = []
    for index, width in enumerate(widths):
        inputs = widths[max(index - 1, 0)]
        blocks += [BasicBlock(inputs, width, 1 if index == 0 else 2), BasicBlock(width, width, 1)]
    stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    return nn.Sequential(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))


# ---- load the model

torch.manual_seed(0)
model = resnet18()
model = model.eval()

# the TorchScript of the model, by tracing
input_shape = [1, 3, 224, 224]
input_data = torch.randn(input_shape)
scripted_model = torch.jit.trace(model, input_data).eval()

# ---- load a test image

img_path = download_testdata("https://example.org/cat.npy", "cat.npy", module="data")
img = np.load(img_path)
img = ((img - np.array([0.485, 0.456, 0.406])) / np.array([0.229, 0.224, 0.225])).transpose(2, 0, 1)
img = np.expand_dims(img.astype("float32"), 0)

# ---- import the graph

input_name = "input0"
shape_list = [(input_name, img.shape)]
mod, params = relay.frontend.from_pytorch(scripted_model, shape_list)

# ---- build

target = tvm.target.Target("llvm", host="llvm")
dev = tvm.cpu(0)
with tvm.transform.PassContext(opt_level=3):
    lib = relay.build(mod, target=target, params=params)

# ---- run

dtype = "float32"
m = graph_executor.GraphModule(lib["default"](dev))
# inputs
m.set_input(input_name, tvm.nd.array(img.astype(dtype)))
# run
m.run()
# outputs
tvm_output = m.get_output(0)

# ---- the names of the classes

synset_path = download_testdata("https://example.org/imagenet_synsets.txt", "imagenet_synsets.txt", module="data")
with open(synset_path) as f:
    synsets = f.readlines()
synsets = [x.strip() for x in synsets]
splits = [line.split(" ") for line in synsets]
key_to_classname = {spl[0]: " ".join(spl[1:]) for spl in splits}

class_path = download_testdata("https://example.org/imagenet_classes.txt", "imagenet_classes.txt", module="data")
with open(class_path) as f:
    class_id_to_key = f.readlines()
class_id_to_key = [x.strip() for x in class_id_to_key]

# the best class of TVM
top1_tvm = np.argmax(tvm_output.numpy()[0])
tvm_class_key = class_id_to_key[top1_tvm]

# and of torch
with torch.no_grad():
    torch_img = torch.from_numpy(img)
    output = model(torch_img)
    top1_torch = np.argmax(output.numpy())
    torch_class_key = class_id_to_key[top1_torch]

print(f"Relay top-1 id: {top1_tvm}, class name: {key_to_classname[tvm_class_key]}")
print(f"Torch top-1 id: {top1_torch}, class name: {key_to_classname[torch_class_key]}")
np.testing.assert_allclose(tvm_output.numpy(), output.numpy(), rtol=1e-3, atol=1e-4)
