"""Check functions whose parameters leave dtypes open with the dtypes that calls pass, and keep what certainly fails."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from mypy.nodes import CallExpr, Context, Expression, FuncDef, MypyFile, Node
from mypy.types import LiteralType, Type, get_proper_type

from promo_mypy.plugin.interface.bodies import Bodies
from promo_mypy.plugin.interface.trees import nodes_as_written
from promo_mypy.program.checked.arrays import arrays_of
from promo_mypy.program.passed.called_functions import Functions, functions_of_module
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
    """What a call passes to a function, by parameter: dtypes of arrays, ints that some integer dtype cannot hold."""

    node: CallExpr
    module: str
    path: str
    dtypes: tuple[tuple[str, frozenset[type[dt.Shaped]]], ...]
    numbers: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class PassedFinding:
    """A finding in the body of a function for the arguments of a call.

    `calls`: the call, and for a call in a followed body that of its function, and so on.
    """

    finding: Finding
    module: str
    node: Context
    calls: tuple[PassedDtypes, ...]
    types: Mapping[Expression, Type]


@dataclass(frozen=True, slots=True)
class Passed:
    """What the calls of a file pass.

    Attributes:
        findings: what certainly fails for it; each place once.
        others: the other modules to which the calls, or the bodies that they execute, pass arrays.
    """

    findings: tuple[PassedFinding, ...] = ()
    others: frozenset[str] = frozenset()


class PassedFindings:
    """Finds what certainly fails in functions for the dtypes that calls pass.

    Only the body is checked again, so that no other function has other types, and only what a call certainly executes
    counts. The number of bodies is bounded by `_MOST_KINDS` for each function and file of calls.
    """

    def __init__(self) -> None:
        self._functions: Final = Functions()

    def add(self, tree: MypyFile, bodies: Bodies | None) -> Sequence[Node]:
        """Add the functions of a file, or replace them. Returns the nodes of a file with arrays."""
        nodes = list(nodes_as_written(tree)) if bodies is not None else []
        self._functions.add(tree, nodes or functions_of_module(tree))
        return nodes

    @property
    def modules(self) -> Set[str]:
        """The modules of the files whose functions were added."""
        return self._functions.modules

    def of(self, tree: MypyFile, nodes: Sequence[Node], bodies: Bodies | None, types: TypeOf | None = None) -> Passed:
        """What the calls of a file pass.

        `bodies` is None for a file without arrays. `types`: those of its expressions, if not the last ones count.
        """
        if bodies is None:
            return Passed()
        type_of = types or bodies.type_of
        calls = FileCalls(tree, nodes, bodies, self._functions)
        others = set(calls.other_modules(calls.calls, tree, type_of))
        waiting: deque[tuple[PassedCall, tuple[PassedDtypes, ...]]] = deque()
        waiting.extend((each, ()) for each in calls.among(calls.calls, tree, type_of))
        asked: set[tuple[FuncDef, tuple[Type | None, ...]]] = set()
        kinds: Counter[FuncDef] = Counter()
        found: dict[tuple[str, int, int, str], PassedFinding] = {}
        while waiting:
            call, above = waiting.popleft()
            question = call.function, call.types
            if question in asked or kinds[call.function] == _MOST_KINDS:
                continue
            asked.add(question)
            kinds[call.function] += 1
            body = bodies.checked(call.function, call.types, call.tree)
            executed = list(ExecutedParts(call.values).of(call.function))
            chain = (_passed(call, bodies), *above)
            module = call.tree.fullname
            for finding, node in body.findings:
                if finding.code in _CERTAIN and any(node is each for each in executed):
                    inside = dict(_types(call.function, body.type_of))
                    place = module, node.line, node.column, finding.code
                    found.setdefault(place, PassedFinding(finding, module, node, chain, inside))
            others.update(calls.other_modules(executed, call.tree, body.type_of))
            if len(chain) < _DEEPEST:
                waiting.extend((each, chain) for each in calls.among(executed, call.tree, body.type_of))
        others.update(each.module for each in found.values())
        return Passed(tuple(found.values()), frozenset(others - {tree.fullname}))


def _passed(call: PassedCall, bodies: Bodies) -> PassedDtypes:
    dtypes: list[tuple[str, frozenset[type[dt.Shaped]]]] = []
    numbers: list[tuple[str, int]] = []
    for argument, typ in zip(call.function.arguments, call.types, strict=True):
        arrays = arrays_of(typ, bodies.platform) if typ is not None else None
        if arrays is not None and arrays.dtypes:
            dtypes.append((argument.variable.name, arrays.dtypes))
        number = get_proper_type(typ)
        if isinstance(number, LiteralType) and isinstance(number.value, int):
            numbers.append((argument.variable.name, number.value))
    return PassedDtypes(call.node, call.caller.fullname, call.caller.path, tuple(dtypes), tuple(numbers))


def _types(function: FuncDef, type_of: TypeOf) -> Iterator[tuple[Expression, Type]]:
    """The types of the expressions in a body."""
    for node in nodes_as_written(function):
        typ = type_of(node) if isinstance(node, Expression) else None
        if isinstance(node, Expression) and typ is not None:
            yield node, typ
