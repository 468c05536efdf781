# Written by `python -m tools.reference`; edit tools/reference/ instead.

import builtins
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import Range as _Range
from tvmscript.ir.tir.index_map import IndexMap
from tvmscript.language.kernel_types import Argument
from tvmscript.language.kernel_types import DTypeLike
from tvmscript.language.kernel_types import Expr
from tvmscript.language.kernel_types import Function
from tvmscript.language.kernel_types import Index
from tvmscript.language.kernel_types import Loops
from tvmscript.language.kernel_types import M
from tvmscript.language.kernel_types import P
from tvmscript.language.kernel_types import PrimExpr
from tvmscript.language.kernel_types import R as _R
from tvmscript.language.kernel_types import Region
from tvmscript.language.kernel_types import Scope
from tvmscript.language.kernel_types import ScopedBuffer
from tvmscript.language.kernel_types import ScopedExpr
from tvmscript.language.kernel_types import ScopedPointer
from tvmscript.language.kernel_types import Shape
from tvmscript.language.kernel_types import Value
from tvmscript.language.tirx import JitFunction
from typing import Any
from typing import TypeAlias
from typing import overload

from tvmscript.language.kernel_types import bfloat16 as bfloat16
from tvmscript.language.kernel_types import bfloat16x16 as bfloat16x16
from tvmscript.language.kernel_types import bfloat16x32 as bfloat16x32
from tvmscript.language.kernel_types import bfloat16x4 as bfloat16x4
from tvmscript.language.kernel_types import bfloat16x64 as bfloat16x64
from tvmscript.language.kernel_types import bfloat16x8 as bfloat16x8
from tvmscript.language.kernel_types import bool as bool
from tvmscript.language.kernel_types import e4m3_float8 as e4m3_float8
from tvmscript.language.kernel_types import e4m3_float8x16 as e4m3_float8x16
from tvmscript.language.kernel_types import e4m3_float8x32 as e4m3_float8x32
from tvmscript.language.kernel_types import e4m3_float8x4 as e4m3_float8x4
from tvmscript.language.kernel_types import e4m3_float8x64 as e4m3_float8x64
from tvmscript.language.kernel_types import e4m3_float8x8 as e4m3_float8x8
from tvmscript.language.kernel_types import e5m2_float8 as e5m2_float8
from tvmscript.language.kernel_types import e5m2_float8x16 as e5m2_float8x16
from tvmscript.language.kernel_types import e5m2_float8x32 as e5m2_float8x32
from tvmscript.language.kernel_types import e5m2_float8x4 as e5m2_float8x4
from tvmscript.language.kernel_types import e5m2_float8x64 as e5m2_float8x64
from tvmscript.language.kernel_types import e5m2_float8x8 as e5m2_float8x8
from tvmscript.language.kernel_types import float16 as float16
from tvmscript.language.kernel_types import float16x16 as float16x16
from tvmscript.language.kernel_types import float16x32 as float16x32
from tvmscript.language.kernel_types import float16x4 as float16x4
from tvmscript.language.kernel_types import float16x64 as float16x64
from tvmscript.language.kernel_types import float16x8 as float16x8
from tvmscript.language.kernel_types import float32 as float32
from tvmscript.language.kernel_types import float32x16 as float32x16
from tvmscript.language.kernel_types import float32x32 as float32x32
from tvmscript.language.kernel_types import float32x4 as float32x4
from tvmscript.language.kernel_types import float32x64 as float32x64
from tvmscript.language.kernel_types import float32x8 as float32x8
from tvmscript.language.kernel_types import float64 as float64
from tvmscript.language.kernel_types import float64x16 as float64x16
from tvmscript.language.kernel_types import float64x32 as float64x32
from tvmscript.language.kernel_types import float64x4 as float64x4
from tvmscript.language.kernel_types import float64x64 as float64x64
from tvmscript.language.kernel_types import float64x8 as float64x8
from tvmscript.language.kernel_types import int16 as int16
from tvmscript.language.kernel_types import int16x16 as int16x16
from tvmscript.language.kernel_types import int16x32 as int16x32
from tvmscript.language.kernel_types import int16x4 as int16x4
from tvmscript.language.kernel_types import int16x64 as int16x64
from tvmscript.language.kernel_types import int16x8 as int16x8
from tvmscript.language.kernel_types import int32 as int32
from tvmscript.language.kernel_types import int32x16 as int32x16
from tvmscript.language.kernel_types import int32x32 as int32x32
from tvmscript.language.kernel_types import int32x4 as int32x4
from tvmscript.language.kernel_types import int32x64 as int32x64
from tvmscript.language.kernel_types import int32x8 as int32x8
from tvmscript.language.kernel_types import int64 as int64
from tvmscript.language.kernel_types import int64x16 as int64x16
from tvmscript.language.kernel_types import int64x32 as int64x32
from tvmscript.language.kernel_types import int64x4 as int64x4
from tvmscript.language.kernel_types import int64x64 as int64x64
from tvmscript.language.kernel_types import int64x8 as int64x8
from tvmscript.language.kernel_types import int8 as int8
from tvmscript.language.kernel_types import int8x16 as int8x16
from tvmscript.language.kernel_types import int8x32 as int8x32
from tvmscript.language.kernel_types import int8x4 as int8x4
from tvmscript.language.kernel_types import int8x64 as int8x64
from tvmscript.language.kernel_types import int8x8 as int8x8
from tvmscript.language.kernel_types import uint16 as uint16
from tvmscript.language.kernel_types import uint16x16 as uint16x16
from tvmscript.language.kernel_types import uint16x32 as uint16x32
from tvmscript.language.kernel_types import uint16x4 as uint16x4
from tvmscript.language.kernel_types import uint16x64 as uint16x64
from tvmscript.language.kernel_types import uint16x8 as uint16x8
from tvmscript.language.kernel_types import uint32 as uint32
from tvmscript.language.kernel_types import uint32x16 as uint32x16
from tvmscript.language.kernel_types import uint32x32 as uint32x32
from tvmscript.language.kernel_types import uint32x4 as uint32x4
from tvmscript.language.kernel_types import uint32x64 as uint32x64
from tvmscript.language.kernel_types import uint32x8 as uint32x8
from tvmscript.language.kernel_types import uint64 as uint64
from tvmscript.language.kernel_types import uint64x16 as uint64x16
from tvmscript.language.kernel_types import uint64x32 as uint64x32
from tvmscript.language.kernel_types import uint64x4 as uint64x4
from tvmscript.language.kernel_types import uint64x64 as uint64x64
from tvmscript.language.kernel_types import uint64x8 as uint64x8
from tvmscript.language.kernel_types import uint8 as uint8
from tvmscript.language.kernel_types import uint8x16 as uint8x16
from tvmscript.language.kernel_types import uint8x32 as uint8x32
from tvmscript.language.kernel_types import uint8x4 as uint8x4
from tvmscript.language.kernel_types import uint8x64 as uint8x64
from tvmscript.language.kernel_types import uint8x8 as uint8x8
from tvmscript.language.kernel_types import void as void
from tvmscript.language.kernel_types import handle as handle
from tvmscript.language.kernel_types import Ptr as Ptr
from tvmscript.language.kernel_types import Buffer as Buffer
bf16: TypeAlias = bfloat16
boolean: TypeAlias = bool
f16: TypeAlias = float16
f32: TypeAlias = float32
f64: TypeAlias = float64
i16: TypeAlias = int16
i32: TypeAlias = int32
i64: TypeAlias = int64
i8: TypeAlias = int8
u16: TypeAlias = uint16
u32: TypeAlias = uint32
u64: TypeAlias = uint64
u8: TypeAlias = uint8

def Add(a: Value, b: Value) -> Expr:
    """a + b, integers wrap around. Operands are not converted. Integers of two widths become the wider one."""

def And(a: Value, b: Value) -> Expr:
    """a and b. Operands are not converted."""

def Assert(condition: Value, message: str | Value, error_kind: str = 'RuntimeError') -> Scope:
    """Abort with an error of a kind unless the condition holds; the message may be given in parts."""

def Bind(value: Value, type_annotation: Any = None, *, var: PrimExpr | None = None) -> Scope:
    """Bind a variable to a value, for the rest of the body."""

def BitwiseAnd(*args: Argument) -> Expr:
    """Bitwise and."""

def BitwiseNot(*args: Argument) -> Expr:
    """Bitwise complement of an integer. Raises `WrongType` for floats."""

def BitwiseOr(*args: Argument) -> Expr:
    """Bitwise or."""

def BitwiseXor(*args: Argument) -> Expr:
    """Bitwise exclusive or."""

def Break() -> Stmt:
    """Exit the innermost loop."""

def Broadcast(value: Value, lanes: Value) -> Expr:
    """A scalar in every lane."""

def BufferLoad(buffer: Buffer, indices: Sequence[Index] | Index, predicate: Value | None = None) -> Expr:
    """An element of a buffer."""

def Call(op: Any, args: Sequence[Argument], ret_ty: Value | None = None, **more: Value) -> Any:
    """A call of an operator by name: `T.Call("tirx.exp", [x], ret_ty="float32")`; the order of 0.17 is accepted."""

class CallEffectKind:
    ControlJump: Any
    EmbedInfo: Any
    ExprAnnotation: Any
    Opaque: Any
    Pure: Any
    ReadState: Any
    SpecialCallArg: Any
    UpdateState: Any

def Cast(dtype: DTypeLike, value: Value) -> Expr:
    """A Cast node."""

def CommReducer(lhs: Sequence[PrimExpr], rhs: Sequence[PrimExpr], result: Sequence[Value], identity_element: Sequence[Value]) -> Expr:
    """A commutative reducer: its result in terms of two groups of variables, and its identity."""

def ComposeLayout(per_element: Value, swizzle_len: Value, atom_len: Value, tile_layout: Value, swizzle_inner: builtins.bool = True) -> Any:
    """A layout with a swizzle."""

def Continue() -> Stmt:
    """Continue with the next iteration."""

def Div(a: Value, b: Value) -> Expr:
    """a / b; integers round towards zero (truncdiv). Operands are not converted."""

def EQ(a: Value, b: Value) -> Expr:
    """a == b. Operands are not converted. Integers of two widths become the wider one."""

def Else() -> Scope:
    """Open the part of `T.If` for a false condition."""

def FloatImm(dtype: DTypeLike, value: float) -> Expr:
    """A floating-point constant."""

def FloorDiv(a: Value, b: Value) -> Expr:
    """a // b, rounded down as Python does. Operands are not converted. Integers of two widths become the wider one."""

def FloorMod(a: Value, b: Value) -> Expr:
    """a % b, with the sign of b as Python does. Operands are not converted. Integers of two widths become the wider one."""

def GE(a: Value, b: Value) -> Expr:
    """a >= b. Operands are not converted. Integers of two widths become the wider one."""

def GT(a: Value, b: Value) -> Expr:
    """a > b. Operands are not converted. Integers of two widths become the wider one."""

def If(condition: Value) -> Scope:
    """Open a branch with the parts `T.Then` and `T.Else`."""

def IntImm(dtype: DTypeLike, value: int) -> Expr:
    """An integer constant."""

def Iter(extent: Value, stride: Value, axis: Value) -> Any:
    """One step of a layout: extent, stride, axis."""

def IterVar(dom: Value | tuple[Value, Value] | _Range, var: PrimExpr | str, iter_type: int, thread_tag: str = '') -> Expr:
    """An iteration variable."""

def LE(a: Value, b: Value) -> Expr:
    """a <= b. Operands are not converted. Integers of two widths become the wider one."""

def LShift(*args: Argument) -> Expr:
    """x * 2 ** y, wrapped around; 0 <= y < bits."""

def LT(a: Value, b: Value) -> Expr:
    """a < b. Operands are not converted. Integers of two widths become the wider one."""

def Let(expr: Value, where: Mapping[PrimExpr, Value]) -> Expr:
    """The value of expr where one variable stands for a value: `T.Let(x + 1, where={x: 5})`."""

def LetAnnotation(type: Value | None = None) -> Any:
    """The annotation of an immutable variable: `v: T.let = value`."""

def LetStmt(value: Value, type_annotation: Any = None, *, var: PrimExpr | None = None) -> ScopedExpr:
    """Bind a variable to a value, for the body."""

def Max(a: Value, b: Value) -> Expr:
    """The larger of the two. Operands are not converted. Integers of two widths become the wider one."""

def Min(a: Value, b: Value) -> Expr:
    """The smaller of the two. Operands are not converted. Integers of two widths become the wider one."""

def Mod(a: Value, b: Value) -> Expr:
    """Remainder of Div: it has the sign of a (truncmod). Operands are not converted."""

def Mul(a: Value, b: Value) -> Expr:
    """a * b, integers wrap around. Operands are not converted. Integers of two widths become the wider one."""

def NE(a: Value, b: Value) -> Expr:
    """a != b. Operands are not converted. Integers of two widths become the wider one."""

def Not(a: Value) -> Expr:
    """not a."""

def Optional(annotation: Value) -> Any:
    """The annotation of a parameter that may be left out."""

def Or(a: Value, b: Value) -> Expr:
    """a or b. Operands are not converted."""

def ProducerLoad(producer: Any, indices: Sequence[Index] | Index) -> Expr:
    """An element of a tensor."""

class _SubscriptOfR:
    def __getitem__(self, index: Any) -> Any:
        """Part of a layout that repeats it: `T.R[extents:strides]`."""

R: _SubscriptOfR

def RShift(*args: Argument) -> Expr:
    """x / 2 ** y rounded down (arithmetic for signed x); 0 <= y < bits."""

def Ramp(base: Value, stride: Value, lanes: Value) -> Expr:
    """The vector base, base + stride, ..."""

def Range(begin: Value, end: Value) -> _Range:
    """The integers from begin to end, end exclusive; constants are subtracted right away."""

def Reduce(combiner: Any, src: Sequence[Value], rdom: Sequence[Any], condition: Value, value_index: int, init: Sequence[Value] | None = None) -> Expr:
    """A reduction as a value."""

def Return(value: Value) -> Stmt:
    """`return value`."""

class _SubscriptOfS:
    def __getitem__(self, index: Any) -> Any:
        """Part of a layout: `T.S[extents:strides]`, or `T.S[extents]` in row-major order."""

S: _SubscriptOfS

def SMEMPool(ptr: PrimExpr | None = None) -> Any:
    """Return a pool of the shared memory at a pointer, or of memory of its own."""

def Select(condition: Value, true_value: Value, false_value: Value) -> Expr:
    """One of two values; both are evaluated."""

def Shuffle(vectors: Sequence[Value], indices: Sequence[Index] | Index) -> Expr:
    """A vector of lanes selected from vectors."""

def SizeVar(name: str, dtype: DTypeLike) -> Expr:
    """A new size variable with a name."""

def StringImm(value: str) -> Expr:
    """A string constant."""

def Sub(a: Value, b: Value) -> Expr:
    """a - b, integers wrap around. Operands are not converted. Integers of two widths become the wider one."""

def TMEMPool(pool: Value, total_cols: int = 512, *, cta_group: int = 1, alloc_warp: int = 0, dealloc_warp: int | None = None, tmem_addr: Buffer | Expr | None = None, sync_after_alloc: builtins.bool = True) -> Any:
    """Return a pool of the memory of tensor cores; the address is kept in a pool of shared memory, or where given."""

def TVMBackendAllocWorkspace(device_type: Argument, device_id: Argument, nbytes: Argument, dtype_code_hint: Argument, dtype_bits_hint: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Temporary memory of a device."""

def TVMBackendFreeWorkspace(device_type: Argument, device_id: Argument, ptr: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Free a workspace."""

def TensorMap() -> Expr:
    """A new variable: the descriptor of a tensor in global memory."""

def Then() -> Scope:
    """Open the part of `T.If` for a true condition."""

def TileLayout(spec: Value) -> Any:
    """A layout: where the elements of a buffer lie."""

def Tuple(*fields: Value) -> Any:
    """A tuple type."""

def Var(name: str, dtype: DTypeLike) -> Expr:
    """A new variable with a name."""

def While(condition: Value) -> Scope:
    """Open a while loop."""

def abs(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """The absolute value: `fabs` of floats, a Select for signed integers, unsigned numbers as they are."""

def acos(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The arc cosine, in [0, pi]."""

def acosh(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The inverse hyperbolic cosine; nan below 1."""

def add_to_parent(stmt: Value) -> Any:
    """Add a statement; one that Python code made by a call of `T` is there already. Raises `WrongType`."""

def address_of(buffer_load: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """The address of a buffer's element."""

def alloc_buffer(shape: Shape, dtype: DTypeLike = 'float32', data: PrimExpr | None = None, strides: Sequence[Value | str] | None = None, elem_offset: Value | None = None, byte_offset: Value | None = None, scope: str = 'global', align: int = -1, offset_factor: int = 0, layout: str = 'default', allocated_addr: Value | None = None, annotations: Mapping[str, object] | None = None) -> Scope:
    """Allocate memory with its buffer, for the rest of the body."""

def alloc_cast_frag(src: Buffer, dtype: DTypeLike) -> Buffer:
    """Allocate registers like those of a fragment, with elements of another dtype."""

def alloc_local(*args: Argument, **options: Value) -> Scope:
    """Allocate memory in the scope local with its buffer, for the rest of the body."""

def alloc_scalar(dtype: DTypeLike = 'float32', scope: str = 'global') -> Any:
    """A mutable scalar."""

def alloc_shared(*args: Argument, **options: Value) -> Scope:
    """Allocate memory in the scope shared with its buffer, for the rest of the body."""

def alloc_tcgen05_ldst_frag(instr_shape: Value, tensor_shape: Value, dtype: DTypeLike) -> Buffer:
    """Allocate the registers that `tcgen05.ld` of a shape fills with a matrix."""

def allocate(extents: Shape, dtype: DTypeLike, scope: str = 'global', condition: Value = True, annotations: Mapping[str, object] | None = None) -> ScopedPointer:
    """Allocate memory for the body."""

def allocate_const(data: Any, dtype: DTypeLike, extents: Shape, annotations: Mapping[str, object] | None = None) -> ScopedPointer:
    """Allocate constant memory for the body."""

def anylist_getitem(list_handle: Argument, index: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """An item of a list of the runtime."""

def anylist_resetitem(list_handle: Argument, index: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Drop an item of a list."""

def anylist_setitem_call_cpacked(list_handle: Argument, index: Argument, func_name: Argument, *args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Store the result of a C packed function in a list."""

def anylist_setitem_call_packed(list_handle: Argument, index: Argument, func_name: Argument, *args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Store the result of a packed function in a list."""

def arg(name: str, obj: Any) -> Any:
    """Add a parameter to the function."""

def asin(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The arc sine, in [-pi/2, pi/2]."""

def asinh(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The inverse hyperbolic sine."""

def assume(cond: Argument = True, *, dtype: DTypeLike | None = None) -> Expr:
    """Assume that cond is true."""

def atan(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The arc tangent, in [-pi/2, pi/2]."""

def atan2(x1: Value, x2: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The angle of the point (x2, x1), in [-pi, pi]."""

def atanh(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The inverse hyperbolic tangent; infinite at -1 and 1."""

def atomic_add(*args: Argument) -> Expr:
    """Call the operator `tir.atomic_add`."""

def attr(node_or_dict: Value, attr_key: str | None = None, value: Value | None = None) -> Scope:
    """Attach an attribute of a node to the body, or several attributes given as a dict."""

class axis:
    @staticmethod
    def R(dom: Value | tuple[Value, Value] | _Range, binding: Value | None = None, dtype: DTypeLike = 'int32') -> Expr:
        """Add an axis to the block: its domain, and its binding."""

    @staticmethod
    def S(dom: Value | tuple[Value, Value] | _Range, binding: Value | None = None, dtype: DTypeLike = 'int32') -> Expr:
        """Add an axis to the block: its domain, and its binding."""

    @staticmethod
    def opaque(dom: Value | tuple[Value, Value] | _Range, binding: Value | None = None, dtype: DTypeLike = 'int32') -> Expr:
        """Add an axis to the block: its domain, and its binding."""

    @staticmethod
    def reduce(dom: Value | tuple[Value, Value] | _Range, binding: Value | None = None, dtype: DTypeLike = 'int32') -> Expr:
        """Add an axis to the block: its domain, and its binding."""

    @staticmethod
    def remap(kinds: str, bindings: Sequence[Value] | Value, dtype: DTypeLike = 'int32') -> Any:
        """Add one axis for each letter (S: spatial, R: reduction), bound to loop variables."""

    @staticmethod
    def scan(dom: Value | tuple[Value, Value] | _Range, binding: Value | None = None, dtype: DTypeLike = 'int32') -> Expr:
        """Add an axis to the block: its domain, and its binding."""

    @staticmethod
    def spatial(dom: Value | tuple[Value, Value] | _Range, binding: Value | None = None, dtype: DTypeLike = 'int32') -> Expr:
        """Add an axis to the block: its domain, and its binding."""

def bind(value: Value, type_annotation: Any = None, *, var: PrimExpr | None = None) -> Scope:
    """Bind a variable to a value, for the rest of the body."""

def bitwise_and(x: Value, y: Value, dtype: DTypeLike | None = None) -> Expr:
    """Bitwise and."""

def bitwise_not(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """Bitwise complement of an integer. Raises `WrongType` for floats."""

def bitwise_or(x: Value, y: Value, dtype: DTypeLike | None = None) -> Expr:
    """Bitwise or."""

def bitwise_xor(x: Value, y: Value, dtype: DTypeLike | None = None) -> Expr:
    """Bitwise exclusive or."""

def block(name: str = '', no_realize: builtins.bool = False) -> Scope:
    """Open a block."""

def block_attr(attrs: Mapping[str, object]) -> None:
    """Set the annotations of the block."""

def break_loop(*, dtype: DTypeLike | None = None) -> Expr:
    """Leave the innermost loop."""

def breakpoint(dtype: DTypeLike | None = None) -> Expr:
    """Stop in Python's debugger, which shows this line, the variables and the buffers. In the interpreter."""

def broadcast(value: Value, lanes: Value) -> Expr:
    """A scalar in every lane."""

def buffer(shape: Shape, dtype: DTypeLike = 'float32', data: PrimExpr | None = None, strides: Sequence[Value | str] | None = None, elem_offset: Value | None = None, byte_offset: Value | None = None, scope: str = 'global', align: int = 0, offset_factor: int = 0, layout: str = 'default', allocated_addr: Value | None = None) -> Buffer:
    """Declare a buffer: as an annotation a parameter."""

def buffer_decl(shape: Shape, dtype: DTypeLike = 'float32', data: PrimExpr | None = None, strides: Sequence[Value | str] | None = None, elem_offset: Value | None = None, byte_offset: Value | None = None, scope: str = 'global', align: int = 0, offset_factor: int = 0, layout: str = 'default', allocated_addr: Value | None = None) -> Buffer:
    """Declare a buffer: as an annotation a parameter."""

def buffer_offset(element: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """The place of an element in its buffer, in elements."""

def buffer_store(buffer: Buffer, value: Value, indices: Sequence[Index] | Index, predicate: Value | None = None) -> Stmt:
    """Store an element of a buffer."""

def buffer_var(dtype: DTypeLike, storage_scope: str = 'global', is_size_var: builtins.bool = False) -> Expr:
    """A new variable that points to elements of `dtype`."""

def call_cpacked(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Call a C function with the packed calling convention. Buffers are handed over as arrays."""

def call_cpacked_lowered(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """A C packed call with its stacks. Buffers are handed over as arrays."""

def call_extern(dtype: DTypeLike, func_name: Argument, *args: Argument) -> Expr:
    """Call a C function by name."""

def call_ffi_kernel(*args: Argument, launch_params: Sequence[str], ret_ty: str = 'int32') -> Expr:
    """Launch a kernel of the module: its name, its arguments, the extents that `launch_params` name."""

def call_intrin(dtype: DTypeLike, func_name: str, *args: Argument) -> Expr:
    """A call of an operator by name: `T.call_intrin("float32", "tirx.exp", x)`."""

def call_llvm_intrin(dtype: DTypeLike, name: Argument, *args: Argument) -> Expr:
    """Call an intrinsic of LLVM."""

def call_llvm_pure_intrin(dtype: DTypeLike, name: Argument, *args: Argument) -> Expr:
    """Call an intrinsic of LLVM without effects."""

def call_packed(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Call a function of the runtime by name. Buffers are handed over as arrays."""

def call_packed_lowered(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """A packed call with its stacks of values and types. Buffers are handed over as arrays."""

def call_pure_extern(dtype: DTypeLike, func_name: Argument, *args: Argument) -> Expr:
    """Call a C function without effects."""

def call_spirv_pure_glsl450(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Call a GLSL instruction of SPIR-V: its number, its arguments."""

def cast(x: Value, dtype: str) -> Expr:
    """x converted to a dtype; constants are converted right away."""

def ceil(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """x rounded up to an integer. An integer is returned as it is."""

def ceildiv(lhs: Value, rhs: Value, dtype: DTypeLike | None = None) -> Expr:
    """lhs / rhs of integers, rounded up: (lhs + rhs - 1) // rhs, computed for numbers."""

class cluster:
    @staticmethod
    def add(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive add in the scope cluster."""

    @staticmethod
    def binary_chain(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_chain in the scope cluster."""

    @staticmethod
    def binary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_reduce in the scope cluster."""

    @staticmethod
    def cast(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive cast in the scope cluster."""

    @staticmethod
    def copy(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy in the scope cluster."""

    @staticmethod
    def copy_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy_async in the scope cluster."""

    @staticmethod
    def exp(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp in the scope cluster."""

    @staticmethod
    def exp2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp2 in the scope cluster."""

    @staticmethod
    def fdiv(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fdiv in the scope cluster."""

    @staticmethod
    def fill(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fill in the scope cluster."""

    @staticmethod
    def fma(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fma in the scope cluster."""

    @staticmethod
    def gemm(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm in the scope cluster."""

    @staticmethod
    def gemm_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm_async in the scope cluster."""

    @staticmethod
    def log2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive log2 in the scope cluster."""

    @staticmethod
    def max(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive max in the scope cluster."""

    @staticmethod
    def maximum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive maximum in the scope cluster."""

    @staticmethod
    def memset(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive memset in the scope cluster."""

    @staticmethod
    def min(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive min in the scope cluster."""

    @staticmethod
    def minimum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive minimum in the scope cluster."""

    @staticmethod
    def mul(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive mul in the scope cluster."""

    @staticmethod
    def permute_layout(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive permute_layout in the scope cluster."""

    @staticmethod
    def reciprocal(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reciprocal in the scope cluster."""

    @staticmethod
    def reduce_negate(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reduce_negate in the scope cluster."""

    @staticmethod
    def select(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive select in the scope cluster."""

    @staticmethod
    def silu(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive silu in the scope cluster."""

    @staticmethod
    def sqrt(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sqrt in the scope cluster."""

    @staticmethod
    def sub(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sub in the scope cluster."""

    @staticmethod
    def sum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sum in the scope cluster."""

    @staticmethod
    def unary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive unary_reduce in the scope cluster."""

    @staticmethod
    def zero(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive zero in the scope cluster."""

def cluster_id(extents: Value | None = None, preferred: Value | None = None, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of this cluster in its kernel, given how many there are."""

def clz(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The number of leading zero bits; `bits` for 0."""

def comm_reducer(combiner: Callable[..., Any], identity: Sequence[Value]) -> Expr:
    """A commutative reducer: `T.comm_reducer(lambda x, y: x + y, [T.float32(0)])`."""

constexpr: Any

def continue_loop(*, dtype: DTypeLike | None = None) -> Expr:
    """Continue with the next iteration."""

def cooperative_tensor_fill(d: Argument, index: Argument, value: Argument, rows: Argument, cols: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """fill of a cooperative tensor of Metal."""

def cooperative_tensor_load(d: Argument, index: Argument, ptr: Argument, stride: Argument, rows: Argument, cols: Argument, transpose_matrix: Argument = False, mma_M: Argument = 0, mma_N: Argument = 0, mma_K: Argument = 0, operand_role: Argument = 0, *, dtype: DTypeLike | None = None) -> Expr:
    """load of a cooperative tensor of Metal."""

def cooperative_tensor_multiply_accumulate(d: Argument, index_d: Argument, a: Argument, index_a: Argument, b: Argument, index_b: Argument, c: Argument, index_c: Argument, M: Argument, N: Argument, K: Argument, transpose_a: Argument = False, transpose_b: Argument = False, *, dtype: DTypeLike | None = None) -> Expr:
    """multiply accumulate of a cooperative tensor of Metal."""

def cooperative_tensor_store(d: Argument, index: Argument, ptr: Argument, stride: Argument, rows: Argument, cols: Argument, transpose_matrix: Argument = False, mma_M: Argument = 0, mma_N: Argument = 0, mma_K: Argument = 0, operand_role: Argument = 0, *, dtype: DTypeLike | None = None) -> Expr:
    """store of a cooperative tensor of Metal."""

def copysign(x1: Value, x2: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """x1 with the sign of x2."""

def cos(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The cosine of x radians."""

def cosh(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The hyperbolic cosine."""

def create_barriers(barrier_count: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Make barriers in shared memory."""

class cta:
    @staticmethod
    def add(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive add in the scope cta."""

    @staticmethod
    def binary_chain(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_chain in the scope cta."""

    @staticmethod
    def binary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_reduce in the scope cta."""

    @staticmethod
    def cast(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive cast in the scope cta."""

    @staticmethod
    def copy(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy in the scope cta."""

    @staticmethod
    def copy_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy_async in the scope cta."""

    @staticmethod
    def exp(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp in the scope cta."""

    @staticmethod
    def exp2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp2 in the scope cta."""

    @staticmethod
    def fdiv(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fdiv in the scope cta."""

    @staticmethod
    def fill(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fill in the scope cta."""

    @staticmethod
    def fma(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fma in the scope cta."""

    @staticmethod
    def gemm(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm in the scope cta."""

    @staticmethod
    def gemm_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm_async in the scope cta."""

    @staticmethod
    def log2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive log2 in the scope cta."""

    @staticmethod
    def max(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive max in the scope cta."""

    @staticmethod
    def maximum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive maximum in the scope cta."""

    @staticmethod
    def memset(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive memset in the scope cta."""

    @staticmethod
    def min(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive min in the scope cta."""

    @staticmethod
    def minimum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive minimum in the scope cta."""

    @staticmethod
    def mul(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive mul in the scope cta."""

    @staticmethod
    def permute_layout(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive permute_layout in the scope cta."""

    @staticmethod
    def reciprocal(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reciprocal in the scope cta."""

    @staticmethod
    def reduce_negate(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reduce_negate in the scope cta."""

    @staticmethod
    def select(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive select in the scope cta."""

    @staticmethod
    def silu(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive silu in the scope cta."""

    @staticmethod
    def sqrt(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sqrt in the scope cta."""

    @staticmethod
    def sub(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sub in the scope cta."""

    @staticmethod
    def sum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sum in the scope cta."""

    @staticmethod
    def unary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive unary_reduce in the scope cta."""

    @staticmethod
    def zero(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive zero in the scope cta."""

def cta_id(extents: Value | None = None, preferred: Value | None = None, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of this cta in its kernel, given how many there are."""

def cta_id_in_cluster(extents: Value | None = None, preferred: Value | None = None, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of this cta in its cluster, given how many there are."""

def cta_id_in_pair(dtype: DTypeLike = 'int32') -> Scope:
    """Define the id of this cta in its pair."""

class cuda:
    @staticmethod
    def __activemask(*args: Argument) -> Expr:
        """Call the operator `tir.cuda.__activemask`."""

    @staticmethod
    def __shfl_down_sync(*args: Argument) -> Expr:
        """Call the operator `tir.cuda.__shfl_down_sync`."""

    @staticmethod
    def __shfl_sync(*args: Argument) -> Expr:
        """Call the operator `tir.cuda.__shfl_sync`."""

    @staticmethod
    def __shfl_up_sync(*args: Argument) -> Expr:
        """Call the operator `tir.cuda.__shfl_up_sync`."""

    @staticmethod
    def __shfl_xor_sync(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.__shfl_xor_sync."""

    @staticmethod
    def any_sync(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.any_sync."""

    @staticmethod
    def atomic_add(*args: Argument) -> Expr:
        """Call the operator `tir.atomic_add`."""

    @staticmethod
    def atomic_cas(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.atomic_cas."""

    @staticmethod
    def ballot_sync(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.ballot_sync."""

    @staticmethod
    def bfloat1622float2(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.bfloat1622float2."""

    @staticmethod
    def bfloat162float(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.bfloat162float."""

    @staticmethod
    def clock64(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.clock64."""

    @staticmethod
    def cluster_sync(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.cluster_sync."""

    @staticmethod
    def cta_max(value: Value, *args: Argument, **named: Value) -> Expr:
        """`T.cuda.cta_reduce` with the operator max."""

    @staticmethod
    def cta_min(value: Value, *args: Argument, **named: Value) -> Expr:
        """`T.cuda.cta_reduce` with the operator min."""

    @staticmethod
    def cta_reduce(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.cta_reduce."""

    @staticmethod
    def cta_sum(value: Value, *args: Argument, **named: Value) -> Expr:
        """`T.cuda.cta_reduce` with the operator sum."""

    @staticmethod
    def cta_sync(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.cta_sync."""

    @staticmethod
    def cvta_generic_to_shared(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.cvta_generic_to_shared."""

    @staticmethod
    def elect_sync(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.elect_sync."""

    @staticmethod
    def fadd2_rn(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.fadd2_rn."""

    @staticmethod
    def fdividef(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.fdividef."""

    @staticmethod
    def ffs_u32(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.ffs_u32."""

    @staticmethod
    def float22bfloat162_rn(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.float22bfloat162_rn."""

    @staticmethod
    def float22bfloat162_rn_from_float2(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.float22bfloat162_rn_from_float2."""

    @staticmethod
    def float22half2(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.float22half2."""

    @staticmethod
    def float2_x(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.float2_x."""

    @staticmethod
    def float2_y(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.float2_y."""

    @staticmethod
    def float8tohalf8(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.float8tohalf8."""

    @staticmethod
    def float_as_uint(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.float_as_uint."""

    @staticmethod
    def fmul2_rn(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.fmul2_rn."""

    @staticmethod
    def fp8x4_e4m3_from_float4(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.fp8x4_e4m3_from_float4."""

    @staticmethod
    def func_call(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.func_call."""

    @staticmethod
    def get_tmem_addr(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.get_tmem_addr."""

    @staticmethod
    def grid_sync(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.grid_sync."""

    @staticmethod
    def half2float(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.half2float."""

    @staticmethod
    def half8tofloat8(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.half8tofloat8."""

    @staticmethod
    def hmax2(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.hmax2."""

    @staticmethod
    def hmin2(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.hmin2."""

    iket: Any
    @staticmethod
    def ldg(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.ldg."""

    @staticmethod
    def make_float2(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.make_float2."""

    @staticmethod
    def mbarrier_wait(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.mbarrier_wait."""

    @staticmethod
    def mbarrier_wait_acquire_cluster(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.mbarrier_wait_acquire_cluster."""

    @staticmethod
    def mma_fill(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.mma_fill."""

    @staticmethod
    def mma_fill_legacy(*args: Argument, **options: Value) -> Expr:
        """Set a thread's part of the accumulator to zero."""

    @staticmethod
    def mma_store(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.mma_store."""

    @staticmethod
    def mma_store_legacy(*args: Argument, **options: Value) -> Expr:
        """Store the accumulator to memory."""

    @staticmethod
    def mov_sreg(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.mov_sreg."""

    @staticmethod
    def nano_sleep(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.nano_sleep."""

    @staticmethod
    def printf(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.printf."""

    @staticmethod
    def reduce_add_sync_u32(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.reduce_add_sync_u32."""

    @staticmethod
    def reduce_min_sync_u32(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.reduce_min_sync_u32."""

    @staticmethod
    def runtime_instr_desc(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.runtime_instr_desc."""

    @staticmethod
    def sm100_2sm_leader_smem_addr(ptr: Value) -> Expr:
        """The address in shared memory of the first of two blocks."""

    @staticmethod
    def smem_addr_from_uint64(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.smem_addr_from_uint64."""

    @staticmethod
    def syncthreads_and(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.syncthreads_and."""

    @staticmethod
    def syncthreads_or(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.syncthreads_or."""

    tcgen05: Any
    @staticmethod
    def thread_fence(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.thread_fence."""

    @staticmethod
    def thread_rank(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.thread_rank."""

    @staticmethod
    def timer_end(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.timer_end."""

    @staticmethod
    def timer_finalize(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.timer_finalize."""

    @staticmethod
    def timer_init(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.timer_init."""

    @staticmethod
    def timer_start(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.timer_start."""

    @staticmethod
    def trap_when_assert_failed(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.trap_when_assert_failed."""

    @staticmethod
    def uint_as_float(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.uint_as_float."""

    @staticmethod
    def wait_until(dst: Value, ptr: Value, predicate: Value, scope: str = 'gpu', space: str = 'global', ptx_type: str | None = None, backoff_ns: int | None = None) -> Expr:
        """Read a word again until the predicate of it holds."""

    @staticmethod
    def warp_max(value: Value, *args: Argument, **named: Value) -> Expr:
        """`T.cuda.warp_reduce` with the operator max."""

    @staticmethod
    def warp_min(value: Value, *args: Argument, **named: Value) -> Expr:
        """`T.cuda.warp_reduce` with the operator min."""

    @staticmethod
    def warp_reduce(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.warp_reduce."""

    @staticmethod
    def warp_sum(value: Value, *args: Argument, **named: Value) -> Expr:
        """`T.cuda.warp_reduce` with the operator sum."""

    @staticmethod
    def warp_sync(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.warp_sync."""

    @staticmethod
    def warpgroup_sync(*args: Argument, **named: Value) -> Expr:
        """The device instruction cuda.warpgroup_sync."""

    wgmma: Any

custom_op: Any

def customized_code(code: str) -> Stmt:
    """Source code that a backend emits verbatim (BitBLAS)."""

def data(dtype: DTypeLike, shape: Shape, values: Value) -> Any:
    """Constant data of a dtype and a shape: a list of elements, or their bytes in base64."""

def decl_buffer(shape: Shape, dtype: DTypeLike = 'float32', data: PrimExpr | None = None, strides: Sequence[Value | str] | None = None, elem_offset: Value | None = None, byte_offset: Value | None = None, scope: str = 'global', align: int = 0, offset_factor: int = 0, layout: str = 'default', allocated_addr: Value | None = None) -> ScopedBuffer:
    """Declare a view of the memory at `data`, which may be any pointer; without it allocate memory."""

def decl_scalar(dtype: DTypeLike, data: PrimExpr, scope: str = 'global', elem_offset: Value | None = None, byte_offset: Value | None = None) -> Any:
    """A mutable scalar in the memory at `data`."""

def device_entry() -> Scope:
    """Begin the code of the device: the rest of the body."""

def dma_copy(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Start an asynchronous copy."""

def dma_end_group(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """End a group of copies."""

def dma_start_group(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Start a group of copies."""

def dma_wait(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Wait until at most so many copies are pending."""

def dp4a(vec1: Argument, vec2: Argument, acc: Argument = 0, *, dtype: DTypeLike | None = None) -> Expr:
    """acc plus the dot product of two vectors of four 8-bit integers."""

def end_profile_intrinsic(id: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """End the profiling section of this id."""

def env_thread(thread_tag: str, dtype: DTypeLike = 'int32') -> Expr:
    """The variable of a thread axis; `T.launch_thread` sets its extent."""

def erf(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The error function."""

def evaluate(value: Value) -> Stmt:
    """Evaluate an expression for its side effect."""

def exp(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """e to the power of x."""

def exp10(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """10 to the power of x."""

def exp2(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """2 to the power of x."""

def fabs(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """The absolute value: `fabs` of floats, a Select for signed integers, unsigned numbers as they are."""

def filter(var: Argument, pred: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Whether pred selects this thread."""

def floor(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """x rounded down to an integer. An integer is returned as it is."""

def floordiv(a: Value, b: Value, dtype: DTypeLike | None = None) -> Expr:
    """a / b of integers, rounded down."""

def floormod(a: Value, b: Value, dtype: DTypeLike | None = None) -> Expr:
    """The remainder of floordiv: it has the sign of b."""

def fma(x: Value, y: Value, z: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """x * y + z with one rounding."""

def fmod(x: Value, y: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The remainder of x / y rounded towards zero: it has the sign of x."""

def func_attr(attrs: Mapping[str, object]) -> None:
    """Set the attributes of the function."""

def func_name(name: str) -> None:
    """Set the name of the function."""

def func_ret(ret_type: Any) -> None:
    """Set the type of the result."""

def get_active_lane_mask(dtype: DTypeLike, base: Argument, limit: Argument) -> Expr:
    """The mask whose lane k is base + k < limit."""

def grid(*extents: Value) -> Loops:
    """A nest of serial loops, one for each extent."""

def handle_add_byte_offset(handle: Argument, offset: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """A pointer plus an offset in bytes."""

def hint(message: str = '', **attrs: Value) -> Scope:
    """Hints of the tile level for the body."""

def hypot(x1: Value, x2: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """sqrt(x1 * x1 + x2 * x2) without intermediate overflow."""

def if_then_else(cond: Value, t: Value, f: Value, dtype: DTypeLike | None = None) -> Expr:
    """t if the scalar bool cond is true, otherwise f, in one dtype; only the selected one is evaluated."""

def ignore_loop_partition(predicate: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """predicate, which loop partitioning ignores."""

def index_map(mapping: Callable[..., Any], *, inverse_index_map: Callable[..., Any] | None = None, index_dtype: str = 'int64') -> IndexMap:
    """An index map, with indices of `index_dtype`."""

def infinity(dtype: str) -> Expr:
    """Infinity of a dtype that has one. Raises `WrongType`."""

def init() -> Scope:
    """Open the initialization of a reduction block."""

@overload
def inline(func: Callable[P, _R], /, *, hygienic: builtins.bool = True, source: str | None = None) -> Callable[P, _R]:
    """Convert a Python function to a macro. `source` is its text, for code without a file."""
@overload
def inline(*, hygienic: builtins.bool = True, source: str | None = None) -> Callable[[Callable[P, _R]], Callable[P, _R]]:
    """Convert a Python function to a macro. `source` is its text, for code without a file."""

def isfinite(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """isfinite(x) as a bool; integers are always finite."""

def isinf(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """isinf(x) as a bool; integers are always finite."""

def isnan(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """isnan(x) as a bool; integers are always finite."""

def isnullptr(x: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Whether a handle is null."""

def iter_var(v: PrimExpr | str, dom: _Range | Sequence[object] | None, iter_type: str, thread_tag: str) -> Expr:
    """An iteration variable as attributes name it. Raises `UnknownName` for an unknown kind."""

@overload
def jit(func: Callable[..., Any], /, *, private: builtins.bool = False, check_well_formed: builtins.bool = True, is_stir: Any = ..., persistent: Any = ..., source: str | None = None) -> JitFunction:
    """A kernel with parameters that are constants, `N: T.constexpr`; `.specialize(N=4)` makes the PrimFunc."""
@overload
def jit(*, private: builtins.bool = False, check_well_formed: builtins.bool = True, is_stir: Any = ..., persistent: Any = ..., source: str | None = None) -> Callable[[Callable[..., Any]], JitFunction]:
    """A kernel with parameters that are constants, `N: T.constexpr`; `.specialize(N=4)` makes the PrimFunc."""

def lane_id(extents: Value | None = None, preferred: Value | None = None, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of this thread in its warp, given how many there are."""

def large_uint_imm(low: Value, high: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The uint64 constant of two 32-bit halves."""

def launch_thread(thread: PrimExpr | str, extent: Value) -> ScopedExpr:
    """Launch the body on a thread axis."""

def ldexp(x1: Value, x2: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """x1 * 2 ** x2, x2 an integer."""

def let(type: Value | None = None) -> ScopedExpr:
    """The annotation of an immutable variable: `v: T.let = value`."""

def likely(cond: Value, dtype: DTypeLike | None = None) -> Expr:
    """cond, with the hint that it is mostly true; constants are returned unchanged."""

def llvm_lookup_intrinsic_id(name: str) -> str:
    """The name itself, without an overload's types: intrinsics of LLVM are known by name here."""

def local_scalar(dtype: DTypeLike = 'float32') -> Any:
    """A mutable scalar of the thread."""

def log(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The natural logarithm; -inf at 0, nan for negative numbers."""

def log10(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The logarithm to base 10."""

def log1p(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """log(1 + x), accurate near 0."""

def log2(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The logarithm to base 2."""

def lookup_param(param_name: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """A parameter of the model by name."""

@overload
def macro(func: Callable[P, _R], /, *, hygienic: builtins.bool = True, source: str | None = None) -> Callable[P, _R]:
    """Convert a Python function to a macro. `source` is its text, for code without a file."""
@overload
def macro(*, hygienic: builtins.bool = True, source: str | None = None) -> Callable[[Callable[P, _R]], Callable[P, _R]]:
    """Convert a Python function to a macro. `source` is its text, for code without a file."""

def make_filled_simdgroup_matrix(d: Argument, index: Argument, value: Argument, col: Argument = 8, row: Argument = 8, *, dtype: DTypeLike | None = None) -> Expr:
    """A matrix of one value."""

def masked_load(dtype: DTypeLike, buffer: Buffer, *indices_and_mask: Value) -> Expr:
    """Load the elements whose mask is true."""

def masked_store(buffer: Buffer, value: Value, *indices_and_mask: Value) -> Stmt:
    """Store the elements whose mask is true."""

def match_buffer(param: PrimExpr | Region, shape: Shape | None = None, dtype: DTypeLike = 'float32', data: PrimExpr | None = None, strides: Sequence[Value | str] | None = None, elem_offset: Value | None = None, byte_offset: Value | None = None, scope: str = 'global', align: int = -1, offset_factor: int = 0, layout: str = 'default', allocated_addr: Value | None = None) -> Buffer:
    """Bind a buffer to a handle parameter, or to a region of another buffer inside a block."""

def max(a: Value, b: Value) -> Expr:
    """The larger of the two, converted to one dtype."""

def max_value(dtype: str) -> Expr:
    """The largest (finite) value of a dtype."""

def meta_class(cls: type) -> Any:
    """Decorate a class of Python whose objects a function makes and uses: `state = State(16)`, `state.buf[0] = 1`."""

def meta_var(value: M) -> M:
    """A Python value that an assignment binds without a variable in the program."""

def metadata(name: Value) -> Any:
    """The constant with this fingerprint in the section `metadata`."""

class metal:
    @staticmethod
    def make_filled_simdgroup_matrix(d: Argument, index: Argument, value: Argument, col: Argument = 8, row: Argument = 8, *, dtype: DTypeLike | None = None) -> Expr:
        """A matrix of one value."""

    @staticmethod
    def simd_shuffle(*args: Argument) -> Expr:
        """Call the operator `tir.metal.simd_shuffle`."""

    @staticmethod
    def simd_shuffle_down(*args: Argument) -> Expr:
        """Call the operator `tir.metal.simd_shuffle_down`."""

    @staticmethod
    def simd_shuffle_up(*args: Argument) -> Expr:
        """Call the operator `tir.metal.simd_shuffle_up`."""

    @staticmethod
    def simdgroup_load(d: Argument, index: Argument, ptr: Argument, stride: Argument, col: Argument = 8, row: Argument = 8, transpose_matrix: Argument = False, *, dtype: DTypeLike | None = None) -> Expr:
        """Load a matrix of a SIMD group."""

    @staticmethod
    def simdgroup_multiply_accumulate(d: Argument, index_d: Argument, a: Argument, index_a: Argument, b: Argument, index_b: Argument, c: Argument, index_c: Argument, *, dtype: DTypeLike | None = None) -> Expr:
        """d = a * b + c over matrices of a SIMD group."""

    @staticmethod
    def simdgroup_store(d: Argument, index: Argument, ptr: Argument, stride: Argument, col: Argument = 8, row: Argument = 8, transpose_matrix: Argument = False, *, dtype: DTypeLike | None = None) -> Expr:
        """Store a matrix of a SIMD group."""

def min(a: Value, b: Value) -> Expr:
    """The smaller of the two, converted to one dtype."""

def min_value(dtype: str) -> Expr:
    """The smallest (finite) value of a dtype."""

def mma_fill(dtype: DTypeLike, local_size: Argument, local_ptr: Argument, offset: Argument) -> Expr:
    """Set a thread's part of the accumulator to zero."""

def mma_store(dtype: DTypeLike, m: Argument, n: Argument, dst_ptr: Argument, src_ptr: Argument, src_offset: Argument, dst_stride: Argument) -> Expr:
    """Store the accumulator to memory."""

def nd_mem_alloc_with_scope(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Memory of several dimensions in a scope."""

def nearbyint(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """x rounded to the nearest integer, halves to even. An integer is returned as it is."""

def nextafter(x1: Value, x2: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The next value of the dtype after x1 towards x2."""

class nki:
    @staticmethod
    def activation(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.activation."""

    @staticmethod
    def activation_reduce(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.activation_reduce."""

    @staticmethod
    def affine_select(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.affine_select."""

    @staticmethod
    def identity(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.identity."""

    @staticmethod
    def load(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.load."""

    @staticmethod
    def matmul(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.matmul."""

    @staticmethod
    def memset(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.memset."""

    @staticmethod
    def reciprocal(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.reciprocal."""

    @staticmethod
    def scalar_tensor_scalar(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.scalar_tensor_scalar."""

    @staticmethod
    def scalar_tensor_tensor(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.scalar_tensor_tensor."""

    @staticmethod
    def store(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.store."""

    @staticmethod
    def tensor_copy(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.tensor_copy."""

    @staticmethod
    def tensorreduce(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.tensorreduce."""

    @staticmethod
    def tensorscalar(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.tensorscalar."""

    @staticmethod
    def tensorscalar_reduce(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.tensorscalar_reduce."""

    @staticmethod
    def tensortensor(*args: Argument, **named: Value) -> Expr:
        """The device instruction nki.tensortensor."""

class nvshmem:
    @staticmethod
    def barrier_all(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.barrier_all."""

    @staticmethod
    def fence(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.fence."""

    @staticmethod
    def getmem_nbi(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.getmem_nbi."""

    @staticmethod
    def my_pe(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.my_pe."""

    @staticmethod
    def n_pes(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.n_pes."""

    @staticmethod
    def putmem_nbi(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.putmem_nbi."""

    @staticmethod
    def putmem_signal_nbi(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.putmem_signal_nbi."""

    @staticmethod
    def quiet(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.quiet."""

    @staticmethod
    def signal_op(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.signal_op."""

    @staticmethod
    def wait_until(*args: Argument, **named: Value) -> Expr:
        """The device instruction nvshmem.wait_until."""

def parallel(start: Value, stop: Value | None = None, *, annotations: Mapping[str, object] | None = None, step: Value | None = None, unroll: Value | None = None, dtype: DTypeLike | None = None) -> Loops:
    """A loop whose iterations run on CPU threads."""

def popcount(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The number of bits that are set."""

def pow(x: Value, y: Value, dtype: DTypeLike | None = None) -> Expr:
    """x to the power of y. Raises `WrongType` for a base that is no float."""

def power(x: Value, y: Value, dtype: DTypeLike | None = None) -> Expr:
    """x to the power of y. Raises `WrongType` for a base that is no float."""

def prefetch(buffer: Value, bounds: Sequence[Any], *more: Value) -> Any:
    """Prefetch a region of a buffer, or the memory at an address."""

@overload
def prim_func(func: Callable[..., Any], /, *, private: builtins.bool = False, check_well_formed: builtins.bool = True, s_tir: builtins.bool = True, source: str | None = None, name: str | None = None, persistent: Any = ...) -> Function:
    """A PrimFunc of a Python function in the spelling of TVM 0.27."""
@overload
def prim_func(*, private: builtins.bool = False, check_well_formed: builtins.bool = True, s_tir: builtins.bool = True, source: str | None = None, name: str | None = None, persistent: Any = ...) -> Callable[[Callable[..., Any]], Function]:
    """A PrimFunc of a Python function in the spelling of TVM 0.27."""

def print(text: str, *values: Value, dtype: DTypeLike | None = None) -> Expr:
    """Write a text and a new line; values stand where it has {} or {:.3f}. In the interpreter, with file and line."""

def print_buffer(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Print the elements of a buffer."""

def ptr(dtype: DTypeLike, storage_scope: str = 'global', is_size_var: builtins.bool = False) -> Expr:
    """A new variable that points to elements of `dtype`."""

def ptr_byte_offset(data: PrimExpr | None, byte_offset: Value, dtype: Expr | str) -> Expr:
    """A pointer to elements of a dtype: a pointer plus an offset in bytes."""

def ptx(text: Value) -> Any:
    """An instruction as PTX writes it: `T.ptx["ld.global.f32"]`."""

def ptx_arrive_barrier(barrier_id: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Arrive at a barrier."""

def ptx_arrive_barrier_expect_tx(barrier_id: Argument, byte_count: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Arrive, and expect so many bytes."""

def ptx_commit_group(*, dtype: DTypeLike | None = None) -> Expr:
    """Close a group of asynchronous copies."""

def ptx_cp_async(dtype: DTypeLike, shared_ptr: Argument, shared_offset: Argument, global_ptr: Argument, global_offset: Argument, bytes: Argument, predicate: Argument | None = None) -> Expr:
    """The instruction cp.async; writes zeros where the predicate is false."""

def ptx_cp_async_barrier(barrier_id: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Let copies arrive at a barrier."""

def ptx_cp_async_bulk(dtype: DTypeLike, shared_ptr: Argument, shared_offset: Argument, global_ptr: Argument, global_offset: Argument, bytes: Argument, barrier_id: Argument) -> Expr:
    """The instruction cp.async.bulk."""

def ptx_init_barrier_thread_count(barrier_id: Argument, thread_count: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Set how many threads a barrier waits for."""

def ptx_ldg32(reg: Argument, guard: Argument, addr: Argument, local_addr: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Set an element of registers to the 32 loaded bits if the guard is true."""

def ptx_ldmatrix(dtype: DTypeLike, trans: Argument, num: Argument, type: Argument, local_ptr: Argument, local_offset: Argument, smem_ptr: Argument, smem_offset: Argument) -> Expr:
    """The instruction ldmatrix."""

class ptx_legacy:
    @staticmethod
    def ldmatrix(*args: Argument, **options: Value) -> Expr:
        """The instruction ldmatrix."""

    @staticmethod
    def mma(*args: Argument, **options: Value) -> Expr:
        """The instruction mma.sync."""

def ptx_mma(dtype: DTypeLike, shape: Argument, A_layout: Argument, B_layout: Argument, A_dtype: Argument, B_dtype: Argument, C_dtype: Argument, multiplicand_a: Argument, a_index: Argument, multiplicand_b: Argument, b_index: Argument, accumulator: Argument, c_index: Argument, saturate: Argument, operator: Argument | None = None) -> Expr:
    """The instruction mma.sync."""

def ptx_mma_sp(dtype: DTypeLike, shape: Argument, A_layout: Argument, B_layout: Argument, A_dtype: Argument, B_dtype: Argument, C_dtype: Argument, multiplicand_a: Argument, a_index: Argument, multiplicand_b: Argument, b_index: Argument, accumulator: Argument, c_index: Argument, metadata: Argument, meta_index: Argument, sparse_selector: Argument, saturate: Argument) -> Expr:
    """The instruction mma.sp.sync."""

def ptx_wait_barrier(barrier_id: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Wait at a barrier."""

def ptx_wait_group(num: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Wait until at most `num` groups are pending."""

def q_multiply_shift(x: Value, y: Value, q: Value, s: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """round(x * y * 2 ** (s - q)), halves up: a product of fixed-point numbers, with 64-bit intermediates."""

def q_multiply_shift_per_axis(x: Value, y: Value, ls: Value, rs: Value, q: Value, is_lshift_required: Value, is_rshift_required: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """As q_multiply_shift, with separate left and right shifts."""

def ramp(base: Value, stride: Value, lanes: Value) -> Expr:
    """The vector base, base + stride, ..."""

def reads(*buffer_slices: Region) -> None:
    """Set the read regions of the block."""

def realize(buffer_slice: Region, storage_scope: Value | None = None, condition: Value = True) -> Scope:
    """Realize a region of a buffer for the body, in a storage scope if given."""

def reduce(combiner: Any, source: Sequence[Value], init: Sequence[Value] | None = None, axis: Sequence[Any] = (), condition: Value = True, value_index: int = 0) -> Expr:
    """A reduction as a value, in the spelling that printers use."""

def reinterpret(dtype: DTypeLike, value: Value) -> Expr:
    """`T.reinterpret(dtype, value)`: the same bits as another dtype. Raises `WrongType` where the sizes differ."""

def ret(val: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Return val from the function."""

def round(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """x rounded to the nearest integer, halves away from zero. An integer is returned as it is."""

def rsqrt(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """1 / sqrt(x)."""

class s_tir:
    @staticmethod
    def cp_async_raw(dtype: DTypeLike, shared_ptr: Argument, shared_offset: Argument, global_ptr: Argument, global_offset: Argument, bytes: Argument, predicate: Argument | None = None) -> Expr:
        """The instruction cp.async; writes zeros where the predicate is false."""

    @staticmethod
    def ldg32(*args: Argument) -> Expr:
        """Call the operator `tir.ptx_ldg32`."""

def sblock(name: str = '', no_realize: builtins.bool = False) -> Scope:
    """Open a block."""

def sblock_alloc_buffer(shape: Shape, dtype: DTypeLike = 'float32', data: PrimExpr | None = None, strides: Sequence[Value | str] | None = None, elem_offset: Value | None = None, scope: str = 'global', align: int = -1, offset_factor: int = 0, layout: str = 'default', allocated_addr: Value | None = None) -> Buffer:
    """Allocate a buffer in the block, or in the function outside of blocks."""

def sblock_attr(attrs: Mapping[str, object]) -> None:
    """Set the annotations of the block."""

def scope_id(extents: Value, parent: str, cur: str, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of a scope in another one."""

def selector(var: Argument, pred: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """The first value of var for which pred is true."""

def serial(start: Value, stop: Value | None = None, *, annotations: Mapping[str, object] | None = None, step: Value | None = None, unroll: Value | None = None, dtype: DTypeLike | None = None) -> Loops:
    """A serial loop."""

def shared_scalar(dtype: DTypeLike = 'float32') -> Any:
    """A mutable scalar shared by the threads of a block."""

def shift_left(x: Value, y: Value, dtype: DTypeLike | None = None) -> Expr:
    """x * 2 ** y, wrapped around; 0 <= y < bits."""

def shift_right(x: Value, y: Value, dtype: DTypeLike | None = None) -> Expr:
    """x / 2 ** y rounded down (arithmetic for signed x); 0 <= y < bits."""

def sigmoid(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """1 / (1 + exp(-x))."""

def simdgroup_load(d: Argument, index: Argument, ptr: Argument, stride: Argument, col: Argument = 8, row: Argument = 8, transpose_matrix: Argument = False, *, dtype: DTypeLike | None = None) -> Expr:
    """Load a matrix of a SIMD group."""

def simdgroup_multiply_accumulate(d: Argument, index_d: Argument, a: Argument, index_a: Argument, b: Argument, index_b: Argument, c: Argument, index_c: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """d = a * b + c over matrices of a SIMD group."""

def simdgroup_store(d: Argument, index: Argument, ptr: Argument, stride: Argument, col: Argument = 8, row: Argument = 8, transpose_matrix: Argument = False, *, dtype: DTypeLike | None = None) -> Expr:
    """Store a matrix of a SIMD group."""

def sin(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The sine of x radians."""

def sinh(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The hyperbolic sine."""

def smem(*args: Argument, **options: Value) -> Scope:
    """Allocate memory in the scope shared with its buffer, for the rest of the body."""

def sqrt(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The square root; nan for negative numbers."""

def start_profile_intrinsic(id: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Start the profiling section of this id."""

def static_assert(condition: Value, message: str = '') -> None:
    """Check a condition of constants when the text is read. Raises `WrongType`."""

def tan(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The tangent of x radians."""

def tanh(x: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """The hyperbolic tangent."""

def target(target_config: Any, host: Any = None) -> Target:
    """A target, for attributes."""

def tensormap_encode_tiled(*args: Argument, **named: Value) -> Expr:
    """The device instruction tensormap_encode_tiled."""

def texture2d_load(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """An element of a texture."""

def texture2d_store(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Set an element of a texture."""

class thread:
    @staticmethod
    def add(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive add in the scope thread."""

    @staticmethod
    def binary_chain(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_chain in the scope thread."""

    @staticmethod
    def binary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_reduce in the scope thread."""

    @staticmethod
    def cast(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive cast in the scope thread."""

    @staticmethod
    def copy(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy in the scope thread."""

    @staticmethod
    def copy_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy_async in the scope thread."""

    @staticmethod
    def exp(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp in the scope thread."""

    @staticmethod
    def exp2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp2 in the scope thread."""

    @staticmethod
    def fdiv(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fdiv in the scope thread."""

    @staticmethod
    def fill(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fill in the scope thread."""

    @staticmethod
    def fma(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fma in the scope thread."""

    @staticmethod
    def gemm(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm in the scope thread."""

    @staticmethod
    def gemm_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm_async in the scope thread."""

    @staticmethod
    def log2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive log2 in the scope thread."""

    @staticmethod
    def max(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive max in the scope thread."""

    @staticmethod
    def maximum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive maximum in the scope thread."""

    @staticmethod
    def memset(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive memset in the scope thread."""

    @staticmethod
    def min(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive min in the scope thread."""

    @staticmethod
    def minimum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive minimum in the scope thread."""

    @staticmethod
    def mul(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive mul in the scope thread."""

    @staticmethod
    def permute_layout(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive permute_layout in the scope thread."""

    @staticmethod
    def reciprocal(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reciprocal in the scope thread."""

    @staticmethod
    def reduce_negate(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reduce_negate in the scope thread."""

    @staticmethod
    def select(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive select in the scope thread."""

    @staticmethod
    def silu(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive silu in the scope thread."""

    @staticmethod
    def sqrt(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sqrt in the scope thread."""

    @staticmethod
    def sub(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sub in the scope thread."""

    @staticmethod
    def sum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sum in the scope thread."""

    @staticmethod
    def unary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive unary_reduce in the scope thread."""

    @staticmethod
    def zero(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive zero in the scope thread."""

def thread_binding(start: Value, stop: Value | str | None = None, thread: str | None = None, *, annotations: Mapping[str, object] | None = None) -> Loops:
    """A loop bound to a thread axis, such as "threadIdx.x"."""

def thread_id(extents: Value | None = None, preferred: Value | None = None, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of this thread in its cta, given how many there are."""

def thread_id_in_wg(extents: Value | None = None, preferred: Value | None = None, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of this thread in its warpgroup, given how many there are."""

def thread_return(*, dtype: DTypeLike | None = None) -> Expr:
    """End this thread of the device."""

class tile:
    @staticmethod
    def add(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive add in the scope thread."""

    @staticmethod
    def binary_chain(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_chain in the scope thread."""

    @staticmethod
    def binary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_reduce in the scope thread."""

    @staticmethod
    def cast(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive cast in the scope thread."""

    cluster: Any
    @staticmethod
    def copy(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy in the scope thread."""

    @staticmethod
    def copy_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy_async in the scope thread."""

    cta: Any
    @staticmethod
    def exp(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp in the scope thread."""

    @staticmethod
    def exp2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp2 in the scope thread."""

    @staticmethod
    def fdiv(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fdiv in the scope thread."""

    @staticmethod
    def fill(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fill in the scope thread."""

    @staticmethod
    def fma(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fma in the scope thread."""

    @staticmethod
    def gemm(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm in the scope thread."""

    @staticmethod
    def gemm_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm_async in the scope thread."""

    @staticmethod
    def log2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive log2 in the scope thread."""

    @staticmethod
    def max(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive max in the scope thread."""

    @staticmethod
    def maximum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive maximum in the scope thread."""

    @staticmethod
    def memset(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive memset in the scope thread."""

    @staticmethod
    def min(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive min in the scope thread."""

    @staticmethod
    def minimum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive minimum in the scope thread."""

    @staticmethod
    def mul(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive mul in the scope thread."""

    @staticmethod
    def permute_layout(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive permute_layout in the scope thread."""

    @staticmethod
    def reciprocal(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reciprocal in the scope thread."""

    @staticmethod
    def reduce_negate(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reduce_negate in the scope thread."""

    @staticmethod
    def select(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive select in the scope thread."""

    @staticmethod
    def silu(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive silu in the scope thread."""

    @staticmethod
    def sqrt(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sqrt in the scope thread."""

    @staticmethod
    def sub(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sub in the scope thread."""

    @staticmethod
    def sum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sum in the scope thread."""

    thread: Any
    @staticmethod
    def unary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive unary_reduce in the scope thread."""

    warp: Any
    warpgroup: Any
    wg: Any
    @staticmethod
    def zero(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive zero in the scope thread."""

class tir:
    @staticmethod
    def TVMBackendAnyListMoveFromPackedReturn(list: Argument, index: Argument, ret: Argument, *, dtype: DTypeLike | None = None) -> Expr:
        """Move a returned value into a list."""

    @staticmethod
    def TVMBackendAnyListSetPackedArg(list: Argument, index: Argument, values: Argument, types: Argument, position: Argument, *, dtype: DTypeLike | None = None) -> Expr:
        """Pass an item of a list as an argument."""

    @staticmethod
    def ctpop(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
        """Hexagon's name of popcount, in lowered code."""

    cuda: Any
    hip: Any
    @staticmethod
    def isfinite(*args: Value, dtype: DTypeLike | None = None) -> Expr:
        """Whether a float is finite."""

    @staticmethod
    def isinf(*args: Value, dtype: DTypeLike | None = None) -> Expr:
        """Whether a float is infinite."""

    metal: Any

class tirx:
    @staticmethod
    def TVMBackendAnyListMoveFromPackedReturn(*args: Argument) -> Expr:
        """Call the operator `tir.TVMBackendAnyListMoveFromPackedReturn`."""

    @staticmethod
    def TVMBackendAnyListSetPackedArg(*args: Argument) -> Expr:
        """Call the operator `tir.TVMBackendAnyListSetPackedArg`."""

    @staticmethod
    def ctpop(*args: Argument) -> Expr:
        """Call the operator `tir.ctpop`."""

    @staticmethod
    def isfinite(*args: Argument) -> Expr:
        """Call the operator `tir.isfinite`."""

    @staticmethod
    def isinf(*args: Argument) -> Expr:
        """Call the operator `tir.isinf`."""

def tmem(*args: Argument, **options: Value) -> Scope:
    """Allocate memory in the scope tmem with its buffer, for the rest of the body."""

def trunc(x: Value, dtype: DTypeLike | None = None) -> Expr:
    """x rounded towards zero. An integer is returned as it is."""

def truncdiv(a: Value, b: Value, dtype: DTypeLike | None = None) -> Expr:
    """a / b of integers, rounded towards zero."""

def truncmod(a: Value, b: Value, dtype: DTypeLike | None = None) -> Expr:
    """The remainder of truncdiv: it has the sign of a. Floats are allowed."""

def tvm_access_ptr(ptype: Argument, data: Argument, offset: Argument, extent: Argument, rw_mask: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """A pointer to `extent` elements from `offset` on; rw_mask is 1 for reads, 2 for writes."""

def tvm_bmma_sync(fragment_d: Argument, index_d: Argument, fragment_a: Argument, index_a: Argument, fragment_b: Argument, index_b: Argument, fragment_c: Argument, index_c: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """d = a * b + c over fragments of single bits."""

def tvm_call_cpacked(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Call a C function with the packed calling convention. Buffers are handed over as arrays."""

def tvm_call_cpacked_lowered(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """A C packed call with its stacks. Buffers are handed over as arrays."""

def tvm_call_packed(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Call a function of the runtime by name. Buffers are handed over as arrays."""

def tvm_call_packed_lowered(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """A packed call with its stacks of values and types. Buffers are handed over as arrays."""

def tvm_call_trace_packed(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """A packed call that traces a value."""

def tvm_call_trace_packed_lowered(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """A traced call with its stacks."""

def tvm_check_return(expected: Argument, return_unexpected: Argument, nested_call: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Check the value that a call returned."""

def tvm_context_id(*, dtype: DTypeLike | None = None) -> Expr:
    """The number of the context."""

def tvm_fill_fragment(fragment: Argument, m: Argument, n: Argument, k: Argument, index: Argument, value: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Set every element of a fragment."""

def tvm_global_barrier_kinit() -> Expr:
    """Initialize the global barrier."""

def tvm_kernel_replace_point(*, dtype: DTypeLike | None = None) -> Expr:
    """A placeholder for other code of the kernel."""

def tvm_load_matrix_sync(fragment: Argument, m: Argument, n: Argument, k: Argument, index: Argument, buffer_ptr: Argument, stride: Argument, layout: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Load a fragment from memory."""

def tvm_mfma(dtype: DTypeLike, shape: Argument, A_layout: Argument, B_layout: Argument, A_dtype: Argument, B_dtype: Argument, C_dtype: Argument, multiplicand_a: Argument, a_index: Argument, multiplicand_b: Argument, b_index: Argument, accumulator: Argument, c_index: Argument) -> Expr:
    """d = a * b + c on AMD's matrix cores."""

def tvm_mfma_store(dtype: DTypeLike, m: Argument, n: Argument, dst_ptr: Argument, src_ptr: Argument, src_offset: Argument, dst_stride: Argument) -> Expr:
    """Store an accumulator of AMD's matrix cores."""

def tvm_mma_sync(fragment_d: Argument, index_d: Argument, fragment_a: Argument, index_a: Argument, fragment_b: Argument, index_b: Argument, fragment_c: Argument, index_c: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """d = a * b + c over fragments."""

def tvm_rdna_wmma(dtype: DTypeLike, shape: Argument, A_layout: Argument, B_layout: Argument, A_dtype: Argument, B_dtype: Argument, C_dtype: Argument, multiplicand_a: Argument, a_index: Argument, multiplicand_b: Argument, b_index: Argument, accumulator: Argument, c_index: Argument) -> Expr:
    """d = a * b + c on AMD's RDNA."""

def tvm_rdna_wmma_store(dtype: DTypeLike, m: Argument, n: Argument, dst_ptr: Argument, src_ptr: Argument, src_offset: Argument, dst_stride: Argument) -> Expr:
    """Store an accumulator of AMD's RDNA."""

def tvm_stack_alloca(dtype_str: Argument, num: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Allocate num structures on the stack."""

def tvm_stack_make_array(data: Argument, shape: Argument, strides: Argument, ndim: Argument, arr_dtype: Argument, elem_offset: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """An array structure on the stack; the dtype is that of the fifth argument."""

def tvm_stack_make_shape(*args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """A shape on the stack."""

def tvm_static_handle(*, dtype: DTypeLike | None = None) -> Expr:
    """A handle that lives as long as the module."""

def tvm_storage_sync(storage_scope: Argument, *lead_and_blocks: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Wait for all threads that share the scope; for `global`: whether the thread counts, number of blocks."""

def tvm_store_matrix_sync(fragment: Argument, m: Argument, n: Argument, k: Argument, index: Argument, buffer_ptr: Argument, stride: Argument, layout: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Store a fragment to memory."""

def tvm_struct_get(arr: Value, index: Value, field: Value, dtype: DTypeLike) -> Expr:
    """The field numbered `field` of the structure at arr[index], as a value of `dtype`."""

def tvm_struct_set(arr: Argument, index: Argument, field: Argument, value: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """Set a field of a structure."""

def tvm_thread_allreduce(*freduce_args: Argument, dtype: DTypeLike | None = None) -> Expr:
    """Reduce values over the threads of a block: count, values, condition, results, thread variables."""

def tvm_thread_invariant(cond: Value, *, dtype: DTypeLike | None = None) -> Expr:
    """cond, which is uniform over threads."""

def tvm_throw_last_error(*, dtype: DTypeLike | None = None) -> Expr:
    """Raise the error that was recorded last."""

def tvm_tuple(*value: Argument, dtype: DTypeLike | None = None) -> Expr:
    """A tuple of values in an annotation."""

def tvm_warp_activemask(*, dtype: DTypeLike | None = None) -> Expr:
    """The mask of active threads."""

def tvm_warp_shuffle(mask: Argument, value: Argument, warp_id: Argument, width: Argument, warp_size: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """The value of another thread of the warp."""

def tvm_warp_shuffle_down(mask: Argument, value: Argument, offset: Argument, width: Argument, warp_size: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """The value of the thread `offset` above."""

def tvm_warp_shuffle_up(mask: Argument, value: Argument, offset: Argument, width: Argument, warp_size: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """The value of the thread `offset` below."""

def tvm_warp_shuffle_xor(mask: Argument, value: Argument, lane_mask: Argument, width: Argument, warp_size: Argument, *, dtype: DTypeLike | None = None) -> Expr:
    """The value of the thread whose number differs in the bits of lane_mask."""

def type_annotation(dtype: str) -> Expr:
    """A dtype as an expression, for arguments that say one."""

def undef(*, dtype: DTypeLike | None = None) -> Expr:
    """An undefined value."""

def unroll(start: Value, stop: Value | None = None, *, annotations: Mapping[str, object] | None = None, step: Value | None = None, unroll: Value | None = None, dtype: DTypeLike | None = None) -> Loops:
    """A loop that is unrolled."""

def var(dtype: DTypeLike, name: str = '') -> Expr:
    """A new variable (the spelling of old texts)."""

def vectorcombine(dtype: DTypeLike, vec1: Argument, vec2: Argument) -> Expr:
    """The concatenation of two vectors."""

def vectorhigh(dtype: DTypeLike, vec: Argument) -> Expr:
    """The second half of the lanes."""

def vectorized(start: Value, stop: Value | None = None, *, annotations: Mapping[str, object] | None = None, step: Value | None = None, unroll: Value | None = None, dtype: DTypeLike | None = None) -> Loops:
    """A loop whose iterations become vector lanes."""

def vectorlow(dtype: DTypeLike, vec: Argument) -> Expr:
    """The first half of the lanes."""

def vscale(*, dtype: DTypeLike | None = None) -> Expr:
    """The multiple of the minimum length of scalable vectors."""

class warp:
    @staticmethod
    def add(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive add in the scope warp."""

    @staticmethod
    def binary_chain(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_chain in the scope warp."""

    @staticmethod
    def binary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_reduce in the scope warp."""

    @staticmethod
    def cast(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive cast in the scope warp."""

    @staticmethod
    def copy(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy in the scope warp."""

    @staticmethod
    def copy_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy_async in the scope warp."""

    @staticmethod
    def exp(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp in the scope warp."""

    @staticmethod
    def exp2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp2 in the scope warp."""

    @staticmethod
    def fdiv(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fdiv in the scope warp."""

    @staticmethod
    def fill(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fill in the scope warp."""

    @staticmethod
    def fma(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fma in the scope warp."""

    @staticmethod
    def gemm(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm in the scope warp."""

    @staticmethod
    def gemm_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm_async in the scope warp."""

    @staticmethod
    def log2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive log2 in the scope warp."""

    @staticmethod
    def max(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive max in the scope warp."""

    @staticmethod
    def maximum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive maximum in the scope warp."""

    @staticmethod
    def memset(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive memset in the scope warp."""

    @staticmethod
    def min(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive min in the scope warp."""

    @staticmethod
    def minimum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive minimum in the scope warp."""

    @staticmethod
    def mul(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive mul in the scope warp."""

    @staticmethod
    def permute_layout(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive permute_layout in the scope warp."""

    @staticmethod
    def reciprocal(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reciprocal in the scope warp."""

    @staticmethod
    def reduce_negate(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reduce_negate in the scope warp."""

    @staticmethod
    def select(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive select in the scope warp."""

    @staticmethod
    def silu(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive silu in the scope warp."""

    @staticmethod
    def sqrt(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sqrt in the scope warp."""

    @staticmethod
    def sub(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sub in the scope warp."""

    @staticmethod
    def sum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sum in the scope warp."""

    @staticmethod
    def unary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive unary_reduce in the scope warp."""

    @staticmethod
    def zero(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive zero in the scope warp."""

def warp_id(extents: Value | None = None, preferred: Value | None = None, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of this warp in its cta, given how many there are."""

def warp_id_in_wg(extents: Value | None = None, preferred: Value | None = None, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of this warp in its warpgroup, given how many there are."""

class warpgroup:
    @staticmethod
    def add(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive add in the scope warpgroup."""

    @staticmethod
    def binary_chain(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_chain in the scope warpgroup."""

    @staticmethod
    def binary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_reduce in the scope warpgroup."""

    @staticmethod
    def cast(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive cast in the scope warpgroup."""

    @staticmethod
    def copy(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy in the scope warpgroup."""

    @staticmethod
    def copy_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy_async in the scope warpgroup."""

    @staticmethod
    def exp(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp in the scope warpgroup."""

    @staticmethod
    def exp2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp2 in the scope warpgroup."""

    @staticmethod
    def fdiv(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fdiv in the scope warpgroup."""

    @staticmethod
    def fill(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fill in the scope warpgroup."""

    @staticmethod
    def fma(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fma in the scope warpgroup."""

    @staticmethod
    def gemm(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm in the scope warpgroup."""

    @staticmethod
    def gemm_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm_async in the scope warpgroup."""

    @staticmethod
    def log2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive log2 in the scope warpgroup."""

    @staticmethod
    def max(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive max in the scope warpgroup."""

    @staticmethod
    def maximum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive maximum in the scope warpgroup."""

    @staticmethod
    def memset(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive memset in the scope warpgroup."""

    @staticmethod
    def min(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive min in the scope warpgroup."""

    @staticmethod
    def minimum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive minimum in the scope warpgroup."""

    @staticmethod
    def mul(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive mul in the scope warpgroup."""

    @staticmethod
    def permute_layout(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive permute_layout in the scope warpgroup."""

    @staticmethod
    def reciprocal(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reciprocal in the scope warpgroup."""

    @staticmethod
    def reduce_negate(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reduce_negate in the scope warpgroup."""

    @staticmethod
    def select(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive select in the scope warpgroup."""

    @staticmethod
    def silu(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive silu in the scope warpgroup."""

    @staticmethod
    def sqrt(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sqrt in the scope warpgroup."""

    @staticmethod
    def sub(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sub in the scope warpgroup."""

    @staticmethod
    def sum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sum in the scope warpgroup."""

    @staticmethod
    def unary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive unary_reduce in the scope warpgroup."""

    @staticmethod
    def zero(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive zero in the scope warpgroup."""

def warpgroup_id(extents: Value | None = None, preferred: Value | None = None, dtype: DTypeLike = 'int32') -> Scope:
    """Define the ids of this warpgroup in its cta, given how many there are."""

class webgpu:
    @staticmethod
    def subgroup_shuffle(*args: Argument, **named: Value) -> Expr:
        """The device instruction webgpu.subgroup_shuffle."""

    @staticmethod
    def subgroup_shuffle_down(*args: Argument, **named: Value) -> Expr:
        """The device instruction webgpu.subgroup_shuffle_down."""

    @staticmethod
    def subgroup_shuffle_up(*args: Argument, **named: Value) -> Expr:
        """The device instruction webgpu.subgroup_shuffle_up."""

class wg:
    @staticmethod
    def add(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive add in the scope warpgroup."""

    @staticmethod
    def binary_chain(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_chain in the scope warpgroup."""

    @staticmethod
    def binary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive binary_reduce in the scope warpgroup."""

    @staticmethod
    def cast(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive cast in the scope warpgroup."""

    @staticmethod
    def copy(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy in the scope warpgroup."""

    @staticmethod
    def copy_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive copy_async in the scope warpgroup."""

    @staticmethod
    def exp(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp in the scope warpgroup."""

    @staticmethod
    def exp2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive exp2 in the scope warpgroup."""

    @staticmethod
    def fdiv(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fdiv in the scope warpgroup."""

    @staticmethod
    def fill(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fill in the scope warpgroup."""

    @staticmethod
    def fma(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive fma in the scope warpgroup."""

    @staticmethod
    def gemm(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm in the scope warpgroup."""

    @staticmethod
    def gemm_async(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive gemm_async in the scope warpgroup."""

    @staticmethod
    def log2(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive log2 in the scope warpgroup."""

    @staticmethod
    def max(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive max in the scope warpgroup."""

    @staticmethod
    def maximum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive maximum in the scope warpgroup."""

    @staticmethod
    def memset(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive memset in the scope warpgroup."""

    @staticmethod
    def min(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive min in the scope warpgroup."""

    @staticmethod
    def minimum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive minimum in the scope warpgroup."""

    @staticmethod
    def mul(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive mul in the scope warpgroup."""

    @staticmethod
    def permute_layout(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive permute_layout in the scope warpgroup."""

    @staticmethod
    def reciprocal(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reciprocal in the scope warpgroup."""

    @staticmethod
    def reduce_negate(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive reduce_negate in the scope warpgroup."""

    @staticmethod
    def select(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive select in the scope warpgroup."""

    @staticmethod
    def silu(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive silu in the scope warpgroup."""

    @staticmethod
    def sqrt(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sqrt in the scope warpgroup."""

    @staticmethod
    def sub(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sub in the scope warpgroup."""

    @staticmethod
    def sum(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive sum in the scope warpgroup."""

    @staticmethod
    def unary_reduce(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive unary_reduce in the scope warpgroup."""

    @staticmethod
    def zero(*args: Argument, dispatch: Value | None = None, workspace: Mapping[str, object] | None = None, **named: Value) -> Stmt:
        """Call the tile primitive zero in the scope warpgroup."""

def wg_reg_tile(elem_per_thread: Value, dtype: DTypeLike = 'float32') -> Scope:
    """Allocate registers: so many elements for each of the 128 threads of a warpgroup."""

def where(predicate: Value) -> None:
    """Set the predicate of the block."""

def writes(*buffer_slices: Region) -> None:
    """Set the write regions of the block."""
