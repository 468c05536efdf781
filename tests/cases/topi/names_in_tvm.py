"""Write the names of TVM's operators to a JSON file: `oracle.py exec names_in_tvm.py OUT`."""

import json
import sys

import tvm.topi.sparse
from tvm import topi

MODULES = ("", "nn", "image", "vision", "vision.ssd", "vision.rcnn", "sparse", "random", "utils")


def names(path):
    module = topi
    for part in path.split(".") if path else ():
        module = getattr(module, part)
    members = [(name, getattr(module, name)) for name in dir(module) if not name.startswith("_")]
    return [name for name, value in members if callable(value) and str(getattr(value, "__module__", "")).startswith("tvm.topi")]


with open(sys.argv[1], "w") as out:
    json.dump({path: names(path) for path in MODULES}, out)
