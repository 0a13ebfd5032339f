"""Find the variables with which an expression shares containers: `ys[0]`, `{"k": xs}`, `xs if c else zs`, `list(xs)`.

Containers have levels: level 0 of `[[a], [b]]` is the outer list, level 1 the two lists in it. A shallow copy is a new
container at level 0, and shares the containers from level 1 on.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from mypy.nodes import (
    AssignmentExpr,
    AwaitExpr,
    CallExpr,
    CastExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    FakeInfo,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SetComprehension,
    SetExpr,
    SliceExpr,
    StarExpr,
    SuperExpr,
    TupleExpr,
    Var,
)
from mypy.types import CallableType, Type, TypeVarType, get_proper_type

from promo_mypy.plugin import containers
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.trees.written_arguments import keywords
from promo_mypy.plugin.types.mutable_types import may_hold
from promo_mypy.rules.records import record

#: A variable, or the name of an attribute or, with `()`, of a function, in any class: no types are known here.
Key = Var | str
#: None if any level may be meant.
Level = int | None
#: Containers of arrays are not nested deeper.
LEVELS: Final = 4
_ALL: Final = (1 << LEVELS) - 1


@record
class Sharing:
    """From level `floor` on, the container at `level` of an expression is the one at `level + shift` of a variable.

    Attributes:
        key: the variable.
        shift: None if unknown, as for the result of a function: any level may be any other level.
        floor: the levels above it are containers of the expression itself.
    """

    key: Key
    shift: int | None = 0
    floor: int = 0

    def pairs(self) -> Iterator[tuple[Level, Level]]:
        """Levels of the expression, each with the same level of the variable."""
        if self.shift is None:
            yield None, None
            return
        for level in range(self.floor, LEVELS):
            if 0 <= level + self.shift < LEVELS:
                yield level, level + self.shift

    def levels(self, levels: Iterable[int]) -> Iterator[int]:
        """The levels of the variable that correspond to these levels of the expression."""
        wanted = set(levels)
        for level, of_variable in self.pairs():
            if level is None or of_variable is None:
                yield from range(LEVELS)
            elif level in wanted:
                yield of_variable


Sharings = Sequence[Sharing]


#: Some levels of a variable as a bit mask, how much deeper the same are in another variable, and the other's levels as
#: a bit mask. They are 0 if the difference tells them. Without a difference any level may be any of them.
LinkedLevels = tuple[int, int | None, int]


def linked_levels(one: Sharing, other: Sharing) -> Sequence[LinkedLevels]:
    """The levels on which an expression shares its container with both variables."""
    return _linked_levels(one.shift, one.floor, other.shift, other.floor)


@cache  # few expressions differ in their levels, and a large file links tens of thousands of variables
def _linked_levels(shift: int | None, floor: int, other_shift: int | None, other_floor: int) -> Sequence[LinkedLevels]:
    found: defaultdict[tuple[int | None, int], int] = defaultdict(int)
    for of_one, of_other in _common_levels(Sharing("", shift, floor), Sharing("", other_shift, other_floor)):
        deeper = None if of_one is None or of_other is None else of_other - of_one
        found[deeper, _bits(of_other) if deeper is None else 0] |= _bits(of_one)
    return [(levels, deeper, its_levels) for (deeper, its_levels), levels in found.items()]


def _common_levels(one: Sharing, other: Sharing) -> Iterator[tuple[Level, Level]]:
    for level, of_one in one.pairs():
        for its_level, of_other in other.pairs():
            if level is None or its_level is None or level == its_level:
                yield of_one, of_other


def _bits(level: Level) -> int:
    """The bits of a level; all bits for any level."""
    return _ALL if level is None else 1 << level


def key_of(variable: Var) -> Key:
    """The variable itself, or its name if it is an attribute."""
    return variable if isinstance(variable.info, FakeInfo) else variable.name


def result_key(function: str) -> Key:
    """The key for the results of all functions of that name."""
    return f"{function}()"


def is_result(key: Key) -> bool:
    """Whether it is the key of results of functions."""
    return isinstance(key, str) and key.endswith("()")


def sharings(expression: Expression) -> Sharings:
    """What an expression shares with variables; empty for a new container, or a value without containers."""
    read = _SHARINGS.get(type(expression))
    return read(expression) if read is not None else []


def inside(every: Sharings) -> Sharings:
    """What an item of the expression shares: one that an index or an iteration gives."""
    return [each if each.shift is None else Sharing(each.key, each.shift + 1, max(each.floor - 1, 0)) for each in every]


def copied(every: Sharings) -> Sharings:
    """What a shallow copy of the expression shares."""
    return [Sharing(each.key, each.shift, max(each.floor, 1)) for each in every]


def _around(every: Sharings) -> Sharings:
    """What a new container with the expression in it shares."""
    return [each if each.shift is None else Sharing(each.key, each.shift - 1, each.floor + 1) for each in every]


def _somewhere(every: Sharings) -> Sharings:
    return [Sharing(each.key, None) for each in every]


def _display(items: Iterable[Expression]) -> Sharings:
    found: list[Sharing] = []
    for item in items:
        found += copied(sharings(item)) if isinstance(item, StarExpr) else _around(sharings(item))
    return _distinct(found)


def _distinct(every: Sharings) -> Sharings:
    """Each sharing once: the items of a large display mostly name the same few variables."""
    if len(every) < 2:
        return every
    return list({(each.key, each.shift, each.floor): each for each in every}.values())


def _of_name(name: NameExpr) -> Sharings:
    return [Sharing(key_of(name.node))] if isinstance(name.node, Var) else []


def _of_member(member: MemberExpr) -> Sharings:
    if isinstance(member.node, Var) and "." in member.node.fullname:
        return [Sharing(key_of(member.node))]
    return [Sharing(member.name)]


def _of_item(item: IndexExpr) -> Sharings:
    of_base = sharings(item.base)
    return copied(of_base) if isinstance(item.index, SliceExpr) else inside(of_base)


def _of_operator(operation: OpExpr) -> Sharings:
    of_operands = [*sharings(operation.left), *sharings(operation.right)]
    return of_operands if operation.op in ("and", "or") else copied(of_operands)


def _of_dict(display: DictExpr) -> Sharings:
    return _display([value if key is not None else StarExpr(value) for key, value in display.items])


def _of_call(call: CallExpr) -> Sharings:
    callee = call.callee
    function = callee.fullname if isinstance(callee, RefExpr) else ""
    of_arguments = _distinct([each for argument in call.args for each in sharings(argument)])
    # A function may return a container of its own, an argument, or a part of an argument.
    result = [Sharing(result_key(callee.name))] if isinstance(callee, MemberExpr | NameExpr) else []
    if function in containers.COPYING:
        return copied(of_arguments)
    if function in containers.MAKING_DICTS:
        named = keywords(call).values()
        return [*copied(of_arguments), *inside(of_arguments), *_display(named)]
    if function in containers.PAIRING:
        return _around(copied(of_arguments))
    if function == containers.DEEP_COPY or is_own(function) or not may_hold(_returned(callee)):
        return []
    if isinstance(callee, MemberExpr) and not function:
        receiver = sharings(callee.expr)
        if callee.name in ("copy", "values"):
            return copied(receiver)
        if callee.name == "items":
            return _around(copied(receiver))
        if callee.name in containers.TAKING:
            return [*result, *inside(receiver), *of_arguments]
    return [*result, *_somewhere(of_arguments)]


def _returned(callee: Expression) -> Type | None:
    """The declared result of a function; None if it is unannotated, or a type variable."""
    function = callee.node if isinstance(callee, RefExpr) else None
    typ = function.type if isinstance(function, FuncDef) else None
    result = get_proper_type(typ.ret_type) if isinstance(typ, CallableType) else None
    return None if isinstance(result, TypeVarType) else result


#: Kind of expression -> what it shares with variables.
_SHARINGS: Final[Mapping[type[Expression], Callable[[Any], Sharings]]] = {
    NameExpr: _of_name,
    MemberExpr: _of_member,
    SuperExpr: lambda attribute: [Sharing(attribute.name)],
    IndexExpr: _of_item,
    OpExpr: _of_operator,
    ConditionalExpr: lambda either: [*sharings(either.if_expr), *sharings(either.else_expr)],
    AssignmentExpr: lambda named: [*sharings(named.target), *sharings(named.value)],
    **dict.fromkeys((AwaitExpr, CastExpr, StarExpr), lambda around: sharings(around.expr)),
    **dict.fromkeys((TupleExpr, ListExpr, SetExpr), lambda display: _display(display.items)),
    DictExpr: _of_dict,
    **dict.fromkeys((ListComprehension, SetComprehension), lambda made: sharings(made.generator)),
    GeneratorExpr: lambda made: _around(sharings(made.left_expr)),
    DictionaryComprehension: lambda made: _around(sharings(made.value)),
    CallExpr: _of_call,
}
