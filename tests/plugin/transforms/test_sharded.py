"""`jax.shard_map` on two CPU devices, in a process of its own: the revealed types are those of the results."""

import os
import subprocess
import sys
from pathlib import Path

from tests.mypy_runs import run_mypy
from tests.needed import needs

PROGRAM = """\
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.shard_map import shard_map
from jax.sharding import Mesh, PartitionSpec
from jaxtyping import Array, BFloat16, Float32
mesh = Mesh(np.array(jax.devices()), ("i",))
split, whole = PartitionSpec("i"), PartitionSpec()
def scaled(x: BFloat16[Array, "n"], y: Float32[Array, "n"]) -> Float32[Array, "n"]:
    return x * y
@partial(jax.shard_map, mesh=mesh, in_specs=(split,), out_specs=split)
def doubled(x: BFloat16[Array, "n"]) -> BFloat16[Array, "n"]:
    return x * 2
@jax.shard_map(mesh=mesh, in_specs=(split,), out_specs=split)
def tripled(x: BFloat16[Array, "n"]) -> BFloat16[Array, "n"]:
    return x * 3
def calls(x: BFloat16[Array, "n"], y: Float32[Array, "n"]) -> None:
    reveal_type(jax.shard_map(scaled, mesh=mesh, in_specs=(split, split), out_specs=split)(x, y))
    reveal_type(shard_map(scaled, mesh=mesh, in_specs=(split, split), out_specs=split)(x, y))
    reveal_type(doubled(x))
    reveal_type(tripled(x))
    reveal_type(jax.shard_map(lambda part: jax.lax.psum(part, "i"), mesh=mesh, in_specs=split, out_specs=whole)(x))
    reveal_type(jax.jit(jax.shard_map(lambda a, b: a * b, mesh=mesh, in_specs=split, out_specs=split))(x, y))
"""
#: Follows the program: it prints the number of devices, and each dtype with its line.
DRIVER = """
import inspect
def reveal_type(value):
    print(inspect.currentframe().f_back.f_lineno, value.dtype)
print(0, len(jax.devices()))
calls(jnp.ones(4, "bfloat16"), jnp.ones(4))
"""


def test_sharded_functions_keep_dtypes(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    # JAX leaves `PartitionSpec` and `psum` without types.
    assert {error.code for error in run.errors()} <= {"no-untyped-call"}, run.output
    (tmp_path / "executed.py").write_text(PROGRAM + DRIVER, encoding="utf-8")
    variables = os.environ | {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "executed.py"],
        cwd=tmp_path, env=variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen = dict(line.split() for line in done.stdout.splitlines())
    assert seen.pop("0") == "2", "two devices"
    said = {str(line): shown.partition("[")[2].rstrip("]") for line, shown in run.revealed().items()}
    assert said == seen
    assert set(seen.values()) == {"bfloat16", "float32"}, "dtypes that a wrong rule would mix up"
    assert len(seen) == PROGRAM.count("reveal_type(")
