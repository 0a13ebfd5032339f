"""Report calls and assignments that store a Python number which a dtype cannot hold: `np.full(3, 300, np.uint8)`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mypy.nodes import Context, Expression, ListExpr, MemberExpr, MypyFile, NameExpr, OpExpr, TupleExpr, UnaryExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.calls.arguments.argument_values import CallReader
from promo_mypy.plugin.calls.preserved_dtype import by_parameter
from promo_mypy.plugin.calls.resolution import answers_of
from promo_mypy.plugin.diagnostics.findings import made
from promo_mypy.plugin.libraries import BY_PACKAGE, Library
from promo_mypy.plugin.mypy_api.arguments import Argument
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.type_checker import tree
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.constant_values import constant_of
from promo_mypy.plugin.types.array_types import library_of, read
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.functions.language.signatures import signature
from promo_mypy.rules.functions.stored_numbers import (
    COMPUTED,
    ITEMS,
    RAISING_FOR_FLOATS,
    STORED,
    bounds,
    is_stored,
    stored_in,
    stored_ints,
)
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.promotion import PromotionSystem
from promo_mypy.rules.wording import diagnostics, reasons

#: Expressions whose numbers mypy's types do not show.
_NAMING: Final = (NameExpr, MemberExpr, OpExpr, UnaryExpr, ListExpr, TupleExpr)


def report(
    row: Row,
    given: Sequence[Argument],
    receiver: Type | None,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> bool:
    """Report a number that none of the possible dtypes of the result can hold. Return whether there was one."""
    parameters = STORED.get(row.library, {}).get(row.name)
    if parameters is None or not _may_store(parameters, row, given, receiver):
        return False
    library = BY_PACKAGE[row.library]
    system = session.own_system(library, api)
    combinations = CallReader(row, library, system, session, api).combinations(given, receiver)
    calls = [signature(row.signature).bind(each) for each in combinations or ()]
    floats = RAISING_FOR_FLOATS.get(row.library, {}).get(row.name, "")
    numbers = frozenset(_numbers(parameters, row, given, receiver, tree(api)))
    written = frozenset(number for number in numbers if floats and isinstance(number, float))
    named = frozenset(number for number in numbers if isinstance(number, int))
    if not all(bound is None or is_stored(row.name, bound) for bound in calls):
        return False
    known = written | named
    stored = [known.union(stored_ints(parameters, bound)) if bound is not None else known for bound in calls]
    if stored and not any(all(map(_is_small, values)) for values in stored):
        target = stored_in(row.library, row.name)
        answers: Sequence[object]
        if target is None:
            found = answers_of(row, given, receiver, session, api)
            answers = found.answers if found is not None else ()
        else:
            operands = [bound[target] for bound in calls if bound is not None]
            answers = [operand.dtype if isinstance(operand, Operand) else None for operand in operands]
        kinds = floats if written else f"ui{floats}"
        dtypes = [answer for answer in answers if isinstance(answer, type) and issubclass(answer, dt.Shaped)]
        dtypes = [dtype for dtype in dtypes if dtype.kind in kinds and dtype.kind in "uif"]
        if len(dtypes) == len(answers):
            beside = [dtype.name for dtype in dtypes[:1]]
            return _report(row.name, row.full_name, beside, dtypes, stored, library, system, context, api)
    return False


def _may_store(parameters: str, row: Row, given: Sequence[Argument], receiver: Type | None) -> bool:
    """Whether one of the parameters gets something else than an array."""
    if parameters in COMPUTED:
        return True
    found = by_parameter(row, given, receiver)
    named = (found.get(name.lstrip("*+-~")) for name in parameters.split())
    return any(argument is not None and library_of(argument.type) is None for argument in named)


def report_scalar(
    name: str,
    dtypes: frozenset[type[dt.Shaped]] | None,
    argument: Argument,
    library: Library,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> None:
    """Report such a number in a call of a scalar type: `np.uint8(300)`."""
    written = constant_of(argument.expression, tree(api))
    ints = (value.literal for value in read(argument.type, session.platform) or ())
    literals = [*ints] if written is None else [written]
    stored = [frozenset({literal}) for literal in literals if literal is not None and not _is_small(literal)]
    integers = [dtype for dtype in dtypes or () if issubclass(dtype, dt.Integer)]
    if stored and len(stored) == len(literals) and len(integers) == len(dtypes or ()):
        _report(name, name, (), integers, stored, library, session.own_system(library, api), context, api)


def has_constant(row: Row, given: Sequence[Argument], receiver: Type | None, api: CheckerPluginInterface) -> bool:
    """Whether the function stores a number that the code names: `NEVER = -1e9`. The cache of calls has only types."""
    parameters = STORED.get(row.library, {}).get(row.name)
    if parameters is None or parameters in COMPUTED or not any(isinstance(each.expression, _NAMING) for each in given):
        return False
    return any(not _is_small(number) for number in _numbers(parameters, row, given, receiver, tree(api)))


def _numbers(
    parameters: str, row: Row, given: Sequence[Argument], receiver: Type | None, file: MypyFile
) -> Iterator[float]:
    """The numbers in the arguments for some parameters that are written, or that names stand for."""
    if parameters in COMPUTED:
        return
    found = by_parameter(row, given, receiver)
    for name in parameters.split():
        argument = found.get(name.lstrip("*+-~"))
        if argument is None:
            continue
        for value in _constants(argument.expression, file, nested=name.startswith("*")):
            is_unused = (value < 0 and name.startswith("+")) or (value > 0 and name.startswith("-"))
            if not is_unused or not isinstance(value, int):
                yield -value if name.startswith("~") else value


def _constants(expression: Expression, file: MypyFile, *, nested: bool) -> Iterator[float]:
    if nested and isinstance(expression, ListExpr | TupleExpr):
        for item in expression.items:
            yield from _constants(item, file, nested=nested)
    elif (value := constant_of(expression, file)) is not None:
        yield value


def _is_small(value: float) -> bool:
    """Whether every dtype that raises for numbers out of range can hold it."""
    return 0 <= value <= dt.int8.maximum


def _report(
    function: str,
    name: str,
    beside: Sequence[str],
    dtypes: Sequence[type[dt.Shaped]],
    stored: Sequence[frozenset[float]],
    library: Library,
    system: PromotionSystem,
    context: Context,
    api: CheckerPluginInterface,
) -> bool:
    too_much = [_beyond(values, dtypes, library, function) for values in stored]
    if not dtypes or not all(too_much):
        return False
    from promo_mypy.rules.wording.value_remedies import stored_remedy

    value = too_much[0][0]
    limits = bounds(library.value, function, dtypes[0], value)
    assert limits is not None
    if not isinstance(value, int) and dtypes[0].kind in "ui":  # what is nearly in range is truncated
        limits = dtypes[0].minimum, dtypes[0].maximum
    shown = reasons.number(value)
    kinds = "ui" if isinstance(value, int) and dtypes[0].kind in "ui" else "f"
    finding = made(
        diagnostics.OVERFLOW,
        stored_remedy(system.dialect, value, dtypes[0], kinds),
        number="Integer" if isinstance(value, int) else "Float",
        operands=f"{dtypes[0].name}[...] = {shown}" if function == ITEMS else f"{name}({', '.join([*beside, shown])})",
        system=system.name,
        reason=reasons.out_of_range(value, dtypes[0].name, limits),
    )
    type_checker.report(api, finding, context)
    return True


def _beyond(values: Iterable[float], dtypes: Sequence[type[dt.Shaped]], library: Library, function: str) -> list[float]:
    """The numbers that none of the dtypes can hold or wrap around."""

    def is_held(value: float, dtype: type[dt.Shaped]) -> bool:
        limits = bounds(library.value, function, dtype, value)
        return limits is None or limits[0] <= value <= limits[1]

    return sorted(value for value in values if not any(is_held(value, dtype) for dtype in dtypes))
