"""Find what an expression of unknown dtype may have it from: its parts, what its name is bound to, what it calls.

A parameter without a dtype is known as soon as somebody calls its function, and so is a field that calls set.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import Final

from mypy.nodes import TypeInfo

from promo_mypy.plugin.interface.arrays import names
from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.typed_expressions import deciding_parts, displayed
from promo_mypy.program.definitions.own_definitions import is_owner, is_type, may_be_container
from promo_mypy.program.definitions.reader import Source, Way
from promo_mypy.program.following.followed_arrays import FollowedArrays
from promo_mypy.program.syntax.found_once import FoundOnce
from promo_mypy.program.unknown.calls import Calls
from promo_mypy.program.unknown.known_types import array_of_shape, is_doubtful

_PROMOTE: Final = names.PROMOTE.rpartition(".")[2]


class Inference(FollowedArrays):
    """What is inferred in one module: the arrays of its expressions, and what leaves others unknown."""

    @cached_property
    def _sources_of_calls(self) -> Calls:
        return Calls(self, self._code)

    @cached_property
    def _decided_by(self) -> FoundOnce[ast.expr, ast.AST | None]:
        return FoundOnce(self._decider, None)

    def sources(self, expression: ast.expr) -> Sequence[Source] | None:
        """See `Reader`."""
        array = array_of_shape(expression)
        if array is not None:
            return [Source(self, array, Way.SHAPE)]
        match expression:
            case ast.Name():
                return self._of_name(expression)
            case ast.Attribute():
                return self._of_attribute(expression)
            case ast.Call():  # a class holds no arrays
                return () if is_type(expression) else self._sources_of_calls.sources(expression)
            case ast.Await() | ast.Yield() | ast.YieldFrom():
                return None
            case ast.Subscript(value=value, slice=items) if self.scopes.imported(value) in library_names.JOINING:
                return self._here(_joined(items))
        parts = list(_parts(expression))
        is_display = isinstance(expression, ast.Tuple | ast.List | ast.Dict)
        return self._here(parts) if parts or is_display else None

    def is_open(self, expression: ast.expr, entered: Set[ast.AST | None] = frozenset()) -> bool:
        """See `Reader`."""
        decider = self._decided_by(expression)
        return decider is not None and decider not in entered

    def _decider(self, expression: ast.expr) -> ast.AST | None:
        """The function of a parameter, or the field, whose dtype each call decides."""
        if not is_doubtful(expression, self):
            return None
        match expression:
            case ast.Name() if not is_owner(expression) and self.scopes.parameter(expression) is not None:
                return self.scopes.function_with(expression)
            case ast.Attribute() if self._is_field(expression):
                return expression
        return None

    def is_namespace(self, value: ast.expr) -> bool:
        """See `Reader`."""
        return self._sources_of_calls.is_namespace(value)

    def bindings(self, attribute: ast.Attribute) -> list[Source] | None:
        """See `Reader`."""
        found = self._contents(self._code.class_of(attribute.value, self), attribute.attr)
        return found if found or self._is_field(attribute) else None

    def _contents(self, cls: str, attribute: str) -> list[Source] | None:
        if not cls or not self._code.is_shown(cls, attribute):
            return None
        return [Source(reader, value) for reader, value in self._code.contents(cls, attribute)]

    def _here(self, expressions: Iterable[ast.expr]) -> list[Source]:
        """Expressions of this module."""
        return [Source(self, each) for each in expressions]

    def _of_name(self, name: ast.Name) -> Sequence[Source] | None:
        is_parameter = self.scopes.parameter(name) is not None
        if is_owner(name):
            return self._of_object(name)
        if not self.scopes.is_bound_by_values(name):
            return self._sources_of_calls.of_function(name)
        values = self._values(name)
        return self._here(values) if values or is_parameter else self._sources_of_calls.of_function(name)

    def _of_object(self, name: ast.Name) -> Sequence[Source] | None:
        """What `self` holds: all its attributes; None if the program does not show one of them."""
        cls = self._code.class_of(name, self)
        found = [self._contents(cls, each) for each in dict.fromkeys(self._code.attributes(cls))]
        shown = [each for each in found if each is not None]
        return [source for each in shown for source in each] if self._code.is_class(cls) and shown == found else None

    def _values(self, name: ast.Name) -> list[ast.expr]:
        """All that a variable is bound to, and added to it."""
        is_parameter = self.scopes.parameter(name) is not None
        bound = [*(self.scopes.rebound(name) if is_parameter else self.scopes.values(name))]
        default = self.scopes.default(name)
        if default is not None:
            bound.append(default)
        found = [*bound, *self.scopes.augmented(name)]
        if any(map(may_be_container, bound)):
            found += self.scopes.added(name)
        return [*found, *self.scopes.labelled(name)]

    def _of_attribute(self, attribute: ast.Attribute) -> Sequence[Source] | None:
        owner, is_own = attribute.value, is_owner(attribute.value)
        if attribute.attr in library_names.ARRAY_ATTRIBUTES and not is_own:
            return self._here([owner])
        if self.scopes.imported(attribute) is not None or self.typed.reference(attribute) is not None:
            return self._sources_of_calls.of_function(attribute)
        bound = self.bindings(attribute)
        if bound is not None:
            return bound if is_own else [*(each.given() for each in bound), Source(self, owner)]
        if self._is_bound(attribute) or self._is_of_layer(owner):
            return None
        methods = self._sources_of_calls.of_function(attribute)
        return methods if methods is not None or is_own else self._here([owner])

    def is_promoted(self, parameter: ast.Name) -> bool:
        """Whether the annotation of the result of its function names a parameter, as in `Promote["x", "y"]`."""
        function = self.scopes.definition(parameter)
        return function is not None and parameter.id in _promoted_names(function)

    def is_read_of_parameter(self, expression: ast.expr) -> bool:
        """Whether it is what a parameter holds as an attribute, or what it returns.

        What a known method of an array returns is neither: it follows from the array.
        """
        match expression:
            case ast.Attribute(value=owner, attr=attr):
                is_read = attr not in library_names.ARRAY_ATTRIBUTES and not self._is_bound(expression)
                return is_read and self._is_of_parameter(owner)
            case ast.Call(func=function) if not self._is_array_method(function):
                return self._is_of_parameter(function)
        return False

    def _is_of_layer(self, owner: ast.expr) -> bool:
        """Whether a value is a module that PyTorch itself defines."""
        info = self.typed.class_of(owner)
        return info is not None and info.has_base(names.TORCH_MODULE) and not self._code.is_class(info.fullname)

    def _is_bound(self, attribute: ast.Attribute) -> bool:
        info = self.typed.class_of(attribute.value)
        return info is not None and bool(self._code.bindings(info.fullname, attribute.attr))

    def _is_field(self, attribute: ast.Attribute) -> bool:
        """Whether calls of its class set an attribute of `self`."""
        info = self.typed.class_of(attribute.value) if is_owner(attribute.value) else None
        return info is not None and any(attribute.attr in _fields(each) for each in info.mro)

    def _is_of_parameter(self, owner: ast.expr) -> bool:
        is_parameter = isinstance(owner, ast.Name) and self.is_open(owner)
        return is_parameter or self.is_read_of_parameter(owner)

    def _is_array_method(self, function: ast.expr) -> bool:
        """Whether it is a method that the rules know, of a value that is an array to mypy."""
        is_method = isinstance(function, ast.Attribute) and self.typed.is_array(function.value)
        return is_method and library_names.is_known(self.typed.callee(function)[0] or "")


def _fields(info: TypeInfo) -> Iterator[str]:
    """The fields that are parameters of the calls of a class, as mypy notes them for each kind of such a class."""
    for kind in ("dataclass", "attrs"):
        yield from (each["name"] for each in info.metadata.get(kind, {}).get("attributes", ()))


def _promoted_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The names in the `Promote["x", "y"]` of a function's result."""
    for node in ast.walk(function.returns) if function.returns is not None else ():
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] == _PROMOTE:
            constants = (part.value for part in ast.walk(node.slice) if isinstance(part, ast.Constant))
            yield from (value for value in constants if isinstance(value, str))


def _joined(items: ast.expr) -> Iterator[ast.expr]:
    """What a subscript joins to an array: its items, and the ends of ranges."""
    for item in items.elts if isinstance(items, ast.Tuple) else [items]:
        yield from filter(None, (item.lower, item.upper, item.step)) if isinstance(item, ast.Slice) else (item,)


def _parts(expression: ast.expr) -> Iterator[ast.expr]:
    """The expressions whose dtypes decide that of an expression; the items of a display; what a lambda returns."""
    match expression:
        case ast.Tuple() | ast.List() | ast.Starred() | ast.ListComp() | ast.GeneratorExp():
            yield from displayed(expression)
        case ast.SetComp(elt=item) | ast.DictComp(value=item) | ast.Lambda(body=item):
            yield item
        case ast.Dict(values=items):
            yield from items
        case _:
            yield from deciding_parts(expression)
