"""Which names may stand for one container of arrays, and what is added to it under each name."""
