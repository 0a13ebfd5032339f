"""Imports follow one arrow: rules <- plugin <- program <- linting <- cli, lsp; rules <- runtime. Inside the plugin
each room has one, and the other packages ask it through `promo_mypy.plugin.interface`.
Only the plugin imports mypy, and it imports no array library. Only the command line imports Typer, Rich and the like.

The tests check this statically, file by file, against one table, and dynamically in a fresh interpreter. Each check has
a companion test that makes it fail.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping, Set
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# The rooms of the plugin from the bottom up: what each may import of the plugin besides itself. Imports only for
# annotations (`TYPE_CHECKING`) count like all others.
_LEAVES = {"names", "containers", "libraries", "error_codes", "mypy_versions", "late"}
# fmt: off
ROOMS = {
    "names.py": set[str](),
    "containers.py": set[str](),
    "libraries.py": {"names"},
    "error_codes.py": set[str](),
    "mypy_versions.py": set[str](),
    "late.py": set[str](),
    "trees": _LEAVES,
    "mypy_api": {*_LEAVES, "trees"},
    "types": {*_LEAVES, "trees", "mypy_api"},
    "messages": {*_LEAVES, "mypy_api", "types"},
    "inferred": {*_LEAVES, "trees", "mypy_api", "types", "messages"},
    "state": {*_LEAVES, "trees", "mypy_api", "types", "messages", "inferred"},
    "marks": {*_LEAVES, "mypy_api", "types", "state", "inferred"},
    "operand_conversion.py": {*_LEAVES, "types", "state"},
    "promotion.py": {*_LEAVES, "types", "state", "operand_conversion"},
    "diagnostics": {*_LEAVES, "trees", "mypy_api", "types", "state", "marks", "promotion"},
    "annotations": {*_LEAVES, "trees", "mypy_api", "types", "state", "diagnostics"},
    "calls": {*_LEAVES, "trees", "mypy_api", "types", "state", "promotion", "diagnostics", "annotations"},
    "operators": {
        *_LEAVES, "trees", "mypy_api", "types", "inferred", "state", "marks", "promotion", "diagnostics", "annotations",
        "calls",
    },
    "transforms": {*_LEAVES, "trees", "mypy_api", "types", "state", "diagnostics", "calls"},
    "layers": {*_LEAVES, "trees", "mypy_api", "types", "messages", "state", "calls"},
    "process": set[str](),
}
# fmt: on

_RULES = {"promo_mypy.rules", "promo_mypy.config"}
# What stands on the plugin asks it through one package, and leaves its other modules to it.
_PLUGIN = {*_RULES, "promo_mypy.plugin.interface"}
# What a file, or the files of a folder, may import besides the standard library; the deepest entry counts.
# fmt: off
MAY_IMPORT = {
    "promo_mypy": {*_RULES},
    "promo_mypy/pre_commit.py": {"promo_mypy.plugin.interface.runs"},
    "promo_mypy/rules": {"promo_mypy.rules"},
    "promo_mypy/cli": {
        *_RULES, "promo_mypy.cli", "promo_mypy.checking", "promo_mypy.port",
        "promo_mypy.program", "promo_mypy.linting", "typer", "rich",
    },
    "promo_mypy/cli/commands/annotate.py": {
        "promo_mypy.cli", "promo_mypy.annotating", "typer",
    },
    "promo_mypy/annotating": {
        *_PLUGIN, "promo_mypy.checking", "promo_mypy.program",
        "promo_mypy.annotating", "promo_mypy.fixing.changes", "mypy", "libcst",
    },
    "promo_mypy/annotating/wishes.py": {"promo_mypy.rules"},
    "promo_mypy/annotating/spellings.py": {
        "promo_mypy.rules", "promo_mypy.annotating", "promo_mypy.program.syntax.imports",
    },
    "promo_mypy/annotating/edits.py": {"promo_mypy.rules", "promo_mypy.annotating", "libcst"},
    "promo_mypy/cli/commands/lsp.py": {"promo_mypy.cli", "promo_mypy.lsp", "typer"},
    "promo_mypy/cli/check": {
        *_RULES, "promo_mypy.cli", "promo_mypy.checking", "promo_mypy.linting",
        "promo_mypy.notebooks", "promo_mypy.fixing", "typer", "rich",
    },
    "promo_mypy/cli/check/changed_lines.py": {"promo_mypy.rules.findings"},
    "promo_mypy/notebooks": {"promo_mypy.notebooks"},
    "promo_mypy/linting/notebooks.py": {
        "promo_mypy.notebooks", "promo_mypy.checking.left_out", "promo_mypy.checking.parsers",
        "promo_mypy.rules.findings",
    },
    "promo_mypy/cli/formats/check_text.py": {
        "promo_mypy.rules", "promo_mypy.cli", "promo_mypy.linting.report", "promo_mypy.notebooks.reading", "rich",
    },
    "promo_mypy/fixing": {"promo_mypy.rules", "promo_mypy.fixing", "promo_mypy.notebooks", "libcst"},
    "promo_mypy/fixing/comment_fixes.py": {"promo_mypy.rules"},
    "promo_mypy/fixing/changes.py": set(),
    "promo_mypy/checking": {
        *_PLUGIN, "promo_mypy.checking", "mypy",
    },
    "promo_mypy/port": {
        *_PLUGIN, "promo_mypy.checking", "promo_mypy.port", "promo_mypy.program.expressions",
    },
    "promo_mypy/checking/left_out.py": set(),
    "promo_mypy/checking/project.py": {*_RULES, "promo_mypy.checking.repository_folders"},
    "promo_mypy/checking/python_files.py": set(),
    "promo_mypy/checking/kept": {"promo_mypy.checking.kept"},
    "promo_mypy/port/findings.py": {"promo_mypy.checking.left_out", "promo_mypy.program.expressions"},
    "promo_mypy/linting": {
        *_PLUGIN, "promo_mypy.checking", "promo_mypy.program",
        "promo_mypy.linting", "promo_mypy.notebooks", "mypy",
    },
    "promo_mypy/linting/baseline.py": {"promo_mypy.rules.findings"},
    "promo_mypy/linting/exclusions.py": set(),
    "promo_mypy/linting/kept.py": {
        "promo_mypy.checking.kept", "promo_mypy.checking.python_files", "promo_mypy.linting.environment",
        "promo_mypy.linting.report", "promo_mypy.linting.request",
    },
    "promo_mypy/linting/request.py": {"promo_mypy.linting.exclusions", "promo_mypy.linting.selection"},
    "promo_mypy/linting/selection.py": {
        *_RULES, "promo_mypy.linting.exclusions",
    },
    "promo_mypy/linting/suppressing.py": {"promo_mypy.rules"},
    "promo_mypy/linting/report.py": {"promo_mypy.checking.left_out", "promo_mypy.rules.findings"},
    "promo_mypy/lsp": {
        *_PLUGIN, "promo_mypy.checking", "promo_mypy.program",
        "promo_mypy.linting", "promo_mypy.lsp", "mypy",
    },
    # The two ends of the server: what a worker sends is all that they know of mypy.
    **{
        f"promo_mypy/lsp/{module}.py": {
            *_RULES, "promo_mypy.linting.request",
            "promo_mypy.linting.selection", "promo_mypy.notebooks",
            "promo_mypy.linting.environment", "promo_mypy.linting.baseline", "promo_mypy.checking.project",
            "promo_mypy.checking.kept.cache_folder", "promo_mypy.fixing", "promo_mypy.lsp", "pygls", "lsprotocol",
        }
        for module in (
            "actions", "cells", "diagnostics", "editor", "features", "folder", "ignore_comments", "line_shift",
            "messages", "positions", "projects", "server", "settings", "work_done", "worker_process",
        )
    },
    "promo_mypy/program": {
        *_PLUGIN, "promo_mypy.checking", "promo_mypy.program",
        "mypy",
    },
    "promo_mypy/program/syntax": {"promo_mypy.program.syntax", "promo_mypy.program.expressions"},
    "promo_mypy/program/checked": {
        *_PLUGIN, "promo_mypy.checking", "mypy",
        "promo_mypy.program.checked", "promo_mypy.program.syntax", "promo_mypy.program.expressions",
        "promo_mypy.program.counts",
    },
    "promo_mypy/program/definitions": {
        *_PLUGIN, "mypy", "promo_mypy.program.definitions", "promo_mypy.program.checked",
        "promo_mypy.program.syntax", "promo_mypy.program.candidates",
    },
    "promo_mypy/program/unknown": {
        *_PLUGIN, "mypy", "promo_mypy.program.unknown", "promo_mypy.program.following",
        "promo_mypy.program.definitions", "promo_mypy.program.checked", "promo_mypy.program.syntax",
        "promo_mypy.program.candidates", "promo_mypy.program.counts",
    },
    "promo_mypy/program/expressions.py": {"promo_mypy.checking.left_out"},
    "promo_mypy/program/counts.py": {"promo_mypy.checking.left_out", "promo_mypy.program.expressions"},
    "promo_mypy/plugin": {*_RULES, "promo_mypy.plugin", "mypy"},
    "runtime/promo_runtime": {"promo_mypy.rules", "promo_runtime", "numpy", "ml_dtypes"},
    "runtime/promo_pytest": {"promo_runtime", "promo_pytest", "pytest"},
}
# fmt: on
MAY_IMPORT |= {
    f"promo_mypy/plugin/{room}": {
        "promo_mypy.rules",
        "promo_mypy.config",
        "mypy",
        *(f"promo_mypy.plugin.{each.removesuffix('.py')}" for each in (room, *others)),
    }
    for room, others in ROOMS.items()
}  # fmt: skip
# The layers of `promo_mypy` from the bottom up. What stands in one layer does not know each other.
LAYERS = (
    {"rules"}, {"config"}, {"plugin"}, {"checking", "notebooks"}, {"program", "fixing"},
    {"linting", "port", "annotating"}, {"cli", "lsp"},
)  # fmt: skip
# The command that starts the server is the only link between the two.
STARTS_SERVER = ("promo_mypy/cli/commands/lsp.py", "lsp")
FILES = [file.relative_to(ROOT) for top in ("promo_mypy", "runtime") for file in sorted((ROOT / top).rglob("*.py"))]

# Folders in which no modules may import each other in a circle; an import for an annotation counts.
WITHOUT_CIRCLES = (
    "promo_mypy/annotating", "promo_mypy/checking", "promo_mypy/cli", "promo_mypy/config", "promo_mypy/program",
    "promo_mypy/linting", "promo_mypy/lsp", "promo_mypy/plugin", "promo_mypy/port", "promo_mypy/rules",
    "runtime/promo_pytest", "runtime/promo_runtime",
)  # fmt: skip

# Top-level module -> what a light package must not load.
ARRAY_LIBRARIES = {"numpy", "ml_dtypes", "jax", "jaxlib", "jaxtyping", "equinox", "torch", "cupy", "dask", "numba"}
COMMAND_LINE = {"typer", "rich", "click", "pydantic", "libcst", "pygls", "lsprotocol"}
STAYS_OUT = {
    "promo_mypy.plugin": ARRAY_LIBRARIES | COMMAND_LINE,
    "promo_mypy.config": ARRAY_LIBRARIES | COMMAND_LINE | {"mypy"},
    "promo_mypy.cli": ARRAY_LIBRARIES | {"mypy", "libcst", "pygls", "lsprotocol"},
    "promo_runtime": ARRAY_LIBRARIES - {"numpy", "ml_dtypes"} | COMMAND_LINE | {"mypy"},
    # As pytest loads it in every session; its further imports are only for sessions that ask for it.
    "promo_pytest": ARRAY_LIBRARIES | COMMAND_LINE | {"mypy", "promo_runtime", "promo_mypy"},
}


def imported(source: str, module: str) -> Iterator[str]:
    """The full names that a module imports, anywhere in it: `a.b` for `from a import b`, since b may be a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.rsplit(".", node.level)[0] if node.level else ""
            yield from (".".join(filter(None, (package, node.module, alias.name))) for alias in node.names)


def is_allowed(name: str, part: str) -> bool:
    """Whether the arrow allows a part to import a name."""
    top = name.split(".")[0]
    return top in sys.stdlib_module_names or any(f"{name}.".startswith(f"{each}.") for each in MAY_IMPORT[part])


def part_of(file: Path) -> str:
    """The deepest entry of the table that contains a file."""
    return next(str(each) for each in (file, *file.parents) if str(each) in MAY_IMPORT)


def imports_of(file: Path) -> Iterator[str]:
    """The full names that a file imports."""
    module = ".".join(file.with_suffix("").parts).removesuffix(".__init__") + (".__" if file.stem == "__init__" else "")
    return imported((ROOT / file).read_text(), module)


@pytest.mark.parametrize("file", FILES, ids=str)
def test_a_module_imports_only_what_its_part_may(file: Path) -> None:
    names = imports_of(file)
    assert [name for name in names if not is_allowed(name, part_of(file))] == []


@pytest.mark.parametrize(
    ("part", "line", "name"),
    [
        ("promo_mypy/rules", "import numpy as np", "numpy"),
        ("promo_mypy/rules", "from promo_mypy import config", "promo_mypy.config"),
        ("promo_mypy/rules", "def f():\n    from mypy.types import Type", "mypy.types.Type"),
        ("promo_mypy/rules", "from ..plugin.names import NUMPY", "promo_mypy.plugin.names.NUMPY"),
        ("promo_mypy/rules", "from .. import config", "promo_mypy.config"),
        ("promo_mypy/plugin", "import jax.numpy", "jax.numpy"),
        ("promo_mypy/plugin", "from promo_mypyx.rules import dtypes", "promo_mypyx.rules.dtypes"),
        ("promo_mypy/plugin", "import typer", "typer"),
        (
            "promo_mypy/plugin/trees",
            "from promo_mypy.plugin.types import array_types",
            "promo_mypy.plugin.types.array_types",
        ),
        (
            "promo_mypy/plugin/types",
            "from promo_mypy.plugin.state.watch import Watch",
            "promo_mypy.plugin.state.watch.Watch",
        ),
        ("promo_mypy/plugin/calls", "from promo_mypy.plugin import operators", "promo_mypy.plugin.operators"),
        ("promo_mypy/plugin/process", "from promo_mypy.plugin import features", "promo_mypy.plugin.features"),
        (
            "promo_mypy/plugin/inferred",
            "if TYPE_CHECKING:\n    from promo_mypy.plugin.state import session",
            "promo_mypy.plugin.state.session",
        ),
        ("promo_mypy/plugin", "from promo_mypy.cli.names import near", "promo_mypy.cli.names.near"),
        (
            "promo_mypy/linting",
            "from promo_mypy.plugin.types import array_types",
            "promo_mypy.plugin.types.array_types",
        ),
        ("promo_mypy/lsp", "from promo_mypy.cli.output import note", "promo_mypy.cli.output.note"),
        ("promo_mypy/cli", "from promo_mypy.lsp.features import serve", "promo_mypy.lsp.features.serve"),
        ("promo_mypy/cli", "from mypy import api", "mypy.api"),
        ("promo_mypy/cli", "import numpy", "numpy"),
        ("promo_mypy/rules", "from rich.text import Text", "rich.text.Text"),
        ("promo_mypy", "from mypy import api", "mypy.api"),
        ("runtime/promo_runtime", "from promo_mypy.plugin import plugin", "promo_mypy.plugin.plugin"),
    ],
)
def test_an_import_against_the_arrow_is_found(part: str, line: str, name: str) -> None:
    assert list(imported(line, "promo_mypy.rules.module")) == [name]
    assert not is_allowed(name, part)


def circle(imports: Mapping[str, Set[str]]) -> list[str]:
    """The modules of one circle of imports; empty if there is no circle."""
    modules = {
        module: {_module_in(name, imports) for name in names} - {module, ""} for module, names in imports.items()
    }
    try:
        TopologicalSorter(modules).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _module_in(name: str, modules: Mapping[str, Set[str]]) -> str:
    """The deepest of the modules that a name is, or is in; empty for a name outside all of them."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def test_the_rooms_of_the_plugin_stand_in_their_order() -> None:
    order = [room.removesuffix(".py") for room in ROOMS]
    assert [room for place, room in enumerate(order) if not ROOMS[[*ROOMS][place]] <= set(order[:place])] == []


def test_types_are_not_read_from_text() -> None:
    """mypy's messages are read in one room, and types are taken apart as types."""
    matching = {file for file in FILES if "re" in imported((ROOT / file).read_text(), str(file))}
    assert Path("promo_mypy/plugin/messages/printed_marks.py") in matching
    assert {file for file in matching if file.parts[:3] == ("promo_mypy", "plugin", "types")} == set()


def layer_of(package: str) -> int:
    """The height of a package."""
    return next(height for height, packages in enumerate(LAYERS) if package in packages)


def test_the_packages_stand_in_their_layers() -> None:
    packages = {file.parts[1] for file in FILES if file.parts[0] == "promo_mypy" and len(file.parts) > 2}
    assert packages == set().union(*LAYERS)
    against = [
        (part, other)
        for part, others in MAY_IMPORT.items()
        if part.startswith("promo_mypy/") and (own := part.split("/")[1]) in packages
        for other in {each.split(".")[1] for each in others if each.startswith("promo_mypy.")} - {own}
        if layer_of(other) >= layer_of(own)
    ]
    assert against == [STARTS_SERVER]


def test_what_the_plugin_is_asked_is_needed() -> None:
    folder = ROOT / "promo_mypy/plugin/interface"
    asked = {name for file in FILES if file.parts[1] != "plugin" for name in imports_of(file)}
    offered = {
        f"promo_mypy.plugin.interface.{file.stem}.{name}"
        for file in folder.glob("*.py")
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.Assign)
        for name in ast.literal_eval(node.value)
    }
    assert len(offered) > 30
    assert offered == {name for name in asked if name.startswith("promo_mypy.plugin")}


@pytest.mark.parametrize("part", WITHOUT_CIRCLES)
def test_no_modules_import_each_other_in_a_circle(part: str) -> None:
    files = [file for file in FILES if file.is_relative_to(part)]
    prefix = "runtime." if part.startswith("runtime") else ""
    imports = {
        ".".join(file.with_suffix("").parts).removesuffix(".__init__").removeprefix(prefix): set(imports_of(file))
        for file in files
    }
    assert len(imports) > 1
    assert circle(imports) == []


def test_a_circle_of_imports_is_found() -> None:
    imports = {"a": {"a.b.f"}, "a.b": {"a.c.g", "json"}, "a.c": {"a.d"}, "a.d": {"a.b"}}
    assert set(circle(imports)) == {"a.b", "a.c", "a.d"}
    assert circle(imports | {"a.d": {"json.loads", "ab"}}) == []


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a fresh interpreter holds after a statement."""
    code = f"import sys\nsys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'runtime')!r}]\n{statement}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize("package", STAYS_OUT)
def test_importing_a_part_leaves_the_heavy_libraries_out(package: str) -> None:
    assert loaded_by(f"import {package}") & STAYS_OUT[package] == set()


_COMMANDS = "from promo_mypy.cli.app import COMMANDS\n[each.function for each in COMMANDS]"


def test_no_command_loads_the_heavy_libraries_before_it_needs_them() -> None:
    assert loaded_by(_COMMANDS) & STAYS_OUT["promo_mypy.cli"] == set()


def test_every_rules_module_loads_with_neither_mypy_nor_an_array_library() -> None:
    modules = [".".join(file.with_suffix("").parts) for file in FILES if part_of(file) == "promo_mypy/rules"]
    assert loaded_by("\n".join(f"import {module}" for module in modules)) & (ARRAY_LIBRARIES | {"mypy"}) == set()


def test_a_heavy_import_is_found() -> None:
    assert {"numpy", "ml_dtypes"} <= loaded_by("import promo_mypy.config, ml_dtypes") & ARRAY_LIBRARIES
    assert "mypy" in loaded_by("import promo_mypy.plugin")
    assert {"typer", "rich"} <= loaded_by(_COMMANDS) & COMMAND_LINE
    assert "rich" not in loaded_by("import promo_mypy.cli")
