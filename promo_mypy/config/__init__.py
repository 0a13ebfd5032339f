"""The user's options: `[tool.promo-mypy]`, read from TOML and checked, one `Options` per module.

The options are beside mypy's own configuration, in exactly one place:

- mypy's configuration file itself, when that is TOML (the usual `pyproject.toml`) and has a `[tool.promo-mypy]` table;
- otherwise the `[tool.promo-mypy]` table of the `pyproject.toml` in the same folder (for `mypy.ini` and `setup.cfg`);
- otherwise `promo-mypy.toml` in the same folder, with the same keys at the top level.

User-defined promotion systems are in its table `systems`: see `promo_mypy.rules.lattices.files`.
A table beside a `promo-mypy.toml` is an error: settings in two places drift apart. Standard library only, like the
rules: the command line and the runtime read the same options.
"""

from collections.abc import Mapping
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from promo_mypy.config.check_options import CheckOptions, read_check
from promo_mypy.config.options import ALLOWED_VALUES, LIBRARY, LISTS, POLICIES, Options, Override
from promo_mypy.config.tables import (
    BESIDE,
    ConfigError,
    Place,
    checked_options,
    checked_overrides,
    described,
    read,
    read_recorded,
    read_systems,
)
from promo_mypy.rules.lattices.file_names import OWN_FILE, PYPROJECT, TOOL_TABLE
from promo_mypy.rules.profiles import Profile
from promo_mypy.rules.records import record
from promo_mypy.rules.systems import unregister_systems

if TYPE_CHECKING:
    from promo_mypy.rules.lattices.own_systems import OwnSystem

__all__ = ["ALLOWED_VALUES", "LIBRARY", "LISTS", "POLICIES", "Config", "ConfigError", "Options", "Override"]


@record
class Config:
    """The general options, the overrides for modules in the order of the file, the user's own systems, the options of
    `promo-mypy check`, which change no type, and the dtypes that were recorded from runs.
    """

    options: Options = Options()
    overrides: tuple[Override, ...] = ()
    systems: tuple["OwnSystem", ...] = ()
    check: CheckOptions = CheckOptions()
    profile: Profile = Profile()
    names: Mapping[str, str] = field(default_factory=dict)
    """Module of a run -> the name that overrides know it by, where that is another one."""
    profile_file: Path | None = field(default=None, compare=False)
    """The file with the recorded dtypes."""
    _by_module: dict[str, Options] = field(default_factory=dict, init=False, compare=False, repr=False)

    @classmethod
    def load(cls, config_file: str | None) -> "Config":
        """Read the options that belong to mypy's configuration file; without a file or table: the defaults.

        Raises:
            ConfigError: a file is unreadable or not TOML, a key or value is not allowed, or the options are in two
            places.
        """
        if not config_file:
            return cls()
        home = Path(config_file)
        own_file = home.with_name(OWN_FILE)
        pyproject = home.with_name(PYPROJECT)
        for file in (home, pyproject) if home.suffix == ".toml" and home != pyproject else (pyproject,):
            tool = read(file).get("tool", {})
            if isinstance(tool, dict) and TOOL_TABLE in tool:
                if own_file.exists():
                    raise ConfigError(f"{own_file}: {file} already has [tool.{TOOL_TABLE}]: keep one of the two")
                return cls._checked(tool[TOOL_TABLE], Place(file, f"tool.{TOOL_TABLE}"))
        return cls._checked(read(own_file), Place(own_file, ""))

    @classmethod
    def _checked(cls, table: object, place: "Place") -> "Config":
        if not isinstance(table, dict):
            raise place.error("", f"expected a table, not {described(table)}")
        check = read_check(table["check"], place) if "check" in table else CheckOptions()
        systems = read_systems(table["systems"], place) if "systems" in table else ()
        place = replace(place, own_systems=tuple(system.name for system in systems))
        profile = read_recorded(table["profile"], place) if "profile" in table else Profile()
        general = {key: value for key, value in table.items() if key not in BESIDE}
        changes = checked_options(general, place, other_keys=BESIDE)
        overrides = tuple(checked_overrides(table.get("overrides", []), place))
        recorded = place.file.parent / table["profile"] if "profile" in table else None
        return cls(replace(Options(), **changes), overrides, systems, check, profile, profile_file=recorded)

    def files(self, config_file: str | None) -> tuple[Path, ...]:
        """The files that these options come from, or would come from: some need not exist."""
        beside = [system.source.file for system in self.systems] + ([self.profile_file] if self.profile_file else [])
        home = Path(config_file or PYPROJECT)
        return (*dict.fromkeys((home, home.with_name(PYPROJECT), home.with_name(OWN_FILE), *beside)),)

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
            for override in self._matching(module):
                known = replace(known, **dict(override.changes))
            self._by_module[module] = known
        return known

    def codes_for_module(self, module: str) -> dict[str, tuple[str, ...]]:
        """What the check selects and ignores in a module: its own options, replaced by those of the overrides."""
        codes = {"select": self.check.select, "ignore": self.check.ignore}
        for override in self._matching(module):
            codes.update(override.codes)
        return codes

    def with_names(self, names: Mapping[str, str]) -> "Config":
        """The same for a run with other names of some modules: module of the run -> the user's name of it."""
        seen = self.profile.modules
        renamed = {module: seen[name] for module, name in names.items() if name in seen}
        return replace(self, names=names, profile=Profile({**seen, **renamed}) if renamed else self.profile)

    def _matching(self, module: str) -> list[Override]:
        """The overrides of a module, the weakest first."""
        name = self.names.get(module, module)
        return [override for override in self._by_strength() if override.matches(name)]

    def _by_strength(self) -> list[Override]:
        subtrees = sorted((o for o in self.overrides if o.is_subtree), key=lambda o: o.pattern.count("."))
        stars = [o for o in self.overrides if not o.is_subtree and not o.is_exact]
        return subtrees + stars + [o for o in self.overrides if o.is_exact]

    def register_systems(self) -> None:
        """Register the user's own systems for get_system, and remove others."""
        unregister_systems()
        if self.systems:
            from promo_mypy.rules.lattices.own_systems import register

            register(self.systems, self.options.torch_default_dtype)

    def fingerprint(self) -> dict[str, object]:
        """All that affects a result, as plain JSON data. Configurations with equal fingerprints give equal results."""
        options = {key: _plain(value) for key, value in asdict(self.options).items()}
        overrides = [[o.pattern, {key: _plain(value) for key, value in o.changes}] for o in self.overrides]
        systems = {system.name: system.fingerprint() for system in self.systems}
        seen = {module: self.profile.digest(module) for module in sorted(self.profile.modules)}
        return {"options": options, "overrides": overrides, "systems": systems, "profile": seen}

    def systems_of(self, options: Options) -> list[object]:
        """The user-defined systems that these options name, and the systems that they extend, as plain JSON data."""
        named = {options.system, *options.portable_to}
        for system in reversed(self.systems):  # each comes after the system that it extends
            if system.name in named:
                named.add(system.base)
        found: list[object] = [[system.name, system.fingerprint()] for system in self.systems if system.name in named]
        # The systems are built with the general default dtype.
        return [self.options.torch_default_dtype, *found] if found else []


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
