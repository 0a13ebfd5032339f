"""Find the statements that bind or cast a module of PyTorch, and the names whose modules may be cast elsewhere."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    IndexExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    ReturnStmt,
    RevealExpr,
    SetExpr,
    TupleExpr,
    Var,
    YieldExpr,
)
from mypy.types import Instance, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.trees.bound_targets import Definition, Way
from promo_mypy.plugin.trees.read_variables import passed
from promo_mypy.plugin.trees.syntax_trees import checked_last, nodes, parts
from promo_mypy.rules.functions.torch.layers import CASTS, CASTS_TO, CHANGES, KEEPS

#: Attributes of tensors that are tensors, and parameters of layers.
OF_TENSORS: Final = frozenset({"T", "mT", "H", "data", "grad", "real", "imag", "weight", "bias"})
#: Methods of modules and containers that may return modules.
_GIVING: Final = frozenset(
    {"get_submodule", "children", "modules", "named_children", "named_modules"}
    | {"get", "pop", "popitem", "values", "items", "setdefault", "copy"}
)
#: Packages whose functions keep no argument.
_KEEPING_NOTHING: Final = frozenset({"builtins", "torch"})


def cast_of(expression: Node | None) -> Expression | None:
    """The module in `module.half()` and `module.to(...)`, or any other object with such a method."""
    callee = expression.callee if isinstance(expression, CallExpr) else None
    is_cast = isinstance(callee, MemberExpr) and (callee.name in CASTS or callee.name in CASTS_TO)
    return callee.expr if is_cast and isinstance(callee, MemberExpr) else None


def names_dtype(cast: Node) -> bool:
    """Whether a call of a cast certainly changes the dtype: `half()`, or `to(...)` with a dtype."""
    callee = cast.callee if isinstance(cast, CallExpr) else None
    if not isinstance(cast, CallExpr) or not isinstance(callee, MemberExpr):
        return False
    return callee.name in CASTS or "dtype" in cast.arg_names or any(map(_is_dtype, cast.args))


def _is_dtype(expression: Expression) -> bool:
    node = expression.node if isinstance(expression, RefExpr) else None
    typ = get_proper_type(node.type) if isinstance(node, Var) else None
    return isinstance(typ, Instance) and typ.type.fullname == names.TORCH_DTYPE


def steps(statement: Node) -> Iterator[tuple[Expression, Expression]]:
    """The names that a statement binds, or whose module it casts, each with the module afterwards."""
    match statement:
        case AssignmentStmt(lvalues=[TupleExpr(items=targets)], rvalue=TupleExpr(items=values)):
            yield from zip(targets, values, strict=len(targets) == len(values))
        case AssignmentStmt(lvalues=[target], rvalue=value):
            yield target, value
        case ExpressionStmt(expr=CallExpr() as call) if has_cast(call):
            yield receiver(call), call


def iterated(definition: Definition) -> Expression | None:
    """The container of modules in a loop over its items, as in `for layer in layers` or `in enumerate(layers)`."""
    if definition.way is not Way.ELEMENT:
        return None
    match definition.value, definition.path:
        case CallExpr(callee=MemberExpr(expr=container, name="values")), ():
            return container
        case CallExpr(callee=MemberExpr(expr=container, name="items")), (1,):
            return container
        case CallExpr(callee=NameExpr(fullname="builtins.enumerate"), args=[container, *_]), (1,):
            return container
        case container, ():
            return container
        case _:
            return None


def key(expression: Node | None, *, is_target: bool = False) -> Var | str | None:
    """The identity of a variable or attribute: for an attribute that is bound elsewhere, only its name."""
    if isinstance(expression, NameExpr):
        return expression.node if isinstance(expression.node, Var) else None
    if not isinstance(expression, MemberExpr) or expression.fullname.startswith("torch."):
        return None
    return expression.node if is_target and isinstance(expression.node, Var) else expression.name


def escaping(tree: MypyFile) -> Iterator[tuple[Var | str, Var | None]]:
    """Every name in a place where other code gets its module, and may cast it.

    Each with the parameter of a function of the file that gets the module; None for any other code.
    """
    waiting: list[Node] = list(tree.defs)
    functions = frozenset(node for node in nodes(tree.defs) if isinstance(node, FuncDef))
    own = frozenset(function.name for function in functions)
    parameters = frozenset(each.variable for function in functions for each in function.arguments)
    seen: set[int] = set()  # the casts in statements that `steps` finds
    unpacked: set[int] = set()  # the tuples of targets
    while waiting:
        node = checked_last(waiting.pop())
        for target, value in steps(node):
            if receiver(value) is target or key(receiver(value)) == key(target):
                seen |= {id(each) for each in nodes(value) if isinstance(each, CallExpr)}
        cast = cast_of(node)
        if cast is not None and id(node) not in seen and not _is_tensor(cast, own):
            yield from _to_others(nodes(cast))
        if isinstance(node, ReturnStmt) and node.expr is not None:
            yield from _to_others(each for each in [receiver(node.expr)] if key(each) in parameters)
        if isinstance(node, AssignmentStmt):  # module.weight = ...
            yield from _to_others(each.expr for each in node.lvalues if isinstance(each, MemberExpr))
            unpacked |= set(map(id, node.lvalues))
        elif isinstance(node, ForStmt):
            unpacked.add(id(node.index))
        safe = node.items if isinstance(node, TupleExpr) and id(node) in unpacked else _safe_parts(node)
        given = {id(each): gets for each, gets in passed(node, functions)} if isinstance(node, CallExpr) else {}
        for part in parts(node):
            name = key(part)
            if name is not None and not any(part is each for each in safe):
                yield name, given.get(id(part))
            waiting.append(part)


def _to_others(expressions: Iterable[Node]) -> Iterator[tuple[Var | str, None]]:
    """The names among some expressions, whose modules any code may get."""
    return ((name, None) for name in map(key, expressions) if name is not None)


def _is_tensor(cast: Expression, own: Container[str]) -> bool:
    """Whether what is cast is a parameter, or what a call of a module or of a tensor's method returns.

    `own`: the names of the functions of the file, which may return modules.
    """
    match cast:
        case MemberExpr(name=name):
            return name in OF_TENSORS
        case CallExpr(callee=NameExpr(node=Var())):
            return True  # `layer(x)`
        case CallExpr(callee=MemberExpr(expr=inner, name=name)):
            if _returns_itself(name):
                return _is_tensor(inner, own)
            return name == "forward" or (name not in own and name not in _GIVING)
        case IndexExpr(base=base):
            return _is_tensor(base, own)
        case _:
            return False


def whole_module(part: Expression) -> Expression:
    """The module in `module[0].half()`, which a cast changes with all its parts."""
    while True:
        inner = part.base if isinstance(part, IndexExpr) else receiver(part)
        if inner is part:
            return part
        part = inner


def kept(node: Node) -> Sequence[Expression]:
    """The values that a node binds, returns, stores in a display or gives to a function of another package."""
    match node:
        case AssignmentStmt(rvalue=value):
            return [value]
        case ReturnStmt(expr=value) | YieldExpr(expr=value):
            return [value] if value is not None else []
        case TupleExpr(items=items) | ListExpr(items=items) | SetExpr(items=items):
            return items
        case DictExpr(items=pairs):
            return [value for _, value in pairs]
        case ConditionalExpr(if_expr=one, else_expr=other) | OpExpr(op="and" | "or", left=one, right=other):
            return [one, other]
        case CallExpr(callee=RefExpr(fullname=name), args=args, analyzed=None):
            return [] if name.partition(".")[0] in _KEEPING_NOTHING else args
        case _:
            return []


def receiver(call: Expression) -> Expression:
    """The module in `module.half().eval()`: a name, or the call that makes it."""
    while isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr) and _returns_itself(call.callee.name):
        call = call.callee.expr
    return call


def has_cast(call: Expression) -> bool:
    """Whether `name.half().eval()` casts the module of that name."""
    while isinstance(call, CallExpr) and isinstance(call.callee, MemberExpr) and _returns_itself(call.callee.name):
        if cast_of(call) is not None:
            return True
        call = call.callee.expr
    return False


def _returns_itself(method: str) -> bool:
    return method in CASTS or method in CASTS_TO or method in KEEPS


def _safe_parts(node: Node) -> Sequence[Node]:
    """The names in a node that gives their modules to no other code: it calls, reads, binds or shows them."""
    match node:
        case CallExpr(callee=callee, args=args):
            package, _, name = callee.fullname.partition(".") if isinstance(callee, RefExpr) else ("", "", "")
            return [callee, *args] if package == "builtins" and name != "getattr" else [callee]
        case MemberExpr(name=name) if name in CHANGES:
            return []
        case MemberExpr(expr=inner) | RevealExpr(expr=inner):
            return [inner] if inner is not None else []
        case IndexExpr(base=inner, index=index):
            return [inner, index]
        case ForStmt(index=index, expr=iterated):
            return [index, iterated]
        case AssignmentStmt(lvalues=lvalues):
            return lvalues
        case ExpressionStmt(expr=shown):
            return [shown]
        case ReturnStmt(expr=NameExpr() as returned):
            return [returned]  # the function is over: what its caller does comes later
        case _:
            return []
