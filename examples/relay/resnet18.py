# type: ignore  # torch has no stubs here
# ruff: noqa: E402, UP032  # the page's statements
"""The tutorial "from a PyTorch model to a compiled one": ResNet-18, traced, imported, built, run.

The statements are the page's, with `tvmscript` for `tvm` in imports. Local stand-ins replace what the page
downloads, torchvision and Pillow: a network of the same structure with random weights, an array as the image, names.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
from torch import nn

import tvmscript as tvm
from tvmscript import relay
from tvmscript.contrib.download import download_testdata

# ---- stand-ins

folder = Path(tempfile.mkdtemp())
os.environ["TEST_DATA_ROOT_PATH"] = str(folder)
(folder / "data").mkdir()
keys = [f"n{number:08}" for number in range(1000)]
(folder / "data" / "imagenet_classes.txt").write_text("\n".join(keys))
(folder / "data" / "imagenet_synsets.txt").write_text("\n".join(f"{key} class {key[-3:]}" for key in keys))
with (folder / "data" / "cat.png").open("wb") as file:
    np.save(file, np.random.default_rng(0).integers(0, 256, (300, 400, 3), dtype="uint8"))


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


def resnet18(pretrained):
    """ResNet-18 as a sequence; its weights are random."""
    torch.manual_seed(0)
    widths = [64, 128, 256, 512]
    blocks = []
    for index, width in enumerate(widths):
        inputs = widths[max(index - 1, 0)]
        blocks += [BasicBlock(inputs, width, 1 if index == 0 else 2), BasicBlock(width, width, 1)]
    stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    return nn.Sequential(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))


class Picture:
    """An image of the nearest pixels, with the methods that the page and its transforms call."""

    def __init__(self, pixels):
        self.pixels = pixels

    def resize(self, size):
        width, height = size
        rows, columns, _ = self.pixels.shape
        return Picture(self.pixels[np.arange(height) * rows // height][:, np.arange(width) * columns // width])

    def center_crop(self, size):
        top, left = [(extent - size) // 2 for extent in self.pixels.shape[:2]]
        return Picture(self.pixels[top : top + size, left : left + size])


def compose(steps):
    """Apply steps one after the other."""

    def apply(value):
        for step in steps:
            value = step(value)
        return value

    return apply


def normalize(mean, std):
    mean, std = (torch.tensor(values).reshape(3, 1, 1) for values in (mean, std))
    return lambda image: (image - mean) / std


torchvision = SimpleNamespace(models=SimpleNamespace(resnet18=resnet18))
Image = SimpleNamespace(open=lambda path: Picture(np.load(path)))
transforms = SimpleNamespace(
    Compose=compose,
    Resize=lambda size: lambda image: image.resize((size, size)),
    CenterCrop=lambda size: lambda image: image.center_crop(size),
    ToTensor=lambda: lambda image: torch.from_numpy(image.pixels.transpose(2, 0, 1).astype("float32") / 255),
    Normalize=normalize,
)

# ---- load the model

model_name = "resnet18"
model = getattr(torchvision.models, model_name)(pretrained=True)
model = model.eval()

# We grab the TorchScripted model via tracing
input_shape = [1, 3, 224, 224]
input_data = torch.randn(input_shape)
scripted_model = torch.jit.trace(model, input_data).eval()

# ---- load a test image

img_url = "https://github.com/dmlc/mxnet.js/blob/main/data/cat.png?raw=true"
img_path = download_testdata(img_url, "cat.png", module="data")
img = Image.open(img_path).resize((224, 224))

# Preprocess the image and convert to tensor

my_preprocess = transforms.Compose(
    [
        transforms.Resize(256),
        transforms.CenterCrop(224),
        transforms.ToTensor(),
        transforms.Normalize(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]),
    ]
)
img = my_preprocess(img)
img = np.expand_dims(img, 0)

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

from tvmscript.contrib import graph_executor

dtype = "float32"
m = graph_executor.GraphModule(lib["default"](dev))
# Set inputs
m.set_input(input_name, tvm.nd.array(img.astype(dtype)))
# Execute
m.run()
# Get outputs
tvm_output = m.get_output(0)

# ---- the names of the classes

synset_url = "".join(
    [
        "https://raw.githubusercontent.com/Cadene/",
        "pretrained-models.pytorch/master/data/",
        "imagenet_synsets.txt",
    ]
)
synset_name = "imagenet_synsets.txt"
synset_path = download_testdata(synset_url, synset_name, module="data")
with open(synset_path) as f:
    synsets = f.readlines()

synsets = [x.strip() for x in synsets]
splits = [line.split(" ") for line in synsets]
key_to_classname = {spl[0]: " ".join(spl[1:]) for spl in splits}

class_url = "".join(
    [
        "https://raw.githubusercontent.com/Cadene/",
        "pretrained-models.pytorch/master/data/",
        "imagenet_classes.txt",
    ]
)
class_name = "imagenet_classes.txt"
class_path = download_testdata(class_url, class_name, module="data")
with open(class_path) as f:
    class_id_to_key = f.readlines()

class_id_to_key = [x.strip() for x in class_id_to_key]

# Get top-1 result for TVM
top1_tvm = np.argmax(tvm_output.numpy()[0])
tvm_class_key = class_id_to_key[top1_tvm]

# Convert input to PyTorch variable and get PyTorch result for comparison
with torch.no_grad():
    torch_img = torch.from_numpy(img)
    output = model(torch_img)

    # Get top-1 result for PyTorch
    top1_torch = np.argmax(output.numpy())
    torch_class_key = class_id_to_key[top1_torch]

print("Relay top-1 id: {}, class name: {}".format(top1_tvm, key_to_classname[tvm_class_key]))
print("Torch top-1 id: {}, class name: {}".format(top1_torch, key_to_classname[torch_class_key]))

np.testing.assert_allclose(tvm_output.numpy(), output.numpy(), rtol=1e-3, atol=1e-4)
