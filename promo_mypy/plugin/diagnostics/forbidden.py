"""Report `promo-forbidden`: a dtype that the module should not have, at the place where it comes in.

There is one report for each source, not for each use of its values:

- an annotation, at the name of the dtype (`annotations` asks `report_annotation`);
- a dtype argument, at the argument, and a cast that has its dtype in its name, at the call;
- an operation that returns the dtype for operands without it, at the operation;
- a value from another module, or from a function that the plugin does not know: at the first operation that gives a
  forbidden dtype because of it.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mypy.nodes import Context, Expression, RefExpr, TypeAlias
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from promo_mypy.plugin.diagnostics.dtype_origin import Origins
from promo_mypy.plugin.diagnostics.findings import array_dtypes, dtypes_text, made, operands_at, operands_text
from promo_mypy.plugin.diagnostics.forbidden_sources import Source, UnreportedSources
from promo_mypy.plugin.diagnostics.portability import side_of
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.promotion import Answer
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.expressions import dotted_name
from promo_mypy.plugin.types.array_types import Value, read
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.advice import Remedy
from promo_mypy.rules.operators import Operator
from promo_mypy.rules.wording import diagnostics
from promo_mypy.rules.wording.allowed import NOTHING_FITS, allowed_cast, are_forbidden, instead_of
from promo_mypy.rules.wording.dialects import Dialect

if TYPE_CHECKING:
    from promo_mypy.rules.findings import Finding

DTypeSet = frozenset[type[dt.Shaped]]


def finding_about(
    dtypes: DTypeSet, origin: str, remedy: Remedy | str, among: Sequence[Expression] = (), system: str = ""
) -> "Finding":
    """The finding about a forbidden dtype; `among`: the operands that the remedy counts, of that `system`."""
    return made(diagnostics.FORBIDDEN, remedy, among, system=system, dtype=dtypes_text(dtypes), origin=origin)


def report_request(
    dtypes: DTypeSet, argument: Context, dialect: Dialect, session: Session, api: CheckerPluginInterface
) -> None:
    """Report code that asks for a forbidden dtype by name: a dtype argument, `x.double()`, `x.astype(np.float64)`.

    Every operation or function that makes arrays of a named dtype calls this function.
    """
    forbid = session.options(api).forbid
    if not are_forbidden(dtypes, forbid):
        return
    if isinstance(argument, Expression):
        session.watch.file.reported.add(argument)
    if isinstance(argument, RefExpr) and isinstance(argument.node, TypeAlias):
        tree = type_checker.tree(api)
        if argument.node.module == tree.fullname:
            return  # reported where it is defined, like an alias of a type
    likes = [instead_of(dtype, forbid, dialect) for dtype in dtypes]
    spelled = [dialect.spell(like) for like in likes if like is not None]
    remedy = f"write {spelled[0]}" if spelled else "write a dtype that is allowed"
    type_checker.report(api, finding_about(dtypes, "the code asks for it", remedy), argument)


def report_operation(
    operator: Operator,
    answers: Sequence[tuple[Answer, Sequence[Value]]],
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> bool:
    """Report an operation that brings a forbidden dtype in. Return whether there was a report."""
    forbid = session.options(api).forbid
    if not forbid:
        return False
    results: DTypeSet = frozenset().union(*(found.dtypes or () for found, _ in answers))
    if any(not found.dtypes for found, _ in answers) or not are_forbidden(results, forbid):
        return False
    places = range(len(answers[0][1]))
    carriers = [place for place in places if are_forbidden(_dtypes_at(place, answers), forbid)]
    found, values = answers[0]
    if not carriers:
        origin = f"it comes from {operands_text(operator, values)} under {found.system.name} promotion"
        remedy = allowed_cast(found.system, operator.operation, [side_of(value) for value in values], forbid)
        about = finding_about(results, origin, remedy, operands_at(context), found.system.name)
        type_checker.report(api, about, context)
        return True
    operands = operands_at(context)
    if len(operands) != len(values):
        return False
    sources = _new_sources({place: operands[place] for place in carriers}, session, api)
    if not sources:
        return False
    brought = array_dtypes(_dtypes_at(next(iter(sources)), answers))
    whom = " and ".join(_named(place, operands) for place in sources)
    _report_brought(brought, whom, [operands[place] for place in sources], found.system.dialect, context, session, api)
    return True


def report_call(
    function: str,
    results: DTypeSet,
    given: Mapping[Expression, Type],
    takes_dtype: bool,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
    dialect: Dialect,
) -> None:
    """Report a call of a function that brings a forbidden dtype in: by itself, or by an argument.

    Args:
        function: its name.
        results: the dtypes that it may return.
        given: the arguments, with the array whose method is called.
        takes_dtype: whether the function has a dtype argument.
    """
    forbid = session.options(api).forbid
    if not are_forbidden(results, forbid) or any(map(session.watch.file.reported.__contains__, given)):
        return
    values = {expression: read(typ, session.platform) or () for expression, typ in given.items()}
    dtypes = {e: frozenset().union(*(value.dtypes for value in found)) for e, found in values.items()}
    carriers = [expression for expression, each in dtypes.items() if are_forbidden(each, forbid)]
    if not carriers:
        like = instead_of(next(iter(results)), forbid, dialect)
        ask = f"ask for {dialect.spell(like)}" if like is not None and takes_dtype else NOTHING_FITS
        type_checker.report(api, finding_about(results, f"it comes from {function}", ask), context)
        if isinstance(context, Expression):
            session.watch.file.reported.add(context)
        return
    sources = _new_sources(dict(enumerate(carriers)), session, api)
    if sources:
        brought = [carriers[place] for place in sources]
        whom = " and ".join(f"the argument `{name}`" if (name := dotted_name(e)) else "an argument" for e in brought)
        _report_brought(array_dtypes(dtypes[brought[0]]), whom, brought, dialect, context, session, api)


def _new_sources(
    carriers: Mapping[int, Expression], session: Session, api: CheckerPluginInterface
) -> dict[int, Source]:
    """The sources of values of forbidden dtype that no other check reports, each once."""
    unreported = _unreported(session, api)
    new: dict[int, Source] = {}
    for place, expression in carriers.items():
        source = unreported.source(expression)
        if source is not None and source not in new.values():
            new[place] = source
    session.watch.file.reported.update(new.values())
    return new


def _report_brought(
    dtypes: DTypeSet,
    whom: str,
    by: Sequence[Expression],
    dialect: Dialect,
    context: Context,
    session: Session,
    api: CheckerPluginInterface,
) -> None:
    like = instead_of(next(iter(dtypes)), session.options(api).forbid, dialect)
    name = next((dotted for dotted in map(dotted_name, by) if dotted is not None), "x")
    remedy = f"cast it first with {dialect.cast(like, name)}" if like is not None else "convert it first"
    type_checker.report(api, finding_about(dtypes, f"it comes from {whom}", remedy), context)


def _dtypes_at(place: int, answers: Sequence[tuple[Answer, Sequence[Value]]]) -> frozenset[dt.OperandType]:
    return frozenset().union(*(values[place].dtypes for _, values in answers))


def _named(place: int, operands: Sequence[Expression]) -> str:
    """The operand in words: `the right operand `scale``."""
    operand = operands[place]
    side = "the operand" if len(operands) == 1 else "the right operand" if place else "the left operand"
    name = dotted_name(operand)
    return f"{side} `{name}`" if name is not None else side


def _unreported(session: Session, api: CheckerPluginInterface) -> UnreportedSources:
    forbid = session.options(api).forbid
    current, tree = type_checker.checker(api), type_checker.tree(api)

    def type_of(expression: Expression) -> Type | None:
        return type_checker.expression_type(current, expression)

    def is_forbidden(expression: Expression) -> bool:
        typ = type_of(expression)
        values = read(typ, session.platform) if typ is not None else None
        return values is not None and all(are_forbidden(value.dtypes, forbid) for value in values)

    origins = Origins(definitions(tree).of_variable, type_of)
    return UnreportedSources(origins, tree.fullname, is_forbidden, session.watch.file.reported)
