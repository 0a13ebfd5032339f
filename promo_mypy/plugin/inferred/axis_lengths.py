"""Infer int for the lengths of axes of NumPy's arrays, where NumPy's stubs declare Any.

The stubs declare the shape of most arrays as `tuple[Any, ...]`, so mypy infers Any for `x / x.shape[0]` and for `h`
after `h, w = image.shape`. Here an item of a shape is an int if it is an operand, is bound to a name, or is an argument
to a promotion rule. This must not cause new errors: such a name may be rebound to anything, and a list of lengths may
get other items, as without the plugin.
"""

import itertools
from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    SliceExpr,
    UnaryExpr,
    Var,
)
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.late import late
from promo_mypy.plugin.trees.bound_targets import Definition
from promo_mypy.plugin.trees.rebindings import FileRebindings
from promo_mypy.plugin.trees.syntax_trees import parts
from promo_mypy.plugin.types.integer_types import is_int
from promo_mypy.plugin.types.walks import members, opened, parts_of

with late():
    from promo_mypy.plugin.trees import axis_shapes

_INT: Final = "builtins.int"
_FLOAT: Final = "builtins.float"
#: These operators return an int for two ints, and a float for an int and a float.
_CLOSED: Final = frozenset({"+", "-", "*", "//", "%"})
#: Built-in functions that return one of their arguments.
_CHOOSING: Final = frozenset({"builtins.min", "builtins.max"})
#: Comparisons that return a bool for any operands.
_OF_BOOLS: Final = frozenset({"in", "not in", "is", "is not"})
_NUMBERS: Final = frozenset({_INT, _FLOAT, "builtins.bool"})
#: Longer chains from a name to a length are cycles.
_LONGEST: Final = 16

TypeOf = Callable[[Expression], Type | None]


class AxisLengths:
    """The known lengths in one pass over a file."""

    def __init__(self, tree: MypyFile, known: FileRebindings) -> None:
        """`known`: the variables that the file binds more than once."""
        self._tree = tree
        self._known = known
        self._bindings: dict[Var, Definition] = {}
        self._taken: set[Node] | None = None
        self.shapes: set[Node] = set()
        """The expressions `x.shape` of ndarrays that mypy has come to."""

    def begin_anew(self) -> None:
        """Drop what is known: the file has new variables."""
        self._bindings, self._taken = {}, None

    def is_taken(self, shape: MemberExpr) -> bool:
        """Whether the items of a shape are operands of an operator, or are bound to names that have no other type."""
        if self._taken is None:
            every = list(axis_shapes.length_definitions(self._tree))
            self._bindings = {each.variable: each for each in every if each.variable is not None and _gives_type(each)}
            self._taken = set(axis_shapes.shapes_in_operands(self._tree))
            for each in every:
                member, first = (
                    axis_shapes.bound_shape(each),
                    self._bindings.get(each.variable) if each.variable else None,
                )
                if member is not None and first is not None and axis_shapes.bound_shape(first) is not None:
                    self._taken.add(member)
        return shape in self._taken

    def display_type(self, variable: Var, stock_of: TypeOf) -> Type | None:
        """The type of a variable that is bound to a display of lengths, with Any for those that are Any to stock mypy.

        `stock_of`: what stock mypy infers for an expression.
        """
        binding = self._bindings.get(variable)
        value = binding.whole_value if binding is not None else None
        if value is None or variable.type is None or isinstance(value, CallExpr):
            return None
        return _without_numbers(variable.type, stock_of(value)) if self.has_length(value) else None

    def has_length(self, value: Node, steps: int = _LONGEST) -> bool:
        """Whether an expression, or the value of a variable in it, contains a length."""
        match value:
            case CallExpr(callee=NameExpr(fullname="builtins.len")):
                return False  # an int in any case
            case UnaryExpr(op="not"):
                return False  # a bool in any case
            case ComparisonExpr(operators=operators) if not _OF_BOOLS.isdisjoint(operators):
                return False
            case OpExpr(op="*", left=ListExpr() as items) | OpExpr(op="*", right=ListExpr() as items):
                return self.has_length(items)  # the other operand is only the number of repetitions
            case NameExpr(node=Var() as variable):
                bound = self._bindings.get(variable) if steps else None
                return bound is not None and bound.value is not None and self.has_length(bound.value, steps - 1)
            case _:
                return value in self.shapes or any(self.has_length(part, steps) for part in parts(value))

    def is_shape(self, expression: Expression, steps: int = _LONGEST) -> bool:
        """Whether this is the shape of an array, or a part of it."""
        match expression:
            case MemberExpr():
                return expression in self.shapes
            case IndexExpr(index=SliceExpr()):
                return self.is_shape(expression.base, steps)
            case NameExpr(node=Var() as variable) if steps:
                bound = self._bound(variable)
                value = bound.whole_value if bound is not None else None
                return value is not None and self.is_shape(value, steps - 1)
            case _:
                return False

    def number(self, expression: Expression, type_of: TypeOf, steps: int = _LONGEST) -> str | None:
        """The class of the Python number that a length, or a result of arithmetic, certainly is; None if uncertain.

        `type_of`: mypy's type of an expression.
        """
        typ = get_proper_type(type_of(expression))
        if typ is not None and is_int(typ):
            return _INT
        if isinstance(typ, Instance):
            return _FLOAT if typ.type.fullname == _FLOAT else None
        if not steps:
            return None
        follow = partial(self.number, type_of=type_of, steps=steps - 1)
        match expression:
            case IndexExpr() if self.is_shape(expression.base):
                return _INT if follow(expression.index) == _INT else None
            case NameExpr(node=Var() as variable):
                return self._bound_number(variable, follow)
            case UnaryExpr(op="-" | "+"):
                return follow(expression.expr)
            case OpExpr(op=op) if op in _CLOSED or op == "/":
                operands = {follow(expression.left), follow(expression.right)}
                return None if None in operands else _FLOAT if op == "/" or _FLOAT in operands else _INT
            case OpExpr(op="**") if self._is_length(expression.left):
                return _FLOAT if follow(expression.right) == _FLOAT else None
            case CallExpr(callee=NameExpr(fullname=fullname), args=[argument]):
                if fullname in _CHOOSING and self.is_shape(argument):
                    return _INT
                return _INT if fullname == names.ROUND and follow(argument) is not None else None
            case CallExpr(callee=NameExpr(fullname=fullname), args=arguments) if fullname in _CHOOSING:
                numbers = {follow(argument) for argument in arguments}
                return numbers.pop() if len(numbers) == 1 else None
            case _:
                return None

    def _is_length(self, base: Expression) -> bool:
        """Whether this is the length of an axis: it is not negative, so that no power of it is complex."""
        if isinstance(base, NameExpr) and isinstance(base.node, Var):
            bound = self._bound(base.node)
            if bound is None or bound.value is None:
                return False
            return self.is_shape(bound.value) if axis_shapes.is_item(bound) else self._is_length(bound.value)
        return isinstance(base, IndexExpr) and self.is_shape(base.base)

    def _bound_number(self, variable: Var, follow: Callable[[Expression], str | None]) -> str | None:
        bound = self._bound(variable)
        if bound is None or bound.value is None:
            return None
        if axis_shapes.is_item(bound):
            return _INT if self.is_shape(bound.value) else None
        return follow(bound.value)

    def _bound(self, variable: Var) -> Definition | None:
        """The one binding of a variable; None for variables that are bound elsewhere, too."""
        found = self._bindings.get(variable)
        return None if found is None or variable in self._known().again else found


def _gives_type(definition: Definition) -> bool:
    """Whether the name has its type from there: a parameter that is bound again has it not."""
    return isinstance(definition.target, NameExpr | MemberExpr) and definition.target.is_inferred_def


def _is_python_number(declared: Type) -> bool:
    return all(isinstance(typ, Instance) and typ.type.fullname in _NUMBERS for typ in members(declared))


def _without_numbers(declared: Type, stock: Type | None) -> Type | None:
    """A list, dict, set or tuple with Any for the numbers that are Any to stock mypy; None for other types."""
    typ, known = opened(declared), opened(stock or AnyType(TypeOfAny.special_form))
    if isinstance(typ, TupleType):
        is_alike = isinstance(known, TupleType) and len(known.items) == len(typ.items)
        return typ.copy_modified(
            items=list(map(_part, typ.items, parts_of(known) if is_alike else itertools.repeat(None)))
        )
    if not isinstance(typ, Instance) or not typ.type.fullname.startswith("builtins."):
        return None
    is_alike = isinstance(known, Instance) and known.type is typ.type
    changed = list(map(_part, typ.args, parts_of(known) if is_alike else itertools.repeat(None)))
    return typ.copy_modified(args=changed) if changed != list(typ.args) else None


def _part(declared: Type, stock: Type | None) -> Type:
    if not _is_python_number(declared):
        return _without_numbers(declared, stock) or declared
    is_known = stock is not None and not isinstance(get_proper_type(stock), AnyType)
    return declared if is_known else AnyType(TypeOfAny.special_form)
