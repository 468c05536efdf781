"""Passes over graphs, one by one and in the order of TVM's pipelines, on the models of `graph_models.py` and on `programs/graph_*.txt`."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import graph_models
import numpy as np
import tvm
from store import Job, Recorder, Store
from tvm import relax
from tvm.relax import transform
from tvm.relax.dpl import is_op, wildcard

#: passes on a module of graph functions; those with arguments have them
PASSES: dict[str, Callable[[], Any]] = {
    **{
        name: getattr(transform, name)
        for name in (
            "AdjustMatmulOrder", "AllocateWorkspace", "AnnotateTIROpPattern", "AttachGlobalSymbol", "BundleModelParams",
            "CallTIRRewrite", "CanonicalizeBindings", "CombineParallelMatmul", "ComputePrimValue", "ConvertToDataflow",
            "DataflowUseInplaceCalls", "DeadCodeElimination", "DecomposeOpsForInference", "DecomposeOpsForTraining",
            "EliminateCommonSubexpr", "ExpandMatmulOfSum", "ExpandTupleArguments", "FastMathTransform", "FoldConstant",
            "FuseOps", "FuseTIR", "InlinePrivateFunctions", "KillAfterLastUse", "LambdaLift", "LazyGetInput",
            "LazySetOutput", "LegalizeOps", "LiftTransformParams", "LowerAllocTensor", "LowerGPUIPCAllocStorage",
            "MergeCompositeFunctions", "Normalize", "NormalizeGlobalVar", "OptimizeLayoutTransform", "RealizeVDevice",
            "RemovePurityChecking", "RemoveRedundantReshape", "RemoveUnusedOutputs", "RemoveUnusedParameters",
            "ReorderPermuteDimsAfterConcat", "ReorderTakeAfterMatmul", "RewriteCUDAGraph", "RewriteDataflowReshape",
            "StaticPlanBlockMemory", "ToMixedPrecision", "ToNonDataflow", "TopologicalSort", "VMBuiltinLower",
            "VMShapeLower", "IPCAllReduceRewrite", "DispatchSampling", "DispatchSortScan",
        )
        if hasattr(transform, name) and name != "IPCAllReduceRewrite"
    },
    "CombineParallelMatmulChecked": lambda: transform.CombineParallelMatmul(lambda *_: True),
    "ConvertLayout": lambda: transform.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]}),
    "ConvertToDataflowOne": lambda: transform.ConvertToDataflow(1),
    "EliminateCommonSubexprCalls": lambda: transform.EliminateCommonSubexpr(call_only=True),
    "FuseOpsDeep": lambda: tvm.transform.Sequential(
        [transform.LegalizeOps(), transform.AnnotateTIROpPattern(), transform.FuseOps(2)]),
    "FuseOpsByPattern": lambda: transform.FuseOpsByPattern(patterns()),
    "FuseOpsByPatternAnnotated": lambda: transform.FuseOpsByPattern(patterns(), bind_constants=False, annotate_codegen=True),
    "LiftTransformParamsShared": lambda: transform.LiftTransformParams(shared_transform=True),
    "MergedComposites": lambda: tvm.transform.Sequential(
        [transform.FuseOpsByPattern(patterns()), transform.MergeCompositeFunctions()]),
    "ToMixedPrecisionHalf": lambda: transform.ToMixedPrecision("float16"),
    "TopologicalSortBreadth": lambda: transform.TopologicalSort("breadth-first", "from-outputs"),
    "BindSizes": lambda: transform.BindSymbolicVars({"n": 8, "m": 4}),
    "BindParams": lambda: transform.BindParams("main", {"w": np.ones((4, 4), "float32"), "b": np.zeros((4,), "float32")}),
    "Gradient": lambda: transform.Gradient("main"),
    "LazyTransformParams": lambda: transform.LazyTransformParams(),
}  # fmt: skip


#: passes that make calls with side effects: functions have lost their purity by then
LATE = ("CallTIRRewrite", "KillAfterLastUse", "RemovePurityChecking", "VMBuiltinLower", "VMShapeLower")


def after_purity(make: Callable[[], Any]) -> Any:
    """The pass on a module as it is then."""
    return tvm.transform.Sequential([transform.ToNonDataflow(), transform.RemovePurityChecking(), make()])


def patterns() -> list[Any]:
    """Patterns as a code generator has them."""
    product = is_op("relax.matmul")(wildcard(), wildcard())
    convolution = is_op("relax.nn.conv2d")(wildcard(), wildcard())
    return [
        ("ext.matmul_relu", is_op("relax.nn.relu")(product)),
        ("ext.matmul_bias", is_op("relax.add")(product, wildcard())),
        ("ext.matmul", product),
        ("ext.conv2d_relu", is_op("relax.nn.relu")(convolution)),
        ("ext.conv2d", convolution),
    ]


#: the way down to the virtual machine: the module is kept after each of them
LOWERING: list[tuple[str, Callable[[], Any]]] = [
    (name, PASSES[name])
    for name in (
        "LegalizeOps", "AnnotateTIROpPattern", "FoldConstant", "FuseOps", "FuseTIR", "DeadCodeElimination",
        "LambdaLift", "RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite",
        "StaticPlanBlockMemory", "RewriteCUDAGraph", "LowerAllocTensor", "KillAfterLastUse", "VMBuiltinLower",
        "ComputePrimValue", "VMShapeLower", "AttachGlobalSymbol",
    )
]  # fmt: skip


def programs() -> dict[str, str]:
    """The texts of `programs/graph_*.txt`."""
    found: dict[str, str] = {}
    for path in sorted((Path(__file__).parent / "programs").glob("graph_*.txt")):
        parts = re.split(r"^# ---- (.*)$", path.read_text(), flags=re.MULTILINE)
        names = [f"{path.stem.removeprefix('graph_')}-{name.strip()}" for name in parts[1::2]]
        found |= dict(zip(names, [text.strip() + "\n" for text in parts[2::2]], strict=True))
    return found


def lowered(module: Any) -> dict[str, Any]:
    """The module after each pass of the way down, as far as it goes."""
    made: dict[str, Any] = {}
    for number, (name, make) in enumerate(LOWERING):
        try:
            module = make()(module)
        except Exception:  # noqa: BLE001  # whatever TVM raises, the next pass is tried on what is there
            continue
        made[f"{number:02}-{name}"] = module
    return made


def built(module: Any) -> dict[str, Any]:
    """The module after each pass of the zero pipeline and of the build."""
    recorder = Recorder()
    context = tvm.transform.PassContext(opt_level=3, instruments=[recorder.instrument])
    with context, contextlib.suppress(Exception):  # what was made until then is there
        relax.build(relax.get_pipeline("zero")(module), "llvm")
    return {name: step for name, step in recorder.steps.items() if has_graph(step)}


def has_graph(module: Any) -> bool:
    return any(isinstance(func, relax.Function) for func in module.functions.values())


#: passes that are tried on small programs
FEW = ("Normalize", "ToNonDataflow", "LegalizeOps", "LambdaLift", "CanonicalizeBindings", "LazyGetInput")


def jobs(name: str, module: Any, is_small: bool = False) -> Iterator[Job]:
    """Every pass on a module, and the two ways down."""

    def on_target(make: Callable[[Any], Any]) -> Any:
        with tvm.target.Target("llvm"):
            return make(module)

    for label, make in PASSES.items():
        if is_small and label not in FEW:
            continue
        prepared = (lambda p=make: after_purity(p)) if label in LATE else make
        yield "graph-pass", f"{name}-{label}", lambda p=prepared: on_target(lambda m: p()(m))
    yield "graph-lowering", name, lambda: on_target(lowered)
    if is_small:
        return
    yield "graph-build", name, lambda: on_target(built)


def module_of(program: Any) -> Any:
    """A module of a function."""
    if isinstance(program, tvm.IRModule):
        return program
    name = str(program.attrs["global_symbol"]) if program.attrs and "global_symbol" in program.attrs else "main"
    return tvm.IRModule({name: program})


def run(store: Store) -> None:
    """Models and programs, and every pass on each of them."""
    for name, make in graph_models.models():
        made = store.attempt("graph-model", name, make)
        for part, module in made.items() if isinstance(made, dict) else [("", made)]:
            if module is not None:
                store.apart([*jobs(f"{name}-{part}" if part else name, module)])
    for name, text in programs().items():
        try:
            program = tvm.script.from_source(text, check_well_formed=False)
            store.source("graph-source", name, text, program)
        except BaseException as error:  # noqa: BLE001  (diagnostics arrive as several classes)
            store.failures.append(f"graph-source/{name}: {type(error).__name__} {str(error)[-200:]}")
            continue
        store.apart([*jobs(name, module_of(program), is_small=name.startswith("small"))])
