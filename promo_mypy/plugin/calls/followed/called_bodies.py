"""Infer what a function without a declared dtype returns for the arguments of a call, by checking its body again.

Functions of modules and functions in functions are followed. Of methods only the `forward` of a module of PyTorch is,
if the file makes such modules and has no subclass that may override it.

- Every run follows a call of a short function in the same file whose result declares no dtype (`is_short`), if all its
  returned values have one type.
- The body of a call in a region of `torch.autocast` runs in that region.
- mypy does not keep the bodies of functions in other files. Only runs that check all files of a program follow calls
  into them.
"""

from collections.abc import Collection, Sequence
from typing import Final

from mypy.erasetype import remove_instance_last_known_values
from mypy.nodes import (
    LDEF,
    CallExpr,
    Decorator,
    Expression,
    FloatExpr,
    FuncBase,
    FuncDef,
    IntExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    StrExpr,
)
from mypy.plugin import FunctionContext, MethodContext
from mypy.subtypes import is_same_type, is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin.calls.arguments.length_hooks import with_lengths
from promo_mypy.plugin.calls.followed.open_types import is_unknown, leaves_open, tells_more
from promo_mypy.plugin.calls.followed.remembered_fields import is_made, passed, remembers
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import is_own
from promo_mypy.plugin.mypy_api.arguments import CallContext, arguments, positional
from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, checker, tree
from promo_mypy.plugin.mypy_api.modules.dependencies import depend_on_function
from promo_mypy.plugin.mypy_api.nodes.function_bodies import is_nested
from promo_mypy.plugin.mypy_api.symbols import module_of
from promo_mypy.plugin.state.caches import PassMemo
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.captured_variables import captured_variables
from promo_mypy.plugin.trees.own_returns import own_returns
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.plugin.types.walks import opened

with late():
    from promo_mypy.plugin.calls import autocast
    from promo_mypy.plugin.mypy_api.checker import body_checking

_DEEPEST: Final = 4
"""The most calls that are followed into each other."""
_MOST_LINES: Final = 20
"""The most lines of a function that every run follows: each kind of argument has its body checked once more."""

_Types = tuple[Type | None, ...]
_Question = tuple[FuncDef, _Types, _Types]
"""A function, the types of its arguments, and those of the variables around a nested function."""


class CalledBodies:
    """The results of the functions of some modules."""

    def __init__(self, session: Session, modules: Collection[str]) -> None:
        self._session = session
        self._modules = modules
        self._known: dict[tuple[_Question, autocast.Region | None], Type | None] = {}
        self._memo: PassMemo | None = None
        self._under_way: list[FuncDef] = []
        self._outermost: TypeChecker | None = None

    def concern(self, fullname: str) -> bool:
        """Whether a call under that name may be followed from the file that mypy checks."""
        module = fullname.rpartition(".")[0]
        if module not in self._modules and (module != self._session.watch.file.module or is_own(module)):
            return False
        return self._function(fullname) is not None

    def infer(self, ctx: FunctionContext, fullname: str) -> Type:
        """The result of a call, with the dtypes that the body returns."""
        self._session.watch.follow(ctx.api)
        function, module = self._function(fullname), fullname.rpartition(".")[0]
        if function is None:
            return ctx.default_return_type
        return self.of_body(ctx, function, checker(ctx.api).modules.get(module), ())

    def infer_nested(self, ctx: FunctionContext) -> Type:
        """The same for the call of a function in the function around the call."""
        self._session.watch.follow(ctx.api)
        callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
        node = callee.node if isinstance(callee, NameExpr) and callee.kind == LDEF else None
        if not is_nested(node, self._session.symbols) or not (may_be_followed(node) and self.is_short(node)):
            return ctx.default_return_type
        file = tree(ctx.api)
        captured = captured_variables(node, file) if not self._session.watch.leaves_alone(ctx.api) else None
        if captured is None:
            return ctx.default_return_type
        return self.of_body(ctx, node, file, tuple(each.type for each in captured))

    def infer_forward(self, ctx: MethodContext, forward: FuncDef) -> Type | None:
        """The result of the call of a module: of its `forward`, with the dtypes that the body returns."""
        given = [[(each.expression, each.type)] for each in positional(ctx) or ()]
        rest = len(forward.arguments) - len(given) - 1
        is_positional = rest >= 0 and len(given) == len(list(arguments(ctx)))
        if not (is_positional and may_be_followed(forward) and has_small_body(forward)):
            return None
        signature = forward.type if isinstance(forward.type, CallableType) else None
        declared, owner = (_ANYTHING, ctx.type) if signature is None else (signature.ret_type, None)
        types = self._arguments(ctx, forward, [*given, *([] for _ in range(rest))])
        found = self._result((forward, (owner, *types), ()), tree(ctx.api), ctx)
        return self.refined(declared, found) if found is not None else None

    def of_body(
        self,
        ctx: CallContext,
        function: FuncDef,
        file: MypyFile | None,
        around: _Types,
        *owner: Type | None,
    ) -> Type:
        """The result of a call of a function. `owner`: the object whose method it is; None for any of its class."""
        declared = ctx.default_return_type
        given = [list(zip(*each, strict=True)) for each in zip(ctx.args, ctx.arg_types, strict=True)]
        is_open = leaves_open(declared, self._session.platform)
        if not is_open or len(owner) + len(given) != len(function.arguments) or file is None:
            return declared
        found = self._result((function, (*owner, *self._arguments(ctx, function, given)), around), file, ctx)
        result = self.refined(declared, found) if found is not None else None
        return declared if result is None else result

    def _function(self, fullname: str) -> FuncDef | None:
        node = self._session.symbols.node(fullname)
        if not isinstance(node, FuncDef) or not (fullname.rpartition(".")[0] in self._modules or self.is_short(node)):
            return None
        return node if may_be_followed(node) else None

    def is_short(self, function: FuncDef) -> bool:
        """Whether every run follows calls of a function in its file: it is small, and its result declares no dtype.

        What a profile has recorded in it holds for all its calls together, and for each call there is a record.
        """
        if module_of(function) in self._session.config.profile.modules:
            return False
        signature = function.type
        result = signature.ret_type if isinstance(signature, CallableType) else _ANYTHING
        is_open = leaves_open(result, self._session.platform) and isinstance(signature, CallableType | None)
        if isinstance(get_proper_type(result), UnionType):
            return False  # mypy's notes name its members: they are the declared ones, as for a generic function
        return is_open and is_small(function)

    def _arguments(
        self, ctx: CallContext, function: FuncDef, given: Sequence[Sequence[tuple[Expression, Type]]]
    ) -> Sequence[Type | None]:
        """The types of the arguments that tell dtypes, for the last parameters: `self` is bound already."""
        signature, found = function.type, list[Type | None]()
        for index, each in enumerate(given, start=len(function.arguments) - len(given)):
            declared = signature.arg_types[index] if isinstance(signature, CallableType) else _ANYTHING
            default = _literal(function.arguments[index].initializer, ctx) if not each else None
            typ = self._given(*each[0], ctx) if len(each) == 1 else default
            is_told = typ is not None and tells_more(declared, typ, self._session.platform)
            found.append(typ if is_told else None)
        return found

    def _given(self, expression: Expression, typ: Type, ctx: CallContext) -> Type:
        typ = with_lengths(expression, typ, self._session, ctx.api)
        return passed(expression, remove_instance_last_known_values(typ), tree(ctx.api))

    def _result(self, question: _Question, file: MypyFile, ctx: CallContext) -> Type | None:
        function, types, _ = question
        current, region = checker(ctx.api), autocast.region_of(ctx.context, ctx.api)
        if not self._under_way:
            self._begin(current)
        if self._outermost is not None:
            depend_on_body(self._outermost, function)
        if (question, region) in self._known:
            return self._known[question, region]
        around = (*self._under_way, *current.scope.stack)
        if len(self._under_way) >= _DEEPEST or any(function is each for each in around):
            return None
        self._under_way.append(function)
        try:
            with self._session.watch.aside(), autocast.entered(region):
                found = body_checking.returned_types(current, function, file, types)
        finally:
            self._under_way.pop()
        is_single = len(set(found or ())) == 1
        is_decided = is_single or bool(self._modules)
        if any(map(remembers, found or ())):
            returned = [each.expr for each in own_returns(function) if each.expr is not None]
            is_decided = is_single and all(is_made(each, file) for each in returned)
        result = make_simplified_union(found) if found and is_decided else None
        if not self._under_way:  # a result inside another one may lack functions that are under way
            self._known[question, region] = result
        return result

    def _begin(self, current: TypeChecker) -> None:
        """Begin with a call that no followed body contains."""
        if self._modules:  # one run, which checks each file once
            return
        self._outermost = current
        if self._memo is not self._session.watch.memo:
            self._known, self._memo = {}, self._session.watch.memo

    def refined(self, declared: Type, found: Type) -> Type | None:
        """The declared type with the dtypes of arrays that the body returns; None if none is gained."""
        wanted, given = opened(declared), get_proper_type(found)
        if isinstance(wanted, AnyType):
            return self._of_arrays(given)
        if remembers(given):
            return given if is_same_type(given, wanted) else None
        if isinstance(wanted, TupleType) and isinstance(given, TupleType) and len(wanted.items) == len(given.items):
            pairs = zip(wanted.items, given.items, strict=True)
            platform = self._session.platform
            items = [(is_unknown(one, platform) and self.refined(one, other)) or one for one, other in pairs]
            return wanted.copy_modified(items=items)
        if isinstance(wanted, UnionType):
            arrays = [each for each in wanted.items if library_of(each) is not None]
            rest = [each for each in wanted.items if library_of(each) is None]
            members = given.items if isinstance(given, UnionType) else [given]
            inner = [each for each in members if library_of(each) is not None]
            result = self.refined(arrays[0], UnionType.make_union(inner)) if len(arrays) == 1 and inner else None
            return UnionType.make_union([result, *rest]) if result is not None else None
        is_array = library_of(wanted) is not None and self._of_arrays(given) is not None
        return found if is_array and not isinstance(given, TupleType) and is_subtype(given, wanted) else None

    def _of_arrays(self, typ: Type) -> Type | None:
        """A type of arrays of known dtype, or a tuple with such items. Other items of the tuple become Any."""
        proper = opened(typ)
        if isinstance(proper, UnionType):  # in ordinary runs, a union would not fit where one of its dtypes is declared
            return typ if self._modules and all(map(self._of_arrays, proper.items)) else None
        if isinstance(proper, TupleType):
            items = [self._of_arrays(each) for each in proper.items]
            is_plain = proper.partial_fallback.type.fullname == "builtins.tuple"
            return (
                proper.copy_modified(items=[each or _ANYTHING for each in items]) if is_plain and any(items) else None
            )
        is_known = (
            isinstance(proper, Instance)
            and library_of(proper) is not None
            and not is_unknown(proper, self._session.platform)
        )
        return typ if is_known else None


def may_be_followed(function: FuncDef) -> bool:
    """Whether the body alone decides what a call returns."""
    if function.is_generator or function.is_coroutine or any(kind.is_star() for kind in function.arg_kinds):
        return False
    typ = function.type
    return typ is None or (isinstance(typ, CallableType) and not typ.variables)


def is_small(function: FuncDef) -> bool:
    """Whether the body of a function without decorators may be checked once more in every run."""
    return not function.is_decorated and has_small_body(function)


def has_small_body(function: FuncDef) -> bool:
    """Whether the body of a function, decorated or not, may be checked once more in every run."""
    end = function.end_line or function.line
    return not function.is_conditional and end - function.line < _MOST_LINES


def depend_on_body(current: TypeChecker, function: FuncDef) -> None:
    """Let the function that mypy checks depend on the functions of other files that a body names."""
    for node in nodes(function.body):
        named = node.node if isinstance(node, RefExpr) else None
        if isinstance(named, FuncBase | Decorator) and not is_own(named.fullname):
            depend_on_function(current, named)


_ANYTHING: Final = AnyType(TypeOfAny.special_form)

_LITERALS: Final[dict[type[Expression], str]] = {IntExpr: "int", FloatExpr: "float", StrExpr: "str"}


def _literal(default: Expression | None, ctx: CallContext) -> Type | None:
    """The type of a default value that is a literal."""
    if isinstance(default, NameExpr):
        if default.fullname == "builtins.None":
            return NoneType()
        return ctx.api.named_generic_type("builtins.bool", []) if default.name in ("True", "False") else None
    name = _LITERALS.get(type(default)) if default is not None else None
    return ctx.api.named_generic_type(f"builtins.{name}", []) if name is not None else None
