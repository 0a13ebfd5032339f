"""Modules that the plugin reads when they are used: they exist, and no run reads them at its start."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import promo_mypy.plugin

_ROOT = Path(promo_mypy.plugin.__file__).parent
_UNREAD = """
import sys, types
import promo_mypy.plugin.features
for name in sys.argv[1:]:
    module = sys.modules.get(name)
    if module is not None and type(module) is types.ModuleType:
        print(name)
module = sys.modules[sys.argv[1]]
assert module.__doc__ and type(module) is types.ModuleType
"""


def _trees() -> Iterator[ast.Module]:
    return (ast.parse(file.read_text(encoding="utf-8")) for file in _ROOT.rglob("*.py"))


def _late_modules() -> set[str]:
    """The modules in blocks of `late()`."""
    blocks = (node for tree in _trees() for node in ast.walk(tree) if isinstance(node, ast.With))
    late = (block for block in blocks if ast.unparse(block.items[0].context_expr) == "late()")
    imports = (statement for block in late for statement in block.body if isinstance(statement, ast.ImportFrom))
    return {f"{statement.module}.{alias.name}" for statement in imports for alias in statement.names}


def _late_features() -> set[tuple[str, str]]:
    """The modules and names in calls of `late_feature`, and of `_late` for the modules of transforms."""
    found = set()
    for tree in _trees():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            match call:
                case ast.Call(func=ast.Name("late_feature"), args=[ast.Constant(str(module)), ast.Constant(str(name))]):
                    found.add((module, name))
                case ast.Call(func=ast.Name("_late"), args=[ast.Constant(str(module)), ast.Constant(str(name))]):
                    found.add((f"transforms.{module}", name))
    return found


def test_late_features_exist() -> None:
    features = _late_features()
    assert len(features) > 30
    assert all(callable(getattr(import_module(f"promo_mypy.plugin.{module}"), name)) for module, name in features)


def test_a_run_reads_no_late_module_at_its_start() -> None:
    modules = sorted(_late_modules() | {f"promo_mypy.plugin.{module}" for module, _ in _late_features()})
    assert len(modules) > 30
    done = subprocess.run([sys.executable, "-c", _UNREAD, *modules], capture_output=True, text=True, check=True)
    assert not done.stdout


def test_a_late_module_is_like_any_other_once_it_is_used() -> None:
    for name in _late_modules():
        module = import_module(name)
        file = module.__file__
        assert module.__spec__ is not None
        assert module.__spec__.origin == file
        assert module.__doc__
