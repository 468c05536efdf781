"""Define each variable at most once in the module."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule, on
from tvmscript.ir.tir import AttrStmt, Block, Buffer, Expr, For, IterVar, Let, PrimFunc, Stmt, TirRewriter, Var
from tvmscript.ir.tir.scopes import bound_vars
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class ConvertSSA(Pass):
    """Rename a variable at each further definition, in this function or another one.

    Launches in one function share their thread variable. Buffers over renamed variables are renamed too, declared or
    not.

    rewrite:
        x = 1; f(x); x = 2; f(x)          -->    x = 1; f(x); x_1 = 2; f(x_1)
    """

    name = "tir.ConvertSSA"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        converter = _Converter()
        functions: dict[GlobalVar, BaseFunc] = {
            var: converter.convert(func) if isinstance(func, PrimFunc) else func for var, func in mod.functions.items()
        }
        return mod if functions == mod.functions else mod.replace(functions=functions)


class _Converter(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: variables that have a definition
        self.defined: set[Var] = set()
        #: thread variables of the current function
        self.threads: dict[Var, Var] = {}
        #: (buffer, layout) -> the buffer with this layout
        self.buffers: dict[tuple[Any, ...], Buffer] = {}

    def fresh(self, var: Var) -> Var:
        """Return the variable at its first definition, a copy at any other."""
        if var not in self.defined:
            self.defined.add(var)
            return var
        new_var = var.replace()
        self.defined.add(new_var)
        return new_var

    @contextmanager
    def scope(self, *variables: Var) -> Generator[list[Var]]:
        """Rename variables within their scope, and yield the new ones."""
        before = {var: self.renamed.get(var) for var in variables}
        new_vars = [self.fresh(var) for var in variables]
        for var, new in zip(variables, new_vars, strict=True):
            self.renamed[var] = new
        yield new_vars
        for var, old in before.items():
            if old is None:
                del self.renamed[var]
            else:
                self.renamed[var] = old

    def convert(self, func: PrimFunc) -> PrimFunc:
        """Return the function with unique definitions."""
        self.threads = {}
        layout_vars = [part for buffer in func.buffer_map.values() for part in _layout_vars(buffer)]
        variables = dict.fromkeys([*func.params, *layout_vars])
        with self.scope(*variables) as new_vars:
            params = tuple(new_vars[: len(func.params)])
            buffers = {self.rewrite(param): self.rewrite(buffer) for param, buffer in func.buffer_map.items()}
            body = self.rewrite(func.body)
            attrs = {key: self.value(value) for key, value in func.attrs.items()}
        is_same = all(a is b for a, b in zip(params, func.params, strict=True)) and all(
            buffers.get(param) is buffer for param, buffer in func.buffer_map.items()
        )
        if is_same and all(attrs[key] is value for key, value in func.attrs.items()):
            return func.with_body(body)
        return func.replace(params=params, buffer_map=buffers, body=body, attrs=attrs)

    @on(Buffer)
    def used(self, node: Buffer) -> Buffer:
        data = self.rewrite(node.data)
        shape, strides = self.indices(node.shape), self.indices(node.strides)
        offset = self.rewrite(node.elem_offset)
        if data is node.data and shape is node.shape and strides is node.strides and offset is node.elem_offset:
            return node
        key = (node, data, *shape, *strides, offset)
        if key not in self.buffers:
            self.buffers[key] = node.replace(data=data, shape=shape, strides=strides, elem_offset=offset)
        return self.buffers[key]

    @on(Stmt, For)  # For has a rule in the base class
    def statement(self, node: Stmt) -> Stmt:
        schema, variables = node.schema, bound_vars(node)
        if not variables:
            return self.descend(node)
        values = {name: self.value(getattr(node, name)) for name in schema.values}
        with self.scope(*variables) as new_vars:
            parts = {name: self.value(getattr(node, name)) for name in schema.bodies}
        return node.rebuild(**dict(zip(schema.binds, new_vars, strict=True)), **values, **parts)

    @on(Let)
    def let(self, node: Let) -> Expr:
        value = self.rewrite(node.value)
        with self.scope(node.var) as (var,):
            body = self.rewrite(node.body)
        return node.rebuild(var=var, value=value, body=body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        axis = node.node
        if not isinstance(axis, IterVar):
            return self.descend(node)
        var = self.threads.get(axis.var)
        if var is None:
            var = self.threads[axis.var] = self.fresh(axis.var)
        outer = self.renamed.get(axis.var)
        self.renamed[axis.var] = var
        dom = None if axis.dom is None else self.rewrite(axis.dom)
        value, body = self.rewrite(node.value), self.rewrite(node.body)
        if outer is not None:
            self.renamed[axis.var] = outer
        return node.rebuild(node=axis.rebuild(var=var, dom=dom), value=value, body=body)

    @on(Block)
    def block(self, node: Block) -> Stmt:
        data = [buffer.data for buffer in node.alloc_buffers]
        declared = [var for match in node.match_buffers for var in _layout_vars(match.buffer)]
        matched = [var for var in declared if self.renamed.get(var) is None]
        axes = [axis.var for axis in node.iter_vars]
        with self.scope(*dict.fromkeys([*axes, *data, *matched])):
            return self.descend(node)

    def define(self, name: Any) -> Any:
        # the rules above rename definitions
        return self.rewrite(name)


def _layout_vars(buffer: Buffer) -> list[Var]:
    """Return the data of a buffer and the variables that are sizes, strides or its offset."""
    parts = (buffer.data, *buffer.shape, *buffer.strides, buffer.elem_offset)
    return [part for part in parts if isinstance(part, Var)]
