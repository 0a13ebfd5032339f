"""Report what overrides a member of a base class incompatibly, as stock mypy does.

The plugin gives array classes operators that accept everything (`generic_arrays`), so that any override fits them. And
it adds Any to the type of an attribute that a method may bind to anything: `index = 0` in a class, and `index = None`
in the next. After each override an inserted call asks whether stock mypy rejects it.
"""

from collections.abc import Iterator, Mapping

from mypy import errorcodes
from mypy.errorcodes import ErrorCode
from mypy.nodes import AssignmentStmt, ClassDef, MypyFile, NameExpr, Node, StrExpr, TypeInfo, Var
from mypy.plugin import FunctionContext
from mypy.types import UnionType, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.inferred.declared_variables import stock_checks
from promo_mypy.plugin.inferred.false_positives.inferred_attributes import overridden
from promo_mypy.plugin.inferred.inserted_calls import bound_before, called_function, insert_after
from promo_mypy.plugin.mypy_api.checker.nested_checks import repeat
from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.nodes.tree_changes import call_after, is_inserted
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.trees.definitions import Site, definitions
from promo_mypy.plugin.trees.file_parts import Function
from promo_mypy.plugin.types.container_types import may_be_anything
from promo_mypy.plugin.types.generic_arrays import REPLACED


def follow(tree: MypyFile, modules: Mapping[str, MypyFile]) -> None:
    """Insert such a call after each override of an operator that the plugin has replaced, or of an attribute."""
    found, function = list(_overriding(tree)), called_function(modules)
    if function is not None:
        for method, owner in found:
            call_after(owner.defs.body, method, method, function)
    insert_after(_overriding_attributes(tree), tree, modules)


def _overriding_attributes(tree: MypyFile) -> Iterator[tuple[Site, Var]]:
    """The assignments in a class to an attribute for which a class of the program has an inferred type."""
    for site in definitions(tree).statements:
        if isinstance(site.node, AssignmentStmt):
            for target in (each.target for each in site.definitions):
                if isinstance(target, NameExpr) and isinstance(target.node, Var) and _inferred_above(target.node):
                    yield site, target.node


def _inferred_above(attribute: Var) -> Var | None:
    """The attribute of the next base class that has it, if its type is inferred."""
    above = overridden(attribute)
    return above if above is not None and is_unannotated(above) else None


def _overriding(tree: MypyFile) -> Iterator[tuple[Function, ClassDef]]:
    """The methods that override such an operator, each with its class."""
    for cls in definitions(tree).classes:
        overridden = {name for name in cls.info.names.keys() & REPLACED if _is_replaced(name, cls.info)}
        for node in cls.defs.body if overridden else ():
            if isinstance(node, Function) and node.name in overridden:
                yield node, cls


def _is_replaced(method: str, info: TypeInfo) -> bool:
    return any(names.STOCK_PREFIX + method in base.names for base in info.mro[1:])


def check(ctx: FunctionContext) -> None:
    """The inserted call: report what is before it, with mypy's notes, if stock mypy rejects it as an override."""
    name = ctx.args[0][0]
    for statement, target in bound_before(ctx):
        above = _inferred_above(target.node) if isinstance(target.node, Var) else None
        if above is not None and _is_opened(above):
            _repeat(ctx, statement, errorcodes.ASSIGNMENT)
    if is_inserted(ctx.context) and isinstance(name, StrExpr) and name.value in REPLACED:
        for method, _ in _overriding(checker(ctx.api).tree):
            if method.line == ctx.context.line:
                _repeat(ctx, method, errorcodes.OVERRIDE)


def _repeat(ctx: FunctionContext, node: Node, code: ErrorCode) -> None:
    """Report what stock mypy reports in the lines of a statement or method."""
    stock, lines = stock_checks(ctx.api), range(node.line, (node.end_line or node.line) + 1)
    if stock is not None:
        repeat(checker(ctx.api), stock.at(node.line).found(lines, {code}, with_notes=True))


def _is_opened(attribute: Var) -> bool:
    """Whether the plugin may have added Any to the type of an attribute."""
    typ = get_proper_type(attribute.type)
    return isinstance(typ, UnionType) and may_be_anything(typ)
