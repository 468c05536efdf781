"""Bases of the graph level."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar, cast

from tvmscript.ir.core.node import Node, node, note

RelaxT = TypeVar("RelaxT", bound="RelaxExpr")


@node
class StructInfo(Node):
    """What is known of a value while compiling: its kind, and of tensors the shape, the dtype and the device."""

    defines_inside: ClassVar[bool] = True


@node
class RelaxExpr(Node):
    """A value of the graph level. `struct_info` is None where nothing was inferred yet."""

    struct_info: StructInfo | None = note(default=None, kw_only=True)

    #: whether `struct_info` follows from the other fields
    infers: ClassVar[bool] = True

    def replace(self: RelaxT, **changes: Any) -> RelaxT:
        """A node with some fields changed; what is known of it is inferred again, and stays where nothing follows."""
        replaced: Any = Node.replace  # `super` does not find the class that `slots` made anew
        if not self.infers or "struct_info" in changes:
            return cast(RelaxT, replaced(self, **changes))
        made: RelaxT = replaced(self, struct_info=None, **changes)
        return made if made.struct_info is not None else cast(RelaxT, replaced(self, **changes))
