"""Follow calls into the bodies of the functions and methods of users, and remember what made their objects."""
