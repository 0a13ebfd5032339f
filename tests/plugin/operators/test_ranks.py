"""0-d tensors yield to n-d ones: the dtype is exact if the rank is known, unknown if it depends on an unknown rank."""

import ast
from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import imported, needs

torch = imported("torch")
needs("jaxtyping")

PROGRAM = """\
import torch
from jaxtyping import Float16, Float32, Float64, Int32, Int64
from torch import Tensor
def f(
    vector: Float32[Tensor, "n"], scalar: Float64[Tensor, ""], half: Float16[Tensor, "n"], many: Float64[Tensor, "..."],
    index: Int64[Tensor, "n"], matrix: Float64[Tensor, "m n"], small: Int32[Tensor, "n"], c: bool,
) -> None:
    reveal_type(vector + scalar)  # float32
    reveal_type(scalar + vector)  # float32
    reveal_type(half * scalar)  # float16
    reveal_type(vector + many)  # Any
    reveal_type(many + many)  # float64
    reveal_type(many + scalar)  # float64
    reveal_type(vector + matrix)  # float64
    reveal_type(small + scalar)  # float64
    reveal_type(small + index[0])  # int32
    reveal_type(small + index)  # int64
    reveal_type(vector + matrix[0])  # float64
    reveal_type(vector + matrix[0][1])  # float32
    reveal_type(vector + matrix[0, 1])  # float32
    reveal_type(vector + many[0])  # Any
    reveal_type(vector + scalar * 2)  # float32
    reveal_type(vector + (scalar + matrix))  # float64
    reveal_type(vector + (scalar if c else matrix))  # float32 | float64
    reveal_type(vector + (matrix @ matrix[0])[0])  # float32
    reveal_type(vector + matrix[0] @ matrix[0])  # float32
    reveal_type((vector + scalar) < many)  # bool_
    x = scalar
    reveal_type(vector + x)  # float32
    x = matrix
    reveal_type(vector + x)  # float64
    for row in matrix:
        reveal_type(vector + row)  # float64
    for entry in matrix[0]:
        reveal_type(vector + entry)  # float32
    reveal_type(vector + matrix.sum())  # float32
    reveal_type(vector + torch.sum(matrix))  # float32
    reveal_type(vector + torch.sum(matrix, 0))  # float64
    reveal_type(vector + torch.sum(matrix, (0, 1)))  # float32
    reveal_type(vector + torch.sum(matrix, (0, 1), keepdim=True))  # float64
    reveal_type(vector + matrix.mean(dim=-1))  # float64
    reveal_type(vector + torch.zeros(3, dtype=torch.float64))  # float64
    reveal_type(vector + torch.zeros((), dtype=torch.float64))  # float32
    reveal_type(vector + torch.add(scalar, scalar))  # float32
    reveal_type(vector + torch.add(scalar, matrix))  # float64
    reveal_type(vector + torch.stack([scalar, scalar, scalar]))  # float64
    reveal_type(vector + torch.tensor(1.0).double())  # float32
    reveal_type(vector + torch.tensor([1.0]).double())  # float64
    reveal_type(vector + torch.max(matrix, dim=0)[0])  # float64
    reveal_type(vector + torch.max(matrix[0], dim=0)[0])  # float32
    reveal_type(torch.sum(small) * small)  # int32
    reveal_type(torch.dot(matrix[0], matrix[0]) + vector)  # float32
    reveal_type(vector + torch.unbind(matrix[0])[0])  # float32
    reveal_type(vector + matrix.diagonal())  # float64
    reveal_type(vector + torch.sum(many))  # float32
    reveal_type(matrix @ many)  # float64
    reveal_type(many @ many[0])  # float64
    reveal_type(vector + torch.sum(many, 0))  # Any
    reveal_type(vector + torch.sqrt(many))  # Any
"""


def test_rank_decides(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "ranks.py").write_text(PROGRAM)
    run = run_mypy(tmp_path, "ranks.py", cache=plugin_cache)
    assert not run.errors(), run.output
    lines = PROGRAM.splitlines()
    shown = {lines[number - 1].strip(): typ for number, typ in run.revealed().items()}
    wanted = {
        line.strip(): " | ".join(f"Tensor[{dtype}]" for dtype in line.partition("# ")[2].split(" | "))
        for line in lines
        if "reveal_type" in line
    }
    assert shown == wanted


def test_pytorch_agrees_with_the_expectations() -> None:
    """The comments above, executed: `Any` stands for more than one dtype."""
    vector, scalar, half = torch.zeros(3), torch.tensor(1.0).double(), torch.zeros(3).half()
    matrix, small, index = torch.zeros(3, 3).double(), torch.zeros(3).int(), torch.zeros(3).long()
    executed, space = (
        0,
        {
            "vector": vector,
            "scalar": scalar,
            "half": half,
            "matrix": matrix,
            "small": small,
            "index": index,
            "torch": torch,
        },
    )
    for line in PROGRAM.splitlines():
        revealed, _, wanted = line.strip().partition(")  # ")
        expression = revealed.removeprefix("reveal_type(")
        if revealed == expression or wanted == "Any":
            continue
        used = {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}
        if not used <= space.keys():
            continue
        result = eval(expression, dict(space))
        assert str(result.dtype) == f"torch.{wanted.removesuffix('_')}", expression
        executed += 1
    assert executed > 30
