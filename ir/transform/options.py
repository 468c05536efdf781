"""Options of a pass context: TVM's keys, types and meanings.

An option whose key is the name of a pass holds fields of the pass, `{"tir.UnrollLoop": {"auto_max_step": 16}}`. Any
other option is a value, which sets the fields that are declared with `option(key, default)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from enum import Enum
from typing import Any, Final

from tvmscript.ir.core import IRError, closest


class Kind(Enum):
    """Types of options; TVM's IntImm holds numbers and flags."""

    FLAG = "True or False"
    NUMBER = "an integer"
    TEXT = "a string"
    LIST = "a list"
    FIELDS = "a dict of fields"

    def accepts(self, value: object) -> bool:
        """Return whether a value has this type; a flag is a number, and 0 and 1 are flags, as in TVM."""
        return isinstance(value, _TYPES[self]) and (self is not Kind.FLAG or value in (0, 1))


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


class OptionFields(dict[str, Any]):
    """The fields of a pass that a context sets; as attributes, all fields of the pass, as TVM has them."""

    def __init__(self, key: str, given: Mapping[str, Any]) -> None:
        super().__init__(given)
        self._option = OPTIONS[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._option.fields:
            raise AttributeError(f"the option {self._option.key} has no field {name}")
        return self.get(name, self._option.fields[name])


class UnknownOption(IRError, AttributeError, code="TS4080"):
    """The `config` of a pass context has an unknown option, or a field that the pass of the option does not have.
    `tvmscript passes --options` lists all options.
    """

    message = "there is no {kind} named {name}"


class WrongOption(IRError, AttributeError, code="TS4081"):
    """An option of a pass context has a value of the wrong type, such as a string for a flag."""

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
        "ir.enable_si_builder": "give new nodes of passes the spans of the nodes that they replace; always on here",
        "relax.backend.use_cuda_graph": "capture CUDA graphs",
        "relax.lift_transform_params.consume_params": "transform_params removes its parameters from the list",
        "relax.transform.apply_legalize_ops": "legalize operators to kernels before graphs are differentiated",
        "relay.FuseOps.link_params": "of Relay; accepted and ignored",
        "relay.ToMixedPrecision.keep_orig_output_dtype": "of Relay; accepted and ignored",
        "relay.backend.use_auto_scheduler": "of Relay; accepted and ignored",
        "relay.backend.use_meta_schedule": "of Relay; accepted and ignored",
        "relay.backend.use_meta_schedule_dispatch": "of Relay; accepted and ignored",
        "relay.frontend.fill_span": "of Relay; accepted and ignored",
        "relay.remove_standalone_reshapes.enable": "of Relay; accepted and ignored",
        "te.keep_schedule_record": "of TE schedules; accepted and ignored",
        "testing.immutable_module": "of TVM's tests; accepted and ignored, since modules are immutable here",
        "tir.contrib.ethos-u.copy_compute_reordering_reorder_by_cycles": "of the Ethos-U; accepted and ignored",
        "tir.debug_keep_trivial_loop": "keep unit loops when blocks are lowered",
        "tir.detect_global_barrier": "insert barriers of all thread blocks",
        "tir.disable_assert": "remove assertions",
        "tir.disable_cse_tir": "disable common subexpression elimination",
        "tir.disable_storage_rewrite": "disable sharing of memory between allocations",
        "tir.disable_vectorize": "make vectorized loops serial",
        "tir.enable_buffer_level_predication": "lower vectorized conditions to masks of loads and stores (TVM 0.17.0)",
        "tir.enable_debug": "set spans of statements to lines of the printed program, for debuggers",
        "tir.enable_fast_math": "of TVM 0.27; accepted and ignored: functions are as exact as the target allows",
        "tir.enable_equiv_terms_in_cse_tir": "also share expressions that are equal after simplification",
        "tir.experimental_dma_bypass_cache": "asynchronous copies bypass the cache",
        "tir.instr_siblings": "also profile sibling loops",
        "tir.instrument_bound_checkers": "check accesses at run time",
        "tir.instrument_lwp": "profile loops",
        "tir.is_entry_func": "the function is the entry function",
        "tir.lwp_disable_func_prof": "profile loops only, not functions",
        "tir.merge_static_smem": "merge static shared memory like dynamic shared memory",
        "tir.noalias": "buffers of different parameters do not alias",
        "tir.ptx_ldg32": "lower guarded loads of global memory to ldg32 instructions",
        "tir.reset_start_id": "restart profiling numbers for each function",
        "tir.use_async_copy": "make copies to shared memory asynchronous",
        "tir.usmp.enable": "plan the static memory of graphs",
        "tir.usmp.use_workspace_io": "place inputs and outputs in the planned memory too",
    },
    Kind.NUMBER: {
        "relax.FuseOps.max_depth": "maximal number of operators in a fused function",
        "relax.fallback_device_type": "the default device type",
        "relay.FuseOps.max_depth": "of Relay; accepted and ignored",
        "relay.collage.byoc_max_depth": "of Relay; accepted and ignored",
        "relay.collage.tvm_max_depth": "of Relay; accepted and ignored",
        "relay.fallback_device_type": "the device type that relay.build takes of several; 1 (a CPU) by default",
        "tir.contrib.ethos-u.copy_compute_reordering_max_copy_movements": "of the Ethos-U; accepted and ignored",
        "tir.lwp_max_depth": "maximal depth of profiled loops",
        "tir.lwp_min_height": "minimal number of nested loops in a profiled loop",
        "tir.vtcm_capacity": "maximal bytes of VTCM of a function; 0 means no limit",
    },
    Kind.TEXT: {
        "cuda.kernels_output_dir": "the folder for sources of CUDA kernels",
        "relay.backend.tir_converter": "of Relay; accepted and ignored",
        "tir.usmp.algorithm": "the algorithm of static memory planning",
        "tir.usmp.custom_algorithm": "a custom function for static memory planning",
    },
    Kind.LIST: {
        "relay.collage.byoc_fusion_style": "of Relay; accepted and ignored",
        "tir.add_lower_pass": "pairs of a phase (0 to 3) and a pass that `lower` runs at the end of the phase",
    },
}  # fmt: skip

#: pass with fields as options -> (meaning, fields)
_FIELDS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "tir.HoistExpression": (
        "conditions and let bindings to hoist: sums of HoistedConditionals and HoistedLetBindings",
        {"hoisted_conditionals": 7, "hoisted_let_bindings": 7},
    ),
    "tir.HoistIfThenElse": ("how far conditions are hoisted", {"support_block_scope_hosting": False}),
    "tir.InjectDoubleBuffer": ("how the loop is unrolled", {"split_loop": 1}),
    "tir.LoopPartition": (
        "which loops are partitioned",
        {
            "partition_const_loop": False,
            "no_unroll_loop_with_extent_one": False,
            "unroll_loop_with_partition_hint_no_interval": False,
        },
    ),
    "tir.ReduceBranchingThroughOvercompute": ("analysis of buffer contents", {"use_dataflow_analysis": False}),
    "tir.RemoveNoOp": (
        "analysis of buffer contents, and limit of simplification",
        {"use_dataflow_analysis": False, "max_simplification_steps": 0},
    ),
    "tir.Simplify": (
        "extent of proofs and simplification",
        {
            "transitively_prove_inequalities": False,
            "propagate_knowns_to_prove_conditional": False,
            "propagate_knowns_to_simplify_expressions": False,
            "convert_boolean_to_and_of_ors": False,
            "apply_constraints_to_boolean_branches": False,
        },
    ),
    "tir.UnrollLoop": (
        "loops to unroll besides `T.unroll` loops",
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
        for name, field_value in value.items() if option.kind is Kind.FIELDS else ():
            if name not in option.fields:
                hint = closest(str(name), option.fields) or f"the fields are {', '.join(option.fields)}"
                raise UnknownOption(kind=f"field of {key}", name=repr(name), hint=hint)
            kind = Kind.FLAG if isinstance(option.fields[name], bool) else Kind.NUMBER
            if not kind.accepts(field_value):
                raise WrongOption(key=f"{key}.{name}", expected=kind.value, got=repr(field_value))
    return {
        key: OptionFields(key, value) if OPTIONS[key].kind is Kind.FIELDS else value for key, value in config.items()
    }


def default_of(option_field: Field[Any]) -> Any:
    """Return the default of a field of a pass; `MISSING` if it is required."""
    return option_field.default if option_field.default_factory is MISSING else option_field.default_factory()


def fields_of(cls: Any) -> list[tuple[str, str, str]]:
    """Return name, default and option key of each field of a pass class."""
    group = OPTIONS[cls.name].fields if cls.name in OPTIONS else {}
    return [
        (
            option_field.name,
            "required" if default_of(option_field) is MISSING else repr(default_of(option_field)),
            f"{cls.name}.{option_field.name}"
            if option_field.name in group
            else str(option_field.metadata.get("option", "")),
        )
        for option_field in fields(cls)
    ]
