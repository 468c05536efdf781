"""Options of a pass context: TVM's keys, types and meanings.

An option whose key is the name of a pass holds fields of the pass, `{"tir.UnrollLoop": {"auto_max_step": 16}}`. Any
other option is a value, which sets the fields that are declared with `option(key, default)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from enum import Enum
from typing import Any, Final

from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.suggestions import closest


class Kind(Enum):
    """Types of options; TVM's IntImm holds numbers and flags."""

    FLAG = "True or False"
    NUMBER = "an integer"
    TEXT = "a string"
    LIST = "a list"
    FIELDS = "a dict of fields"

    def accepts(self, value: Any) -> bool:
        """Return whether a value has this type; numbers and flags are interchangeable, as in TVM."""
        return isinstance(value, _TYPES[self])


_TYPES: Final = {
    Kind.FLAG: (bool, int),
    Kind.NUMBER: (bool, int),
    Kind.TEXT: (str,),
    Kind.LIST: (list, tuple),
    Kind.FIELDS: (Mapping,),
}


@dataclass(frozen=True)
class Option:
    """An option of a pass context."""

    key: str
    kind: Kind
    meaning: str
    #: for `FIELDS`: field -> default
    fields: Mapping[str, Any]


class UnknownOption(IRError, AttributeError):
    """The `config` of a pass context has an unknown option, or a field that the pass of the option does not have.
    `tvmscript passes --options` lists all options.
    """

    code = "TS4080"
    message = "there is no {kind} named {name}"


class WrongOption(IRError, AttributeError):
    """An option of a pass context has a value of the wrong type, such as a string for a flag."""

    code = "TS4081"
    message = "the option {key} takes {expected}, but got {got}"


def _table() -> dict[str, Option]:
    options: dict[str, Option] = {}
    for kind, rows in _VALUES.items():
        options.update({key: Option(key, kind, meaning, {}) for key, meaning in rows.items()})
    for key, (meaning, defaults) in _FIELDS.items():
        options[key] = Option(key, Kind.FIELDS, meaning, defaults)
    return dict(sorted(options.items()))


_VALUES: Final[Mapping[Kind, Mapping[str, str]]] = {
    Kind.FLAG: {
        "ir.enable_si_builder": "give nodes of passes the spans of what they stand for; here they have them always",
        "relax.backend.use_cuda_graph": "capture CUDA graphs",
        "relax.lift_transform_params.consume_params": "transform_params takes its parameters out of the list",
        "relax.transform.apply_legalize_ops": "decompose operators by kernels where graphs are differentiated",
        "relay.FuseOps.link_params": "of Relay, taken and not used",
        "relay.ToMixedPrecision.keep_orig_output_dtype": "of Relay, taken and not used",
        "relay.backend.use_auto_scheduler": "of Relay, taken and not used",
        "relay.backend.use_meta_schedule": "of Relay, taken and not used",
        "relay.backend.use_meta_schedule_dispatch": "of Relay, taken and not used",
        "relay.frontend.fill_span": "of Relay, taken and not used",
        "relay.remove_standalone_reshapes.enable": "of Relay, taken and not used",
        "te.keep_schedule_record": "of TE schedules, taken and not used",
        "testing.immutable_module": "of TVM's tests, taken and not used: modules are never changed here",
        "tir.contrib.ethos-u.copy_compute_reordering_reorder_by_cycles": "of the Ethos-U, taken and not used",
        "tir.debug_keep_trivial_loop": "loops of one iteration are kept where blocks are removed",
        "tir.detect_global_barrier": "barriers for the whole device are put in",
        "tir.disable_assert": "assertions are left out",
        "tir.disable_cse_tir": "expressions are not shared",
        "tir.disable_storage_rewrite": "allocations do not share memory",
        "tir.disable_vectorize": "vectorized loops run one element at a time",
        "tir.enable_buffer_level_predication": "vectorized conditions become masks of loads and stores (TVM 0.17.0)",
        "tir.enable_debug": "statements get the lines of the printed program for the debugger",
        "tir.enable_fast_math": "of TVM 0.27, taken and not used: functions are as exact as the target has them",
        "tir.enable_equiv_terms_in_cse_tir": "expressions that are equal up to arithmetic are shared too",
        "tir.experimental_dma_bypass_cache": "asynchronous copies pass by the cache",
        "tir.instr_siblings": "profiling counts loops side by side too",
        "tir.instrument_bound_checkers": "accesses are checked when the program runs",
        "tir.instrument_lwp": "loops are profiled",
        "tir.is_entry_func": "the function is the one that is called from outside",
        "tir.lwp_disable_func_prof": "functions are not profiled, loops are",
        "tir.merge_static_smem": "static shared memory is merged as dynamic is",
        "tir.noalias": "buffers of different parameters do not overlap",
        "tir.ptx_ldg32": "guarded loads of global memory become ldg32 instructions",
        "tir.reset_start_id": "profiling numbers start anew for each function",
        "tir.use_async_copy": "copies to shared memory are asynchronous",
        "tir.usmp.enable": "static memory of graphs is planned",
        "tir.usmp.use_workspace_io": "inputs and outputs are in the planned memory too",
    },
    Kind.NUMBER: {
        "relax.FuseOps.max_depth": "the most operators in one fused function",
        "relax.fallback_device_type": "the device of what has none",
        "relay.FuseOps.max_depth": "of Relay, taken and not used",
        "relay.collage.byoc_max_depth": "of Relay, taken and not used",
        "relay.collage.tvm_max_depth": "of Relay, taken and not used",
        "relay.fallback_device_type": "of Relay, taken and not used",
        "tir.contrib.ethos-u.copy_compute_reordering_max_copy_movements": "of the Ethos-U, taken and not used",
        "tir.lwp_max_depth": "loops deeper than this are not profiled",
        "tir.lwp_min_height": "loops with fewer loops inside are not profiled",
        "tir.vtcm_capacity": "bytes of VTCM that a function may use; 0 is no limit",
    },
    Kind.TEXT: {
        "cuda.kernels_output_dir": "the folder where sources of CUDA kernels are left",
        "relay.backend.tir_converter": "of Relay, taken and not used",
        "tir.usmp.algorithm": "how static memory is planned",
        "tir.usmp.custom_algorithm": "the function that plans static memory",
    },
    Kind.LIST: {
        "relay.collage.byoc_fusion_style": "of Relay, taken and not used",
        "tir.add_lower_pass": "pairs of a phase from 0 to 3 and a pass that `lower` runs at its end",
    },
}  # fmt: skip

#: pass with fields as options -> (meaning, fields)
_FIELDS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "tir.HoistExpression": (
        "which conditions and lets leave loops: sums of the values of HoistedConditionals and HoistedLetBindings",
        {"hoisted_conditionals": 7, "hoisted_let_bindings": 7},
    ),
    "tir.HoistIfThenElse": ("where conditions may go", {"support_block_scope_hosting": False}),
    "tir.InjectDoubleBuffer": ("how the loop is unrolled", {"split_loop": 1}),
    "tir.LoopPartition": (
        "which loops are partitioned",
        {
            "partition_const_loop": False,
            "no_unroll_loop_with_extent_one": False,
            "unroll_loop_with_partition_hint_no_interval": False,
        },
    ),
    "tir.ReduceBranchingThroughOvercompute": ("what is known of buffers", {"use_dataflow_analysis": False}),
    "tir.RemoveNoOp": (
        "what is known of buffers, and how long it is simplified",
        {"use_dataflow_analysis": False, "max_simplification_steps": 0},
    ),
    "tir.Simplify": (
        "how much is proven",
        {
            "transitively_prove_inequalities": False,
            "propagate_knowns_to_prove_conditional": False,
            "propagate_knowns_to_simplify_expressions": False,
            "convert_boolean_to_and_of_ors": False,
            "apply_constraints_to_boolean_branches": False,
        },
    ),
    "tir.UnrollLoop": (
        "which loops are unrolled besides those marked so",
        {
            "auto_max_step": 0,
            "auto_max_depth": 8,
            "auto_max_extent": 0,
            "explicit_unroll": True,
            "unroll_local_access": False,
        },
    ),
}

#: key -> option
OPTIONS: Final[Mapping[str, Option]] = _table()


#: options that TVM 0.27 renamed; the others have the prefix `tirx` or `s_tir` instead of `tir`
_V0_27: Final = {"tirx.StmtSimplify": "tir.Simplify", "tirx.s_tir.ldg32": "tir.ptx_ldg32"}


def option_name(key: str) -> str:
    """Return TVM 0.17's key of an option."""
    space, _, leaf = key.partition(".")
    return _V0_27.get(key, f"tir.{leaf}" if space in ("tirx", "s_tir") else key)


def check_options(config: Mapping[str, Any]) -> dict[str, Any]:
    """Check options, and return them by TVM 0.17's keys. Raises `UnknownOption`, `WrongOption`."""
    config = {option_name(str(key)): value for key, value in config.items()}
    for key, value in config.items():
        if key not in OPTIONS:
            raise UnknownOption(kind="option", name=repr(key), hint=closest(key, OPTIONS))
        option = OPTIONS[key]
        if not option.kind.accepts(value):
            raise WrongOption(key=key, expected=option.kind.value, got=repr(value))
        for name, given in value.items() if option.kind is Kind.FIELDS else ():
            if name not in option.fields:
                hint = closest(str(name), option.fields) or f"the fields are {', '.join(option.fields)}"
                raise UnknownOption(kind=f"field of {key}", name=repr(name), hint=hint)
            kind = Kind.FLAG if isinstance(option.fields[name], bool) else Kind.NUMBER
            if not kind.accepts(given):
                raise WrongOption(key=f"{key}.{name}", expected=kind.value, got=repr(given))
    return dict(config)


def default_of(each: Field[Any]) -> Any:
    """Return the default of a field of a pass; `MISSING` if it is required."""
    return each.default if each.default_factory is MISSING else each.default_factory()


def fields_of(cls: Any) -> list[tuple[str, str, str]]:
    """Return name, default and option key of each field of a pass class."""
    group = OPTIONS[cls.name].fields if cls.name in OPTIONS else {}
    return [
        (
            each.name,
            "required" if default_of(each) is MISSING else repr(default_of(each)),
            f"{cls.name}.{each.name}" if each.name in group else str(each.metadata.get("option", "")),
        )
        for each in fields(cls)
    ]
