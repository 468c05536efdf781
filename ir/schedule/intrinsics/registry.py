"""The tensor intrinsics by their names, which are TVM's.

Who offers `TensorIntrin` to people takes it from here, so that it knows these names.
"""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.schedule.intrinsics import dot, m16n8k8, mma, wmma
from tvmscript.ir.schedule.intrinsics.builders import Maker
from tvmscript.ir.tir.tensor_intrin import TensorIntrin as TensorIntrin

#: name -> what makes the intrinsic
CATALOGUE: Mapping[str, Maker] = {**dot.MAKERS, **wmma.MAKERS, **mma.MAKERS, **m16n8k8.MAKERS}
TensorIntrin.catalogues.append(CATALOGUE)
