"""Report the keys and fields of a carry whose dtype changes, and those for which branches return different dtypes.

Only expressions show these dtypes (see `named_leaves`). So the body is checked once more aside, for a carry whose keys
and fields have the dtypes of the first value. Nothing but these reports comes from that.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from mypy.nodes import Expression, FuncDef, FuncItem, LambdaExpr, TupleExpr, Var
from mypy.types import Type

from promo_mypy.plugin.calls.arguments.pytrees import Path
from promo_mypy.plugin.calls.arguments.traced_values import Dtypes
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.checker.body_checking import assumed_types, types_in_body
from promo_mypy.plugin.mypy_api.checker.call_checking import types_in_lambda
from promo_mypy.plugin.transforms import branches, carries
from promo_mypy.plugin.transforms.called_functions import CalledFunction, TransformCall
from promo_mypy.plugin.transforms.named_leaves import NamedLeaves, TypeOf, reads_only
from promo_mypy.plugin.transforms.returned_values import definition_of, operator_behind
from promo_mypy.plugin.trees.own_returns import own_returns
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.jax.traced import carried, same_dtype
from promo_mypy.rules.operands import Refusal
from promo_mypy.rules.promotion import PromotionSystem


def check(loop: carries.Loop, initial: Expression) -> bool:
    """Report a key or field of a loop's carry whose dtype changes. Returns whether there is one."""
    call = loop.call
    entering = _leaves(call)
    typ = entering.read(initial)
    function = definition_of(loop.body.expression, call.api)
    known = any(call.dtypes(leaf) for path, (_, leaf) in entering.leaves.items() if _is_below(path, entering))
    if function is None or not known or entering.clashing:
        return False
    types = loop.arguments(loop.body.parameter(typ))
    with _checked(function, types, entering.fields, call) as type_of:
        for path, leaf, after in _returned(function, type_of, call, pair=loop.pair):
            before = call.dtypes(entering.leaves[path][1]) if path in entering.leaves else None
            if (
                before is None
                or after is None
                or not _is_below(path, entering)
                or not _changes(before, after, call.system)
            ):
                continue
            operator = operator_behind(leaf, function, call.session, type_of) if type_of is not None else None
            carries.report(loop, path, before, after, operator)
            return True
    return False


def check_branches(call: TransformCall, name: str, functions: Sequence[CalledFunction]) -> bool:
    """Report a key or field for which branches return different dtypes. Returns whether there is one."""
    given = _leaves(call)
    expressions = call.given.get("operand") or call.given.get("operands", ())
    operands = [given.read(expression, (f"[{index}]",)) for index, expression in enumerate(expressions)]
    first: dict[Path, Dtypes | None] = {}
    if given.clashing:
        return False
    for one in functions:
        function = definition_of(one.expression, call.api)
        if function is None or not (given.named or _makes_names(function, call)):
            return False
        types = [one.parameter(operand) for operand in operands]
        with _checked(function, types, given.fields, call) as type_of:
            for path, _, dtypes in _returned(function, type_of, call):
                before = first.setdefault(path, dtypes)
                if before and dtypes and not any(same_dtype(left, right) for left in before for right in dtypes):
                    branches.report(call, name, path, before, dtypes)
                    return True
    return False


def _leaves(call: TransformCall) -> NamedLeaves:
    return NamedLeaves(partial(type_checker.expression_type, type_checker.checker(call.api)), call.api)


def _is_below(path: Path, tree: NamedLeaves) -> bool:
    """Whether a leaf is below a key or field. The others are part of the type of the carry."""
    return any(path[: len(named)] == named for named in tree.named)


def _changes(before: Dtypes, after: Dtypes, system: PromotionSystem) -> bool:
    if len(before) > 1 or len(after) > 1:
        return not any(same_dtype(one, other) or one.weak for one in before for other in after)
    (one,), (other,) = before, after
    found = carried(one, other, system, is_weak=one.weak or one is dt.bool_)
    return isinstance(found, Refusal) or (found is one and not same_dtype(one, other))


def _makes_names(function: FuncItem, call: TransformCall) -> bool:
    read = NamedLeaves(lambda _: None, call.api)
    for returned in _expressions(function):
        read.read(returned)
    return bool(read.named)


def _expressions(function: FuncItem) -> list[Expression]:
    """The expressions that a function returns."""
    return [each.expr for each in own_returns(function) if each.expr is not None]


def _returned(
    function: FuncItem, type_of: TypeOf | None, call: TransformCall, *, pair: bool = False
) -> Iterator[tuple[Path, Expression, Dtypes | None]]:
    """The leaves that a function returns: their places, expressions and dtypes. Of a pair, only the first item."""
    for expression in _expressions(function) if type_of is not None else ():
        tree = expression
        if pair:
            if not isinstance(expression, TupleExpr) or len(expression.items) != 2:
                continue
            tree = expression.items[0]
        read = NamedLeaves(type_of or (lambda _: None), call.api)
        read.read(tree)
        for path, (leaf, typ) in read.leaves.items():
            yield path, leaf, call.dtypes(typ)


@contextmanager
def _checked(
    function: FuncItem, types: Sequence[Type], fields: Mapping[Var, Type], call: TransformCall
) -> Iterator[TypeOf | None]:
    """Within this context, the types in a function, for arguments of these types; None if it cannot be checked so."""
    parameters = frozenset(argument.variable for argument in function.arguments)
    has_stars = any(kind.is_star() for kind in function.arg_kinds)
    if has_stars or len(types) != len(function.arguments) or not reads_only(nodes(function.body), fields, parameters):
        yield None
        return
    current = type_checker.checker(call.api)
    with call.session.watch.aside(), assumed_types(fields):
        if isinstance(function, LambdaExpr):
            with types_in_lambda(call.api, function, types) as type_of:
                yield type_of
        elif isinstance(function, FuncDef) and function is not type_checker.current_function(call.api):
            yield types_in_body(current, function, current.tree, types, replace=True)
        else:
            yield None
