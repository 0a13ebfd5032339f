"""Note the dtype that a call has if a sequence among its arguments is empty.

The dtype of a sequence counts as that of its items. Of no items NumPy makes float64, JAX and PyTorch their default
dtype: `np.prod(x.shape[2:])` is float64 for a 2-d `x`. A display with an item is never empty.
"""

from collections.abc import Iterator, Sequence

from mypy.nodes import Context, ListExpr, StarExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.calls.arguments.argument_values import CallReader
from promo_mypy.plugin.libraries import BY_PACKAGE
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.mypy_api.checker.type_checker import module_name
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.recorded_places import span_of
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import functions
from promo_mypy.rules.functions.language.arguments import Argument as Value
from promo_mypy.rules.functions.language.arguments import Arguments, Items, Many
from promo_mypy.rules.functions.language.rows import Row


def note(
    row: Row,
    given: Sequence[Argument],
    receiver: Type | None,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> None:
    """Note the further dtypes of a call, if a tool asks for them."""
    notes, library = session.notes.if_empty, BY_PACKAGE.get(row.library)
    if notes is None or library is None or any(map(_has_item, given)):
        return
    system = session.own_system(library, api)
    combinations = list(CallReader(row, library, system, session, api).combinations(given, receiver) or ())
    pairs = [(each, _emptied(each)) for each in combinations]
    answers = [[functions.resolve_call(system, row, each) for each in pair] for pair in pairs if pair[0] != pair[1]]
    usual = {usual for usual, _ in answers}
    names = frozenset(_names(empty for _, empty in answers if empty not in usual))
    if names:
        notes[module_name(api), span_of(context)] = names


def _names(answers: Iterator[object]) -> Iterator[str]:
    for answer in answers:
        if isinstance(answer, type) and issubclass(answer, dt.Shaped):
            yield answer.strong.name


def _has_item(argument: Argument) -> bool:
    expression = argument.expression
    items = expression.items if isinstance(expression, ListExpr | TupleExpr) else []
    return any(not isinstance(item, StarExpr) for item in items)


def _emptied(call: Arguments) -> Arguments:
    """The call with an empty display for each sequence of unknown length."""
    return call.mapped(_without_items)


def _without_items(value: Value) -> Value:
    return Items(()) if isinstance(value, Many) else value
