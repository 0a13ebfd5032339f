"""Compare the dtypes that mypy infers in a program with those of its execution at the same places.

Every assigned and every returned expression is wrapped in `reveal_type`: mypy answers with a type, Python with the
value. Each statement is on a line of its own, so that a line names the expression in both.
"""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

from tests.mypy_runs import Run, environment

#: Runs a program with a `reveal_type` that notes line and dtype; the last line of the output holds the notes.
_OBSERVER = """\
import json, re, runpy, sys, typing
found = {}
def reveal_type(value):
    if hasattr(value, "dtype"):
        # torch.float32, <dtype: 'float32'>, array_api_strict.float32
        dtype = re.findall(r"bool|b?float\\w+|u?int\\w+|complex\\w+", str(value.dtype))[0]
        weak = "weak_" if getattr(value, "weak_type", False) else ""
        found.setdefault(sys._getframe(1).f_lineno, set()).add(weak + dtype)
    return value
typing.reveal_type = reveal_type
runpy.run_path(sys.argv[1], run_name="__main__")
print()
print(json.dumps({line: sorted(dtypes) for line, dtypes in found.items()}))
"""

_OURS = re.compile(r"(?:Array|Tensor)\[(\w+)\]")
_NUMPY = re.compile(r"numpy\.ndarray\[.*, numpy\.dtype\[numpy\.(\w+)(?:\[(.*)\])?\]\]")
_KINDS = {"floating": "float", "complexfloating": "complex", "signedinteger": "int", "unsignedinteger": "uint"}


class _Reveal(ast.NodeTransformer):
    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        return ast.Assign(node.targets, self._wrapped(node.value), lineno=node.lineno)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.value = node.value and self._wrapped(node.value)
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        return ast.Return(node.value and self._wrapped(node.value))

    def _wrapped(self, value: ast.expr) -> ast.expr:
        return ast.Call(ast.Name("reveal_type", ast.Load()), [value], [])


def instrumented(source: str) -> str:
    """The program with `reveal_type` around the expressions that its functions assign and return."""
    tree = ast.parse(source)
    # Type aliases are at the top level: only functions compute arrays.
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            _Reveal().visit(node)
    tree.body.insert(1, ast.ImportFrom("typing", [ast.alias("reveal_type")], 0))  # after the docstring
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def inferred(run: Run) -> dict[int, str]:
    """Line -> dtype, wherever mypy revealed an array of one dtype."""
    named = {line: dtype_named(revealed) for line, revealed in run.revealed().items()}
    return {line: dtype for line, dtype in named.items() if dtype is not None}


def executed(program: Path, attempts: int = 1) -> dict[int, str]:
    """Line -> dtype, wherever the program passed arrays through `reveal_type`; several dtypes are joined by `|`.

    `attempts`: how often to start it if a signal ends it, which TensorFlow does to itself now and then.
    """
    lines = run_python("-c", _OBSERVER, str(program), attempts=attempts).splitlines()
    return {int(line): " | ".join(dtypes) for line, dtypes in json.loads(lines[-1]).items()}


def run_python(*arguments: str, attempts: int = 1) -> str:
    """The output of a Python process that succeeds; a process that a signal ends is started again."""
    command = [sys.executable, *arguments]
    for _ in range(attempts):
        done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
        if done.returncode >= 0:
            break
    assert done.returncode == 0, done.stderr
    return done.stdout


def dtype_named(revealed: str) -> str | None:
    """The dtype in a revealed array type; None if it is not an array or has no single dtype."""
    ours = _OURS.fullmatch(revealed)
    if ours is not None:
        return None if ours[1] == "Any" else ours[1].removesuffix("_")
    found = _NUMPY.fullmatch(revealed)
    if found is None:
        return None
    name, arguments = found.groups()
    bits = sum(map(int, re.findall(r"_(\d+)Bit", arguments or "")))
    # Both parts of a complex number count, as in its name.
    return f"{_KINDS[name]}{bits}" if name in _KINDS and bits else name
