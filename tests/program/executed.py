"""Compare the inferred types of a program with the values of its execution at the same places.

Every expression that is reported as an array is wrapped in a call, found only by its place. A place that `ast` does
not have, or a dtype that the value does not have, is a difference.
"""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.module_runs import run_module
from tests.mypy_runs import environment

#: Runs a program whose expressions are wrapped, and prints {place: ["library dtype weak" or "no array"]} at the end.
_RUNNER = """\
import ast, builtins, json, re, sys
path, places = sys.argv[1], {tuple(place) for place in json.loads(sys.argv[2])}
found = {}
LIBRARIES = {"numpy": "numpy", "jax": "jax", "jaxlib": "jax", "torch": "torch", "dask": "dask", "array_api_strict": "array-api"}
def seen(place, value):
    told = "no array"
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        library = LIBRARIES[type(value).__module__.partition(".")[0]]
        dtype = re.findall(r"bool|b?float\\w+|u?int\\w+|complex\\w+", str(value.dtype))[0]
        told = f"{library} {dtype} {getattr(value, 'weak_type', False)}"
    found.setdefault(place, set()).add(told)
    return value
class Wrap(ast.NodeTransformer):
    def visit(self, node):
        place = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0), getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0))
        self.generic_visit(node)
        if place not in places or not isinstance(node, ast.expr) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return node
        wrapped.add(place)
        return ast.copy_location(ast.Call(ast.Name("__seen__", ast.Load()), [ast.Constant(place), node], []), node)
wrapped = set()
builtins.__seen__ = seen
tree = ast.fix_missing_locations(Wrap().visit(ast.parse(open(path, "rb").read())))
assert wrapped == places, sorted(places - wrapped)
exec(compile(tree, path, "exec"), {"__name__": "__main__", "__file__": path})
print()
print(json.dumps([[list(place), sorted(told)] for place, told in found.items()]))
"""  # noqa: E501 - a program of its own


def infer_json(folder: Path, *arguments: str) -> dict[str, Any]:
    """The output of `promo-mypy infer --format json` in a folder, in a process of its own."""
    done = run_command(folder, "infer", "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    content: dict[str, Any] = json.loads(done.stdout)
    return content


def run_command(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a `promo-mypy` command in a process of its own, as users run it."""
    surroundings = environment() | {"COLUMNS": "100"} | variables
    # Where modules are looked for elsewhere, one may be missing.
    imported = () if "PYTHONPATH" in variables else ("tests.imported_commands",)
    return run_module("promo_mypy.cli", *arguments, folder=folder, variables=surroundings, imported=imported)


def place_of(expression: dict[str, Any]) -> tuple[int, int, int, int]:
    """Line, column, end line and end column."""
    return expression["line"], expression["column"], expression["end_line"], expression["end_column"]


def executed(program: Path, expressions: list[dict[str, Any]]) -> dict[tuple[int, ...], list[str]]:
    """Place -> its values: "library dtype weak", or "no array"; only places that were reached."""
    places = json.dumps([place_of(each) for each in expressions])
    command = [sys.executable, "-c", _RUNNER, str(program), places]
    done = subprocess.run(command, cwd=program.parent, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {tuple(place): told for place, told in json.loads(done.stdout.splitlines()[-1])}


def differences(program: Path, expressions: list[dict[str, Any]]) -> list[str]:
    """The places where a value was an array of another library or dtype, in words."""
    values = executed(program, expressions)
    source = program.read_bytes()
    found = []
    for each in expressions:
        for told in values.get(place_of(each), []):
            if told != "no array" and not _allows(each, *told.split()):
                text = ast.get_source_segment(source.decode(), _node(*place_of(each)))
                found.append(f"{each['line']}: {text}: {told}, inferred {each['dtype']} weak={each['weak']}")
    return found


def _allows(inferred: dict[str, Any], library: str, dtype: str, weak: str) -> bool:
    dtypes = inferred["dtype"] if isinstance(inferred["dtype"], list) else [inferred["dtype"]]
    return (
        inferred["library"] in (library, None)
        and (dtypes == [None] or dtype in dtypes)
        and inferred["weak"] in (weak == "True", None)
    )


def _node(line: int, column: int, end_line: int, end_column: int) -> ast.expr:
    return ast.Name("_", lineno=line, col_offset=column, end_lineno=end_line, end_col_offset=end_column)
