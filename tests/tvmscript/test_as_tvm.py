"""`import tvm` means this package: scripts and tests that were written for TVM run unchanged."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tvmscript
from tvmscript import relax, tir
from tvmscript.backends.runtime.errors import NoLibrary
from tvmscript.contrib.utils import TempDirectory, tempdir
from tvmscript.driver import UnknownTarget
from tvmscript.ir.core import DType, PointerType, PrimType, Target, TVMScriptError, UnknownName
from tvmscript.ir.core.targets.target import InvalidTarget
from tvmscript.ir.core.types import TupleType
from tvmscript.script.highlight import cprint
from tvmscript.testing.integer_systems import (
    ConditionFails,
    check_bool_expr_is_true,
    check_int_constraints_trans_consistency,
)
from tvmscript.tir import schedule, tensor_intrin
from tvmscript.topi import tag
from tvmscript.tvm_names import ABSENT, ALIASES, Absent, AbsentName, AliasModule

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
    tvm.relay.testing.resnet.get_workload(topi.add(te.placeholder((4,)), 1))
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
        f"TS7003 tvm.relay.testing.resnet.get_workload is absent: {ABSENT['relay']}",
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
    home, _, inner = ALIASES[path].partition(":")
    module, alias = (importlib.import_module(f"tvmscript.{name}") for name in (home, path))
    names_of = attrgetter(inner)(module) if inner else module
    names = [name for name in dir(names_of) if not name.startswith("_")]
    assert names
    assert getattr(alias, names[0]) is getattr(names_of, names[0])


def test_paths_answer_while_they_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first import of nn by TVM's path may load torch, which asks all modules for their files."""
    module = ModuleType("tvmscript.relax.frontend.nn.modules")
    answers: list[bool] = []
    home = importlib.import_module("tvmscript.frontend.nn")

    def load(path: str) -> ModuleType:
        assert path == home.__name__
        answers.append(hasattr(module, "__file__"))
        return home

    with monkeypatch.context() as patch:
        patch.setattr(importlib, "import_module", load)
        AliasModule.alias(module)
    assert answers == [False]
    assert module.Linear is home.Linear


def test_absent_names_are_absent() -> None:
    """No class or function of the table exists: its import would put a module that refuses every use in its place."""
    for path in ABSENT:
        value: Any = tvmscript
        for name in path.split("."):
            value = getattr(value, name, None)
        assert value is None or isinstance(value, Absent | ModuleType), path


def test_folders_that_stay_for_debugging() -> None:
    with TempDirectory.set_keep_for_debug():
        folder = Path(tempdir().path)
    assert folder.exists()
    folder.rmdir()
    folder = Path(tempdir().path)
    assert not folder.exists()
    assert not TempDirectory.TEMPDIRS
    kept, removed = tempdir(keep_for_debug=True), tempdir()
    TempDirectory.remove_tempdirs()
    assert os.path.exists(kept.path)
    assert not os.path.exists(removed.path)
    os.rmdir(kept.path)


@pytest.mark.parametrize(
    ("name", "is_broadcast", "is_injective"),
    [
        ("elemwise", True, True),
        ("broadcast", True, True),
        ("injective", False, True),
        ("broadcast,matmul", True, True),
        ("comm_reduce", False, False),
        ("", False, False),
    ],
)
def test_tags_of_operators(name: str, is_broadcast: bool, is_injective: bool) -> None:
    assert (tag.is_broadcast(name), tag.is_injective(name)) == (is_broadcast, is_injective)


def test_targets_as_json_and_errors_of_python() -> None:
    target = Target('{"kind": "llvm", "mcpu": "znver3", "host": {"kind": "llvm"}}')
    assert (target.attrs["mcpu"], str(target.host)) == ("znver3", "llvm -keys=cpu")
    assert str(Target('{"kind": "cuda"}', host="llvm").host) == "llvm -keys=cpu"
    with pytest.raises(InvalidTarget, match="it is no JSON"):
        Target("{nope")
    with pytest.raises(RuntimeError, match="/ takes floats"):
        _ = tir.Var("x", "int32") / 3
    with pytest.raises(ValueError, match="one or more conditions"):
        tir.any()


def test_libraries_and_sources_of_modules() -> None:
    func = tvmscript.from_source("@T.prim_func\ndef f(A: T.Buffer((4,), 'float32')):\n    A[0] = A[1]")
    module = tvmscript.build(func)
    assert module.inspect_source() == module.get_source()
    with pytest.raises(NotImplementedError, match="export_library is not part of this package yet"):
        tvmscript.build(func, target="interp").export_library("f.so")
    with pytest.raises(NoLibrary, match="save is not part"):
        module.save("f.o")
    with pytest.raises(UnknownTarget, match="there is no backend for the target 'metal'"):
        tvmscript.build(func, target="metal")


def test_types_of_variables() -> None:
    assert tir.Var("x", "int32").type_annotation == tvmscript.ir.PrimType("int32")
    assert tir.SizeVar("n", "int64").type_annotation.dtype == "int64"
    assert tir.decl_buffer((4,), "float16").data.type_annotation.element_type.dtype == "float16"


COPY = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i, j in T.grid(16, 16):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
"""


def test_texts_of_instructions() -> None:
    """As TVM writes them, with `_` for random variables."""
    sch = tvmscript.Schedule(tvmscript.from_source(COPY))
    outer, inner = sch.get_loops(sch.get_block("B"))
    factor = sch.sample_categorical([1, 2], [0.5, 0.5])
    first, second = sch.split(outer, [factor, None])
    sch.reorder(second, inner)
    sch.bind(first, "blockIdx.x")
    assert [repr(step) for step in sch.trace.insts] == [
        "_ = sch.get_block(name=B, func_name=main)",
        "_, _ = sch.get_loops(block=_)",
        "_ = sch.sample_categorical(candidates=[1, 2], probs=[0.5, 0.5])",
        "_, _ = sch.split(loop=_, factors=[_, None], preserve_unit_iters=True, disable_predication=False)",
        "sch.reorder(_, _)",
        "sch.bind(loop=_, thread_axis=blockIdx.x)",
    ]


def test_scopes_of_a_state() -> None:
    text = (
        COPY
        + """    for i, j in T.grid(16, 16):
        with T.block("A"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi, vj] = B[vi, vj]
"""
    )
    state: Any = tir.ScheduleState(tvmscript.from_source(text), debug_mask="all")
    root = state.mod["main"].body.block
    loops = [state.get_sref(loop) for loop in root.body.seq]
    first, second = (state.get_sref(loop.body.body.block) for loop in root.body.seq)
    [raw, war] = state.get_block_scope(state.get_sref(root)).get_deps_by_src(first)
    assert [(each.dst.stmt.name_hint, each.kind.name) for each in (raw, war)] == [("A", "RAW"), ("A", "WAR")]
    assert raw.src.same_as(first)
    assert second.same_as(raw.dst)
    assert not first.same_as(second)
    assert state.get_block_scope(state.get_sref(root)).get_deps_by_dst(first) == []
    assert [ref.seq_index for ref in (*loops, first, second)] == [0, 1, -1, -1]


def test_small_forms_of_tvm() -> None:
    func = tvmscript.from_source(COPY)
    state = tir.ScheduleState(func)
    assert state.mod["main"] is func
    assert [DType(name).type_code for name in ("int8", "bool", "float16", "handle", "bfloat16")] == [0, 1, 2, 3, 4]
    assert str(relax.const([1, 2], "int64").data) == "[1 2]"
    with pytest.raises(ValueError, match="there is no kind nope"):
        Target("nope")
    assert tvmscript.lower(func)["main"].attrs["tir.noalias"] == 1
    with tvmscript.transform.PassContext(config={"tir.noalias": False}):
        assert "tir.noalias" not in tvmscript.lower(func)["main"].attrs
    assert "tir.noalias" not in tvmscript.lower(tvmscript.IRModule({"main": func}))["main"].attrs


def test_benchmarks_of_dlight() -> None:
    with pytest.raises(AbsentName, match=r"dlight\.benchmark\.benchmark is absent: benchmarks of functions from text"):
        tvmscript.dlight.benchmark.benchmark(None)
    from tvmscript.dlight import benchmark

    with pytest.raises(AbsentName, match="extract_prim_func"):
        benchmark.extract_prim_func("main")


def test_names_of_tensor_intrinsics() -> None:
    from tvmscript.tir import TensorIntrin

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


def test_names_of_devices_targets_and_schedules() -> None:
    device = tvmscript.cl(1)
    assert (str(device), device.kDLCUDA, device.STR2MASK["cl"], device.MASK2STR[1]) == ("opencl(1)", 2, 4, "cpu")
    assert int(tvmscript.DataTypeCode.E4M3Float) == 6
    assert Target.from_device(tvmscript.cpu()).kind.name == "llvm"
    with pytest.raises(InvalidTarget, match="it is no device"):
        Target.from_device(3)
    several = Target.canon_multi_target_and_host({1: "cuda", 2: "llvm"}, "llvm")
    assert [str(target.host) for target in several] == ["llvm -keys=cpu"] * 2
    alone = Target.canon_multi_target(["llvm", "c"])
    assert alone is not None
    assert [(str(target), target.host) for target in alone] == [("llvm -keys=cpu", None), ("c -keys=cpu", None)]
    assert Target.canon_multi_target(None) is None
    assert str(schedule.ScheduleError("no such loop")) == "no such loop"
    assert schedule.InstructionKind.get("Split").method == "split"
    with pytest.raises(UnknownName, match="no instruction kind named Spilt"):
        schedule.InstructionKind.get("Spilt")
    assert int(schedule.DepKind.RAW) == 0


def test_layouts_of_tensor_intrinsics() -> None:
    def layout(name: str, *at: int) -> tuple[int, int]:
        row, column = getattr(tensor_intrin, name)(*at)
        return int(row), int(column)

    tile = [(row, column) for row in range(16) for column in range(16)]
    for name in ("ldmatrix_32x8", "local_64x4"):
        for suffix in ("_A", "_B", "_C") if name == "local_64x4" else ("",):
            lanes = {layout(f"shared_16x16_to_{name}_layout{suffix}", *at) for at in tile}
            assert len(lanes) == 256
    assert layout("shared_16x16_to_ldmatrix_32x8_layout", 9, 14) == (7, 6)
    assert layout("ldmatrix_32x8_to_shared_16x16_layout", 9, 14) == (9, 6)
    assert isinstance(tensor_intrin.dot_product_16x4_u8i8i32_desc, tir.PrimFunc)


def test_names_of_graphs_and_mismatches(capsys: pytest.CaptureFixture[str]) -> None:
    shapes: dict[str, tuple[int, ...]] = {"x": (2, 4), "w": (3, 4), "b": (3,)}
    x, w, b = (relax.Var(name, relax.TensorStructInfo(shape, "float32")) for name, shape in shapes.items())
    product = relax.op.linear(x, w, b)
    assert str(product) == 'R.add(R.matmul(x, R.permute_dims(w, axes=None), out_dtype="void"), b)'
    n = tir.Var("n", "int64")
    sizes = relax.analysis.collect_non_negative_expressions(relax.TensorStructInfo((n, n + 1, 4, n), "float32"))
    assert list(map(str, sizes)) == ["n", "n + T.int64(1)"]
    func: Any = tvmscript.from_source(
        "@R.function\ndef f(x: R.Tensor((2,), 'float32')):\n    y = R.add(x, x)\n    return y"
    )
    copy = relax.utils.copy_with_new_vars(func)
    assert tvmscript.ir.structural_equal(func, copy)
    assert copy.params[0] is not func.params[0]
    i, j = tir.Var("i", "int32"), tir.Var("j", "int32")
    assert tvmscript.ir.get_first_structural_mismatch(i + 1, j + 1) == ("<root>.a", "<root>.a")
    assert tvmscript.ir.get_first_structural_mismatch(i + 1, i + 1) is None
    assert str(tir.trace([tir.const(1), i], "show")) == 'T.tvm_call_trace_packed("show", 1, i)'
    cprint(i + 1)
    cprint("i + 2")
    assert capsys.readouterr().out.splitlines()[-1] == "i + 2"


def test_operators_by_name_in_a_fresh_process(tmp_path: Path) -> None:
    code = """
import tvmscript
for name in ("tir.exp", "relax.add"):
    op = tvmscript.ir.Op.get(name)
    print(op, op.get_attr("TCallEffectKind"), op.get_attr("TScriptPrinterName"), op.get_attr("nope"))
try:
    tvmscript.ir.Op.get("tir.nope")
except ValueError as error:
    print(error.code)
"""
    assert run("-c", code, folder=tmp_path).stdout.splitlines() == [
        "Op(tir.exp) 1 exp None", "Op(relax.add) None None None", "TS1008",
    ]  # fmt: skip


def test_equality_of_types_and_folding_of_conditions() -> None:
    number, byte = PrimType(DType("int32")), PrimType(DType("int8"))
    assert number == PrimType(DType("int32"))
    assert number != byte
    assert PointerType(number, "shared") == PointerType(PrimType(DType("int32")), "shared")
    assert PointerType(number, "shared") != PointerType(byte, "shared")
    assert len({number, PrimType(DType("int32")), TupleType(())}) == 2
    n = tir.Var("n", "int64")
    assert relax.TensorStructInfo((n, 4), "float32") == relax.TensorStructInfo((n, 4), "float32")
    assert relax.TensorStructInfo((n, 4), "float32") != relax.TensorStructInfo((n, 5), "float32")
    x = tir.Var("x", "int32")
    conditions = [
        tir.all(tir.const(True), x < 3), tir.any(tir.const(False), x < 3, x > 5), tir.all(x < 1), tir.const(4).equal(4),
        x.equal(4),
    ]  # fmt: skip
    assert list(map(str, conditions)) == ["x < 3", "x < 3 or x > 5", "x < 1", "T.bool(True)", "x == 4"]
    with pytest.raises(TVMScriptError, match="one or more conditions"):
        tir.all()


def test_checks_of_solved_systems() -> None:
    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    ranges = {x: tvmscript.ir.Range(0, 5), y: tvmscript.ir.Range(0, 5)}
    solved = tvmscript.arith.solve_linear_equations([tir.EQ(x + y, tir.const(4))], [x, y], ranges)
    check_int_constraints_trans_consistency(solved)
    wrong = solved.replace(src_to_dst={**solved.src_to_dst, x: tir.const(0)})
    with pytest.raises(ConditionFails, match="is false for"):
        check_int_constraints_trans_consistency(wrong)
    check_bool_expr_is_true(x < 5, ranges)
    with pytest.raises(ConditionFails, match="x < 4 is false for x = 4, y = 0"):
        check_bool_expr_is_true(x < 4, ranges, cond=y < 1)


def test_absent_names_say_why() -> None:
    namespace: dict[str, object] = {}
    exec("from tvmscript.micro import op, testing\nfrom tvmscript.contrib.cutlass import build", namespace)
    assert repr(namespace["op"]).startswith("<tvm.micro.op is absent: ")
    uses = [
        relax.transform.FewShotTuning,
        relax.transform.IPCAllReduceRewrite,
        tvmscript.testing.echo,
        tvmscript.arith._ffi_api.DomainTouched,
        tensor_intrin.ROCM_MFMA_fill_16x16_f32_INTRIN,
        relax.analysis.suggest_layout_transforms,
        tvmscript.testing.tir.mma_schedule,
        tir.transform.CoProcSync,
        tir.transform.LowerCustomDatatypes,
    ]
    for use in uses:
        with pytest.raises(AbsentName, match="is absent: "):
            use()
    with pytest.raises(AttributeError):
        relax.transform.NoSuchPass  # noqa: B018 -- reading it is the test
    build: object = namespace["build"]
    assert callable(build)
    with pytest.raises(AbsentName, match=r"tvm.contrib.cutlass.build is absent: .") as caught:
        build()
    assert isinstance(caught.value, TVMScriptError)
