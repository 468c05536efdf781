"""Print the texts that TVM makes of the models: `oracle.py exec in_tvm.py`."""
from __future__ import annotations

import json
import sys
from pathlib import Path

from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import modules
from tvm.script import tir as T

sys.path.insert(0, str(Path(__file__).parent))
from models import exported, with_layers

print("ANSWERS" + json.dumps(exported(with_layers(nn, modules), T)))
