"""Modules: functions by name."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from tvmscript.ir.core.attrs import attribute, attributes
from tvmscript.ir.core.errors import NotCompiled, UnknownName, WrongType
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.node import Building, Node, binds, filled, html, node, note
from tvmscript.ir.core.span import Span
from tvmscript.ir.core.suggestions import UnknownAttribute, closest
from tvmscript.ir.core.targets.target import Target


@node
class GlobalVar(Node):
    """The name of a function of a module."""

    name_hint: str
    #: of a function of the graph level: its FuncStructInfo
    struct_info: Any = note(default=None, kw_only=True)

    is_name: ClassVar[bool] = True

    def same_name(self, other: object) -> bool:
        """Return whether two global variables have the same name."""
        return isinstance(other, GlobalVar) and other.name_hint == self.name_hint

    def __call__(self, *args: object) -> Any:
        """Return the call of a Relax function."""
        return call_global(self, args)


@hook
def call_global(function: GlobalVar, args: tuple[Any, ...], /) -> Any:
    """Return the call of a function of a module by Relax code."""
    raise NotImplementedError


@node
class Member(Node):
    """Base of the members of a module."""


@node
class BaseFunc(Member):
    """Base of functions of every level. A public function has the attribute `global_symbol`."""

    def _repr_html_(self) -> str:
        """Return the highlighted script for notebooks."""
        return html(self)

    if not TYPE_CHECKING:  # a checker would take every name for an attribute

        def __getattr__(self, name: str) -> Any:
            raise UnknownAttribute(name, self)


@node
class GlobalInfo(Node):
    """Base of facts that a module's functions share."""


@node
class DummyGlobalInfo(GlobalInfo):
    """A global info that says nothing."""


@node
class VDevice(GlobalInfo):
    """A device that parts of the program run on: a Target, or the text or the dict of one."""

    target: Any = None
    vdevice_id: int = 0
    memory_scope: str = "global"

    def __post_init__(self: Building) -> None:
        if isinstance(self.target, (str, Mapping)):
            self.target = Target.make(self.target)


@node
class IRModule(Node):
    """Functions by name, with attributes and global infos. Unlike other nodes it can be updated in place.

    `mod["main"]`, `mod[gv]`, `mod["f"] = func`, `"main" in mod`, `for gv in mod`, `mod.functions_items()`.
    """

    functions: dict[GlobalVar, BaseFunc] = binds(default=None)
    attrs: dict[str, Any] = filled(default=None)
    global_infos: dict[str, tuple[GlobalInfo, ...]] = filled(default=None)

    if TYPE_CHECKING:  # functions may be given by their names

        def __init__(
            self,
            functions: Mapping[Any, BaseFunc] | None = None,
            attrs: Mapping[str, Any] | None = None,
            global_infos: Mapping[str, Sequence[GlobalInfo]] | None = None,
            span: Span | None = None,
        ) -> None: ...

    def __post_init__(self: Building) -> None:
        given: Any = self.functions or {}
        self.functions = {}
        for name, func in given.items():
            self.functions[name if isinstance(name, GlobalVar) else self._fresh(name)] = func
        self.attrs = attributes(self.attrs)
        self.global_infos = {key: tuple(infos) for key, infos in (self.global_infos or {}).items()}

    def _fresh(self, name: str) -> GlobalVar:
        return GlobalVar(name)

    if not TYPE_CHECKING:  # a checker would take every name for an attribute

        def __getattr__(self, name: str) -> Any:
            raise UnknownAttribute(name, self)

    if not TYPE_CHECKING:  # type checkers refuse calls

        def __call__(self, *args: object, **kwargs: object) -> NoReturn:
            """Refuse a call: `tvmscript.build` returns compiled functions. Raises `NotCompiled`."""
            name = next((var.name_hint for var in self.get_global_vars()), "main")
            raise NotCompiled(what="the module", hint=f'build it: tvmscript.build(module)["{name}"](...)')

    def _find(self, name: str | GlobalVar) -> GlobalVar | None:
        text = name.name_hint if isinstance(name, GlobalVar) else name
        if isinstance(name, GlobalVar) and name in self.functions:
            return name
        return next((var for var in self.functions if var.name_hint == text), None)

    def get_global_var(self, name: str) -> GlobalVar:
        """The global variable of a function's name. Raises `UnknownName`."""
        return self._require(name)

    def _require(self, name: str | GlobalVar) -> GlobalVar:
        var = self._find(name)
        if var is None:
            name = name.name_hint if isinstance(name, GlobalVar) else name
            hint = closest(str(name), self._names()) or f"the module has {', '.join(self._names())}"
            raise UnknownName(kind="function", name=name, hint=hint)
        return var

    def get_global_vars(self) -> list[GlobalVar]:
        """All global variables, sorted by name."""
        return sorted(self.functions, key=lambda var: var.name_hint)

    def _names(self) -> list[str]:
        return [var.name_hint for var in self.get_global_vars()]

    def _repr_html_(self) -> str:
        """Return the highlighted script for notebooks."""
        return html(self)

    def __getitem__(self, name: str | GlobalVar) -> Any:
        return self.functions[self._require(name)]

    def __setitem__(self, name: str | GlobalVar, func: Member) -> None:
        if not isinstance(func, Member):
            raise WrongType(where="a module", expected="a function", got=repr(func))
        var = self._find(name)
        if var is None:
            var = name if isinstance(name, GlobalVar) else self._fresh(name)
        if var.struct_info is None:  # calls of it have what the function returns
            symbol: Any = var
            symbol.struct_info = getattr(func, "struct_info", None)
        members: dict[GlobalVar, Any] = self.functions  # nearly all of them are functions
        members[var] = func

    def __delitem__(self, name: str | GlobalVar) -> None:
        del self.functions[self._require(name)]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, (str, GlobalVar)) and self._find(name) is not None

    def __iter__(self) -> Iterator[GlobalVar]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)

    def __bool__(self) -> bool:
        return True

    def keys(self) -> KeysView[GlobalVar]:
        return self.functions.keys()

    def values(self) -> ValuesView[BaseFunc]:
        return self.functions.values()

    def items(self) -> ItemsView[GlobalVar, BaseFunc]:
        return self.functions.items()

    def functions_items(self) -> list[tuple[GlobalVar, BaseFunc]]:
        """Functions sorted by name, as TVM's method of this name gives them."""
        return [(var, self.functions[var]) for var in self.get_global_vars()]

    def get(self, name: str | GlobalVar, default: object = None) -> Any:
        """The function of this name, or the default."""
        var = self._find(name)
        return default if var is None else self.functions[var]

    def update(self, other: IRModule | Mapping[str | GlobalVar, BaseFunc]) -> None:
        """Take over all functions of another module or mapping; those of the same name are replaced."""
        for name, func in other.items():
            self[name] = func

    def update_func(self, var: GlobalVar, func: BaseFunc) -> None:
        """Replace the function of a global variable."""
        self[var] = func

    def update_global_info(self, name: str, infos: Sequence[GlobalInfo]) -> None:
        """Set the global infos of one kind, "vdevice" or "mesh"."""
        self.global_infos[name] = tuple(infos)

    def _with_functions(self, functions: dict[GlobalVar, BaseFunc]) -> IRModule:
        return self.replace(functions=functions)

    def clone(self) -> IRModule:
        """A module with the same functions, which can be updated on its own."""
        return self.replace()

    def __or__(self, other: IRModule) -> IRModule:
        """Functions of both; the right side wins."""
        module = self.clone()
        module.update(other)
        return module

    def __and__(self, other: IRModule) -> IRModule:
        """Functions whose names are in both."""
        return self._with_functions({var: func for var, func in self.functions.items() if var in other})

    def __sub__(self, other: IRModule) -> IRModule:
        """Functions whose names are not in the other."""
        return self._with_functions({var: func for var, func in self.functions.items() if var not in other})

    def __le__(self, other: IRModule) -> bool:
        """Whether every name is in the other."""
        return all(var in other for var in self.functions)

    def with_attr(self, key: str, value: object) -> IRModule:
        """The module with an attribute set."""
        return self.replace(attrs={**self.attrs, key: attribute(value)})

    def with_attrs(self, values: Mapping[str, object]) -> IRModule:
        """The module with several attributes set."""
        return self.replace(attrs={**self.attrs, **{key: attribute(value) for key, value in values.items()}})

    def astext(self, show_meta_data: bool = True, annotate: object = None) -> str:
        """The script of the module."""
        return self.script()

    def without_attr(self, key: str) -> IRModule:
        """The module without an attribute."""
        return self.replace(attrs={name: item for name, item in self.attrs.items() if name != key})

    def get_attr(self, key: str, default: object = None) -> Any:
        """An attribute, or the default."""
        return self.attrs.get(key, default)

    @staticmethod
    def from_expr(func: BaseFunc) -> IRModule:
        """A module of one function, under its global symbol or `main`."""
        attrs: dict[str, object] = getattr(func, "attrs", None) or {}
        return IRModule({attrs.get("global_symbol", "main"): func})
