"""Kernels that LLVM writes PTX of: instructions, values on threads of the CPU, what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.backends.cuda.kernels import HOPPER, KERNELS, SYMBOLIC, VECTOR
from tests.backends.cuda.test_text_on_cpu import ALL
from tests.backends.nvptx.on_host import HostKernels
from tests.ir.schedule.default.gpu import test_matmul_wgmma
from tests.ir.schedule.default.gpu.test_rules import PROGRAMS
from tests.ir.schedule.default.gpu.test_tensor_cores import CASES, product
from tvmscript.backends import interp
from tvmscript.backends.cuda.binary import find_tool
from tvmscript.backends.nvptx import machine
from tvmscript.backends.nvptx.errors import NoAssembler, NotSupportedByNvptx
from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.fuzz.cuda.fake_driver import DeviceArray, FakeDriver
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.targets.target import InvalidTarget
from tvmscript.ir.tir.intrin import Intrinsic
from tvmscript.ir.transform.pipeline import is_kernel

#: name -> program and architecture: all that is compiled here
ZOO = (
    {name: (text, "sm_80") for name, text in KERNELS.items() if "wmma" not in name}
    | {name: (text, "sm_80") for name, (_, text) in PROGRAMS.items()}
    | {name: (text, "sm_80") for name, text in CASES.items()}
    | {f"groups: {name}": (text, "sm_90a") for name, text in test_matmul_wgmma.CASES.items()}
)
#: kernels without instructions of PTX, which run on the CPU
_PLAIN = (
    "vector", "symbolic", "row_sum", "tiled", "padded", "float16", "integers", "rows", "columns", "total", "softmax",
    "norm", "transpose of odd sizes", "reversed rows of symbolic size",
)  # fmt: skip
RUNNABLE = {name: ALL[name] for name in _PLAIN}
RUNNABLE["row_sum"] = RUNNABLE["row_sum"].replace("64", "2")
#: those of every run, and of the long one
SHORT = {"padded", "row_sum"}
LONG = {"tiled", "norm", "transpose", "float16 to float32 nt", "weights of four bits", "groups: bfloat16 nn"}


def _mark(name: str) -> pytest.MarkDecorator:
    return pytest.mark.long if name in LONG else pytest.mark.fuzz


def build(text: str, arch: str = "sm_80") -> Any:
    return tvmscript.build(tvmscript.from_source(text), target=f"nvptx -mcpu={arch}")


INSTRUCTIONS = {
    "vector": ["ld.global.nc.v4.b32", "st.global.v4.b32", "fma.rn.f16"],
    "symbolic": ["ld.global.nc.b16", ".maxntid 128"],
    "tiled": [".shared .align", "ld.shared", "bar.sync", r"fma\.rn\.f32"],
    "threads": ["shfl.sync.down.b32", "vote.sync.ballot.b32", "atom", "bar.warp.sync", "trap"],
    "copies": ["cp.async.cg.shared.global", "cp.async.commit_group;", "cp.async.wait_group 0;"],
    "merged": [".extern .shared .align 1024", "ldmatrix.sync.aligned.m8n8.x1.shared.b16"],
    "mma f16 k16": ["mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"],
}


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_instructions(name: str) -> None:
    ptx = build(KERNELS[name]).get_source("ptx")
    missing = [wanted for wanted in INSTRUCTIONS[name] if not re.search(wanted, ptx)]
    assert not missing, ptx
    assert f".entry {KERNELS[name].partition('def ')[2].partition('(')[0]}" in ptx
    assert ".local" not in ptx  # arrays of threads are registers
    assert ".extern .func" not in ptx


def test_instructions_of_warp_groups() -> None:
    ptx = build(HOPPER, "sm_90a").get_source("ptx")
    words = (
        "mbarrier.init.shared::cta.b64",
        "mbarrier.test_wait",
        "wgmma.mma_async.sync.aligned.m64n8k16",
        "setmaxnreg",
    )
    assert [word for word in words if word not in ptx] == []
    assert ".target sm_90a" in ptx


def test_blocks_of_a_cluster_share_copies() -> None:
    ptx = build(product(4096, 4096, 512, "float16", "float32", "nt"), "sm_90a").get_source("ptx")
    assert ptx.count("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;") == 2
    assert ".multicast::cluster" in ptx
    assert "mapa.shared::cluster.u32" in ptx
    assert "mbarrier.try_wait.parity.acquire.cluster" in ptx


def test_tensor_maps_are_values_of_the_launch() -> None:
    """Bulk copies read them where the launch has them: no copy of a thread, no pointer to memory."""
    ptx = build(product(64, 64, 64, "float16", "float32", "nt"), "sm_90a").get_source("ptx")
    assert len(re.findall(r"\.param \.align 64 \.b8 \w+\[128\]", ptx)) == 2
    assert ptx.count("cvta.param.u64") == 2
    assert "cp.async.bulk.tensor.2d.shared::cluster.global" in ptx
    assert ".local" not in ptx


def test_sums_of_large_tiles_are_registers() -> None:
    ptx = build(product(4096, 4096, 4096, "float16", "float32", "nn")).get_source("ptx")
    assert ptx.count("mma.sync") > 8
    assert ".local" not in ptx


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_mathematical_functions_are_no_calls(dtype: str) -> None:
    functions = [op for op in Op.registry.values() if isinstance(op, Intrinsic) and op.llvm and "x" in op.params[:1]]
    lines = [
        f"    B[{place * 32} + tx] = T.{op.script_name}({', '.join(f'A[tx + {i}]' for i in range(len(op.params)))})"
        for place, op in enumerate(functions)
        if op.script_name not in ("popcount", "clz")  # of integers
    ]
    assert len(lines) > 20
    head = '    tx = T.launch_thread("threadIdx.x", 32)'
    arrays = f'A: T.Buffer((64,), "{dtype}"), B: T.Buffer(({32 * len(functions)},), "{dtype}")'
    ptx = build("\n".join(["@T.prim_func", f"def main({arrays}):", head, *lines])).get_source("ptx")
    assert ptx.count("st.global") == len(lines)
    assert not re.search(r"\.extern|call", ptx)


SHIFTED = """
@T.prim_func
def shifted(A: T.Buffer((300,), "float32"), B: T.Buffer((300,), "float32")):
    tx = T.launch_thread("threadIdx.x", 64)
    for v in T.vectorized(4):
        B[tx * 4 + {offset} + v] = A[tx * 4 + {offset} + v]
"""


@pytest.mark.parametrize(("offset", "vector"), [(8, "v4.b32"), (2, "v2.b"), (1, "global.b32")])
def test_vectors_are_as_wide_as_they_are_aligned(offset: int, vector: str) -> None:
    ptx = build(SHIFTED.format(offset=offset)).get_source("ptx")
    stores = re.findall(r"st\.(global\.\S+)", ptx)
    assert stores
    assert all(vector in store for store in stores)


@pytest.mark.parametrize("name", [pytest.param(name, marks=_mark(name)) for name in ZOO])
def test_all_kernels_are_compiled(name: str) -> None:
    """Nothing is called, and the assembler takes it, where there is one."""
    text, arch = ZOO[name]
    module = build(text, arch)
    ptx = module.get_source("ptx")
    assert ptx.count(".entry") > 0
    assert not re.search(r"\.extern \.func|\.local", ptx)
    if name.startswith("groups"):
        # products of warp groups see what was written before
        assert 0 < ptx.index("fence.proxy.async.shared::cta;") < ptx.index("bar.sync") < ptx.index("wgmma.mma_async")
    if find_tool("ptxas") is not None:
        assert not any(report.spills for report in module.report())


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], FakeDriver]:
    """Install a driver that runs the kernels of a module on the CPU."""

    def install_driver(module: Any) -> FakeDriver:
        fake = FakeDriver(HostKernels(module.get_source("input")).run)
        monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: fake)
        return fake

    return install_driver


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name in SHORT else _mark(name)) for name in RUNNABLE])
def test_values(name: str, install: Callable[[Any], FakeDriver]) -> None:
    func: Any = tvmscript.from_source(RUNNABLE[name])
    sizes = {"n": 37, "m": 40, "k": 50}
    expected, actual = ([argument.value for argument in random_inputs(func, dims=sizes)] for _ in range(2))
    lowered = tvmscript.lower(func, "cuda") if name in KERNELS else tvmscript.lower(func)
    (entry,) = [var.name_hint for var, each in lowered.items() if not is_kernel(each)]
    interp.build(lowered)[entry](*expected)
    module: Any = tvmscript.build(func, target="nvptx")
    fake = install(module)
    module.entry_func(*[DeviceArray(array) if isinstance(array, np.ndarray) else array for array in actual])
    assert fake.launched
    for one, other in zip(actual, expected, strict=True):
        if isinstance(one, np.ndarray):
            tolerance = 2e-3 if one.dtype == np.float16 else 1e-5
            np.testing.assert_allclose(one.astype("float64"), other.astype("float64"), rtol=tolerance, atol=tolerance)


def test_the_driver_gets_ptx_for_its_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    images: list[bytes] = []

    class Recorder(FakeDriver):
        def load(self, cubin: bytes, kernels: dict[str, int]) -> dict[str, int]:
            images.append(cubin)
            return super().load(cubin, kernels)

    fake = Recorder(arch="sm_90a")
    monkeypatch.setattr(cuda_driver, "find_driver", lambda function, index=0: fake)
    module: Any = tvmscript.build(tvmscript.from_source(SYMBOLIC), target="nvptx")
    module["add"](*[DeviceArray(np.zeros(300, dtype)) for dtype in ("float32", "float16", "float32")])
    (image,) = images
    assert b".target sm_90a" in image
    assert image.endswith(b"\0")
    (launched,) = fake.launched
    assert (launched.kernel, launched.grid, launched.block) == ("add_kernel", (3, 1, 1), (128, 1, 1))


REFUSED = {
    "memory of the scope 'wmma.accumulator'": next(text for name, text in KERNELS.items() if "wmma" in name),
    "a call of rand in a kernel": VECTOR.replace("A[vi] * A[vi]", 'T.call_extern("float16", "rand")'),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refusals_name_the_other_target(what: str) -> None:
    with pytest.raises(NotSupportedByNvptx, match=re.escape(what)) as caught:
        build(REFUSED[what])
    assert 'target="cuda"' in str(caught.value)
    assert caught.value.span is not None


def test_targets() -> None:
    with pytest.raises(InvalidTarget, match="gfx90a is no architecture"):
        build(VECTOR, "gfx90a")
    assert build(VECTOR, "sm_100").get_source("ptx").count(".target sm_100") == 1


def test_reports_need_an_assembler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "find_tool", lambda name: None)
    with pytest.raises(NoAssembler, match="ptxas is not on the search path"):
        build(VECTOR).report()
