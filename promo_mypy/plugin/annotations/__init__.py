"""Turn annotations that name a dtype into types: jaxtyping's, `Annotated[...]` and `Promote[...]`."""
