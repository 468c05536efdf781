"""The same script on our schedule and on TVM's: the same program afterwards, or the same error.

    outcome = both(oracle, program, script)
    outcome.check()                    # fails with both texts, or both errors

TVM's errors have messages only; `ERRORS` says which class of TVM has which message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import tvmscript
from tests.ir.schedule.scripts import load_script
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.schedule.schedule import Schedule

#: A part of the message of TVM's error (0.17, short form) -> the name of its class in TVM.
ERRORS: dict[str, str] = {
    # finding blocks, scopes
    "a block with the specified name": "NotSingleResult",
    "multiple blocks with the specified name": "NotSingleResult",
    "not operate on the root block": "RootBlockError",
    "not a stage pipeline": "NotStagePipelineError",
    "region cover is not complete": "NotRegionCoverError",
    "required to have an affine binding": "NotAffineBindingError",
    "required to have an partial affine binding": "NotAffineBindingError",
    "Incomplete block": "IncompleteBlockError",
    "Not a reduction block": "NotReductionBlockError",
    "Not a complete or reduction block": "NotCompleteOrReductionBlockError",
    "does not have compact dataflow": "NotCompactDataFlowError",
    "on an output block": "OutputBlockError",
    "not variables of outer loops": "NotTrivialBindingError",
    # loops
    "loop starting with 0": "LoopNotStartWithZeroError",
    "has annotation or thread binding": "HasAnnotationOrThreadBindingError",
    "only one factor can be specified": "NotSingleInferFactorError",
    "constant factors are required to be positive": "NonPositiveFactorError",
    "product of factors is not larger": "WrongFactorError",
    "sum of factors is larger": "WrongFactorError",
    "dynamic shape has been d": "SymbolicShapeError",
    "not the parent of the inner loop": "OuterNotInnerParent",
    "not the only child of outer loop": "NotOnlyChildError",
    "appears in the input array for multiple times": "LoopMultiAppearanceError",
    "loops are not in a chain": "LoopsNotAChainError",
    "is dependent on an inner loop": "DependentLoopError",
    "is dependent on another loop": "DependentLoopError",
    "block iter type other than data-parallel": "BlockPropertyError",
    "Merge loop's": "LoopsNotAlikeError",
    "Expected the loops to be under the same block scope": "LoopsNotAlikeError",
    "requires at least": "WrongArgumentCount",
    "Cannot find annotation key": "AnnotationNotFound",
    "Unknown threadscope": "UnknownThreadAxis",
    "specified reorder indices are invalid": "InvalidReorderIndex",
    "with regard to some of its underlying block": "WrongBlockIterTypeError",
    "required to have only one child block": "NonSingleChildBlockError",
    # reductions
    "rfactor is required to be `kSerial`": "NotSerialLoopKindError",
    "`factor_axis` is out of range": "FactorAxisOutOfRangeError",
    "No matched reducer": "NoMatchedReducerError",
    "RFactor cannot be applied": "RFactorNotApplicableError",
    "applied rfactor is required not to be touched": "LoopPropertyError",
    "not to be touched by both data parallel": "LoopPropertyError",
    "should be the first child block of the outermost loop": "LoopPropertyError",
    "not bound to any block iter should not appear under": "LoopPropertyError",
    "higher than all the loops related to reduce": "LoopHeightError",
    "expect the loop to be an ancestor of block": "LoopPositionError",
    # padding
    "match padding pattern": "PaddingPatternMatchError",
    "computation of Einsum pattern": "NonEinsumError",
    "padding size for the block is invalid": "InvalidPaddingError",
    # moving and inlining
    "insertion point that satisfies": "InsertionPointNotFoundError",
    "Valid index:": "InsertionPointNotFoundError",
    "under the same block scope, and loop not": "NotInSameScopeError",
    "required blocks are under the loop": "NotAllRequiredBlocksAreVisitedError",
    "only a single producer block": "NonSingleProducerError",
    "has init statement": "HasInitBlock",
    "body pattern does not meet": "BodyAnalysisError",
    "has opaque access": "OpaqueAccessError",
    "write only a single buffer region": "NotSingleReadWriteBuffer",
    "read only a single buffer region": "NotSingleReadWriteBuffer",
    "only leaf in the scope": "OnlyLeafError",
    # caches and storage
    "`buffer_index` is out of range": "BufferIndexOutOfRangeError",
    "storage scope is invalid": "InvalidStorageScopeError",
    "should be accessed via BufferLoad or BufferStore": "InvalidBufferAccessError",
    "both read & write target buffer": "NotReadWriteError",
    "not a single point": "NotSinglePointAccess",
    "allowed to be written by single block": "NotSingleWriteBlock",
    "not a leaf block": "NotLeafBlockError",
    "reindex cache stage do not match": "ReindexCacheReadWriteNotMatchError",
    "not allocated by a block": "NonAllocatedBufferError",
    "annotation for storage align": "StorageAlignInvalidAnnotationError",
    "`factor` of storage_align": "StorageAlignInvalidFactorError",
    "`axis` is out of range": "StorageAlignAxisOutOfRangeError",
    "Invalid buffer type for hide_buffer_access": "BufTypeError",
    "Invalid buffer index array": "InvalidIndexError",
    "is not a for loop": "RollingBufferInsertionError",
    "matching the rolling pattern": "RollingBufferMatchError",
    "only RAW dependencies": "RollingBufferDependencyError",
    # layouts and tensors
    "can not be blockized": "SubspaceNotDivisibleError",
    "match the tensor intrin": "TensorIntrinMismatchError",
    "is not registered": "UnknownName",
    # TVM does not find the function of a block in a block, which the error would show
    "Could not get the corresponding function": "BufferIsSubregionError",
    "is defined in `match_buffer`": "BufferIsSubregionError",
    "number of parameters mismatch": "IndexMapNotApplicableToBlockIterError",
    "the new block iter type": "OpaqueNewIterTypeError",
    "index map is not bijective affine": "NotBijectiveAffineIndexMapError",
    "Transformation would introduce padding": "TransformationIntroducesPaddingError",
    "IndexMap specifying pad_value": "TransformationPaddingIndexMapError",
    "Pad value is specified as": "TransformationPaddingTypeError",
    "ScheduleError: Type mismatch": "TransformationPaddingTypeError",
    "Pad value may": "TransformationPaddingExpressionError",
}


def tvm_error(message: str) -> str:
    """The name of TVM's error class behind a message; the message itself where none is known."""
    return next((name for part, name in ERRORS.items() if part in message), message)


@dataclass
class Outcome:
    """What came out on both sides: a program or an error."""

    program: str
    script: str
    #: the schedule afterwards; or the name of the error class
    ours: Schedule | str
    #: the text of the program afterwards; or the name of TVM's error class
    theirs: dict[str, Any] | str
    #: what our error says
    message: str = ""
    #: whether TVM's check of its own facts failed after a step: its program is the one after that step
    is_unverified: bool = False

    @property
    def failed(self) -> bool:
        """Whether we refused."""
        return isinstance(self.ours, str)

    @property
    def is_same(self) -> bool:
        """Whether both did the same, or refused for the same reason."""
        if isinstance(self.ours, str) or isinstance(self.theirs, str):
            return self.ours == self.theirs
        theirs = tvmscript.from_source(self.theirs["text"], check_well_formed=False)
        assert isinstance(theirs, IRModule)
        return structural_equal(self.ours.mod, theirs, map_free_vars=True)

    @property
    def has_same_text(self) -> bool:
        """Whether also the names are the same."""
        if isinstance(self.ours, str) or isinstance(self.theirs, str):
            return self.ours == self.theirs
        return bool(_body(self.ours.mod.script()) == _body(self.theirs["text"]))

    def describe(self) -> str:
        """Both sides as text."""
        ours = f"{self.ours}: {self.message}" if isinstance(self.ours, str) else self.ours.mod.script()
        theirs = self.theirs if isinstance(self.theirs, str) else self.theirs["text"]
        return f"{self.program}\n{self.script}\n---- ours\n{ours}\n---- TVM's\n{theirs}"

    def check(self) -> None:
        """Fail unless both did the same."""
        assert self.is_same, self.describe()


def _body(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()[:1] not in ("", "#"))


#: A function alone is `main` here, whatever its name is; in TVM it has to be called so.
_NAME = re.compile(r"^(@T\.prim_func[^\n]*\n)def \w+\(", re.MULTILINE)


#: TVM fails to print traces with decompose_padding as Python, which the oracle asks for; it replays them.
_UNPRINTABLE = "Expected tir.LoopRV, but got runtime.String"


#: TVM's own check of its facts fails after some steps that are right; the program is in the message.
_UNVERIFIED = re.compile(r"Schedule verification failed\. The IR is:\n(.*)\nThe errors are:", re.DOTALL)


def both(oracle: Any, program: str, script: str, *, seed: int | None = None) -> Outcome:
    """Run a script (`def schedule(sch)`) on the text of a program (a kernel, or a module), here and in TVM."""
    program = _NAME.sub(r"\1def main(", program)
    made = tvmscript.from_source(program, check_well_formed=False)
    ours: Schedule | str = Schedule(made)
    message, is_unverified = "", False
    try:
        load_script(script)(ours)
    except TVMScriptError as error:
        ours, message = type(error).__name__, error.text
    try:
        theirs: dict[str, Any] | str = oracle.schedule(script, program, brief=True, seed=seed)
    except Exception as error:  # the class of the oracle's errors is in a file outside
        if type(error).__name__ != "OracleError" or getattr(error, "kind", "") != "tvm-error":
            raise
        unverified = _UNVERIFIED.search(str(error))
        is_unverified = unverified is not None
        theirs = {"text": unverified[1]} if unverified else tvm_error(str(error))
        if _UNPRINTABLE in theirs and isinstance(ours, Schedule):
            theirs = {"text": oracle.replay(ours.trace.as_json(), program)}
    return Outcome(program, script, ours, theirs, message, is_unverified)
