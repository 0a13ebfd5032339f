"""The programs that the pages show infer, and compute, the dtypes that their comments name."""

from pathlib import Path
from typing import Any

from tests.docs.commented_programs import assert_as_commented, calls, comments
from tests.docs.pages import page
from tests.needed import needs


def test_annotations_are_read_as_the_comments_say(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping", "torch")
    assert_as_commented(page("docs/annotating.md"), 6, tmp_path, plugin_cache)


def test_functions_are_followed_as_the_comments_say(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping", "torch")
    source = assert_as_commented(page("docs/inference.md"), 7, tmp_path, plugin_cache)
    # The same calls, executed.
    import jax.numpy as jnp
    import numpy as np
    import torch

    functions: dict[str, Any] = {}
    exec(source, functions)
    arrays = {"x": jnp.ones(2, "float32"), "k": jnp.ones(2, "int32"), "a": np.ones(2, "int16"), "t": torch.ones(2)}
    found = [str(eval(call, {**functions, **arrays}).dtype).removeprefix("torch.") for call in calls(source)]
    assert found == list(dict(comments(source)).values())


def test_annotations_of_further_libraries_are_read_as_the_comments_say(tmp_path: Path, plugin_cache: Path) -> None:
    needs("dask", "jaxtyping", "tensorflow-stubs")
    assert_as_commented(page("docs/libraries.md"), 4, tmp_path, plugin_cache)


def test_promotions_are_worked_out_as_the_comments_say(tmp_path: Path, plugin_cache: Path) -> None:
    needs("jax", "jaxtyping")
    source = assert_as_commented(page("docs/any-dtype.md"), 5, tmp_path, plugin_cache)
    # The same calls, executed.
    import jax.numpy as jnp
    import numpy as np

    functions: dict[str, Any] = {}
    exec(source, functions)
    arrays = {"single": jnp.ones(2, "float32"), "brain": jnp.ones(2, "bfloat16"), "index": jnp.ones(2, "int32")}
    arguments = {**functions, **arrays, "f": np.ones(2, "float32"), "i": np.ones(2, "int32")}
    found = [str(eval(call, arguments).dtype) for call in calls(source)]
    assert found == list(dict(comments(source)).values())
