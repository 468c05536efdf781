"""Print functions and modules."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.arith.fold import is_true
from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, Node, nodes
from tvmscript.ir.core.types import TupleType
from tvmscript.ir.tir import Block, BlockRealize, For, IntImm, PrimFunc, Stmt, Var
from tvmscript.ir.tir.buffer import DEFAULT_ALIGNMENT, Buffer
from tvmscript.printer.attribute_values import dictionary
from tvmscript.printer.identifiers import identifier, unused
from tvmscript.printer.literals import string, tuple_text
from tvmscript.printer.printer import DeclarationNeeded, HandleNeeded, Printer, stmt_rule
from tvmscript.printer.tir.blocks import allocations
from tvmscript.printer.tir.buffers import buffer_hint, declaration, has_usual_data, name_parts
from tvmscript.printer.tir.calls import result_dtype
from tvmscript.printer.tir.exprs import annotation, declare, var_type

GLOBAL_SYMBOL = "global_symbol"


@stmt_rule(PrimFunc)
def _prim_func(p: Printer, func: PrimFunc) -> None:
    handles: set[Node] = set()
    start = len(p.lines)
    notes_begin = p.notes.begin() if p.notes is not None else 0
    p.declared_first = {}
    while True:
        p.defined = set()
        p.launched = {}
        try:
            _function(p, func, handles)
            return
        except (HandleNeeded, DeclarationNeeded) as needed:
            # start again: with the parameter as a handle, or with the variable declared first
            if isinstance(needed, HandleNeeded):
                handles.add(needed.param)
            else:
                p.declared_first[needed.var] = None
            if p.notes is not None:
                p.notes.restart(notes_begin)
            del p.lines[start:]
            p.loops.clear()
            while p.frames[-1].node is not func:
                p.close_scope()
            p.close_scope()


def _function(p: Printer, func: PrimFunc, handles: set[Node]) -> None:
    p.scope_root, p.scopes, p.bound = func, None, None
    name = function_name(p, func)
    header = len(p.lines)
    frame = p.open_scope(func)
    p.lines += ["", ""]
    frame.mark = len(p.lines)
    hidden = _params_as_buffers(p, func, handles)
    p.hidden_params = frozenset(hidden)
    parameters: list[str] = []
    for param in func.params:
        if param in hidden:
            buffer = func.buffer_map[param]
            buffer_name = p.define(buffer, buffer_hint(buffer))
            shape = tuple_text([p.expr(extent) for extent in buffer.shape])
            kind = annotation(p, f'{p.tir}Buffer({shape}, "{buffer.dtype}")')
            parameters.append(f"{buffer_name}: {kind}")
            name_parts(p, buffer, buffer_name, frame)
        else:
            param_name = p.define(param, param.name or "v")
            parameters.append(f"{param_name}: {var_type(p, param)}")
    attrs = func.attrs
    if attrs.get(GLOBAL_SYMBOL) == name:
        attrs = {key: item for key, item in attrs.items() if key != GLOBAL_SYMBOL}
    if attrs:
        p.write(f"{p.tir}func_attr({dictionary(p, attrs)})")
    for param in func.params:
        if param in func.buffer_map and param not in hidden:
            _match(p, func.buffer_map[param], p.names[param])
    for var in p.declared_first:
        declare(p, var)
    root = implicit_root(p, func) if p.sugar else None
    if root is not None:
        p.write(f'# with {p.tir}block("root"):')
        allocations(p, root)
        p.write_body(root.body)
    else:
        p.write_body(func.body)
    p.close_scope()
    options = [] if GLOBAL_SYMBOL in func.attrs else ["private=True"]
    if p.member_name is not None:
        options.append(f"name={string(p.member_name)}")
    private = f"({', '.join(options)})" if options else ""
    returns = f" -> {return_type(p, func.ret_type)}" if func.ret_type is not None or p.options.annotated else ""
    p.lines[header] = f"{p.indent}@{p.tir}prim_func{private}"
    p.lines[header + 1] = f"{p.indent}def {name}({', '.join(parameters)}){returns}:"


def function_name(p: Printer, func: Any) -> str:
    """Return the name of a function in the text."""
    name = p.function_name or func.attrs.get(GLOBAL_SYMBOL)
    return unused(identifier(name), p.taken) if isinstance(name, str) and name else "main"


def return_type(p: Printer, ret_type: Node | None) -> str:
    """Return the annotation of the result."""
    nothing = ret_type is None or (isinstance(ret_type, TupleType) and not ret_type.fields)
    return "None" if ret_type is None or nothing else annotation(p, p.expr(ret_type))


def _params_as_buffers(p: Printer, func: PrimFunc, handles: set[Node]) -> dict[Var, None]:
    """Return the parameters to write as `A: T.Buffer(...)`: nothing else uses the handle."""
    if not p.sugar:
        return {}
    uses = dict.fromkeys(func.params, 0)
    for name in (*func.params, *[buffer.data for buffer in func.buffer_map.values()]):
        uses[name] = uses.get(name, 0) + 1
    return {
        param: None
        for param, buffer in func.buffer_map.items()
        if uses[param] == 1
        and uses[buffer.data] == 1
        and param not in handles
        and type(param) is Var
        and param.pointer_type is None
        and _is_plain(buffer)
    }


def _is_plain(buffer: Buffer) -> bool:
    """Whether shape and dtype determine the buffer."""
    offset = buffer.elem_offset
    return (
        not buffer.strides
        and all(not isinstance(item, Var) for extent in buffer.shape for item in nodes(extent))
        and isinstance(offset, IntImm)
        and offset.value == 0
        and offset.dtype is buffer.index_dtype
        and buffer.storage_scope == "global"
        and buffer.data_alignment == DEFAULT_ALIGNMENT
        and buffer.offset_factor == 1
        and buffer.buffer_type == "default"
        and not buffer.axis_separators
        and buffer.layout is None
        and not buffer.allocated_addr
        and has_usual_data(buffer)
    )


def _match(p: Printer, buffer: Buffer, param: str) -> None:
    frame = p.frames[-1]
    name = p.names.get(buffer) or p.define(buffer, buffer_hint(buffer))
    call = declaration(p, buffer, "match_buffer", frame, first=param)
    name_parts(p, buffer, name, frame)
    p.write(f"{name} = {call}")


def implicit_root(p: Printer, func: PrimFunc) -> Block | None:
    """Return the root block if a comment can replace it: the parser adds it again."""
    body = func.body
    if not isinstance(body, BlockRealize) or body.iter_values or not is_true(body.predicate):
        return None
    root = body.block
    if p.notes is not None and p.notes.has_any(body, root):
        return None
    if root.annotations or root.match_buffers or root.reads or root.writes or root.init is not None:
        return None
    if root.alloc_buffers:
        return root
    nest: Stmt = root.body
    if isinstance(nest, BlockRealize):
        return root if nest.block.iter_vars else None
    while type(nest) is For:
        nest = nest.body
    has_blocks = type(nest) is BlockRealize or any(type(item) is BlockRealize for item in nodes(nest))
    return root if has_blocks else None


@stmt_rule(IRModule)
def _module(p: Printer, mod: IRModule) -> None:
    name = identifier(p.options.name or "Module")
    p.write(f"@{p.ir}ir_module")
    p.write(f"class {name}({p.ir}Module):" if p.options.annotated else f"class {name}:")
    frame = p.open_scope(mod)
    start = len(p.lines)
    p.scope_root = mod
    if mod.attrs:
        p.write(f"{p.ir}module_attrs({dictionary(p, mod.attrs)})")
    if mod.global_infos:
        p.write(f"{p.ir}module_global_infos({dictionary(p, mod.global_infos)})")
    members = _member_names(p, mod, name)
    for var, func in mod.functions.items():
        p.define_as(var, f"{name}.{members[var]}", frame)
        p.result_dtypes[var] = result_dtype(getattr(func, "ret_type", None))
    is_behind_function = False
    for var, func in sorted(mod.functions.items(), key=_order):
        if is_behind_function:
            p.lines.append("")
        is_behind_function = isinstance(func, BaseFunc)
        p.function_name = members[var]
        p.member_name = var.name_hint if members[var] != var.name_hint else None
        p.stmt_rules[type(func)](p, func)
    if len(p.lines) == start:
        p.write("pass")
    p.close_scope()


def _member_names(p: Printer, mod: IRModule, module: str) -> dict[GlobalVar, str]:
    """Return the name of each function in the class: its own, or a free identifier like it."""
    taken = {*p.taken, module}
    variables = sorted(mod.functions, key=lambda var: var.name_hint)
    members = {var: var.name_hint for var in variables if identifier(var.name_hint) == var.name_hint}
    members = {var: name for var, name in members.items() if name and name not in taken}
    taken.update(members.values())
    for var in variables:
        if var not in members:
            members[var] = unused(identifier(var.name_hint) or "main", taken)
            taken.add(members[var])
    return members


def _order(item: tuple[Any, Any]) -> tuple[bool, bool, bool, str]:
    """Sort PrimFuncs first, then external functions, then Relax functions, `main` last."""
    name, func = item[0].name_hint, item[1]
    return name == "main", not isinstance(func, PrimFunc), isinstance(func, BaseFunc), name
