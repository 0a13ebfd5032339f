"""Find the aliases of a container of arrays: `ys = xs`, `d["k"] = xs`, `for ys in yss`.

mypy gives each variable a type of its own, though there is one list, and a mutation through one alias changes all.
Inside a function mypy checks the statements in their order, and the types of the aliases are widened together (see
`filled_containers` and `passed_containers`). A mutation in another function may come before or after: such a variable
has unknown dtypes from the beginning.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mypy.nodes import Expression, FuncDef, MypyFile, SymbolNode, Var
from mypy.types import Type

from promo_mypy.plugin.inferred.aliasing.expressions import LEVELS, Key, is_result, key_of, result_key, sharings
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.modules.wrapped_functions import WrappedFunctions
from promo_mypy.plugin.mypy_api.symbols import is_unannotated
from promo_mypy.plugin.types.mutable_types import depth, may_hold
from promo_mypy.rules.records import record

with late():
    from promo_mypy.plugin.inferred.aliasing import statements as container_statements

if TYPE_CHECKING:
    from promo_mypy.plugin.inferred.aliasing.statements import ContainerStatements, Filling

#: A variable, one of its levels, and whether the container lives on when the function returns.
_Step = tuple[Key, int, bool]


class _Link(NamedTuple):
    """A link from a variable to another one that shares containers with it. Levels are bit masks.

    Attributes:
        levels: the levels of the first variable on which it shares its containers.
        to: the second variable.
        its_levels: the levels of the second variable, if `shift` is None: each of `levels` may be any of these.
        shift: how much deeper the same container is in the second variable; None if unknown.
        is_of_result: whether the second one stands for the results of a function.
        lives_on: whether a container of the second variable lives on when the function returns.
    """

    levels: int
    to: Key
    its_levels: int
    shift: int | None
    is_of_result: bool
    lives_on: bool


@record
class _Walk:
    """What a walk along the links has found.

    Attributes:
        levels: each variable that it has reached, with the levels on which that one shares a container, as a bit mask.
        types: each variable whose type the walk has read, with that type. Nothing else that it reads changes.
    """

    levels: Mapping[Key, int]
    types: Mapping[Var, Type | None]


class ContainerAliases:
    """The aliases of the containers in one file, for one pass over it. Computed at the first look-up."""

    def __init__(self, tree: MypyFile, wrapped: WrappedFunctions) -> None:
        self._tree = tree
        self._wrapped = wrapped
        self._statements: ContainerStatements | None = None
        self._links: dict[Key, Sequence[_Link]] = {}
        self._holding: dict[Type | None, bool] = {}
        self._depths: dict[Type | None, int] = {}
        #: A level of a variable -> the last walk from a container that lives on which has reached it.
        self._walks: dict[tuple[Key, int], _Walk] = {}
        self._open: dict[tuple[Var, int], bool] = {}
        #: Names of the functions that get variables with containers of arrays as arguments.
        self.passed: set[str] = set()
        #: The functions whose types and decorators have decided about a variable since the last `take_asked`.
        self._asked: set[SymbolNode] = set()

    def begin_anew(self) -> None:
        """Drop what is known: the file has new variables."""
        self._statements = None
        self._links.clear()
        self._walks.clear()
        self._open.clear()

    @property
    def statements(self) -> "ContainerStatements":
        """The facts about containers in the file's statements."""
        if self._statements is None:
            self._statements = container_statements.ContainerStatements(self._tree, self._wrapped)
        return self._statements

    def is_open(self, variable: Var) -> bool:
        """Whether the variable's containers may be mutated in code that mypy does not check between its uses.

        False for a variable that holds no container of arrays.
        """
        levels = depth(variable.type)
        if levels == 0:
            return False
        if (variable, levels) not in self._open:
            # The types of other variables take part, and mypy may check a function twice: the first answer counts.
            self._open[variable, levels] = self._may_be_open(variable, levels)
        return self._open[variable, levels]

    def _may_be_open(self, variable: Var, depth_of_variable: int) -> bool:
        own, found = key_of(variable), False
        start = ((own, level, self._lives_on(own)) for level in range(depth_of_variable))
        for key, levels in self._walked(start).levels.items():
            self.passed |= self.statements.passed.get(key, set())
            self._asked |= self.statements.asked.get(key, set())
            fillings = [each for each in self.statements.fillings.get(key, ()) if levels >> each.level & 1]
            if key != own and self._is_only_returned(key, fillings):
                continue
            found = found or not all(self._is_met(each, key, variable) for each in fillings)
        return found

    def _is_only_returned(self, key: Key, fillings: "Sequence[Filling]") -> bool:
        """Whether a function fills a local container, which nobody else has before the function returns it."""
        binders = self.statements.binders[key]
        if isinstance(key, str) or self._lives_on(key) or len(binders) != 1:
            return False
        (function,) = binders
        results = {result_key(function.name)} if isinstance(function, FuncDef) else set[str]()
        others = (link.to for link in self._linked(key) if link.to not in results)
        if any(isinstance(other, str) or self._may_hold(other.type) for other in others):
            return False
        return all(each.is_own and each.place is function for each in fillings)

    def take_asked(self) -> set[SymbolNode]:
        """The functions that have decided about a variable since the last time."""
        asked, self._asked = self._asked, set()
        return asked

    def filled_with(self, container: Expression, levels: Iterable[int]) -> set[Key]:
        """The variables whose containers are mutated if those of the expression are, on one of these levels."""
        steps = [(each.key, of) for each in sharings(container) for of in each.levels(levels)]
        return {
            key
            for key, found in self._shared(steps).items()
            if isinstance(key, str) or (is_unannotated(key) and found & (1 << self._depth(key.type)) - 1)
        }

    def _shared(self, steps: Iterable[tuple[Key, int]]) -> Mapping[Key, int]:
        """Each variable that shares one of these containers, which live on, with the levels on which it does."""
        found: defaultdict[Key, int] = defaultdict(int)
        for key, level in steps:
            if not found[key] >> level & 1:
                for other, levels in self._walk_from(key, level).levels.items():
                    found[other] |= levels
        return found

    def _walk_from(self, key: Key, level: int) -> _Walk:
        """The walk from a container that lives on; a kept one if the types that it has read answer as then.

        Variables are linked both ways. So a walk from any variable that this one has reached would reach the same ones,
        unless it begins with a variable that holds no container and that no walk reaches.
        """
        kept = self._walks.get((key, level))
        if kept is not None and self._is_current(kept):
            return kept
        walk = self._walked([(key, level, True)])
        if isinstance(key, str) or self._may_hold(key.type):
            for other, levels in walk.levels.items():
                self._walks.update(((other, each), walk) for each in range(LEVELS) if levels >> each & 1)
        return walk

    def _is_current(self, walk: _Walk) -> bool:
        return all(
            variable.type is typ or self._may_hold(variable.type) == self._may_hold(typ)
            for variable, typ in walk.types.items()
        )

    def _walked(self, start: Iterable[_Step]) -> _Walk:
        """The walk from these containers to each variable that shares one of them.

        Callers may mutate the result of a function later. That does not concern the function's own variables, unless
        the container lives on in an attribute or a global variable.
        """
        lasting_levels: defaultdict[Key, int] = defaultdict(int)
        all_levels: defaultdict[Key, int] = defaultdict(int)
        types: dict[Var, Type | None] = {}
        # Containers that live on come first, as they reach further. The levels of a variable are visited together.
        waiting: Mapping[bool, dict[Key, int]] = {True: {}, False: {}}
        for key, level, lives_on in start:
            all_levels[key] |= 1 << level
            lasting_levels[key] |= lives_on << level
            waiting[lives_on][key] = waiting[lives_on].get(key, 0) | 1 << level
            if isinstance(key, Var):
                types[key] = key.type
        while waiting[True] or waiting[False]:
            lives_on = bool(waiting[True])
            key, levels = waiting[lives_on].popitem()
            for link in self._linked(key):
                common = link.levels & levels
                if not common or (link.is_of_result and not lives_on):
                    continue
                shift = link.shift
                its = link.its_levels if shift is None else common << shift if shift >= 0 else common >> -shift
                other, other_lives_on = link.to, lives_on or link.lives_on
                new = its & ~(lasting_levels if other_lives_on else all_levels)[other]
                if not new:
                    continue
                if isinstance(other, Var) and other not in types:
                    types[other] = other.type
                if isinstance(other, str) or self._may_hold(types[other]):
                    all_levels[other] |= new
                    lasting_levels[other] |= new if other_lives_on else 0
                    waiting[other_lives_on][other] = waiting[other_lives_on].get(other, 0) | new
        return _Walk({key: levels for key, levels in all_levels.items() if levels}, types)

    def _may_hold(self, typ: Type | None) -> bool:
        if typ not in self._holding:
            self._holding[typ] = may_hold(typ)
        return self._holding[typ]

    def _depth(self, typ: Type | None) -> int:
        if typ not in self._depths:
            self._depths[typ] = depth(typ)
        return self._depths[typ]

    def _linked(self, key: Key) -> Sequence[_Link]:
        if key not in self._links:
            # Most variables are linked on all levels, which one link tells.
            self._links[key] = [
                _Link(own, other, its, shift, is_result(other), self._lives_on(other))
                for (other, shift, its), own in self.statements.links.get(key, {}).items()
            ]
        return self._links[key]

    def _lives_on(self, key: Key) -> bool:
        if isinstance(key, str):
            return not is_result(key)
        statements = self.statements
        return "." in key.fullname or key in statements.yielded or len(statements.mentions[key]) > 1

    def _is_met(self, filling: "Filling", filled: Key, variable: Var) -> bool:
        """Whether mypy checks the mutation and the uses of the variable in the order in which they run."""
        key = key_of(variable)
        if not filling.is_met or isinstance(key, str) or self.statements.binders[key] != {filling.place}:
            return False
        if filling.is_own and isinstance(filled, Var) and filled.type is not None and depth(filled.type) == 0:
            return False  # annotated as Any, or as a container of Any: mypy calls no hook then
        mentions = self.statements.mentions[key].items()
        return all(line > filling.line for place, line in mentions if place is not filling.place)
