"""Find regions in which PyTorch chooses the dtypes: `torch.autocast`, in a `with` statement or as a decorator.

The body of a function that is called from such a region runs in it, too: see `autocast_callers`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    StrExpr,
    Var,
    WithStmt,
)
from mypy.plugin import CheckerPluginInterface, ClassDefContext

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.autocast_callers import callers, function_at
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions
from promo_mypy.plugin.trees.syntax_trees import Statements, checked_statements, nodes, statements
from promo_mypy.plugin.trees.written_arguments import argument, keywords, positional
from promo_mypy.plugin.types.generic_arrays import annotate
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.torch.autocast import LOW
from promo_mypy.rules.records import record

DType = type[dt.Shaped]

_WORDS: Final = ("autocast",)
_OF_ANY: Final = ("device_type", "dtype", "enabled", "cache_enabled")
_OF_CPU: Final = ("enabled", "dtype", "cache_enabled")


@record
class Region:
    """The lines of a file from `first` to `last`.

    `on`: whether autocast is or may be on there. `low`: the dtype to which it casts on the CPU; None if unknown.
    """

    first: int
    last: int
    on: bool
    low: DType | None = None


#: The regions in which the bodies that are being checked aside are called.
_ENTERED: Final[list[Region | None]] = []


def has_autocast(context: Context, api: CheckerPluginInterface) -> bool:
    """Whether a place may be in a region of autocast."""
    return region_of(context, api) is not None


def low_dtype(context: Context, api: CheckerPluginInterface) -> DType | None:
    """The dtype to which autocast casts at a place on the CPU; None if it is unknown, or if there is no region."""
    found = region_of(context, api)
    return None if found is None else found.low


def region_of(context: Context, api: CheckerPluginInterface) -> Region | None:
    """The region that a place may be in, as an argument of `entered`. The innermost one decides."""
    tree = type_checker.tree(api)
    file = checked_statements(tree)
    regions = _regions(file, tree)
    written = _around(context.line, regions)
    if written is not None or not (regions or _ENTERED):
        return written if written is not None and written.on else None
    if _ENTERED:
        return _ENTERED[-1]
    called = _called(file, tree)
    function = function_at(context.line, called)
    return called[function] if function is not None else None


@contextmanager
def entered(region: Region | None) -> Iterator[None]:
    """Within this context, a body that is checked aside is called in this region."""
    _ENTERED.append(region)
    try:
        yield
    finally:
        _ENTERED.pop()


def _around(line: int, regions: Iterable[Region]) -> Region | None:
    around = (region for region in regions if region.first <= line <= region.last)
    return max(around, key=lambda region: region.first, default=None)


@lru_cache(maxsize=1)  # mypy checks one file after another
def _called(file: Statements, tree: MypyFile) -> Mapping[FuncDef, Region | None]:
    """The region in which each function is called: one of unknown dtype if it is called in several, or outside, too."""
    regions = _regions(file, tree)

    def region_at(line: int) -> Region | None:
        found = _around(line, regions)
        return found if found is not None and found.on else None

    found = callers(list(nodes(file.statements)), tree, region_at)
    return {function: _common(function, each) for function, each in found.items()}


def _common(function: FuncDef, regions: frozenset[Region | None]) -> Region | None:
    if regions <= {None}:
        return None
    lows = {region.low if region is not None else None for region in regions}
    low = lows.pop() if len(lows) == 1 else None
    return Region(function.line, function.end_line or function.line, on=True, low=low)


def annotate_decorator(ctx: ClassDefContext) -> None:
    """Annotate `torch.autocast(...)(function)` with Any: PyTorch has no types there, and mypy would call no hook."""
    for statement in ctx.cls.defs.body:
        if isinstance(statement, FuncDef) and statement.name == "__call__" and statement.type is None:
            annotate(statement, ctx)


@lru_cache(maxsize=1)  # mypy checks one file after another
def _regions(file: Statements, tree: MypyFile) -> Sequence[Region]:
    if not file_texts.may_have(tree, _WORDS):
        return ()
    everything = list(nodes(file.statements))
    if not _mentions_any(everything):  # of thousands of files, a few
        return ()
    made = frozenset(_makers(everything))
    known = definitions(tree)
    return [region for node in everything for region in _regions_of(node, made, known)]


def _regions_of(node: Node, made: frozenset[str], known: FileDefinitions) -> Iterator[Region]:
    body: WithStmt | FuncDef
    if isinstance(node, WithStmt):
        managers, body = node.expr, node
    elif isinstance(node, Decorator):
        managers, body = node.original_decorators, node.func
    else:
        return
    for manager in managers:
        if _mentions(manager, made):
            low = _low_of(_bound(manager, known))
            yield Region(body.line, body.end_line or body.line, not _is_off(_bound(manager, known)), low)


def _makers(everything: Sequence[Node]) -> Iterator[str]:
    """The variables and attributes of the file that hold an autocast object, and the functions that return one."""
    for node in everything:
        if isinstance(node, AssignmentStmt) and _mentions(node.rvalue):
            yield from (target.name for target in node.lvalues if isinstance(target, NameExpr | MemberExpr))
        elif isinstance(node, FuncDef) and any(map(_returns_autocast, statements(node.body))):
            yield node.name


def _returns_autocast(node: Node) -> bool:
    return isinstance(node, ReturnStmt) and _mentions(node.expr)


def _mentions(expression: object, made: frozenset[str] = frozenset()) -> bool:
    return _mentions_any(nodes(expression), made)


def _mentions_any(some: Iterable[Node], made: frozenset[str] = frozenset()) -> bool:
    return any(
        isinstance(node, NameExpr | MemberExpr) and (node.fullname in names.TORCH_AUTOCAST or node.name in made)
        for node in some
    )


def _bound(manager: Expression, known: FileDefinitions) -> Expression:
    """The expression behind a variable that is bound once."""
    node = manager.node if isinstance(manager, NameExpr) else None
    values = known.values(node) if isinstance(node, Var) else None
    return values[0] if values is not None and len(values) == 1 else manager


def _low_of(manager: Expression) -> DType | None:
    """The dtype of a region of the CPU. PyTorch switches a region of CUDA off where there is no CUDA."""
    callee = manager.callee if isinstance(manager, CallExpr) else None
    if (
        not isinstance(manager, CallExpr)
        or not isinstance(callee, RefExpr)
        or callee.fullname not in names.TORCH_AUTOCAST
    ):
        return None
    order = _OF_CPU if callee.fullname.startswith("torch.cpu.") else _OF_ANY
    given = {**dict(zip(order, positional(manager), strict=False)), **keywords(manager)}
    device = given.get("device_type")
    is_cpu = order is _OF_CPU or (isinstance(device, StrExpr) and device.value == "cpu")
    if not is_cpu or callee.fullname.startswith("torch.cuda.") or not _is_true(given.get("enabled")):
        return None
    asked = given.get("dtype")
    if asked is None:
        return dt.bfloat16
    return (
        LOW.get(asked.name) if isinstance(asked, NameExpr | MemberExpr) and asked.fullname.startswith("torch") else None
    )


def _is_true(value: Expression | None) -> bool:
    return value is None or (isinstance(value, NameExpr) and value.fullname == "builtins.True")


def _is_off(manager: Expression) -> bool:
    """Whether a region has `enabled=False`."""
    value = argument(manager, "enabled") if isinstance(manager, CallExpr) else None
    return isinstance(value, NameExpr) and value.fullname == "builtins.False"
