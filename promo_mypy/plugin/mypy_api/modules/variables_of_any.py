"""Note in each module which of its variables are Any to stock mypy: outside its public plugin surface.

To other modules, the type of a variable is all that mypy's cache keeps of it. NumPy's types have marks. Arrays of other
libraries have none, so the names of such variables and attributes are in a mark of the module. It changes together with
the type of the variable, so every mode of mypy knows both. (tests/plugin/runs/test_other_modules.py)
"""

from typing import Final

from mypy.checker import TypeChecker
from mypy.nodes import FakeInfo, MypyFile, SymbolTableNode, Var

from promo_mypy.plugin.mypy_api.modules.dependencies import depend_on_symbol
from promo_mypy.plugin.mypy_api.modules.module_marks import Marks, facts
from promo_mypy.plugin.mypy_api.symbols import module_of

#: mypy keeps symbols with an `@` when it checks the top of a module again.
_MARK: Final = "variables of Any @ promo-mypy"
#: The facts about a variable: it is Any to stock mypy, or it may also be None, or only its shape is unknown. Any other
#: fact names its parts.
ANY: Final = "any"
OR_NONE: Final = "none"
SHAPE: Final = "shape"


class VariablesOfAny:
    """Writes the mark of the file that mypy checks, and reads those of all modules."""

    def __init__(self, current: TypeChecker) -> None:
        self._current = current
        self._marks = Marks(_MARK)
        self._read: dict[str, tuple[SymbolTableNode | None, dict[str, str]]] = {}

    def note(self, variable: Var, fact: str | None) -> None:
        """Note what is known of a variable or attribute of the file, which has just got its type; None for nothing."""
        file, name = self._current.tree, _name(variable)
        known = self._facts(file)
        if module_of(variable) != file.fullname or fact == known.get(name):
            return
        found = {each: value for each, value in known.items() if each != name}
        self._marks.write(file, found if fact is None else {**found, name: fact}, self._current.modules)

    def has(self, variable: Var) -> bool:
        """Whether a variable or attribute of any module is Any to stock mypy, beside None or alone."""
        return self.fact(variable) in (ANY, OR_NONE)

    def has_alone(self, variable: Var) -> bool:
        """Whether a variable or attribute of any module is Any to stock mypy, which infers no None for it."""
        return self.fact(variable) == ANY

    def has_any_shape(self, variable: Var) -> bool:
        """Whether a variable or attribute of any module is an array of which stock mypy does not know the shape."""
        return self.fact(variable) == SHAPE

    def fact(self, variable: Var) -> str | None:
        """What is known of a variable or attribute of any module; None for nothing."""
        file = self._current.modules.get(module_of(variable))
        if file is None:
            return None
        if file is not self._current.tree:
            depend_on_symbol(self._current, variable, _MARK)
        return self._facts(file).get(_name(variable))

    def _facts(self, file: MypyFile) -> dict[str, str]:
        mark = file.names.get(_MARK)
        known = self._read.get(file.fullname)
        if known is None or known[0] is not mark:
            known = self._read[file.fullname] = mark, facts(mark)
        return known[1]


def _name(variable: Var) -> str:
    """The full name of a variable or attribute: mypy gives attributes that a method binds none."""
    return variable.fullname if isinstance(variable.info, FakeInfo) else f"{variable.info.fullname}.{variable.name}"
