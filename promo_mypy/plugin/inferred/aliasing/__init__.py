"""Find the aliases of a container of arrays, and what is added to it under each of them."""
