"""Infer the dtype of the parameters of a module of PyTorch from the text of the file that makes it.

A layer has PyTorch's default dtype, the dtype that it is made with, or the one that it is cast to. A module in an
attribute may also be cast together with the object that holds it. So its dtype is known only if the file makes such an
object, casts no module that holds others, and passes none to a function of another package.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, NoneType, ProperType, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.dtype_arguments import dtypes_named
from promo_mypy.plugin.calls.arguments.replaced_options import may_hold_dtype
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.torch_module_types import holds_module, is_module, made_class
from promo_mypy.plugin.trees.torch_module_uses import FileModules, Step, file_modules, has_subclass
from promo_mypy.plugin.trees.written_arguments import argument, has_stars, keywords, positional
from promo_mypy.plugin.types.array_types import read, shaped_dtypes
from promo_mypy.plugin.types.walks import members
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.torch.layers import CASTS, CASTS_TO, KEEPS, LAYERS, LOSSES, OPTIONAL_PARAMETERS
from promo_mypy.rules.records import record

DType = type[dt.Shaped]

_DEEPEST: Final = 12
_CONTAINERS: Final = frozenset({names.TORCH_SEQUENTIAL, names.TORCH_MODULE_LIST, names.TORCH_MODULE_DICT})


@record
class State:
    """A module: the dtype of its parameters, and of the modules in a container. None stands for an unknown dtype.

    `keys`: those of a dict of modules, if all are literals.
    """

    dtype: DType | None = None
    modules: "tuple[State, ...]" = ()
    keys: tuple[str, ...] = ()

    def cast(self, dtype: DType | None) -> "State":
        """The module after a cast of all parameters."""
        return State(dtype, tuple(module.cast(dtype) for module in self.modules), self.keys)

    def cast_floats(self, dtype: DType) -> "State":
        """The module after a cast that leaves complex parameters alone, such as `half()`."""
        is_float = self.dtype is None or self.dtype.kind == "f"
        modules = tuple(module.cast_floats(dtype) for module in self.modules)
        return State(dtype if is_float else self.dtype, modules, self.keys)


UNKNOWN: Final = State()


@record
class _Place:
    """Where a module is used: the line, and the function around it."""

    line: int
    function: FuncDef | None


def state_of(module: Expression, session: Session, api: CheckerPluginInterface) -> State:
    """The module that an expression in the code that mypy checks now stands for."""
    function, file = type_checker.current_function(api), file_modules(type_checker.tree(api))
    if file.replaces_data:
        return UNKNOWN
    place = _Place(module.line, function if isinstance(function, FuncDef) else None)
    return _Reader(session, api, file).read(module, place, 0)


@record
class _Reader:
    """Reads modules in one file."""

    session: Session
    api: CheckerPluginInterface
    file: FileModules

    def read(self, expression: Expression, place: _Place, depth: int) -> State:
        """The module that an expression stands for at a place."""
        depth += 1
        if depth > _DEEPEST:
            return UNKNOWN
        match expression:
            case CallExpr(callee=MemberExpr(expr=inner, name=name)) if _is_of_module(name):
                return self._cast(expression, name, self.read(inner, place, depth))
            case CallExpr():
                return self._made(expression, place, depth)
            case ConditionalExpr(if_expr=one, else_expr=other):
                first = self.read(one, place, depth)
                return first if first == self.read(other, place, depth) else UNKNOWN
            case IndexExpr(base=base, index=index):
                return _item(self.read(base, place, depth), index)
            case NameExpr(node=Var() as variable):
                return self._in_variable(variable, place, depth)
            case MemberExpr():
                return self._in_attribute(expression, depth)
            case _:
                return UNKNOWN

    def _made(self, call: CallExpr, place: _Place, depth: int) -> State:
        cls = made_class(call)
        if cls is None or has_stars(call):
            return UNKNOWN
        if cls.fullname in _CONTAINERS:
            given, keys = _written_modules(call, cls.fullname)
            return State(None, tuple(self.read(each, place, depth) for each in given), keys)
        if cls.name not in LAYERS or not cls.module_name.startswith(names.TORCH_MODULES):
            return UNKNOWN
        if not OPTIONAL_PARAMETERS.isdisjoint(keywords(call)):
            return UNKNOWN
        asked = argument(call, "dtype")
        if asked is not None:
            return State(self._dtype(asked))
        # A dtype may be among the positional arguments.
        if any(map(self._dtype, positional(call))):
            return UNKNOWN
        return State(dt.parse(self.session.options(self.api).torch_default_dtype))

    def _cast(self, call: CallExpr, method: str, module: State) -> State:
        if method in KEEPS:
            return module
        if method in CASTS:
            return module.cast_floats(CASTS[method])
        dtypes = [self._dtype(value) for value in call.args]
        known = [dtype for dtype in dtypes if dtype is not None]
        others = (value for value, dtype in zip(call.args, dtypes, strict=True) if dtype is None)
        if all(map(self._is_no_dtype, others)):
            return module.cast(known[0]) if known else module
        return module.cast(None)

    def _dtype(self, value: Expression) -> DType | None:
        """The dtype that an argument names, or that a tensor has."""
        if isinstance(value, StrExpr):
            return None  # a device
        typ = type_checker.expression_type(type_checker.checker(self.api), value)
        if typ is None and isinstance(value, NameExpr) and isinstance(value.node, Var):
            typ = value.node.type
        values = read(typ, self.session.platform) if typ is not None else None
        if values is not None and len(values) == 1 and values[0].library is Library.TORCH:
            found = frozenset(dtype for dtype in values[0].dtypes if issubclass(dtype, dt.Shaped))
            return next(iter(found)) if len(found) == 1 else None
        named = dtypes_named(value, typ or AnyType(TypeOfAny.special_form), Library.TORCH, self.session, self.api)
        return next(iter(named)) if named is not None and len(named) == 1 else None

    def _is_no_dtype(self, value: Expression) -> bool:
        """Whether an argument is a device, or a flag for copying."""
        if isinstance(value, StrExpr | IntExpr):
            return True
        if isinstance(value, NameExpr) and value.fullname in ("builtins.True", "builtins.False"):
            return True
        if isinstance(value, CallExpr) and isinstance(value.callee, MemberExpr):
            return value.callee.fullname == names.TORCH_DEVICE or value.callee.fullname == "torch.device"
        typ = type_checker.expression_type(type_checker.checker(self.api), value)
        if typ is None and isinstance(value, NameExpr) and isinstance(value.node, Var):
            typ = value.node.type
        proper = get_proper_type(typ)
        is_other = isinstance(proper, Instance) and proper.type.fullname in names.OTHER_VALUES
        return is_other and not may_hold_dtype(value, proper, self.api)

    def _in_variable(self, variable: Var, place: _Place, depth: int) -> State:
        steps = self.file.steps(variable.name, variable)
        if not steps:
            return self._in_loop(variable, place, depth)
        step = _last(steps, place)
        return UNKNOWN if step is None else self._after(step, depth)

    def _in_loop(self, variable: Var, place: _Place, depth: int) -> State:
        """The variable of one loop over a container, as in `for layer in self.layers`."""
        container = self.file.iterated(variable)
        return UNKNOWN if container is None else _common(self.read(container, place, depth))

    def _in_attribute(self, attribute: MemberExpr, depth: int) -> State:
        typ = get_proper_type(type_checker.expression_type(type_checker.checker(self.api), attribute.expr))
        cls = typ.type if isinstance(typ, Instance) else None
        symbol = cls.names.get(attribute.name) if cls is not None else None
        if cls is None or symbol is None or not isinstance(symbol.node, Var) or not stays_as_made(cls, self.api):
            return UNKNOWN
        return self.in_field(symbol.node, depth)

    def in_field(self, field: Var, depth: int) -> State:
        """The module that `__init__` binds to an attribute of an object that stays as it is made."""
        steps = self.file.steps(field.name, field)
        if not steps or not _are_in_one_block(steps) or steps[0].function is None:
            return UNKNOWN
        return self._after(steps[-1], depth) if steps[0].function.name == "__init__" else UNKNOWN

    def _after(self, step: Step, depth: int) -> State:
        return self.read(step.value, _Place(step.line, step.function), depth)


def stays_as_made(cls: TypeInfo, api: CheckerPluginInterface) -> bool:
    """Whether the file that mypy checks shows that no object of a class is cast as a whole."""
    here = all(
        base.fullname == names.TORCH_MODULE or base.module_name == type_checker.module_name(api)
        for base in cls.mro
        if is_module(base)
    )
    file = file_modules(type_checker.tree(api))
    return here and is_module(cls) and cls in file.made and not file.casts_holders


def parameter_dtype(module: Expression, session: Session, api: CheckerPluginInterface) -> DType | None:
    """The dtype that all parameters of a module have; None if they differ, or one is unknown."""
    state = state_of(module, session, api)
    if state != UNKNOWN:
        return _dtype_of_all([state])
    typ = get_proper_type(type_checker.expression_type(type_checker.checker(api), module))
    file = file_modules(type_checker.tree(api))
    if not isinstance(typ, Instance) or file.replaces_data or file.adds_modules:
        return None
    return _dtype_of_fields(typ.type, _Reader(session, api, file), 0)


def _dtype_of_fields(cls: TypeInfo, reader: _Reader, depth: int) -> DType | None:
    """The dtype of all parameters of an object of a user's class. Its attributes show all of them."""
    if depth > _DEEPEST or not stays_as_made(cls, reader.api) or has_subclass(cls, type_checker.tree(reader.api)):
        return None
    own = (base for base in cls.mro if is_module(base) and not _is_of_torch(base))
    fields = [symbol.node for base in own for symbol in base.names.values()]
    types = [(each, typ) for each in fields if isinstance(each, Var) for typ in members(each.type or NoneType())]
    found = [dtype for field, typ in types for dtype in _dtypes_of_field(field, typ, reader, depth + 1)]
    return found[0] if found and all(each is found[0] for each in found) else None


def _dtypes_of_field(field: Var, typ: ProperType, reader: _Reader, depth: int) -> Sequence[DType | None]:
    """The dtypes of the parameters in an attribute of a module; None for an unknown one."""
    cls = typ.type if isinstance(typ, Instance) else None
    if cls is not None and cls.fullname == names.TORCH_PARAMETER:
        values = read(typ, reader.session.platform)
        return [*shaped_dtypes(values)] if values is not None else [None]
    if cls is None or not is_module(cls):
        return [None] if holds_module(typ) else []
    if not _is_of_torch(cls):
        return [_dtype_of_fields(cls, reader, depth)]
    return [] if cls.name in LOSSES else [_dtype_of_all([reader.in_field(field, depth)])]


def _dtype_of_all(states: Sequence[State]) -> DType | None:
    """The dtype of all modules in some modules."""
    found = [_dtype_of_all(each.modules) if each.modules else each.dtype for each in states]
    return found[0] if all(each is found[0] for each in found) else None


def _is_of_torch(cls: TypeInfo) -> bool:
    return cls.module_name.startswith(names.TORCH_MODULES)


def _is_of_module(method: str) -> bool:
    return method in CASTS or method in CASTS_TO or method in KEEPS


def _item(container: State, index: Expression) -> State:
    modules, keys = container.modules, container.keys
    if isinstance(index, StrExpr) and index.value in keys:
        return modules[keys.index(index.value)]
    if isinstance(index, IntExpr) and index.value < len(modules):
        return modules[index.value]
    return _common(container)


def _common(container: State) -> State:
    """The state that all modules of a container have."""
    modules = container.modules
    return modules[0] if modules and all(module == modules[0] for module in modules) else UNKNOWN


def _written_modules(call: CallExpr, container: str) -> tuple[Sequence[Expression], tuple[str, ...]]:
    """The modules that a container is made with, one for all of a comprehension, and the keys of a dict."""
    if container == names.TORCH_SEQUENTIAL:
        return call.args, ()
    match call.args:
        case [ListExpr(items=items) | TupleExpr(items=items)]:
            return items, ()
        case [ListComprehension(generator=GeneratorExpr(left_expr=item)) | GeneratorExpr(left_expr=item)]:
            return [item], ()
        case [DictionaryComprehension(value=item)]:
            return [item], ()
        case [DictExpr(items=pairs)]:
            keys = tuple(key.value for key, _ in pairs if isinstance(key, StrExpr))
            return ([value for _, value in pairs], keys) if len(keys) == len(pairs) else ([], ())
        case _:
            return [], ()


def _are_in_one_block(steps: Sequence[Step]) -> bool:
    return all(step.block is steps[0].block for step in steps)


def _last(steps: Sequence[Step], place: _Place) -> Step | None:
    """The last step before a place; None if the order in which they run is not certain."""
    if len(steps) == 1:
        return steps[0]
    before = [step for step in steps if step.line < place.line]
    if not before or not _are_in_one_block(steps):
        return None
    function = steps[0].function
    if function is None and place.function is not None:
        # A function of the module, which is called later than it is defined.
        return steps[-1] if steps[-1].line < place.function.line else None
    # Not in a loop or branch.
    body = steps[0].block is function.body if function is not None else isinstance(steps[0].block, MypyFile)
    return before[-1] if body and function is place.function else None
