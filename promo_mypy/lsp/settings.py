"""The settings of the editor: the section `promo-mypy` of its configuration."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from promo_mypy.rules.wording.diagnostics import is_selectable

#: The name of the section.
SECTION: Final = "promo-mypy"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of an editor.

    Attributes:
        assignments: whether to show the dtypes of assigned names.
        operators: whether to show the dtypes of operators that promote.
        select: the codes to report, in place of those of the repository.
        ignore: the codes not to report, in place of those of the repository.
        python: the environment with the packages that the code uses, or its interpreter.
    """

    assignments: bool = True
    operators: bool = True
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    python: Path | None = None

    @property
    def of_hints(self) -> tuple[object, ...]:
        """Those that decide which hints are shown."""
        return self.assignments, self.operators

    @property
    def of_checks(self) -> tuple[object, ...]:
        """Those that decide what is checked."""
        return self.select, self.ignore, self.python

    def show(self, *, is_operator: bool, is_repeated: bool) -> bool:
        """Whether they show a hint, which may repeat that of an assignment."""
        return self.operators and not (is_repeated and self.assignments) if is_operator else self.assignments


def default_settings() -> Mapping[str, Any]:
    """The section with all settings at their defaults."""
    default = Settings()
    return {
        SECTION: {
            "inlayHints": {"assignments": default.assignments, "operators": default.operators},
            "select": list(default.select),
            "ignore": list(default.ignore),
            "python": default.python,
        }
    }


def read_settings(section: object) -> tuple[Settings, list[str]]:
    """The settings in a section, and what is wrong with it, one sentence each. A wrong setting has its default."""
    faults: list[str] = []
    table: Mapping[str, Any] = section if isinstance(section, dict) else {}
    hints = table.get("inlayHints", {})
    if not isinstance(hints, dict):
        faults.append("inlayHints should be an object with assignments and operators")
        hints = {}
    python = table.get("python")
    if python is not None and not isinstance(python, str):
        faults.append("python should be a path")
        python = None
    settings = Settings(
        _switch(hints, "assignments", faults),
        _switch(hints, "operators", faults),
        _codes(table, "select", faults),
        _codes(table, "ignore", faults),
        Path(python) if python else None,
    )
    return settings, faults


def _switch(hints: Mapping[str, Any], name: str, faults: list[str]) -> bool:
    value = hints.get(name, True)
    if not isinstance(value, bool):
        faults.append(f"inlayHints.{name} should be true or false")
        return True
    return value


def _codes(table: Mapping[str, Any], name: str, faults: list[str]) -> tuple[str, ...]:
    value = table.get(name) or []
    if not isinstance(value, list):
        faults.append(f"{name} should be a list of codes")
        return ()
    unknown = [each for each in value if not is_selectable(str(each))]
    faults += [f"{name}: no diagnostic has the code {each}" for each in unknown]
    return tuple(each for each in value if each not in unknown)
