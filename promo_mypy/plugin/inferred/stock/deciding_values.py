"""Find the values of a variable from which stock mypy infers its type at a line."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final

from mypy.nodes import ConditionalExpr, Expression, NameExpr, Node, Var
from mypy.types import AnyType, Type, get_proper_type

from promo_mypy.plugin.trees.expressions import is_none
from promo_mypy.plugin.trees.reaching_values import Rounds
from promo_mypy.plugin.types.container_types import holds_array, may_be_anything
from promo_mypy.plugin.types.value_marks import is_marked
from promo_mypy.plugin.types.walks import members

#: From a variable to its value, to a variable in that, and so on: whatever is further away counts as known to mypy.
MOST_STEPS: Final = 200


def never(_: Node) -> bool:
    """What a question about expressions answers if there is nothing to ask about."""
    return False


def deciding(values: Sequence[Expression], line: int) -> Sequence[Expression]:
    """The values that a variable gets first and last above a line: stock mypy infers its type there from one of them.

    Without a value above the line, a loop or function comes back to it, and each value may be the last.
    """
    known = [each for each in values if not is_none(each)]
    above = [each for each in known if each.line < line]
    return [known[0], above[-1]] if above else known


def is_narrowed(name: NameExpr, typ: Type | None) -> bool:
    """Whether a test or assignment has narrowed a variable of type Any to a type that is known without the plugin."""
    declared = name.node.type if isinstance(name.node, Var) else None
    if typ is None or not isinstance(get_proper_type(declared), AnyType) or may_be_anything(typ):
        return False
    return not holds_array(typ) and not any(map(is_marked, members(typ)))


def any_decides(
    values: Sequence[Expression],
    line: int,
    is_any: Callable[[Expression], bool],
    reaching: Rounds = (),
) -> bool:
    """Whether one of the values that decide at a line makes a variable Any there. `is_any`: that of a value.

    mypy narrows a union with Any, which it infers for a condition, to the type of the last value.

    `reaching`: the values that may be there at that line, if they are known. mypy reports what it finds in any round.
    """
    if reaching and values:
        first = next((each for each in values if not is_none(each)), None)
        known = cache(is_any)
        return all(_joins_to_any(each, first, known) for each in reaching)
    found = deciding(values, line)
    match found:
        case [ConditionalExpr(if_expr=one, else_expr=other) as first, last] if last is not first:
            return (is_any(one) and is_any(other)) or is_any(last)
        case _:
            return any(map(is_any, found))


def _joins_to_any(values: Iterable[Expression], first: Expression | None, is_any: Callable[[Expression], bool]) -> bool:
    """Whether a variable is Any at a join of these values.

    mypy drops an Any beside the type of the first value, which is the declared one. A declared Any stays.
    """
    known = [each for each in values if not is_none(each)]
    is_declared = len(known) < 2 or (first is not None and is_any(first))
    return any(map(is_any, known)) if is_declared else all(map(is_any, known))
