"""Annotations that name a dtype, to types: jaxtyping's, `Annotated[...]` and `Promote[...]`."""
