"""Write the reference pages of the site from the code: codes, systems, functions, commands, the run-time API.

They are written when the site is built, and are not kept in the repository: `codes.md`, `systems.md` with a page and a
picture for each system, `functions.md` with a page for each library, `commands.md` and `run-time-api.md`.
"""

import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any, Final

from typer.main import get_command

import promo_runtime
from promo_mypy.cli.app import COMMANDS, app_of
from promo_mypy.cli.formats.table import table_markdown
from promo_mypy.cli.formats.table_cells import table
from promo_mypy.cli.lattices.caveats import caveats
from promo_mypy.cli.lattices.hasse import NotInTheOrderError, hasse
from promo_mypy.cli.lattices.svg import svg
from promo_mypy.rules.functions import LIBRARY_NAMES, library
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, Diagnostic
from promo_mypy.rules.wording.examples import EXAMPLES

#: The folder of these pages, beside the others.
FOLDER: Final = "generated"

#: Page -> its title in the navigation.
TITLES: Final[Mapping[str, str]] = {
    "codes": "Codes",
    "systems": "Promotion systems",
    "functions": "Functions",
    "commands": "Commands and their options",
    "run-time-api": "The API of promo_runtime",
}

#: System -> whose rules it has.
SYSTEMS: Final[Mapping[str, str]] = {
    "numpy": "NumPy 2. Arrays and scalars promote alike; only Python's numbers are weak.",
    "jax": "`jax.numpy` with x64 on.",
    "jax-x32": "`jax.numpy` with x64 off, which is JAX's default.",
    "jax-strict": '`jax.numpy` with `jax_numpy_dtype_promotion = "strict"`: arrays of two dtypes are rejected.',
    "torch": "PyTorch. A 0-D tensor yields to one with dimensions.",
    "numpy-legacy": "NumPy 1, in which scalars and 0-d arrays yield to arrays with dimensions.",
    "jax-lax": "`jax.lax`, which casts nothing.",
    "tensorflow": "TensorFlow by default. Tensors of two dtypes are rejected.",
    "tensorflow-numpy-all": "TensorFlow with NumPy behaviour in the mode `all`.",
    "tensorflow-numpy-safe": "TensorFlow with NumPy behaviour in the mode `safe`.",
    "paddle": "PaddlePaddle.",
    "array-api": "What the array API standard promises, as array-api-strict has it.",
    "cupy": "CuPy.",
    "dask": "Dask, which computes by NumPy's rules.",
    "option-0": "The first of the partial lattices of JAX's design document.",
    "option-1": "The second of them.",
    "option-2": "The third of them.",
    "option-3": "The fourth of them.",
}


def write_pages(folder: Path) -> None:
    """Write every page of the folder anew."""
    shutil.rmtree(folder, ignore_errors=True)
    for below in (folder / "systems", folder / "functions"):
        below.mkdir(parents=True, exist_ok=True)
    pages = {"codes": codes(), "commands": commands(), "run-time-api": run_time_api()}
    pages |= {"systems": systems(folder / "systems"), "functions": functions(folder / "functions")}
    for name, lines in pages.items():
        _write(folder / f"{name}.md", lines)


def codes() -> Iterator[str]:
    """Each code with its meaning, its default and a program that triggers it."""
    yield "# Codes"
    for row in DIAGNOSTICS:
        example = EXAMPLES[row.code]
        yield from ["", f"## {row.code}", "", f"{row.meaning}. {_default(row)}", "", example.why]
        if example.program:
            yield from ["", "```python", example.program.rstrip(), "```"]
        if example.options:
            yield from ["", "```toml", "[tool.promo-mypy]", example.options, "```"]


def _default(row: Diagnostic) -> str:
    if row.option is not None:
        return f"Reported if the option `{row.option}` is set."
    return "On by default." if row.enabled else "Off by default."


def systems(folder: Path) -> Iterator[str]:
    """The list of systems; each has its own page, with its order as a picture and its table."""
    assert SYSTEMS.keys() == set(SYSTEM_NAMES)
    yield from ["# Promotion systems", "", "Each system has a page with its order and its table.", ""]
    for name, meaning in SYSTEMS.items():
        _write(folder / f"{name}.md", system(name, meaning, folder))
        yield f"- [{name}](systems/{name}.md): {meaning}"
    yield from ["", *_contents(f"systems/{name}" for name in SYSTEMS)]


def system(name: str, meaning: str, folder: Path) -> Iterator[str]:
    """The page of one system."""
    yield from [f"# {name}", "", meaning, ""]
    rules = get_system(name)
    try:
        diagram = hasse(rules)
    except NotInTheOrderError as error:
        yield from [f"It has no diagram: {error}", ""]
    else:
        diagram = replace(diagram, caveats=caveats(rules, diagram))
        (folder / f"{name}.svg").write_text(svg(diagram), encoding="utf-8")
        yield from [f"![The order in which {name} joins dtypes]({name}.svg)", ""]
    # The title of the table would be a paragraph below the title of the page.
    yield from table_markdown(table(rules)).splitlines()[2:]


def functions(folder: Path) -> Iterator[str]:
    """The list of libraries; each has its own page with the names that the plugin knows."""
    yield from ["# Functions", "", "The plugin knows the dtypes that these functions, methods and attributes give.", ""]
    yield from ["| Library | Functions | Methods | Attributes |", "|---|---|---|---|"]
    for name in LIBRARY_NAMES:
        known = _names(name)
        _write(folder / f"{name}.md", _library(name, known))
        yield f"| [{name}](functions/{name}.md) | {' | '.join(str(len(each)) for each in known.values())} |"
    yield from ["", *_contents(f"functions/{name}" for name in LIBRARY_NAMES)]


def _names(name: str) -> dict[str, list[str]]:
    found = library(name)
    return {
        "Functions": sorted({*found.functions, *found.aliases}),
        "Methods": sorted({*found.methods, *found.shared_methods}),
        "Attributes": sorted(found.attributes),
    }


def _library(name: str, known: Mapping[str, list[str]]) -> Iterator[str]:
    yield f"# {name}"
    array = f"{name}.{library(name).array}"
    by_module: dict[str, list[str]] = defaultdict(list)
    for each in known["Functions"]:
        module, _, last = f"{name}.{each}".rpartition(".")
        by_module[module].append(last)
    for module, names in sorted(by_module.items()):
        yield from ["", f"## {module}", "", _listed(names)]
    for kind in ("Methods", "Attributes"):
        if known[kind]:
            yield from ["", f"## {kind} of {array}", "", _listed(known[kind])]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def commands() -> Iterator[str]:
    """Each command with its arguments, options and examples."""
    yield "# Commands and their options"
    root: Any = get_command(app_of(COMMANDS))
    for command in COMMANDS:
        group = root.commands[command.group] if command.group else root
        found = group.commands[command.name]
        name = " ".join(filter(None, ["promo-mypy", command.group, command.name]))
        yield from ["", f"## {name}", "", _sentences(found.help), ""]
        for parameter in found.params:
            yield f"- {_shown(parameter)}: {' '.join((parameter.help or '').split())}"
        yield from ["", "Examples:", "", "```bash", *command.examples, "```"]


def _shown(parameter: Any) -> str:
    """An option with its value, or an argument."""
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    value = "" if parameter.is_flag else f" {_value(parameter)}"
    return ", ".join(f"`{flag}{value if flag.startswith('--') else ''}`" for flag in parameter.opts)


def _value(parameter: Any) -> str:
    """The placeholder of a value, or the values that an option may have."""
    if isinstance(parameter.default, Enum):
        return "|".join(str(each.value) for each in type(parameter.default))
    return str(parameter.metavar or parameter.name.upper())


def _sentences(text: str) -> str:
    return "\n".join(line.strip() for line in text.replace("\f", "").splitlines())


def run_time_api() -> Iterator[str]:
    """What `promo_runtime` exports, from its docstrings."""
    yield from ["# The API of promo_runtime", "", "`promo_runtime` also exports a class for each dtype and category."]
    names = [name for name in promo_runtime.__all__ if _is_api(getattr(promo_runtime, name))]
    for name in sorted(names, key=str.lower):
        thing = getattr(promo_runtime, name)
        kind = "class" if isinstance(thing, type) else "function"
        directive = "autoexception" if isinstance(thing, type) and issubclass(thing, Exception) else f"auto{kind}"
        members = ["   :members:"] if name in ("Array", "Namespace") else []
        yield from ["", f"## {name}", "", "```{eval-rst}", f".. {directive}:: promo_runtime.{name}", *members, "```"]
    yield from ["", "## testing", "", "```{eval-rst}", ".. automodule:: promo_runtime.testing", "   :members:", "```"]


def _is_api(thing: object) -> bool:
    """Whether it is no class for a dtype or a category, and no module."""
    return callable(thing) and getattr(thing, "__module__", "") != "promo_mypy.rules.dtypes"


def _contents(names: Iterable[str]) -> list[str]:
    return ["```{toctree}", ":hidden:", "", *names, "```"]


def _write(file: Path, lines: Iterable[str]) -> None:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
