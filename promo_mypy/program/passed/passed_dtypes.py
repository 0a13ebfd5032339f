"""Check functions whose parameters leave dtypes open with the dtypes that calls pass, and keep what certainly fails."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from mypy.nodes import CallExpr, Context, Expression, FuncDef, MypyFile
from mypy.types import Type

from promo_mypy.plugin.interface.bodies import Bodies
from promo_mypy.plugin.interface.trees import nodes_as_written
from promo_mypy.program.checked.arrays import arrays_of
from promo_mypy.program.passed.calls import FileCalls, PassedCall, TypeOf
from promo_mypy.program.passed.executed_parts import ExecutedParts
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.findings import Finding
from promo_mypy.rules.wording import diagnostics

#: The most calls that are followed into each other, and the most kinds of arguments of one function.
_DEEPEST: Final = 4
_MOST_KINDS: Final = 8
#: What certainly fails, or loses a part of each value.
_CERTAIN: Final = frozenset(
    row.code
    for row in (
        diagnostics.UNDEFINED, diagnostics.OVERFLOW, diagnostics.INPLACE, diagnostics.CARRY, diagnostics.WRITE,
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PassedDtypes:
    """The dtypes of the arrays that a call passes to a function, by parameter."""

    node: CallExpr
    dtypes: tuple[tuple[str, frozenset[type[dt.Shaped]]], ...]


@dataclass(frozen=True, slots=True)
class PassedFinding:
    """A finding in the body of a function for the arguments of a call.

    Attributes:
        finding: the finding.
        node: its expression.
        calls: the call, and for a call in a followed body that of its function, and so on.
        types: the types in the body.
    """

    finding: Finding
    node: Context
    calls: tuple[PassedDtypes, ...]
    types: Mapping[Expression, Type]


def passed_findings(tree: MypyFile, bodies: Bodies | None, types: TypeOf | None = None) -> list[PassedFinding]:
    """What certainly fails in functions of a file for the dtypes that its calls pass; each place once.

    Only the body is checked again, so that no other function has other types, and only what a call certainly executes
    counts. The number of bodies is bounded by `_MOST_KINDS` for each function.

    Args:
        tree: mypy's tree of the file.
        bodies: its functions; None for a file without arrays.
        types: the types of its expressions, if others than those of the last check count.
    """
    if bodies is None:
        return []
    type_of = types or bodies.type_of
    calls = FileCalls(tree, bodies)
    waiting: deque[tuple[PassedCall, tuple[PassedDtypes, ...]]] = deque()
    waiting.extend((each, ()) for each in calls.among(calls.calls, type_of))
    asked: set[tuple[FuncDef, tuple[Type | None, ...]]] = set()
    kinds: Counter[FuncDef] = Counter()
    found: dict[tuple[int, int, str], PassedFinding] = {}
    while waiting:
        call, above = waiting.popleft()
        question = call.function, call.types
        if question in asked or kinds[call.function] == _MOST_KINDS:
            continue
        asked.add(question)
        kinds[call.function] += 1
        body = bodies.checked(call.function, call.types)
        executed = list(ExecutedParts(call.values).of(call.function))
        chain = (_passed(call, bodies), *above)
        for finding, node in body.findings:
            if finding.code in _CERTAIN and any(node is each for each in executed):
                inside = dict(_types(call.function, body.type_of))
                found.setdefault((node.line, node.column, finding.code), PassedFinding(finding, node, chain, inside))
        if len(chain) < _DEEPEST:
            waiting.extend((each, chain) for each in calls.among(executed, body.type_of))
    return list(found.values())


def _passed(call: PassedCall, bodies: Bodies) -> PassedDtypes:
    names = [argument.variable.name for argument in call.function.arguments]
    arrays = [arrays_of(typ, bodies.platform) if typ is not None else None for typ in call.types]
    known = [(name, each.dtypes) for name, each in zip(names, arrays, strict=True) if each is not None and each.dtypes]
    return PassedDtypes(call.node, tuple(known))


def _types(function: FuncDef, type_of: TypeOf) -> Iterator[tuple[Expression, Type]]:
    """The types of the expressions in a body."""
    for node in nodes_as_written(function):
        typ = type_of(node) if isinstance(node, Expression) else None
        if isinstance(node, Expression) and typ is not None:
            yield node, typ
