"""What mypy's cache lacks of a function is read of functions of the checked file alone."""

import ast
from pathlib import Path
from typing import Final

import promo_mypy.plugin

#: The attributes that mypy's cache lacks: three are undefined there, the others empty.
_LACKING: Final = frozenset({"arguments", "max_pos", "min_args", "body", "expanded", "original_decorators"})
_IN_FILE: Final = "it gets functions from a walk of the file that mypy checks, or is analysing"
_OF_GUARD: Final = "its callers ask `has_body`"
#: The modules that read them without the guard, each with the reason.
_READERS: Final = {
    "trees/": _IN_FILE,
    "types/generic_arrays.py": _IN_FILE,
    "transforms/wrappers.py": "it writes functions",
    "transforms/lambda_parameters.py": "mypy keeps no lambdas",
    "transforms/called_lambdas.py": "mypy keeps no lambdas",
    "operators/operands/union_operands.py": "mypy keeps no lambdas",
    "mypy_api/compared/reported.py": _IN_FILE,
    "inferred/aside/": _IN_FILE,
    "transforms/named_carries.py": _OF_GUARD,
    "transforms/carries.py": "`body` is a function that a loop calls, no node",
    "mypy_api/checker/body_checking.py": _OF_GUARD,
    "mypy_api/nodes/tree_changes.py": _OF_GUARD,
    "mypy_api/checker/type_checker.py": "mypy checks the function",
    "mypy_api/checker/call_checking.py": "its caller asks `has_decorators`",
    "mypy_api/modules/semantic_analysis.py": _IN_FILE,
    "mypy_api/checker/tested_blocks.py": _IN_FILE,
    "mypy_api/modules/wrapped_functions.py": "a mark in the module says what mypy's cache lacks",
    "calls/autocast": _IN_FILE,
    "calls/followed/made_objects.py": _IN_FILE,
    "calls/classes/tensorflow_variables.py": _IN_FILE,
    "layers/module_dtypes.py": _IN_FILE,
    "inferred/observed_dtypes.py": _IN_FILE,
    "inferred/assumed_parameters.py": _IN_FILE,
    "inferred/inserted_calls.py": _IN_FILE,
    "inferred/overridden_members.py": _IN_FILE,
    "inferred/numbers/number_variables.py": _IN_FILE,
}


def _read(module: Path) -> set[str]:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in _LACKING}


def test_what_the_cache_lacks_is_read_behind_the_guard() -> None:
    plugin = Path(promo_mypy.plugin.__file__).parent
    modules = {path.relative_to(plugin).as_posix(): path for path in plugin.rglob("*.py")}
    readers = {name for name, path in modules.items() if _read(path)}
    guarded = {name for name in readers if "function_bodies import" in modules[name].read_text(encoding="utf-8")}
    unguarded = readers - guarded
    assert {name for name in unguarded if not any(map(name.startswith, _READERS))} == set()
    assert [known for known in _READERS if not any(name.startswith(known) for name in unguarded)] == []


def test_such_a_reader_is_found(tmp_path: Path) -> None:
    module = tmp_path / "reader.py"
    module.write_text("def count(function):\n    return len(function.arguments)\n")
    assert _read(module) == {"arguments"}
