"""The user's options: `[tool.promo-mypy]`, read from TOML and checked, one `Options` per module.

Options stand beside mypy's own configuration, in exactly one place:

- mypy's configuration file itself, when that is TOML (the usual `pyproject.toml`) and has a `[tool.promo-mypy]` table;
- otherwise the `[tool.promo-mypy]` table of the `pyproject.toml` in the same folder (for `mypy.ini` and `setup.cfg`);
- otherwise `promo-mypy.toml` in the same folder, with the same keys at the top level.

Promotion systems of the user's own stand in its table `systems`: see `promo_mypy.rules.lattice_files`.
Having both a table and a `promo-mypy.toml` is an error: two homes for one setting drift apart.
Standard library only, as the rules: the command line and the runtime read the same options.
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from promo_mypy.rules.file_names import OWN_FILE, PYPROJECT, TOOL_TABLE
from promo_mypy.rules.records import record
from promo_mypy.rules.systems import SYSTEM_NAMES, root_of, unregister_systems

if TYPE_CHECKING:
    from promo_mypy.rules.own_systems import OwnSystem


#: `system = "library"`: every array follows the promotion system of the library it belongs to.
LIBRARY = "library"


#: What stands beside the options in their table.
_TABLES: Final = ("overrides", "systems")


class ConfigError(Exception):
    """The options cannot be used; the message is one line that names file, key, fault and allowed values."""


@record
class Options:
    """The options of one module.

    Attributes:
        system: the promotion system of every expression, or `"library"`.
        jax_enable_x64: whether JAX runs with 64-bit dtypes; JAX's own default is off.
        jax_numpy_dtype_promotion: JAX's option of that name, `"standard"` or `"strict"`.
        torch_default_dtype: what `torch.set_default_dtype` was called with.
        portable_to: the systems under which every expression should have the dtype that it has here.
        forbid: names of dtypes that nothing in the module should have.
    """

    system: str = LIBRARY
    jax_enable_x64: bool = False
    jax_numpy_dtype_promotion: str = "standard"
    torch_default_dtype: str = "float32"
    portable_to: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()

    @property
    def jax_x64(self) -> bool:
        """Whether arrays of JAX may have 64-bit dtypes: a system that is named decides it."""
        root = self.system if self.system == LIBRARY else root_of(self.system)
        return root == "jax" or (self.jax_enable_x64 and root != "jax-x32")


# An option has one of finitely many values, or a list of such: its row is its whole specification, type included.
# Where the name of a promotion system may stand, that of an own one may stand, too.
ALLOWED_VALUES: Mapping[str, tuple[str | bool, ...]] = {
    "system": (LIBRARY, *SYSTEM_NAMES),
    "jax_enable_x64": (False, True),
    "jax_numpy_dtype_promotion": ("standard", "strict"),
    "torch_default_dtype": ("float16", "bfloat16", "float32", "float64"),
}


def _dtype_names() -> tuple[str, ...]:
    # Imported when it is asked for: a run without arrays does without the table of dtypes.
    from promo_mypy.rules.dtypes import DTYPES

    return tuple(name for name, dtype in DTYPES.items() if not dtype.weak)


@record
class ListOption:
    """A list of what, and which strings may stand in it. All lists are empty by default."""

    what: str
    members: Callable[[], tuple[str, ...]]


LISTS: Final[Mapping[str, ListOption]] = {
    "portable_to": ListOption("promotion systems", lambda: SYSTEM_NAMES),
    "forbid": ListOption("dtypes", _dtype_names),
}


@record
class Override:
    """Options that replace the general ones in the modules that match one pattern."""

    pattern: str
    changes: tuple[tuple[str, Any], ...]

    @property
    def is_subtree(self) -> bool:
        """Whether the pattern is `pkg.*` with no other star: the package and everything below it."""
        return self.pattern.endswith(".*") and "*" not in self.pattern[:-1]

    @property
    def is_exact(self) -> bool:
        """Whether the pattern names one module."""
        return "*" not in self.pattern

    def matches(self, module: str) -> bool:
        """Whether the pattern matches a module; `.*` stands for any number of further components, none included."""
        first, *rest = self.pattern.split(".")
        expression = ".*" if first == "*" else re.escape(first)
        for component in rest:
            expression += r"(\..*)?" if component == "*" else re.escape("." + component)
        return re.fullmatch(expression, module) is not None


@record
class Config:
    """The general options, the overrides per module, in the order of the file, and the user's own systems."""

    options: Options = Options()
    overrides: tuple[Override, ...] = ()
    systems: tuple["OwnSystem", ...] = ()
    _by_module: dict[str, Options] = field(default_factory=dict, init=False, compare=False, repr=False)

    @classmethod
    def load(cls, config_file: str | None) -> "Config":
        """Read the options that belong to mypy's configuration file; no file, no table: the defaults.

        Raises:
            ConfigError: a file is unreadable or not TOML, a key or value is not allowed, or there are two homes.
        """
        if not config_file:
            return cls()
        home = Path(config_file)
        own_file = home.with_name(OWN_FILE)
        pyproject = home.with_name(PYPROJECT)
        for file in (home, pyproject) if home.suffix == ".toml" and home != pyproject else (pyproject,):
            tool = _read(file).get("tool", {})
            if isinstance(tool, dict) and TOOL_TABLE in tool:
                if own_file.exists():
                    raise ConfigError(f"{own_file}: {file} already has [tool.{TOOL_TABLE}]: keep one of the two")
                return cls._checked(tool[TOOL_TABLE], _Place(file, f"tool.{TOOL_TABLE}"))
        return cls._checked(_read(own_file), _Place(own_file, ""))

    @classmethod
    def _checked(cls, table: object, place: "_Place") -> "Config":
        if not isinstance(table, dict):
            raise place.error("", f"expected a table, not {_described(table)}")
        systems = _own_systems(table["systems"], place) if "systems" in table else ()
        place = replace(place, own_systems=tuple(system.name for system in systems))
        general = {key: value for key, value in table.items() if key not in _TABLES}
        changes = _checked_options(general, place, other_keys=_TABLES)
        overrides = tuple(_checked_overrides(table.get("overrides", []), place))
        return cls(replace(Options(), **changes), overrides, systems)

    def for_module(self, module: str) -> Options:
        """The options of a module, by mypy's own precedence for per-module sections.

        From weak to strong: the general options; `pkg.*`, shorter before longer; patterns with a star elsewhere
        (`*.tests`, `pkg.*.io`), in the order of the file; the module's exact name.
        """
        if not self.overrides:
            return self.options
        known = self._by_module.get(module)
        if known is None:
            known = self.options
            for override in self._by_strength():
                if override.matches(module):
                    known = replace(known, **dict(override.changes))
            self._by_module[module] = known
        return known

    def _by_strength(self) -> list[Override]:
        subtrees = sorted((o for o in self.overrides if o.is_subtree), key=lambda o: o.pattern.count("."))
        stars = [o for o in self.overrides if not o.is_subtree and not o.is_exact]
        return subtrees + stars + [o for o in self.overrides if o.is_exact]

    def register_systems(self) -> None:
        """Let get_system know the user's own systems, and no others."""
        unregister_systems()
        if self.systems:
            from promo_mypy.rules.own_systems import register

            register(self.systems, self.options.torch_default_dtype)

    def fingerprint(self) -> dict[str, object]:
        """All that changes a result, as plain JSON data: two configurations with equal fingerprints check alike."""
        options = {key: _plain(value) for key, value in asdict(self.options).items()}
        overrides = [[o.pattern, {key: _plain(value) for key, value in o.changes}] for o in self.overrides]
        systems = {system.name: system.fingerprint() for system in self.systems}
        return {"options": options, "overrides": overrides, "systems": systems}

    def systems_of(self, options: Options) -> list[object]:
        """The own systems that these options name, and those that they are built on, as plain JSON data."""
        named = {options.system, *options.portable_to}
        for system in reversed(self.systems):  # each stands after the one that it is built on
            if system.name in named:
                named.add(system.base)
        found: list[object] = [[system.name, system.fingerprint()] for system in self.systems if system.name in named]
        # Systems are built with the general default dtype.
        return [self.options.torch_default_dtype, *found] if found else []


@record
class _Place:
    """A table in a file, as messages name it, and the user's own systems that it may name."""

    file: Path
    table: str
    own_systems: tuple[str, ...] = ()

    def error(self, key: str, fault: str) -> ConfigError:
        name = ".".join(part for part in (self.table, key) if part)
        return ConfigError(f"{self.file}: {name}: {fault}")

    def override(self, number: int) -> "_Place":
        return replace(self, table=f"{self.table}.overrides[{number}]".lstrip("."))


def _read(file: Path) -> dict[str, Any]:
    """The content of a TOML file; empty if there is no such file."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not UTF-8: byte {error.start} cannot be decoded") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is not valid TOML: {error}") from error


def _own_systems(table: object, place: _Place) -> tuple["OwnSystem", ...]:
    # Imported for those who have some: reading them takes the tables of the systems that they extend.
    from promo_mypy.rules.lattice_files import read_table
    from promo_mypy.rules.toml_sources import TomlError, source_of

    try:
        source = source_of(place.file).at(*filter(None, place.table.split(".")), "systems")
        return tuple(system.checked() for system in read_table(table, source).values())
    except TomlError as error:
        raise ConfigError(str(error)) from error


def _checked_options(table: Mapping[str, object], place: _Place, other_keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: _checked_value(key, value, place, other_keys) for key, value in table.items()}


def _checked_value(key: str, value: object, place: _Place, other_keys: tuple[str, ...]) -> object:
    if key in ALLOWED_VALUES:
        more = place.own_systems if key == "system" else ()
        return _allowed(key, value, (*ALLOWED_VALUES[key], *more), place)
    if key in LISTS:
        if not isinstance(value, list):
            raise place.error(key, f"expected an array of {LISTS[key].what}, not {_described(value)}")
        members = (*LISTS[key].members(), *(place.own_systems if key == "portable_to" else ()))
        return tuple(_allowed(key, member, members, place) for member in value)
    names = (*ALLOWED_VALUES, *LISTS, *other_keys)
    raise place.error(key, f"no such option{_suggestion(key, names)}; the options are {_listed(names)}")


def _allowed(key: str, value: object, allowed: tuple[str | bool, ...], place: _Place) -> object:
    # 1 == True in Python, but not in TOML: the type has to be right, too.
    if any(type(value) is type(each) and value == each for each in allowed):
        return value
    near = _suggestion(value, (each for each in allowed if isinstance(each, str)))
    raise place.error(key, f"{_described(value)} is not allowed{near}; allowed: {_listed(map(_toml, allowed))}")


def _checked_overrides(tables: object, place: _Place) -> Iterator[Override]:
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        brackets = ".".join(part for part in (place.table, "overrides") if part)
        raise place.error("overrides", f"expected one or more [[{brackets}]] tables, not {_described(tables)}")
    set_by: dict[tuple[str, str], object] = {}
    for number, table in enumerate(tables, start=1):
        here = place.override(number)
        if "module" not in table:
            raise here.error("module", 'is missing: name the modules, as in module = "pkg.*"')
        changes = _checked_options({k: v for k, v in table.items() if k != "module"}, here, other_keys=("module",))
        for pattern in _checked_patterns(table["module"], here):
            for key, value in changes.items():
                # mypy refuses this in its own overrides; for equal patterns no order is better than the other.
                if set_by.setdefault((pattern, key), value) != value:
                    raise here.error(key, f'module "{pattern}" has another value in an earlier override')
            yield Override(pattern, tuple(changes.items()))


def _checked_patterns(modules: object, place: _Place) -> list[str]:
    patterns: list[Any] = modules if isinstance(modules, list) else [modules]
    if not patterns:
        raise place.error("module", "the list is empty")
    for pattern in patterns:
        if not isinstance(pattern, str):
            raise place.error("module", f"expected a string or a list of strings, not {_described(pattern)}")
        if pattern == "*":
            raise place.error("module", '"*" is every module: set the option in the general table')
        if not all(component == "*" or component.isidentifier() for component in pattern.split(".")):
            raise place.error("module", f'"{pattern}" is not a module pattern; write "pkg.mod", "pkg.*" or "pkg.*.mod"')
    return patterns


def _suggestion(value: object, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(value, list(names), n=1) if isinstance(value, str) else []
    return f', did you mean "{near[0]}"?' if near else ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _toml(value: str | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _described(value: object) -> str:
    """A value as TOML spells it, with its kind where it might be taken for another."""
    if isinstance(value, str | bool):
        return _toml(value)
    if isinstance(value, list):
        return "an array"
    if isinstance(value, dict):
        return "a table"
    return f"{value} ({type(value).__name__})"
