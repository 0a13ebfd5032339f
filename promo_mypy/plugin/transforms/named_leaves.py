"""Read the keys and fields of a tree from the expression that makes it, with the type of each leaf.

The type of such an expression does not show the dtypes: `{"mean": x, "count": n}` is a dict of both, and the fields of
a NamedTuple or a dataclass may be declared as arrays of any dtype.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Final

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    CallExpr,
    DictExpr,
    Expression,
    MemberExpr,
    NameExpr,
    RefExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import TupleType, Type, TypedDictType, get_proper_type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.pytrees import Path
from promo_mypy.plugin.calls.arguments.traced_values import is_jax_array
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.rules.records import record

TypeOf = Callable[[Expression], Type | None]

_REPLACING: Final = frozenset({"dataclasses.replace", "copy.replace"})


@record
class NamedLeaves:
    """Collects the leaves of a tree below keys and fields.

    Attributes:
        type_of: mypy's types of the expressions.
        api: the type checker.
        leaves: the place of each leaf -> its expression and type.
        fields: the array types of the fields of classes.
        named: the places of the dicts and objects, whose items have keys or fields.
        clashing: the fields that have another type in another object.
    """

    type_of: TypeOf
    api: CheckerPluginInterface
    leaves: dict[Path, tuple[Expression, Type]] = field(default_factory=dict)
    fields: dict[Var, Type] = field(default_factory=dict)
    named: set[Path] = field(default_factory=set)
    clashing: set[Var] = field(default_factory=set)

    def read(self, expression: Expression, path: Path = ()) -> Type:
        """Collect the leaves of an expression. Its type, in which dict displays are TypedDicts."""
        made = self._made(expression)
        match made:
            case DictExpr():
                return self._read_dict(made, path)
            case TupleExpr() if not any(isinstance(item, StarExpr) for item in made.items):
                items = [self.read(item, (*path, f"[{index}]")) for index, item in enumerate(made.items)]
                return pytrees.tuple_of(items, self.api)
            case CallExpr():
                return self._read_call(made, path)
            case _:
                return self._leaf(made, path)

    def _leaf(self, expression: Expression, path: Path) -> Type:
        typ = self.type_of(expression) or unknown()
        self.leaves[path] = expression, typ
        return typ

    def _read_dict(self, display: DictExpr, path: Path) -> Type:
        items: dict[str, Type] = {}
        for key, value in display.items:
            if isinstance(key, StrExpr):
                items[key.value] = self.read(value, (*path, f"[{key.value!r}]"))
            elif key is not None:  # `**others` gives keys that the display does not name
                return self._leaf(display, path)
        if not items:
            return self._leaf(display, path)
        self.named.add(path)
        return TypedDictType(items, set(items), set(), self.api.named_generic_type("typing._TypedDict", []))

    def _read_call(self, call: CallExpr, path: Path) -> Type:
        typ = self.type_of(call) or unknown()
        given = dict(_fields_given(call))
        if not given:
            return self._leaf(call, path)
        self.named.add(path)
        read = {name: self.read(value, (*path, f".{name}")) for name, value in given.items()}
        info = call.callee.node if isinstance(call.callee, RefExpr) else None
        for name, found in read.items():
            symbol = info.names.get(name) if isinstance(info, TypeInfo) else None
            if symbol is not None and isinstance(symbol.node, Var) and is_jax_array(found):
                self._assume(symbol.node, found)
        proper = get_proper_type(typ)
        names = field_names(info) if isinstance(info, TypeInfo) else ()
        if isinstance(proper, TupleType) and len(proper.items) == len(names):
            return proper.copy_modified(
                items=[read.get(name, item) for name, item in zip(names, proper.items, strict=True)]
            )
        return typ

    def _assume(self, variable: Var, typ: Type) -> None:
        if self.fields.setdefault(variable, typ) != typ:
            self.clashing.add(variable)

    def _made(self, expression: Expression) -> Expression:
        """The display or call that a name is bound to, and nothing else; for anything else the expression itself."""
        variable = expression.node if isinstance(expression, NameExpr) else None
        if not isinstance(variable, Var) or not is_unannotated(variable):
            return expression  # mypy compares a declared type itself
        file = definitions(type_checker.tree(self.api))
        values = file.values(variable)
        if values is None or len(values) != 1 or not isinstance(values[0], DictExpr | CallExpr):
            return expression
        sites = (*file.statements, *file.expressions)
        is_filled = any(isinstance(each.filled, NameExpr) and each.filled.node is variable for each in sites)
        return (
            expression
            if is_filled or (isinstance(values[0], CallExpr) and not any(_fields_given(values[0])))
            else values[0]
        )


def field_names(info: TypeInfo) -> list[str]:
    """The fields of a NamedTuple or a dataclass, in the order of its arguments; none for another class."""
    if "namedtuple" in info.metadata:
        return list(info.metadata["namedtuple"]["fields"])
    attributes = info.metadata["dataclass"]["attributes"] if "dataclass" in info.metadata else ()
    return [each["name"] for each in attributes if each["is_in_init"]]


def _fields_given(call: CallExpr) -> Iterator[tuple[str, Expression]]:
    """The fields that a constructor, `x._replace(...)` or `dataclasses.replace(x, ...)` gets, with their values."""
    if any(kind not in (ARG_POS, ARG_NAMED) for kind in call.arg_kinds):
        return
    callee = call.callee
    node = callee.node if isinstance(callee, RefExpr) else None
    names = field_names(node) if isinstance(node, TypeInfo) else []
    is_replacing = (isinstance(callee, RefExpr) and callee.fullname in _REPLACING) or (
        isinstance(callee, MemberExpr)
        and callee.name in ("_replace", "replace")
        and not any(map(_is_positional, call.arg_kinds))
    )
    if not names and not is_replacing:
        return
    for index, (value, kind, name) in enumerate(zip(call.args, call.arg_kinds, call.arg_names, strict=True)):
        if kind is ARG_NAMED and name is not None:
            yield name, value
        elif index < len(names):
            yield names[index], value


def _is_positional(kind: object) -> bool:
    return kind is ARG_POS


def reads_only(nodes: Iterator[object], fields: Mapping[Var, Type], parameters: frozenset[Var]) -> bool:
    """Whether code reads these fields only from the parameters of a function."""
    for node in nodes:
        if isinstance(node, MemberExpr) and node.name in {variable.name for variable in fields}:
            root: Expression = node
            while isinstance(root, MemberExpr):
                root = root.expr
            base = getattr(root, "base", root)
            if not (isinstance(base, NameExpr) and base.node in parameters):
                return False
    return True
