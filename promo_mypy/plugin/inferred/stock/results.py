"""Find out whether mypy without the plugin would infer `Any` for an expression.

Without the plugin such a value may be bound to any variable: NumPy's stubs return Any for `z[0]`, `z.sum()` and
`z.mean()`, so `z = z.sum()` may follow `z = np.zeros(3)`. That Any fits all overloads of a function such as `np.sum`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    OverloadedFuncDef,
    RefExpr,
    SetComprehension,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.types import AnyType, Instance, TupleType, get_proper_type

from promo_mypy.plugin.inferred.displays import TypeOf
from promo_mypy.plugin.inferred.stock import open_dtypes, shapes, untyped_calls
from promo_mypy.plugin.inferred.stock.deciding_values import MOST_STEPS, any_decides, is_narrowed, never
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.symbols import attribute_of, is_declared
from promo_mypy.plugin.trees.expressions import items_at
from promo_mypy.plugin.trees.reaching_values import Rounds
from promo_mypy.plugin.trees.syntax_trees import nodes, parts
from promo_mypy.plugin.types import jax_scalar_types
from promo_mypy.plugin.types.any_parts import has_any_items
from promo_mypy.plugin.types.array_types import is_number
from promo_mypy.plugin.types.numpy_scalars import scalar_of_array
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules.records import record

#: Built-in functions that return an item of an array, or the sum of its items.
_OF_ITEMS: Final = frozenset(
    f"builtins.{name}" for name in ("abs", "divmod", "max", "min", "next", "pow", "round", "sum")
)
#: Those that return the items of an array.
_ITERATING: Final = frozenset(f"builtins.{name}" for name in ("enumerate", "iter", "list", "reversed", "tuple", "zip"))
#: Methods of arrays for which the stubs return the same class, whatever the dtype of the array is.
_OF_ONE_DTYPE: Final = frozenset({"all", "any", "argmax", "argmin"})
_REDUCE: Final = "functools.reduce"


def unknown(_: Var, __: int) -> Rounds:
    """No order of statements is known."""
    return ()


@record
class StockResults:
    """What stock mypy infers for the calls and items in one file.

    An instance is valid until more calls become known. It looks once at each variable in a line.

    Attributes:
        known: calls for which one of the overloads returns Any.
        decided: calls among them whose last matching overload does not return Any.
        open: calls for which stock mypy infers an array class of unknown dtype, so that their items are Any.
        values: variable -> the values that it is bound to.
        iterables: variable -> those of its loops, and what it is unpacked from. An iterable is among the calls if
            its items are Any.
        type_of: mypy's type of an expression with the plugin.
        is_length: whether an expression is a number that begins with the length of an axis.
        is_noted: whether a variable of another module, or an attribute, is Any to stock mypy.
        has_any_shape: whether such a variable is an array of which stock mypy does not know the shape.
        reaching: the assigned values that may be in a variable in a line; empty if they are unknown.
        pairs: the calls among the known ones for which stock mypy infers a tuple of Any.
    """

    known: Set[Node]
    decided: Set[Node]
    open: Set[Node]
    values: Mapping[Var, Sequence[Expression]]
    iterables: Mapping[Var, Sequence[tuple[Expression, Sequence[object]]]]
    type_of: TypeOf
    is_length: Callable[[Node], bool] = never
    is_noted: Callable[[Var], bool] = never
    has_any_shape: Callable[[Var], bool] = never
    reaching: Callable[[Var, int], Rounds] = unknown
    pairs: Set[Node] = frozenset()
    _of_comprehensions: dict[Var, Sequence[Expression]] = field(default_factory=dict, init=False)
    _answers: dict[tuple[Var, int], bool] = field(default_factory=dict, init=False)
    # The variables that are being looked at, each for the one before it.
    _way: list[Var] = field(default_factory=list, init=False)
    # The variables that were visited, for each of the questions.
    _asked_for_items: set[Var] = field(default_factory=set, init=False)
    _asked_for_dtypes: set[Var] = field(default_factory=set, init=False)
    _asked_for_shapes: set[Var] = field(default_factory=set, init=False)

    def may_be_anything(self, expression: Node) -> bool:
        """Whether stock mypy may infer Any for an expression, or for the items of a comprehension."""
        match expression:
            case _ if self._is_any_call(expression) or self.is_length(expression):
                return True
            case NameExpr(node=Var() as variable):
                is_known = is_narrowed(expression, self.type_of(expression))
                return not is_known and self._is_any_variable(variable, expression.line)
            case CallExpr():
                return self._may_be_item(expression)
            case MemberExpr(expr=owner, name=name):
                attribute = expression.node or attribute_of(self.type_of(owner), name)
                is_noted = isinstance(attribute, Var) and self.is_noted(attribute)
                return is_noted or self.may_be_anything(owner)
            case IndexExpr(base=MemberExpr(name="flat", expr=owner)):
                return self.may_be_anything(owner) or self._has_unknown_dtype(owner)
            case IndexExpr(base=owner, index=index):
                # An item or an array: stock mypy cannot tell for an index of type Any.
                is_either = scalar_of_array(self.type_of(owner)) is not None and self.may_be_anything(index)
                return is_either or self._has_any_part(owner, index) or self.may_be_anything(owner)
            case ComparisonExpr(operators=["==" | "!="], operands=[left, _]) if self._is_scalar(left):
                return True
            case OpExpr() | ComparisonExpr() | UnaryExpr():
                return any(map(self.may_be_anything, parts(expression)))
            case ConditionalExpr(if_expr=one, else_expr=other):
                return self.may_be_anything(one) or self.may_be_anything(other)
            case ListComprehension(generator=made) | SetComprehension(generator=made):  # any item of it
                return self.may_be_anything(made)
            case GeneratorExpr(left_expr=item) | DictionaryComprehension(value=item):
                self.bind(expression)
                return self.may_be_anything(item)
            case _:
                return False

    def _is_any_call(self, call: Node) -> bool:
        return call in self.known and call not in self.decided and call not in self.pairs

    def _is_any_variable(self, variable: Var, line: int) -> bool:
        """Whether stock mypy may infer Any for a variable in a line."""
        if variable not in self.values and self.is_noted(variable):
            return True
        if (variable, line) not in self._answers and len(self._way) >= MOST_STEPS:
            return False
        if (variable, line) not in self._answers:
            self._answers[variable, line] = False  # in a cycle the other values decide
            self._way.append(variable)
            values = self._values(variable, set())
            is_any = any_decides(values, line, self.may_be_anything, self.reaching(variable, line))
            unpacked = () if is_declared(variable) else self.iterables.get(variable, ())
            is_any = is_any or any(any(map(self.may_be_anything, self._items_at(*part))) for part in unpacked)
            is_any = is_any or any(map(self._is_pair, (iterable for iterable, _ in unpacked)))
            self._answers[variable, line] = is_any
            self._way.pop()
        return self._answers[variable, line]

    def _items_at(self, iterable: Expression, path: Sequence[object]) -> Iterator[Expression]:
        """The parts of the items of a display, or of the one that a variable is bound to first."""
        if isinstance(iterable, NameExpr) and isinstance(iterable.node, Var) and not is_declared(iterable.node):
            values = self.values.get(iterable.node, ())
            iterable = values[0] if values else iterable
        return items_at(iterable, path)

    def _is_pair(self, value: Expression) -> bool:
        """Whether stock mypy infers a tuple of Any."""
        values = self.values.get(value.node, ()) if isinstance(value, NameExpr) and isinstance(value.node, Var) else ()
        return value in self.pairs or (bool(values) and values[0] in self.pairs)

    def _has_any_part(self, container: Expression, index: Expression) -> bool:
        """Whether stock mypy infers Any for an item of a display, or of a variable that is bound to one first."""
        if isinstance(container, NameExpr) and isinstance(container.node, Var):
            values = self._values(container.node, self._asked_for_items)
            return bool(values) and self._has_any_part(values[0], index)
        match container:
            case TupleExpr(items=items) if isinstance(index, IntExpr) and index.value < len(items):
                return self.may_be_anything(items[index.value])
            case _ if container in self.pairs:
                return True
            case DictExpr(items=pairs):
                return any(self.may_be_anything(value) for _, value in pairs)
            case ListExpr(items=items):
                return any(map(self.may_be_anything, items))
            case IndexExpr(base=outer):
                return any(self._has_any_part(item, index) for item in self._items(outer))
            case _:
                return False

    def _items(self, container: Expression) -> Sequence[Expression]:
        """The items of a display, or of the one that a variable is bound to first."""
        if isinstance(container, NameExpr) and isinstance(container.node, Var) and not is_declared(container.node):
            values = self.values.get(container.node, ())
            container = values[0] if values else container
        match container:
            case DictExpr(items=pairs):
                return [value for _, value in pairs]
            case ListExpr(items=items):
                return items
            case _:
                return ()

    def _values(self, variable: Var, asked: set[Var]) -> Sequence[Expression]:
        """The values of a variable and the iterables of its loops, at the first visit; empty later.

        All variables of a cycle have the same answer, so one visit is enough.
        """
        if variable in asked or len(asked) >= MOST_STEPS or is_declared(variable):
            return ()
        asked.add(variable)
        bound = self._of_comprehensions.get(variable, ())
        return [*self.values.get(variable, ()), *(each for each, _ in self.iterables.get(variable, ())), *bound]

    def bind(self, comprehension: GeneratorExpr | DictionaryComprehension) -> None:
        """Note what the variables of a comprehension iterate over."""
        for target, iterable in zip(comprehension.indices, comprehension.sequences, strict=True):
            for node in nodes(target):
                if isinstance(node, NameExpr) and isinstance(node.node, Var):
                    self._of_comprehensions[node.node] = [iterable]

    def may_have_any_shape(self, expression: Expression) -> bool:
        """Whether stock mypy may infer no shape for an array."""
        return shapes.may_have_any_shape(expression, self)

    def first_value(self, variable: Var) -> Expression | None:
        """The first value of a variable, which decides about the shape in its type, at the first visit; None later."""
        return next(iter(self._values(variable, self._asked_for_shapes)), None)

    def is_unknown(self, value: Expression) -> bool:
        """Whether stock mypy may infer Any or no dtype for an argument, or for an item of a tuple or list."""
        items = value.items if isinstance(value, TupleExpr) else self._items(value) or [value]
        return any(self._is_any(item) or self.may_have_any_dtype(item) for item in items)

    def may_have_any_dtype(self, expression: Expression) -> bool:
        """Whether stock mypy may infer no dtype for an expression."""
        return self.may_be_anything(expression) or self._has_unknown_dtype(expression)

    def _may_be_item(self, call: CallExpr) -> bool:
        """Whether this calls a method of Any, a function with an argument of Any, or one that returns an item."""
        callee = call.callee
        if call in self.pairs:
            return False
        if isinstance(callee, RefExpr) and callee.fullname in jax_scalar_types.NAMES:
            return True
        if isinstance(callee, RefExpr) and callee.fullname == _REDUCE and isinstance(call.args[0], LambdaExpr):
            return any(map(self._has_any_items, call.args[1:2]))
        if isinstance(callee, RefExpr) and callee.fullname in _ITERATING:
            return any(map(self._has_any_items, call.args))
        if isinstance(callee, RefExpr) and (is_own(callee.fullname) or callee.fullname in _OF_ITEMS):
            is_open = isinstance(callee.node, OverloadedFuncDef) and any(map(self._is_any, call.args))
            if is_open and callee.fullname.startswith("numpy.") and self._is_plain_tuple(call):
                return True  # NumPy's overloads differ in dtypes: if several fit, mypy keeps no item type
            if callee.fullname in _OF_ITEMS and any(map(self.may_be_anything, call.args)):
                return True
            # An argument of type Any fits overloads for arrays and for scalars.
            return self._is_scalar(call) and any(map(self.may_have_any_dtype, call.args))
        if isinstance(callee, CallExpr):  # a transformed function
            return untyped_calls.makes_any(callee, self.may_be_anything)
        if isinstance(callee, LambdaExpr):
            return any(map(self.may_be_anything, (*call.args, callee.expr())))
        if not isinstance(callee, MemberExpr):
            return False
        if callee.name == "pop" and self._has_any_part(callee.expr, call.args[0] if call.args else call):
            return True
        is_open = self._is_scalar(call) and self._has_unknown_dtype(callee.expr) and callee.name not in _OF_ONE_DTYPE
        return is_open or self.may_be_anything(callee.expr)

    def _has_any_items(self, iterable: Expression) -> bool:
        """Whether the items of an array, or of what has such items, are Any. NumPy's have marks."""
        return has_any_items(self.type_of(iterable)) or self.may_be_anything(iterable)

    def _is_any(self, expression: Expression) -> bool:
        return isinstance(get_proper_type(self.type_of(expression)), AnyType)

    def _is_plain_tuple(self, expression: Expression) -> bool:
        """Whether a tuple has no class of its own, as `EighResult`: all overloads of a function return that."""
        typ = get_proper_type(self.type_of(expression))
        return isinstance(typ, TupleType) and typ.partial_fallback.type.fullname == "builtins.tuple"

    def _is_scalar(self, expression: Expression) -> bool:
        """Whether an expression is a NumPy scalar or a number with the plugin."""
        typ = self.type_of(expression)
        known = [item for item in members(typ) if not isinstance(item, AnyType)] if typ is not None else []
        return bool(known) and all(isinstance(item, Instance) and is_number(item) for item in known)

    def _has_unknown_dtype(self, value: Expression) -> bool:
        return open_dtypes.has_unknown_dtype(value, self)

    def values_for_dtype(self, variable: Var) -> Sequence[Expression]:
        """The values of a variable and the iterables of its loops, at the first visit; empty later."""
        return self._values(variable, self._asked_for_dtypes)
