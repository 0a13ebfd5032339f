"""Find out for which scalars stock mypy knows that they are a float64 or complex128, as the plugin does.

For the sum of a float32 and an int64 the stubs declare `floating` of any width, and for most functions Any. These two
classes have operators of their own.
"""

from collections.abc import Callable, Container, Sequence
from typing import Final

from mypy.nodes import AwaitExpr, CallExpr, Expression, IndexExpr, MemberExpr, NameExpr, Node, OpExpr, UnaryExpr, Var
from mypy.types import Instance, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_declared, is_foreign
from promo_mypy.rules.records import record

_ARITHMETIC: Final = frozenset({"+", "-", "*", "/", "//", "%", "**"})
_CLASSES: Final = (names.NUMPY_FLOAT64, names.NUMPY_COMPLEX128)
_COMPLEX: Final = "builtins.complex"
_NUMBERS: Final = frozenset({"builtins.int", "builtins.bool", "builtins.float", _COMPLEX})
_INTEGERS: Final = frozenset({names.NUMPY_BOOL, names.NUMPY_SIGNED, names.NUMPY_UNSIGNED, names.NUMPY_INTEGER})

#: An expression, and the positions of a part in its value.
Bound = tuple[Expression, Sequence[object]]


@record
class ExactScalars:
    """Decides for the scalars of a file.

    Attributes:
        bound: what assignments bind a variable to, in their order.
        inferred_calls: the calls for which stock mypy infers no dtype, or none as exact.
        type_of: mypy's type of an expression.
        file: the name of the module.
    """

    bound: Callable[[Var], Sequence[Bound]]
    inferred_calls: Sequence[Container[Node]]
    type_of: TypeOf
    file: str

    def has_exact_class(self, variable: Var, seen: tuple[Var, ...] = ()) -> bool:
        """Whether stock mypy, too, infers float64 or complex128 for a variable: from its first value."""
        if is_declared(variable):
            return True
        values = () if variable in seen or is_foreign(variable, self.file) else self.bound(variable)
        return bool(values) and self._is_exact(*values[0], (*seen, variable))

    def _is_exact(self, value: Expression, path: Sequence[object], seen: tuple[Var, ...]) -> bool:
        if _class_of(_part(self.type_of(value), path)) not in _CLASSES:
            return False
        match value:
            case NameExpr(node=Var() as variable):
                return is_declared(variable) if path else self.has_exact_class(variable, seen)
            case CallExpr():
                return not any(value in calls for calls in self.inferred_calls)
            case AwaitExpr(expr=inner):
                return not any(inner in calls for calls in self.inferred_calls)
            case MemberExpr(expr=owner, name=name):
                attribute = attribute_of(self.type_of(owner), name)
                return isinstance(attribute, Var) and is_declared(attribute)
            case IndexExpr(base=NameExpr(node=Var() as container)):
                return is_declared(container)
            case UnaryExpr(expr=operand):
                return self._is_exact(operand, (), seen)
            case OpExpr(op=op, left=left, right=right) if op in _ARITHMETIC and not path:
                return self._gives_exact((left, right), seen)
            case _:
                return False

    def _gives_exact(self, operands: Sequence[Expression], seen: tuple[Var, ...]) -> bool:
        """Whether the stubs declare an exact class for an operation, which is one of both classes to the plugin."""
        classes = [_class_of(self.type_of(each)) for each in operands]
        if names.NUMPY_FLOAT64 in classes and _COMPLEX in classes:
            return False
        # The product of a float32 and a float64 is a float64; that of a float32 and an integer is any `floating`.
        others = _NUMBERS | _INTEGERS | ({names.NUMPY_FLOATING} if names.NUMPY_FLOAT64 in classes else set())
        return all(
            self._is_exact(each, (), seen) if name in _CLASSES else name in others
            for each, name in zip(operands, classes, strict=True)
        )


def is_of_exact_class(typ: Type) -> bool:
    """Whether this is a scalar of one of the two classes."""
    return _class_of(typ) in _CLASSES


def _class_of(typ: Type | None) -> str | None:
    proper = get_proper_type(typ)
    return proper.type.fullname if isinstance(proper, Instance) else None


def _part(typ: Type | None, path: Sequence[object]) -> Type | None:
    """The item of a tuple or list at a path of positions; None of any other type."""
    for place in path:
        match get_proper_type(typ):
            case TupleType(items=items) if isinstance(place, int) and place < len(items):
                typ = items[place]
            case Instance(args=[item]):
                typ = item
            case _:
                return None
    return typ
