"""The functions of namespaces as data: signatures, other names, and the rows of the rules that decide their dtypes."""
