"""TVM's Python API beyond the modules of this package: other paths of modules, absent names, and `import tvm` itself.

`import tvmscript` installs the finder. A path of `ALIASES` becomes a module with the names of another one, a path of
`ABSENT` one whose names say why they are absent when they are used, not when they are imported.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from operator import attrgetter
from types import ModuleType
from typing import Any, Final, NoReturn

from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.core.lazy import submodule

_PACKAGE: Final = "tvmscript"

#: modules, or `module:object`, that have the names -> TVM's paths of them
_PATHS: Final = {
    "dlight": "dlight.base dlight.base.schedule_rule dlight.base.transform",
    "ir.schedule.default.gpu": (
        "dlight.gpu dlight.gpu.fallback dlight.gpu.gemv dlight.gpu.general_reduction dlight.gpu.matmul "
        "dlight.gpu.low_batch_gemv dlight.gpu.reduction dlight.gpu.rmsnorm dlight.gpu.transpose"
    ),
    "ir": (
        "ir.adt ir.attrs ir.base ir.container ir.expr ir.function ir.global_info ir.json_compact ir.module ir.op "
        "ir.affine_type ir.diagnostics ir.memory_pools ir.supply ir.tensor_type ir.type ir.type_relation"
    ),
    "tir": "tir.buffer tir.data_type_rewriter tir.expr tir.function tir.generic tir.op tir.stmt",
    "tir.schedule": (
        "tir.block_dependence_info tir.block_scope tir.schedule.block_scope tir.schedule.instruction "
        "tir.schedule.schedule tir.schedule.state tir.schedule.trace"
    ),
    "tir.analysis": "tir.analysis.analysis",
    "tir.tensor_intrin": (
        "tir.tensor_intrin.arm_cpu tir.tensor_intrin.cuda tir.tensor_intrin.dot_product_common tir.tensor_intrin.rocm "
        "tir.tensor_intrin.x86"
    ),
    "tir.transform": "tir.transform.function_pass tir.transform.transform",
    "arith": (
        "arith.analyzer arith.bound arith.int_set arith.int_solver arith.iter_affine_map arith.pattern "
        "arith.simplify_util"
    ),
    "target": "target.tag target.target target.virtual_device",
    "runtime": (
        "_ffi _ffi.registry _ffi.runtime_ctypes container runtime.container runtime.module runtime.object "
        "runtime.object_generic runtime.object_path runtime.packed_func runtime.params runtime.script_printer"
    ),
    "nd": "runtime.ndarray",
    "error": "_ffi.base",
    "driver": "driver.build_module",
    "te": "te.operation te.tag te.tensor te.tensor_intrin",
    "ir.te.schedule.names": "te.schedule",
    "transform": "ir.transform.transform",
    "relax": (
        "relax.block_builder relax.expr relax.exec_builder relax.struct_info relax.ty relax.type_converter "
        "relax.binding_rewrite relax.pipeline relax.vm relax.vm_build runtime.relax_vm"
    ),
    "relax.op": (
        "relax.op.base relax.op.binary relax.op.create relax.op.datatype relax.op.index relax.op.linear_algebra "
        "relax.op.manipulate relax.op.mask relax.op.op_attrs relax.op.qdq relax.op.search relax.op.set "
        "relax.op.sorting relax.op.statistical relax.op.ternary relax.op.unary"
    ),
    **{
        f"relax.op:op.{family}": f"relax.op.{family} relax.op.{family}.{family}"
        for family in ("builtin", "ccl", "grad", "image", "memory", "nn", "vm")
    },
    "relax.op:op.dist": "relax.op.distributed relax.op.distributed.distributed",
    "frontend.detach_params": "relax.frontend.common",
    "frontend.nn": (
        "relax.frontend.nn relax.frontend.nn.core relax.frontend.nn.exporter relax.frontend.nn.extern "
        "relax.frontend.nn.modules relax.frontend.nn.subroutine relax.frontend.nn.visitor"
    ),
    "frontend.relay.build": "relay.backend.executor_factory relay.build_module",
    "frontend.relay.expr": "relay.expr relay.function relay.ty",
    "frontend.relay.frontend": "relay.frontend",
    "frontend.relay.nn": "relay.nn relay.op.nn",
    "frontend.relay.op": "relay.op",
    "frontend.relay.params": "relay.param_dict",
    "frontend.relay.vm": "relay.backend.vm relay.vm",
    "frontend.relay.vm_runtime": "runtime.vm",
    "frontend.nn.op": "relax.frontend.nn.op",
    "frontend.training.loss": "relax.training.loss",
    "frontend.training.optimizer": "relax.training.optimizer",
    "relax.frontend.onnx": "relax.frontend.onnx.onnx_frontend",
    "relax.frontend.stablehlo": "relax.frontend.stablehlo.stablehlo_translator",
    "relax.frontend.torch": (
        "relax.frontend.torch.dynamo relax.frontend.torch.exported_program_translator "
        "relax.frontend.torch.fx_translator"
    ),
    "frontend.nn.spec": "relax.frontend.nn.spec",
    "relax.analysis": "relax.analysis.analysis relax.analysis.estimate_memory_usage",
    "relax.transform": "relax.backend relax.backend.dispatch_sort_scan relax.transform.transform",
    "relax.distributed": "relax.distributed.global_info relax.distributed.struct_info",
    "relax.distributed.transform": "relax.distributed.transform.transform",
    "script.ir_builder": "script.ir_builder.base",
    "relax.dpl": "relax.dpl.context relax.dpl.pattern relax.dpl.rewrite",
    "topi": (
        "topi.argwhere topi.broadcast topi.einsum topi.math topi.reduction topi.scan topi.scatter "
        "topi.scatter_elements topi.searchsorted topi.signal topi.sort topi.sparse_fill_empty_rows "
        "topi.sparse_reshape topi.tensor topi.transform topi.unique"
    ),
    "topi.generic": (
        "topi.generic.conv2d topi.generic.default topi.generic.extern topi.generic.image topi.generic.injective "
        "topi.generic.math topi.generic.nn topi.generic.search topi.generic.sort topi.generic.vision"
    ),
    "topi.nn": (
        "topi.nn.batch_matmul topi.nn.batch_norm topi.nn.batch_to_space_nd topi.nn.bitserial_conv2d "
        "topi.nn.bitserial_dense topi.nn.bitserial_util topi.nn.bnn topi.nn.conv1d topi.nn.conv1d_transpose "
        "topi.nn.conv2d topi.nn.conv2d_transpose topi.nn.conv3d topi.nn.conv3d_transpose topi.nn.correlation "
        "topi.nn.deformable_conv2d topi.nn.dense topi.nn.depth_to_space topi.nn.depthwise_conv2d topi.nn.dilate "
        "topi.nn.elemwise topi.nn.fifo_buffer topi.nn.flatten topi.nn.group_norm topi.nn.instance_norm "
        "topi.nn.layer_norm topi.nn.local_response_norm topi.nn.loss topi.nn.lstm topi.nn.mapping topi.nn.pad "
        "topi.nn.pooling topi.nn.rms_norm topi.nn.softmax topi.nn.space_to_batch_nd topi.nn.space_to_depth "
        "topi.nn.sparse topi.nn.upsampling topi.nn.winograd_util"
    ),
    "ir.topi.nn.utils": "topi.nn.utils",
    "topi.image": "topi.image.dilation2d topi.image.grid_sample topi.image.resize",
    "topi.random": "topi.random.kernel",
    "topi.vision": "topi.vision.nms topi.vision.nms_util",
    "topi.vision.ssd": "topi.vision.ssd.multibox",
    "script": "script.parser.core script.parser.core.entry script.parser._core",
}
#: TVM's path of a module -> the module that has its names
ALIASES: Final = {path: home for home, paths in _PATHS.items() for path in paths.split()}

_LATER: Final = "not in this package yet"
_NEVER: Final = "not part of this package"
#: pass of graphs that is absent -> why
_RELAX_PASSES: Final = {
    "legalize_ops": "the entry of an operator names its kernel; LegalizeOps(customize_legalize_map=) takes others",
    "DispatchSampling": "NumPy computes sampling operators, on every target",
    **dict.fromkeys(
        ("FewShotTuning", "MetaScheduleApplyDatabase", "MetaScheduleTuneIRMod", "MetaScheduleTuneTIR", "tuning_api"),
        f"tuning is {_LATER}",
    ),
    **dict.fromkeys(
        ("IPCAllReduceRewrite", "LowerGPUIPCAllocStorage"),
        f"memory that processes share on GPUs is {_NEVER}; tvmscript.collectives runs R.ccl",
    ),
}
_RELAY_RULES: Final = (
    "erf_legalize take_legalize nn.add_alter_layout nn.batch_matmul_legalize nn.bias_add_legalize "
    "nn.bitserial_conv2d_legalize nn.conv2d_alter_layout nn.conv2d_infer_layout nn.conv2d_legalize "
    "nn.conv2d_transpose_alter_layout nn.conv2d_transpose_legalize nn.conv3d_alter_layout nn.conv3d_transpose_legalize "
    "nn.dense_alter_layout nn.dense_legalize nn.depthwise_conv2d_infer_layout nn.layout_transform nn.matmul_legalize "
    "nn.qnn nn.qnn_conv2d_alter_layout nn.qnn_dense_alter_layout nn.qnn_requantize_alter_layout "
    "nn.sparse_dense_alter_layout nn.try_get_conv2d_sparse_input nn.try_get_sparse_input"
)
_TOPI_PARTS: Final = (
    "hybrid_argwhere_1d hybrid_argwhere_2d hybrid_argwhere_3d hybrid_argwhere_4d hybrid_argwhere_5d make_idx "
    "within_index utils.make_idx utils.within_index image.can_convert_multiply_to_intdiv image.get_1d_indices "
    "image.get_1d_pixel image.get_2d_indices image.get_2d_pixel image.get_3d_indices image.get_3d_pixel "
    "image.get_closest_index image.get_inx "
    "vision.argsort_ir vision.binary_search vision.collect_selected_indices vision.collect_selected_indices_and_scores "
    "vision.hybrid_get_valid_counts vision.hybrid_nms vision.hybrid_rearrange_box_out "
    "vision.hybrid_rearrange_indices_out vision.hybrid_regular_nms vision.nms_ir vision.predict_bbox_ir "
    "vision.prepare_output_ir vision.run_all_class_nms vision.rcnn.argsort_ir vision.rcnn.nms_ir "
    "vision.rcnn.predict_bbox_ir vision.rcnn.prepare_output_ir vision.ssd.hybrid_multibox_prior "
    "vision.ssd.hybrid_multibox_transform_loc"
)
_FFI_TESTS: Final = (
    "ErrorTest after_initializer echo identity_after initializer object_use_count terminate_self test_wrap_callback"
)
_ROCM_INTRINSICS: Final = "AMDGPU_SDOT4_INTRIN ROCM_MFMA_STORE_16x16_f32_INTRIN ROCM_MFMA_fill_16x16_f32_INTRIN"
_LLVM_TABLES: Final = (
    "llvm_get_cpu_archlist llvm_get_cpu_features llvm_get_system_x86_vendor llvm_get_targets llvm_lookup_intrinsic_id"
)
#: TVM's path of a module, a class or a function, with all that is below it -> why it is absent
ABSENT: Final = {
    **dict.fromkeys(
        (f"topi.{name}" for name in _RELAY_RULES.split()),
        f"rules for operators of Relay are {_NEVER}; graphs are R.function",
    ),
    **dict.fromkeys(
        (f"topi.{name}" for name in _TOPI_PARTS.split()),
        "it is a part of TVM's definition of an operator, not an operator",
    ),
    **dict.fromkeys(("topi.nn.Workload", "topi.utils.is_target"), f"tuning of templates for targets is {_NEVER}"),
    "topi.nn.conv2d_winograd_nnpack_weight_transform": f"NNPACK is {_NEVER}; use conv2d_winograd_weight_transform",
    "topi.random.threefry_test_wrapping": "unsigned integers wrap on every target",
    "topi.cpp": f"bindings of C++ are {_NEVER}; use the functions of topi and of its modules",
    "topi.broadcast_add": "it is topi.add, which broadcasts",
    "topi.nn.SQNN_DTYPE_TO_CODE": "topi.nn.simulated_quantize takes names of dtypes",
    "topi.sparse.utils": f"conversions of Relay models are {_NEVER}",
    **dict.fromkeys(
        (f"te.schedule.{name}" for name in ("SchedulePostProcToPrimFunc", "ScanGetBody", "ScanFixPointAnalysis")),
        "it is a step of TVM's lowering of stages; use lower or te.create_prim_func",
    ),
    **dict.fromkeys(
        (
            *("topi.x86", "topi.cuda", "topi.arm_cpu", "topi.adreno", "topi.bifrost", "topi.hexagon", "topi.mali"),
            *("topi.hls", "topi.intel_graphics", "topi.rocm"),
        ),
        f"schedules of operators for single kinds of hardware are {_NEVER}; use dlight or tir.Schedule",
    ),
    **dict.fromkeys(("auto_scheduler", "autotvm", "meta_schedule"), f"tuning is {_LATER}"),
    **dict.fromkeys(
        ("dlight.base.analysis", "dlight.base.common_schedules", "dlight.gpu.base", "dlight.gpu.utils"),
        f"parts of TVM's own rules are {_NEVER}; write a rule with the steps of tir.Schedule",
    ),
    "dlight.benchmark": f"benchmarks of functions from text are {_NEVER}; build them and call time_evaluator",
    **dict.fromkeys(
        ("relax.ExecBuilder",),
        f"instructions of the virtual machine written by hand are {_NEVER}; relax.build makes the executable",
    ),
    **{f"relax.transform.{name}": reason for name, reason in _RELAX_PASSES.items()},
    **dict.fromkeys(
        ("tir.ProducerRealize", "tir.ProducerStore"), f"it is {_NEVER}; stages of te are lowered to BufferRealize"
    ),
    **dict.fromkeys(
        ("runtime.load_static_library", "runtime.system_lib"),
        f"static libraries are {_NEVER}; export_library writes shared ones",
    ),
    **dict.fromkeys(
        ("relax.vm_build._vmcodegen", "relax.vm_build._vmlink"),
        f"steps of the virtual machine's build are {_NEVER}; relax.build makes the executable",
    ),
    "topi.nn.conv2d._get_workload": f"tuning of templates for targets is {_NEVER}",
    "relax.frontend": f"parts of TVM's importers are {_NEVER}; there are nn, onnx, stablehlo, tflite and torch",
    "relax.frontend.nn.llm": f"kernels for the KV cache are {_NEVER}; its builtins have their own",
    "relax.testing": f"helpers of TVM's own tests of graphs are {_NEVER}; use relax.BlockBuilder and relax.frontend.nn",
    "relax.testing.nn": f"its modules are {_NEVER}; relax.frontend.nn has modules",
    "relax.testing.runtime_builtin": f"codes of instructions of the VM are {_NEVER}; relax.build makes them",
    "relax.testing.relay_translator": f"conversions of Relay models are {_NEVER}; import from torch or ONNX",
    **dict.fromkeys(
        ("relax.backend.contrib", "relax.backend.pattern_registry"),
        f"kernels of vendors' libraries are {_NEVER}; relax.transform.RunCodegen calls a library of your own",
    ),
    "testing.tir": f"schedules of TVM's own tests are {_NEVER}; dlight.gpu.Matmul schedules products on tensor cores",
    "tir.analysis.get_prim_func_arg_and_result_memory_constraints": f"devices of Relay's expressions are {_NEVER}",
    **dict.fromkeys(
        [f"relax.training.{name}" for name in ("AppendLoss", "SetupTrainer", "Trainer", "trainer", "setup_trainer")],
        f"trainers are {_NEVER}; a step is the function of relax.transform.Gradient and that of an optimizer",
    ),
    "relax.training.loss.CategoricalCrossEntropyLoss": (
        f"it is {_NEVER}; use CrossEntropyLoss, whose targets are numbers of classes"
    ),
    "relay": f"this part of Relay is {_NEVER}; graphs are R.function",
    "contrib": f"bindings of other libraries and tools are {_NEVER}",
    "contrib.ndk": f"Android's compilers are {_NEVER}; export_library of modules built for C takes $CC",
    "contrib.popen_pool": "the pools of concurrent.futures run functions in processes",
    "contrib.tedd": f"drawings of schedules are {_NEVER}; a schedule prints its loops",
    "contrib.torch": f"kernels inside of torch are {_NEVER}; built functions take tensors through DLPack",
    "contrib.tvmjs": f"files for browsers are {_NEVER}",
    "micro": f"microcontrollers and their boards are {_NEVER}; modules built for C are plain texts",
    **dict.fromkeys(("rpc", "exec"), f"devices in other machines are {_NEVER}; run the script there"),
    **dict.fromkeys(("runtime.disco",), f"sessions of several processes are {_NEVER}"),
    **dict.fromkeys(("runtime.profiler_vm", "runtime.profiling"), f"it is {_NEVER}; use time_evaluator"),
    "tir.usmp": f"memory pools of ahead-of-time executors are {_NEVER}; StorageRewrite shares memory",
    **dict.fromkeys(
        (f"{kind}{name}" for kind in ("Constant", "Workspace") for name in ("MemoryPools", "PoolInfo")),
        f"memory pools of ahead-of-time executors are {_NEVER}",
    ),
    **dict.fromkeys(("PoolInfo", "PoolInfoProperties"), f"memory pools of ahead-of-time executors are {_NEVER}"),
    "support": f"facts of TVM's own build are {_NEVER}",
    "driver.tvmc": f"TVM's command line is {_NEVER}; python -m tvmscript has commands of its own",
    "testing.aot": f"ahead-of-time executors are {_NEVER}; modules built for C are plain texts",
    "_ffi_api": f"functions of TVM's C++ are {_NEVER}; use the Python functions that call them",
    **dict.fromkeys(
        ("register_extension", "register_object", "ir.make_node", "ir.EnvFunc"),
        f"objects of C++ behind Python classes are {_NEVER}; nodes are Python objects",
    ),
    **dict.fromkeys(
        ("ir.register_intrin_lowering", "ir.register_op_attr"),
        "operators have their attributes and lowering rules in one table here; rewrite calls with a pass of your own",
    ),
    "ir.SourceName": "spans name their file by its path",
    **dict.fromkeys(("ir.TypeKind", "ir.TypeVar"), f"types with parameters, Relay's, are {_NEVER}"),
    "runtime.ObjectPath": "paths into programs are spans and texts here; get_first_structural_mismatch tells the place",
    "target.VirtualDevice": f"devices of Relay's expressions are {_NEVER}; graphs have ir.VDevice",
    **dict.fromkeys(("runtime.ADT", "runtime.tuple_object"), f"Relay values are {_NEVER}"),
    "relax.DataflowBlockRewrite": f"changing blocks in place is {_NEVER}; use PyExprMutator or dpl.rewrite_bindings",
    "relax.analysis.suggest_layout_transforms": (
        f"layouts that follow from a kernel's writes are {_NEVER}; AlterOpImpl takes layouts that you choose, and "
        "tir.schedule.analysis.suggest_index_map has those of reads"
    ),
    **dict.fromkeys(
        (f"testing.{name}" for name in _FFI_TESTS.split()), f"tests of TVM's foreign function interface are {_NEVER}"
    ),
    **dict.fromkeys(
        (f"target.codegen.{name}" for name in _LLVM_TABLES.split()),
        f"LLVM's tables of processors are {_NEVER}; target_has_features asks LLVM for features",
    ),
    "relax.utils.args_converter": "operators convert their arguments themselves",
    "runtime.RootPath": "paths into programs are spans and texts here; get_first_structural_mismatch tells the place",
    "runtime._init_api": f"functions of TVM's C++ are {_NEVER}",
    **dict.fromkeys(
        (f"script.parser.core.{name}" for name in ("diagnostics", "doc", "doc_core", "evaluator", "utils")),
        f"parts of TVM's parser are {_NEVER}; this one has a closed grammar and does not execute the text",
    ),
    **dict.fromkeys(
        ("target.hexagon", "target.intel_graphics", "tir.tensor_intrin.hexagon"),
        f"code for these devices is {_NEVER}; programs for them are read, printed and scheduled",
    ),
    "tir.schedule._type_checker": "the steps of schedules check their arguments themselves",
    **dict.fromkeys(
        (f"tir.tensor_intrin.{name}" for name in _ROCM_INTRINSICS.split()),
        f"matrix cores of AMD are {_NEVER}; TensorIntrin.register adds intrinsics of your own",
    ),
    **dict.fromkeys(
        ("tir.transform.LowerCustomDatatypes", "target.datatype"),
        f"data types of users are {_NEVER}; small floats and integers of any width are built in",
    ),
    "tir.transform.UnifiedStaticMemoryPlanner": f"memory pools of ahead-of-time executors are {_NEVER}",
    "tir.transform.CoProcSync": "it is a pass of VTA, which TVM 0.17 has no more; use ThreadSync",
    "script.printer": f"the printer's documents are {_NEVER}; Node.script prints",
}


class AbsentName(TVMScriptError, NotImplementedError, code="TS7003"):
    """A name of TVM's Python API is used that this package does not have."""

    message = "tvm.{name} is absent: {reason}"


class Absent:
    """An object of TVM that is absent here: its attributes are absent too, and every use raises `AbsentName`."""

    __slots__ = ("_name", "_reason")

    def __init__(self, name: str, reason: str) -> None:
        self._name = name
        self._reason = reason

    def __getattr__(self, name: str) -> Absent:
        if name.startswith("_"):
            raise AttributeError(f"tvm.{self._name} is absent: {self._reason}")
        return Absent(f"{self._name}.{name}", self._reason)

    def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        raise AbsentName(name=self._name, reason=self._reason)

    __call__ = __mro_entries__ = __getitem__ = __iter__ = __enter__ = __exit__ = __bool__ = __len__ = _refuse

    def __repr__(self) -> str:
        return f"<tvm.{self._name} is absent: {self._reason}>"


class AliasModule(ModuleType):
    """A path of TVM with the names of another module, or of an object in one.

    Its import puts it into the place of a function of its name, such as `topi.nn.dense`, so that it can be called.
    """

    _home: Any
    _function: Any

    @classmethod
    def alias(cls, module: ModuleType) -> None:
        """Give a module the names of its home, and the function whose place it takes."""
        _, _, path = module.__name__.partition(".")
        home_path, _, name = ALIASES[path].partition(":")
        # libraries that this loads ask all modules for attributes: the class, which answers from the home, comes last
        home = importlib.import_module(f"{_PACKAGE}.{home_path}")
        names = vars(module)
        names["_home"] = attrgetter(name)(home) if name else home
        own_name = path.rpartition(".")[2]
        names["_function"] = getattr(home, own_name) if not name and own_name in dir(home) else None
        module.__class__ = cls

    def __getattr__(self, name: str) -> Any:
        home = self._home
        if name == "__all__":
            return [public for public in dir(home) if not public.startswith("_")]
        if self._function is not None and name == self.__name__.rpartition(".")[2]:
            return self._function
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return getattr(home, name)
        except AttributeError:
            inner = submodule(self.__name__, name)
            if inner is None:
                raise
            return inner

    def __dir__(self) -> list[str]:
        return dir(self._home)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)


class AbsentModule(ModuleType):
    """A module of TVM, or what stands in the place of one, that is absent here: see `Absent`."""

    def __getattr__(self, name: str) -> Absent:
        path = self.__name__.partition(".")[2]
        return getattr(Absent(path, why_absent(path) or ""), name)  # type: ignore[no-any-return]  # __getattr__ of a name

    def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        path = self.__name__.partition(".")[2]
        raise AbsentName(name=path, reason=why_absent(path))

    __call__ = __mro_entries__ = _refuse


def why_absent(path: str) -> str | None:
    """Return why a module of TVM, `relay.op` without `tvm.`, is absent; None if it is not known to be."""
    if path.endswith("_ffi_api"):
        return ABSENT["_ffi_api"]
    while path:
        if path in ABSENT:
            return ABSENT[path]
        path = path.rpartition(".")[0]
    return None


class TvmNames:
    """Finder and loader of the modules in the tables. It is asked last."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module of the tables."""
        package, _, name = fullname.partition(".")
        if package != _PACKAGE or (name not in ALIASES and why_absent(name) is None):
            return None
        loader: Any = cls()
        return ModuleSpec(fullname, loader, is_package=True)

    def create_module(self, spec: ModuleSpec) -> None:
        """Let the import system make the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Make the module an alias, or one that says why it is absent."""
        path = module.__name__.partition(".")[2]
        if path in ALIASES:
            AliasModule.alias(module)
        else:
            module.__class__ = AbsentModule


def install() -> None:
    """Let the import system find the modules of the tables, where no other finder has them."""
    if not any(isinstance(finder, type) and finder.__qualname__ == TvmNames.__qualname__ for finder in sys.meta_path):
        sys.meta_path.append(TvmNames)


class RealTvmLoaded(TVMScriptError, ImportError, code="TS7004"):
    """`import tvm` cannot mean this package in a process that has imported TVM."""

    message = "TVM is loaded already, from {place}"
    advice = "call tvmscript.as_tvm() before the first import of tvm"


class TvmAlias:
    """Finder and loader that give the modules of this package for `tvm` and all that is below it."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for a module of this package under TVM's name."""
        if fullname.partition(".")[0] != "tvm":
            return None
        from importlib.util import find_spec  # it takes a while to import

        if find_spec(_own_name(fullname)) is None:
            return None
        loader: Any = self
        return ModuleSpec(fullname, loader, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of this package."""
        module = importlib.import_module(_own_name(spec.name))
        self._specs[module.__name__] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restore the module's own spec: the import system has replaced it."""
        module.__spec__ = self._specs.pop(module.__name__)


def _own_name(fullname: str) -> str:
    return _PACKAGE + fullname.removeprefix("tvm")


def is_active() -> bool:
    """Return whether `import tvm` means this package."""
    return any(isinstance(finder, TvmAlias) for finder in sys.meta_path)


def as_tvm() -> ModuleType:
    """Let `import tvm` and imports of its modules mean this package from now on; return the package.

    Raises `RealTvmLoaded`.
    """
    if not is_active():
        loaded = sys.modules.get("tvm")
        if loaded is not None:
            raise RealTvmLoaded(place=getattr(loaded, "__file__", None) or "memory")
        sys.meta_path.insert(0, TvmAlias())
    return importlib.import_module(_PACKAGE)
