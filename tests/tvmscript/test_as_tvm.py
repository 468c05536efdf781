"""`import tvm` means this package: scripts and tests that were written for TVM run unchanged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tvmscript.ir.core import TVMScriptError
from tvmscript.tvm_names import ABSENT, ALIASES, AbsentName

_ROOT = Path(__file__).parents[2]

SCRIPT = """
import sys
import tvm
import tvm.testing
from tvm import te, tir, topi, relay
from tvm.ir.module import IRModule
from tvm.script import tir as T
from tvm.script.parser import ir as I
from tvm.tir.expr import Var
from tvm.tir.schedule.testing import verify_trace_roundtrip
from tvm.topi.utils import get_const_tuple
import tvm.relay.testing.resnet

@T.prim_func
def add(A: T.Buffer((16,), "float32")):
    A[0] = A[0] + T.float32(1)

x = Var("x", "int32")
print(tvm.__name__, IRModule is tvm.IRModule, Var is tir.Var, tir.Add(x, 1), type(add) is tvm.tir.PrimFunc)
print(tvm.__spec__.name, tvm.tir.__spec__.name, sys.argv[1:])
try:
    te.placeholder((4,))
except NotImplementedError as error:
    print(error.code, error.text)
"""
PYTEST = """
import pytest
import tvm.testing
from tvm import te
from tvm.script import tir as T

one, two = tvm.testing.parameters((1, 2), (3, 6))
size = tvm.testing.parameter(4, 8)

@tvm.testing.fixture(cache_return_value=True)
def twice(size):
    return size * 2

def test_parameters(one, two, twice, size):
    assert two in (2 * one, 2 * one) and twice == 2 * size

def test_target(target, dev):
    assert target == "llvm" and dev.device_type == 1

@tvm.testing.requires_cuda
def test_skipped():
    raise AssertionError

class TestSimplify(tvm.testing.CompareBeforeAfter):
    transform = tvm.tir.transform.Simplify()

    def before(A: T.Buffer((16,), "int32")):
        A[0] = T.int32(1) + 2

    @T.prim_func
    def expected(A: T.Buffer((16,), "int32")):
        A[0] = 3
"""


def run(*args: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, cwd=folder, check=False, env={"PYTHONPATH": str(_ROOT)}
    )


def test_a_script(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    done = run("-m", "tvmscript.as_tvm", "script.py", "-x", folder=tmp_path)
    assert done.stdout.splitlines() == [
        "tvmscript True True x + 1 True",
        "tvmscript tvmscript.tir ['-x']",
        f"TS7003 tvm.te.placeholder is absent: {ABSENT['te']}",
    ], done.stderr


def test_a_test_file(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(PYTEST)
    done = run("-m", "tvmscript.as_tvm", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py", folder=tmp_path)
    assert "6 passed, 1 skipped" in done.stdout, done.stdout + done.stderr


def test_the_call_and_real_tvm(tmp_path: Path) -> None:
    code = "import tvmscript; assert tvmscript.as_tvm() is tvmscript; import tvm; print(tvm is tvmscript)"
    assert run("-c", code, folder=tmp_path).stdout == "True\n"
    (tmp_path / "tvm.py").write_text("")
    done = run("-c", "import tvm, tvmscript; tvmscript.as_tvm()", folder=tmp_path)
    assert "TS7004" in done.stderr
    assert "tvm.py" in done.stderr


@pytest.mark.parametrize("path", sorted(ALIASES))
def test_paths_of_modules(path: str) -> None:
    """Each path has the names of a module that exists."""
    module = __import__(f"tvmscript.{ALIASES[path]}", fromlist=["x"])
    assert [name for name in dir(module) if not name.startswith("_")]


def test_names_of_tensor_intrinsics() -> None:
    from tvmscript.tir import TensorIntrin, tensor_intrin

    for name, intrinsic in (
        ("LDMATRIX_f16_A_INTRIN", "mma_ldmatrix_f16_a"),
        ("MMA_store_16x16_f32_global_INTRIN", "mma_store_16x16_f32_global_"),
        ("WMMA_LOAD_16x16x16_F16_A_DYN_INTRIN", "wmma_load_16x16x16_f16_a_shared_dyn"),
        ("VNNI_DOT_16x4_INTRIN", "dot_16x4_vnni"),
        ("DP4A_S8S8S32_INTRIN", "dp4a_s8s8s32"),
    ):
        assert getattr(tensor_intrin, name) == intrinsic
        assert TensorIntrin.get(intrinsic) is not None
    group = tensor_intrin.get_wmma_intrin_group("shared.dyn", "global", "float16", "float32", True)
    assert group == {
        "init": "wmma_fill_16x16x16_f32",
        "load_a": "wmma_load_16x16x16_f16_a_shared_dyn",
        "load_b": "wmma_load_16x16x16_f16_b_trans_shared_dyn",
        "compute": "wmma_sync_16x16x16_f16f16f32_trans",
        "store": "wmma_store_16x16x16_f32_global",
    }
    with pytest.raises(AttributeError):
        tensor_intrin.NOPE_INTRIN  # noqa: B018 -- reading it is the test


def test_absent_names_say_why() -> None:
    namespace: dict[str, object] = {}
    exec("from tvmscript.micro import op, testing\nfrom tvmscript.contrib.cutlass import build", namespace)
    assert repr(namespace["op"]).startswith("<tvm.micro.op is absent: ")
    from tvmscript import relax, tir

    for use in (relax.transform.LegalizeOps, relax.VirtualMachine, tir.sum):
        with pytest.raises(AbsentName, match="is absent: "):
            use()
    with pytest.raises(AttributeError):
        relax.transform.NoSuchPass  # noqa: B018 -- reading it is the test
    build: object = namespace["build"]
    assert callable(build)
    with pytest.raises(AbsentName, match=r"tvm.contrib.cutlass.build is absent: .") as caught:
        build()
    assert isinstance(caught.value, TVMScriptError)
