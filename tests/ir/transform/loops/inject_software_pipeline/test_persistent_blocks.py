"""Loops that blocks share: who runs which iteration, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.backends import interp
from tvmscript.ir.transform.loops.inject_software_pipeline.inject_software_pipeline import InjectSoftwarePipeline
from tvmscript.ir.transform.loops.inject_software_pipeline.persistent_blocks import CannotShareLoop

#: each iteration writes the thread that runs it
PROGRAM = """
@T.prim_func
def main(A: T.Buffer((9, 2), "int32")):
    for tx in T.thread_binding(2, thread="threadIdx.x"):
        for i in T.serial(2, 9, annotations={"persistent_blocks": 3}):
            A[i, tx] = i * 2 + tx
"""


def parse(text: str) -> Any:
    return tvmscript.from_source(text)


@pytest.mark.parametrize("blocks", [1, 3, 9])
def test_blocks_take_turns(blocks: int) -> None:
    """Some blocks have one iteration less, or none."""
    func = InjectSoftwarePipeline()(parse(PROGRAM.replace('blocks": 3', f'blocks": {blocks}')))
    array = np.full((9, 2), -1, "int32")
    interp.build(func)["main"](array)
    np.testing.assert_array_equal(array[2:], np.arange(4, 18).reshape(7, 2))
    assert (array[:2] == -1).all()
    assert f'T.thread_binding({blocks}, thread="blockIdx.x")' in func.script()


_LOOP = '        for i in T.serial(2, 9, annotations={"persistent_blocks": 3}):\n'
REFUSED = {
    "number": (('blocks": 3', 'blocks": 0'), "no positive number"),
    "unrolled": (("T.serial(2, 9", "T.unroll(2, 9"), "it is not serial"),
    "no launch": (('T.thread_binding(2, thread="threadIdx.x")', "range(2)"), "it is in no launch"),
    "blocks": (("threadIdx.x", "blockIdx.y"), "the launch has blocks"),
    "twice": ((_LOOP, _LOOP + "    " + _LOOP.replace(" i ", " j ") + "    "), "the launch has blocks"),
}


@pytest.mark.parametrize(("change", "problem"), REFUSED.values(), ids=REFUSED)
def test_refused(change: tuple[str, str], problem: str) -> None:
    assert change[0] in PROGRAM
    with pytest.raises(CannotShareLoop) as raised:
        InjectSoftwarePipeline()(parse(PROGRAM.replace(*change)))
    assert problem in raised.value.text
