"""Patches: the right program encoded in terms of parts of the left one.

    {"base": hash of the first program, "functions": {old name: new name}, "names": [...], "root": recipe}

A recipe is a plain value (see `to_json`), or
    {"old": steps}                      the part of the left program at a path
    {"old": steps, "set": {field: …}}   that part with some fields replaced
    {"old": n, "as": class, "set": …}   in `names`: a name of another class (Var, DataflowVar)
    {"old": steps, "from": i, "to": j}  in a list: a slice of a tuple of the left program
    {"new": class, "fields": {…}}       a new node
    {"name": i}                         the i-th entry of `names`: a variable or buffer
    {"function": name}                  the global variable of a function
An entry of `names` is a recipe too, where {"old": n} is the n-th name of the left program.
"""

from __future__ import annotations

import struct
from typing import Any

from tvmscript.differ.errors import DoesNotFit, InvalidDiff
from tvmscript.differ.item_tree import Item, Steps, Tree, step_into
from tvmscript.differ.names import Names, Pairing
from tvmscript.differ.to_json import arguments, class_name, construct, decode_plain, encode_plain, node_class
from tvmscript.differ.value_numbers import ValueNumbers
from tvmscript.ir.core import GlobalVar, Rewriter, TVMScriptError, on
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.core.node import Node, Schema
from tvmscript.ir.core.python_settings import deep_recursion

Recipe = Any
#: errors of constructors on invalid arguments
_CONSTRUCTOR_ERRORS = (
    ArithmeticError, AttributeError, LookupError, RecursionError, StopIteration, TypeError, ValueError, struct.error,
)  # fmt: skip


def program_hash(program: object) -> str:
    """Return the hash that identifies the left program of a patch."""
    return f"{structural_hash(program):016x}"


class Encoder:
    """Encodes the patch from the left program to the right one."""

    def __init__(self, left: Tree, right: Tree, ids: tuple[ValueNumbers, ValueNumbers], pairing: Pairing) -> None:
        self.old_ids, self.ids = ids
        self.pairing = pairing
        self.left = left
        self.right = right
        self.items: dict[int, Item] = {id(item.node): item for item in right.items}
        #: value number -> item of the left program, for items without a partner
        self.known: dict[int, Item] = {}
        for item in left.items:
            if isinstance(item.node, Node):
                self.known.setdefault(self.old_ids.of(item.node), item)
        self.table: list[Recipe] = []
        self.numbers: dict[Node, int] = {}

    def patch(self) -> dict[str, object]:
        """Return the patch as a JSON value. Raises `NotStorable`."""
        root = self.encode(self.right.program, self.left.program, ())
        for left, right in self.pairing.forward.items():
            if self._is_changed(left, right):
                self._name(right)
        renamed = {old: new for old, new in self.pairing.functions.items() if old != new}
        return {"base": program_hash(self.left.program), "functions": renamed, "names": self.table, "root": root}

    def encode(self, value: object, other: object, at: Steps | None) -> Recipe:
        """Return the recipe of a part. `other` is its counterpart in the left program, `at` the path of that."""
        if isinstance(value, GlobalVar):
            return {"function": value.name_hint}
        if isinstance(value, Node):
            return {"name": self._name(value)} if value.is_name else self._node(value, other, at)
        if isinstance(value, (tuple, list)):
            given = other if isinstance(other, tuple) and len(other) == len(value) else None
            parts = [
                self.encode(item, given[i] if given else None, (*at, i) if given and at is not None else None)
                for i, item in enumerate(value)
            ]
            return _merge_ranges(parts)
        if isinstance(value, dict) and isinstance(other, dict) and at is not None:
            entries = [
                [self.encode(key, None, None), self.encode(item, other.get(key), (*at, key))]
                if isinstance(key, str)
                else [self.encode(key, None, None), self.encode(item, None, None)]
                for key, item in value.items()
            ]
            return {"dict": entries}
        return encode_plain(value, lambda item: self.encode(item, None, None))

    def _node(self, value: Any, other: object, at: Steps | None) -> Recipe:
        item = self.items.get(id(value))
        number = self.ids.of(value)
        if item is not None:
            partner = item.partner
            if partner is None or self.old_ids.of(partner.node) != number:
                partner = self.known.get(number, partner)
            if partner is not None:
                other, at = partner.node, partner.path()
        if at is not None and isinstance(other, Node) and type(other) is type(value) and not other.is_name:
            if self.old_ids.of(other) == number:
                return {"old": list(at)}
            changed = {
                name: self.encode(getattr(value, name), getattr(other, name), (*at, name))
                for name in arguments(type(value))
                if self._differs(value, other, name)
            }
            return {"old": list(at), "set": changed}
        fields = {
            name: self.encode(getattr(value, name), getattr(other, name, None), _extend_path(at, name))
            for name in arguments(type(value))
        }
        return {"new": class_name(type(value)), "fields": fields}

    def _differs(self, value: Any, other: object, name: str) -> bool:
        """Whether a field must be encoded: it differs, or defines names that differ."""
        mine, theirs = getattr(value, name), getattr(other, name)
        return self.ids.of(mine, name in _defining_fields(value)) != self.old_ids.of(
            theirs, name in _defining_fields(value)
        )

    def _is_changed(self, left: Any, right: Any) -> bool:
        return (
            type(left) is not type(right)
            or left.name_hint != right.name_hint
            or self.old_ids.of(left, True) != self.ids.of(right, True)
        )

    def _name(self, name: Any) -> int:
        old_number = self.numbers.get(name)
        if old_number is not None:
            return old_number
        number = self.numbers[name] = len(self.table)
        self.table.append(None)
        old: Any = self.pairing.backward.get(name)
        fields = arguments(type(name))
        if old is None:
            new_fields = {field: self.encode(getattr(name, field), None, None) for field in fields}
            self.table[number] = {"new": class_name(type(name)), "fields": new_fields}
            return number
        recipe: Recipe = {"old": self.pairing.left.order[old]}
        if type(old) is not type(name):
            recipe["as"] = class_name(type(name))
        if self._is_changed(old, name):
            recipe["set"] = {
                field: self.encode(getattr(name, field), None, None)
                for field in fields
                if self._differs(name, old, field)
                or (field == "name" and getattr(name, field) != getattr(old, field))
            }  # fmt: skip
        self.table[number] = recipe
        return number


def _extend_path(at: Steps | None, name: str) -> Steps | None:
    return None if at is None else (*at, name)


def _defining_fields(value: Node) -> tuple[str, ...]:
    schema: Schema = value.schema
    matched = tuple(name for name, role in schema.compared if role.value == "matches")
    return schema.binds + matched


def _merge_ranges(parts: list[Recipe]) -> list[Recipe]:
    """Merge consecutive elements of one tuple of the left program into slices."""
    merged: list[Recipe] = []
    for part in parts:
        steps = part["old"] if isinstance(part, dict) and part.keys() == {"old"} else None
        if steps and isinstance(steps[-1], int):
            last = merged[-1] if merged else None
            if isinstance(last, dict) and "to" in last and last["old"] == steps[:-1] and last["to"] == steps[-1]:
                last["to"] += 1
            else:
                merged.append({"old": steps[:-1], "from": steps[-1], "to": steps[-1] + 1})
        else:
            merged.append(part)
    return merged


class _Renaming(Rewriter):
    """Copies a part of the left program with the names of the right one."""

    def __init__(self, apply: _PatchApplier) -> None:
        super().__init__()
        self.apply = apply

    @on(GlobalVar)
    def function(self, node: GlobalVar) -> GlobalVar:
        return self.apply.function(self.apply.functions.get(node.name_hint, node.name_hint), node)

    def _default(self, node: Any) -> Any:
        return self.apply.renamed(node) if node.is_name else self.descend(node)

    def define(self, name: Any) -> Any:
        return self.rewrite(name)


class _PatchApplier:
    def __init__(self, patch: dict[str, Any], program: object) -> None:
        self.program = program
        self.functions: dict[str, str] = patch["functions"]
        self.entries: list[Recipe] = patch["names"]
        self.old_names: list[object] = list(Names(program).order)
        #: old name -> number of its entry
        self.entry_of = {
            self.old_names[entry["old"]]: number for number, entry in enumerate(self.entries) if "old" in entry
        }
        self.rebuilt: dict[int, Node] = {}
        self.kept: dict[Node, Node] = {}
        self.known_functions: dict[str, GlobalVar] = {}
        self.renaming = _Renaming(self)

    def function(self, name: str, old: GlobalVar | None = None) -> GlobalVar:
        """Return the unique GlobalVar of a name."""
        global_var = self.known_functions.get(name)
        if global_var is None:
            global_var = old if old is not None and old.name_hint == name else GlobalVar(str(name))
            self.known_functions[name] = global_var
        return global_var

    def renamed(self, name: Any) -> object:
        """Return the new name object for a name of the left program."""
        new_name = self.kept.get(name)
        if new_name is None:
            number = self.entry_of.get(name)
            new_name = self.renaming.descend(name) if number is None else self.name(number)
            self.kept[name] = new_name
            # also renames keys of mappings
            self.renaming.renamed[name] = new_name
        return new_name

    def name(self, number: int) -> Any:
        """Return the name object of an entry."""
        rebuilt = self.rebuilt.get(number)
        if rebuilt is None:
            entry = self.entries[number]
            if "new" in entry:
                rebuilt = self._new(entry)
            else:
                old = self.old_names[entry["old"]]
                rebuilt = self._changed(old, entry.get("set", {}), entry.get("as"))
            self.rebuilt[number] = rebuilt
        return rebuilt

    def _new(self, recipe: Recipe) -> Node:
        fields = {name: self.decode(value) for name, value in recipe["fields"].items()}
        return construct(node_class(recipe["new"]), fields)

    def _changed(self, old: Any, changes: dict[str, Recipe], become: str | None = None) -> Any:
        if not changes and become is None:
            return self.renaming.descend(old)
        kept = {name: self._taken(getattr(old, name)) for name in arguments(type(old)) if name not in changes}
        cls = type(old) if become is None else node_class(become)
        return construct(cls, {**kept, **{name: self.decode(value) for name, value in changes.items()}})

    def _taken(self, value: Any) -> object:
        if not isinstance(value, dict):
            return self.renaming.value(value)
        return {self.renaming.value(key): self.renaming.value(item) for key, item in value.items()}

    def old(self, steps: list[Any]) -> Any:
        """Return the part of the left program at a path."""
        value = self.program
        for step in steps:
            value = step_into(value, step)
        return value

    def decode(self, recipe: Recipe) -> object:
        """Decode a recipe."""
        if isinstance(recipe, list):
            elements: list[object] = []
            for part in recipe:
                if isinstance(part, dict) and "to" in part:
                    taken = self.old(part["old"])[part["from"] : part["to"]]
                    elements += [self.renaming.value(item) for item in taken]
                else:
                    elements.append(self.decode(part))
            return tuple(elements)
        if not isinstance(recipe, dict):
            return recipe
        if "old" in recipe:
            old = self.old(recipe["old"])
            return self._changed(old, recipe["set"]) if "set" in recipe else self.renaming.value(old)
        if "new" in recipe:
            return self._new(recipe)
        if "name" in recipe:
            return self.name(recipe["name"])
        if "function" in recipe:
            return self.function(recipe["function"])
        return decode_plain(recipe, self.decode)


@deep_recursion
def apply_patch(patch: dict[str, object], program: object) -> object:
    """Apply a patch. Raises `DoesNotFit` for another program, `InvalidDiff` for a damaged patch."""
    if program_hash(program) != patch.get("base"):
        raise DoesNotFit(reason="it has another left program", hint="apply it to the left program of the diff")
    try:
        result = _PatchApplier(patch, program).decode(patch["root"])
        if not isinstance(result, Node):
            raise InvalidDiff(reason=f"its root is {result!r}")
        return result
    except (TVMScriptError, *_CONSTRUCTOR_ERRORS) as error:
        if isinstance(error, InvalidDiff):
            raise
        raise InvalidDiff(reason=str(error) or type(error).__name__) from error
