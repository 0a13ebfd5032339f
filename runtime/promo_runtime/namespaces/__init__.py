"""`namespace(...)`: the functions under one promotion system, and the arrays that they create."""
