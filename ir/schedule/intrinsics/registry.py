"""Table of tensor intrinsics, by TVM's names where TVM has them.

Import `TensorIntrin` from here: importing this module registers the table.
"""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir.schedule.intrinsics import amx, dot, m16n8k8, mma, packing, wgmma, wmma
from tvmscript.ir.schedule.intrinsics.builders import Maker
from tvmscript.ir.tir.tensor_intrin import TensorIntrin as TensorIntrin

#: name -> constructor of the intrinsic
CATALOGUE: Mapping[str, Maker] = {
    **dot.MAKERS,
    **dot.PANELS,
    **packing.MAKERS,
    **amx.MAKERS,
    **wmma.MAKERS,
    **mma.MAKERS,
    **mma.OWN_MAKERS,
    **m16n8k8.MAKERS,
    **wgmma.MAKERS,
}
TensorIntrin.catalogues.append(CATALOGUE)
