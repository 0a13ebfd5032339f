"""The names under which one container of arrays is known: `ys = xs`, `d["k"] = xs`, `for ys in yss`.

mypy gives each variable a type of its own, though there is one list, and what is put into it under one name is there
under all. Inside a function mypy meets the statements in their order, and the types of the other names are widened with
that of the one (see `filled_containers` and `passed_containers`). What another function puts into a container may be
there before and after: such a variable is of open dtypes from the beginning.
"""

from collections.abc import Iterable

from mypy.nodes import Expression, MypyFile, Var

from promo_mypy.plugin.container_sharing import LEVELS, Key, is_result, is_unannotated, key_of, sharings
from promo_mypy.plugin.container_statements import ContainerStatements, Filling
from promo_mypy.plugin.fillable_types import depth, may_hold

#: A variable, one of its levels, and whether the container is kept when the function returns.
_Step = tuple[Key, int, bool]


class ContainerAliases:
    """What one pass over a file knows of the names of its containers; looks into the file when first asked."""

    def __init__(self, tree: MypyFile) -> None:
        self._tree = tree
        self._statements: ContainerStatements | None = None
        #: Names of the functions that variables are passed to which are known to hold containers of arrays.
        self.passed: set[str] = set()

    @property
    def statements(self) -> ContainerStatements:
        """What the file's statements say."""
        if self._statements is None:
            self._statements = ContainerStatements(self._tree)
        return self._statements

    def is_open(self, variable: Var) -> bool:
        """Whether something may be put into the variable's containers that mypy does not meet between its uses.

        Nothing is put into a variable that holds no container of arrays.
        """
        if depth(variable.type) == 0:
            return False
        own, found = key_of(variable), False
        start = ((own, level, self._is_kept(own)) for level in range(depth(variable.type)))
        for key, level, _ in self._reached(start):
            self.passed |= self.statements.passed.get(key, set())
            fillings = (each for each in self.statements.fillings.get(key, ()) if each.level == level)
            found = found or not all(self._is_met(each, key, variable) for each in fillings)
        return found

    def filled_with(self, container: Expression, levels: Iterable[int]) -> set[Key]:
        """The variables whose containers are filled if those of the expression are, on one of these levels."""
        steps = ((each.key, of, True) for each in sharings(container) for of in each.levels(levels))
        found = self._reached(steps)
        return {
            key for key, level, _ in found if isinstance(key, str) or (is_unannotated(key) and level < depth(key.type))
        }

    def _reached(self, start: Iterable[_Step]) -> set[_Step]:
        """Each variable and level whose container is one of those that are given.

        What a function returns is filled by its callers later. That is of no concern to its own variables, unless the
        container is one that is kept: in an attribute or a variable of the file.
        """
        waiting = list(start)
        found: set[_Step] = set()
        while waiting:
            step = waiting.pop()
            if step in found:
                continue
            found.add(step)
            key, level, kept = step
            for own, other, its_level in self.statements.links.get(key, ()):
                if own not in (level, None) or not (isinstance(other, str) or may_hold(other.type)):
                    continue
                if kept or not is_result(other):
                    is_kept = kept or self._is_kept(other)
                    its_levels = range(LEVELS) if its_level is None else (its_level,)
                    waiting += [(other, each, is_kept) for each in its_levels]
        return found

    def _is_kept(self, key: Key) -> bool:
        if isinstance(key, str):
            return not is_result(key)
        statements = self.statements
        return "." in key.fullname or key in statements.yielded or len(statements.mentions[key]) > 1

    def _is_met(self, filling: Filling, filled: Key, variable: Var) -> bool:
        """Whether mypy meets the statement between the uses of the variable before it and those after it."""
        key = key_of(variable)
        if not filling.is_met or isinstance(key, str) or self.statements.binders[key] != {filling.place}:
            return False
        if filling.is_own and isinstance(filled, Var) and filled.type is not None and depth(filled.type) == 0:
            return False  # annotated as Any, or as a container of anything: mypy asks for no hook then
        mentions = self.statements.mentions[key].items()
        return all(line > filling.line for place, line in mentions if place is not filling.place)
