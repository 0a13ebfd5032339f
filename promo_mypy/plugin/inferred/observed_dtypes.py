"""Give parameters, results and attributes of unknown dtype the dtypes that a profile has recorded at their places."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from mypy.nodes import Argument, Context, FuncDef, MypyFile, NameExpr
from mypy.types import AnyType, CallableType, Type, TypeOfAny, get_proper_type

from promo_mypy.config import Config
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.symbols import Symbols
from promo_mypy.plugin.trees.syntax_trees import bound_variables, nodes_as_written
from promo_mypy.plugin.types import value_marks
from promo_mypy.plugin.types.array_types import library_of
from promo_mypy.rules.profiles import Observations, Span

with late():
    from promo_mypy.plugin.inferred import observed_types
    from promo_mypy.plugin.trees import recorded_places

if TYPE_CHECKING:
    from promo_mypy.plugin.trees.recorded_places import RecordedPlaces

_ANYTHING: Final = AnyType(TypeOfAny.special_form)


class ObservedDtypes:
    """Answers for the modules of the profile.

    Args:
        symbols: the build's symbols.
        config: the user's options.
        platform: the platform that mypy checks for.
        quiet: the modules in which mypy's own errors are not shown. There every value of type Any may become an array.
        answered: gets the module and place of each expression whose dtype comes from the profile.
    """

    def __init__(
        self,
        symbols: Symbols,
        config: Config,
        platform: str,
        quiet: Collection[str],
        answered: set[tuple[str, Span]],
    ) -> None:
        self._symbols = symbols
        self._profile = config.profile
        self._platform = platform
        self._quiet = quiet
        self._answered = answered
        self._places: dict[str, RecordedPlaces] = {}

    def concern(self, module: str) -> bool:
        """Whether something was recorded in a module."""
        return module in self._profile.modules

    def find_places(self, tree: MypyFile) -> None:
        """Find the places of a file that mypy is about to check, anew."""
        if self.concern(tree.fullname):
            functions = self._profile.of_module(tree.fullname)
            self._places[tree.fullname] = recorded_places.recorded_places(tree, functions)

    def parameters(self, tree: MypyFile, function: FuncDef) -> Iterator[tuple[Argument, Type]]:
        """The parameters of a function that were recorded, with the types that they have inside."""
        places = self._places.get(tree.fullname)
        recorded = places.parameters.get((function.line, function.name)) if places is not None else None
        if not recorded:
            return
        signature = function.type
        declared = signature.arg_types if isinstance(signature, CallableType) else [_ANYTHING] * len(function.arguments)
        read_names = [node for node in nodes_as_written(function.body) if isinstance(node, NameExpr)]
        for argument, typ in zip(function.arguments, declared, strict=True):
            found = recorded.get(argument.variable.name)
            names = [node for node in read_names if node.node is argument.variable]
            if found is None or argument.kind.is_star() or not names:
                continue
            if isinstance(get_proper_type(typ), AnyType) and not self._may_narrow(argument, function, tree):
                continue
            seen = self._type(typ, found, tree.fullname)
            if seen is not None:
                self._answered.update((tree.fullname, recorded_places.span_of(name)) for name in names)
                yield argument, seen

    def _may_narrow(self, argument: Argument, function: FuncDef, tree: MypyFile) -> bool:
        """Whether a parameter of type Any may be narrowed. An annotated one stays Any to mypy.

        Where mypy's errors are shown, a parameter that is bound again may be bound to anything.
        """
        if argument.type_annotation is not None:
            return False
        return tree.fullname in self._quiet or argument.variable not in bound_variables(function.body)

    def at(self, context: Context, typ: Type, file: MypyFile) -> Type | None:
        """The type of an expression with what was recorded at its place; None if it is known, or nothing was."""
        if file.fullname not in self._places:
            self.find_places(file)
        places = self._places.get(file.fullname)
        found = places.expressions.get(recorded_places.span_of(context)) if places is not None else None
        if found is None or not observed_types.is_unknown(typ, self._platform):
            return None
        seen = self._type(typ, found, file.fullname)
        if seen is not None:
            self._answered.add((file.fullname, recorded_places.span_of(context)))
        return seen

    def _type(self, typ: Type, found: Observations, module: str) -> Type | None:
        seen = observed_types.observed_type(typ, found, self._symbols, self._platform)
        if seen is None or not isinstance(get_proper_type(typ), AnyType):
            return seen
        marked = value_marks.marked(seen, self._symbols, self._platform)
        is_numpy = value_marks.is_marked(marked) and library_of(seen) in (None, Library.NUMPY)
        return marked if is_numpy else seen if module in self._quiet else None
