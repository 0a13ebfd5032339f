"""The functions of namespaces as data: signatures, other names, and the row of the rules that decides the dtype."""
